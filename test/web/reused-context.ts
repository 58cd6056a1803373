// Browser contexts that tests use one after another: a new one costs twice as much as a reset.
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { count } from "../resource-usage.ts";

/** Methods with effects that a reset does not undo. */
const LASTING = {
  context: [
    "addInitScript",
    "exposeBinding",
    "exposeFunction",
    "grantPermissions",
    "routeFromHAR",
    "routeWebSocket",
    "setExtraHTTPHeaders",
    "setGeolocation",
    "setHTTPCredentials",
  ],
  page: [
    "addInitScript",
    "addLocatorHandler",
    "exposeBinding",
    "exposeFunction",
    "routeFromHAR",
    "routeWebSocket",
    "setDefaultNavigationTimeout",
    "setDefaultTimeout",
    "setExtraHTTPHeaders",
  ],
  clock: ["fastForward", "install", "pauseAt", "resume", "runFor", "setFixedTime", "setSystemTime"],
  keyboard: ["down"],
};
/** Commands of the DevTools protocol that change nothing beyond the document. */
const OF_DOCUMENT = ["Page.createIsolatedWorld", "Page.getFrameTree", "Runtime.evaluate"];

/** Media that pages have by default. Animations are off, see `browser-session.ts`. */
const MEDIA = {
  media: null,
  colorScheme: "light",
  contrast: "no-preference",
  forcedColors: "none",
  reducedMotion: "reduce",
} as const;
/** Does not wait for the handlers of routes, which may hold a request. */
const AT_ONCE = { behavior: "ignoreErrors" } as const;
/** A page that does not leave in this time is closed. */
const LEAVE_MS = 10_000;

/** Released contexts, the one unused for longest first. The browser closes them at its end. */
const free: ReusedContext[] = [];
const FREE_MAX = 4;

/** Whether listeners can be compared, which Playwright's types omit. */
interface Emitter {
  eventNames(): string[];
  rawListeners(event: string): ((...args: never[]) => void)[];
  off(event: string, listener: (...args: never[]) => void): unknown;
}

export class ReusedContext {
  /** Set when a test did something that a reset does not undo. */
  private isUsedUp = false;
  private page: Page | undefined;
  private hasOpenedPages = false;
  private readonly ownListeners = new WeakMap<object, Set<unknown>>();
  private readonly openSession: BrowserContext["newCDPSession"];
  private readonly sessions: { detach(): Promise<void> }[] = [];

  private constructor(
    readonly context: BrowserContext,
    private readonly options: string,
    private readonly origin: string,
  ) {
    const useUp = () => (this.isUsedUp = true);
    onCall(context, LASTING.context, useUp);
    onCall(context.clock, LASTING.clock, useUp);
    this.openSession = context.newCDPSession.bind(context);
    context.newCDPSession = async (page) => {
      const session = await this.openSession(page);
      this.sessions.push(session);
      const send = session.send.bind(session);
      session.send = (method, ...params) => {
        if (!OF_DOCUMENT.includes(method)) useUp();
        return send(method, ...params);
      };
      return session;
    };
    context.on("page", (page) => {
      count("tabs");
      this.hasOpenedPages = true;
      onCall(page, LASTING.page, useUp);
      onCall(page.keyboard, LASTING.keyboard, useUp);
      page.on("crash", useUp);
      page.on("framenavigated", (frame) => {
        const url = URL.parse(frame.url());
        if (url && url.protocol !== "about:" && url.origin !== this.origin) useUp();
      });
      this.ownListeners.set(page, listenersOf(page));
    });
    this.ownListeners.set(context, listenersOf(context));
  }

  /**
   * Returns a context without cookies and storage: one that another test at the same address has
   * released, or a new one.
   */
  static async take(
    options: BrowserContextOptions & { baseURL: string },
    open: (options: BrowserContextOptions) => Promise<BrowserContext>,
  ): Promise<ReusedContext> {
    const key = JSON.stringify(options);
    const index = free.findLastIndex((item) => item.options === key);
    const [reused] = index < 0 ? [] : free.splice(index, 1);
    // The browser may have ended meanwhile: the test runner kills it when a test times out.
    if (reused && (await reused.reset().catch(() => false))) return reused;
    return new ReusedContext(await open(options), key, new URL(options.baseURL).origin);
  }

  /** The page of the previous test, once, or a new page. */
  async takePage(): Promise<Page> {
    const page = this.page;
    this.page = undefined;
    return page && !page.isClosed() ? page : this.context.newPage();
  }

  /** Ends the documents of a test. The context is closed if a reset would not undo everything. */
  async release(): Promise<void> {
    try {
      const limit = Bun.sleep(LEAVE_MS).then(() => Promise.reject(new Error("does not leave")));
      await Promise.race([this.leave(), limit]);
    } catch {
      this.isUsedUp = true;
    }
    if (this.isUsedUp) return this.context.close();
    free.push(this);
    if (free.length > FREE_MAX) await free.shift()!.context.close();
  }

  /** Leaves no document, worker or stored data. */
  private async leave(): Promise<void> {
    if (this.isUsedUp) return;
    const [page, ...others] = this.context.pages();
    for (const emitter of [this.context, ...(page ? [page] : [])]) this.removeListeners(emitter);
    await Promise.all(others.map((other) => other.close()));
    await Promise.all(this.sessions.splice(0).map((session) => session.detach().catch(() => null)));
    this.page = page;
    if (page) await this.empty(page);
    else if (this.hasOpenedPages) throw new Error("all pages are closed");
    await this.context.clearCookies();
    await this.context.unrouteAll(AT_ONCE);
    await this.context.setOffline(false);
  }

  private async empty(page: Page): Promise<void> {
    if (page.url() !== "about:blank") await page.evaluate(() => sessionStorage.clear());
    await page.goto("about:blank");
    await page.unrouteAll(AT_ONCE);
    const session = await this.openSession(page);
    if (this.context.serviceWorkers().length > 0) {
      await session.send("ServiceWorker.enable");
      await session.send("ServiceWorker.stopAllWorkers");
    }
    await session.send("Storage.clearDataForOrigin", { origin: this.origin, storageTypes: "all" });
    await session.send("Page.resetNavigationHistory");
    await session.detach();
  }

  /** Restores what tests change about a page; fails if the browser has ended. */
  private async reset(): Promise<true> {
    const { page } = this;
    if (!page) return true;
    const { viewport } = JSON.parse(this.options) as BrowserContextOptions;
    await page.setViewportSize(viewport ?? { width: 1280, height: 720 });
    await page.emulateMedia(MEDIA);
    await page.mouse.move(0, 0);
    return true;
  }

  private removeListeners(emitter: Page | BrowserContext): void {
    const own = this.ownListeners.get(emitter);
    const all = emitter as unknown as Emitter;
    for (const event of all.eventNames()) {
      for (const listener of all.rawListeners(event)) {
        if (!own?.has(listener)) all.off(event, listener);
      }
    }
  }
}

function listenersOf(emitter: Page | BrowserContext): Set<unknown> {
  const all = emitter as unknown as Emitter;
  return new Set(all.eventNames().flatMap((event) => all.rawListeners(event)));
}

/** Calls `note` before each call of the methods. */
function onCall(target: object, names: readonly string[], note: () => void): void {
  for (const name of names) {
    const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
    Reflect.set(target, name, (...args: unknown[]) => {
      note();
      return method.apply(target, args);
    });
  }
}
