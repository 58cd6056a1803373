// A browser with a running Skein: a user's pages, and minimal static pages as the baseline.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { startSession } from "../../src/features/sessions/actions.ts";
import { csrfTokenOf } from "../../src/server/caller/session.ts";
import { launchChromium } from "../../test/web/chromium.ts";
import { type Server, startSkein } from "../processes.ts";
import type { Account } from "../requests.ts";
import { openDataset, type Dataset } from "../datasets.ts";

/** The path of the static page in the context that `reference` creates. */
export const REFERENCE = "/reference";

/** Measuring functions of pages; a frame ends when the next task starts. */
export interface PageTools {
  nextPaint(): Promise<number>;
  /** When the first message was painted, in milliseconds since the navigation. */
  first: Promise<number>;
}

const TOOLS = `
  window.nextPaint = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(performance.now());
    port2.postMessage(0);
  }));
  window.first = new Promise((done) => {
    const look = () => document.querySelector(".msg")
      ? window.nextPaint().then(done) : requestAnimationFrame(look);
    requestAnimationFrame(look);
  });`;

export class BenchBrowser implements AsyncDisposable {
  private constructor(
    readonly dataset: Dataset,
    readonly server: Server,
    private readonly browser: Browser,
    private readonly token: string,
  ) {}

  static async open(dataset: Dataset): Promise<BenchBrowser> {
    const realm = await openDataset(dataset.directory);
    const person = realm.read.users.get(dataset.people[0]!.user_id)!;
    const session = { user_agent: "bench", method: "Email" } as const;
    const token = await realm.write((tx) => startSession(tx, person, session));
    await realm.close();
    const server = await startSkein(dataset.directory);
    const browser = await launchChromium();
    return new BenchBrowser(dataset, server, browser, token);
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  /** The URL of a topic of the first channel. */
  topic(number: number): string {
    return `/#narrow/channel/${this.dataset.channels[0]}-x/topic/topic.20${number}`;
  }

  /** A browser with empty caches, signed in. */
  async newContext(): Promise<BrowserContext> {
    const context = await this.browser.newContext({ baseURL: this.url });
    await context.addInitScript(TOOLS);
    const lax = { url: this.url, sameSite: "Lax" } as const;
    await context.addCookies([
      { ...lax, name: "sessionid", value: this.token, httpOnly: true },
      { ...lax, name: "csrftoken", value: csrfTokenOf(this.token) },
    ]);
    return context;
  }

  /** A connected page whose first messages are painted. */
  async page(path: string): Promise<Page> {
    const page = await (await this.newContext()).newPage();
    await page.goto(path);
    await page.locator("main[data-connection=live]").waitFor();
    await page.locator(".msg").first().waitFor();
    return page;
  }

  /** Waits until the view is cached on disk, from where the next start loads it. */
  async untilCached(page: Page): Promise<void> {
    const name = `skein-${this.dataset.people[0]!.user_id}`;
    while ((await windowsOnDisk(page, name)) === 0) await Bun.sleep(50);
  }

  /** The same rows and styles as static HTML, without scripts. */
  async reference(like: Page): Promise<Page> {
    const html = await like.evaluate(() => {
      const copy = document.documentElement.cloneNode(true) as Element;
      for (const item of copy.querySelectorAll("script, link[rel=modulepreload]")) item.remove();
      return `<!doctype html>${copy.outerHTML}`;
    });
    const context = await this.newContext();
    await context.route(`**${REFERENCE}`, (route) =>
      route.fulfill({ contentType: "text/html", body: html }),
    );
    const page = await context.newPage();
    await page.goto(REFERENCE);
    return page;
  }

  /** Other users send messages at a constant rate until stopped. */
  postRegularly(perSecond: number, topic: number): () => Promise<number> {
    const [, from] = this.dataset.people as [Account, Account];
    const startedAt = performance.now();
    const pending: Promise<unknown>[] = [];
    const timer = setInterval(() => {
      const due = ((performance.now() - startedAt) / 1000) * perSecond;
      while (pending.length < due) pending.push(this.postMessage(from, topic));
    }, 1000 / perSecond);
    return async () => {
      clearInterval(timer);
      await Promise.all(pending);
      return pending.length;
    };
  }

  async postMessage(from: Account, topic: number): Promise<void> {
    const body = new URLSearchParams({
      type: "channel",
      to: `${this.dataset.channels[0]}`,
      topic: `topic ${topic}`,
      content: "Then let us try the **next step** today, if all is quiet.",
    });
    const authorization = `Basic ${btoa(`${from.email}:${from.key}`)}`;
    const request = { method: "POST", body, headers: { authorization } };
    const send = () => fetch(`${this.url}/api/v1/messages`, request);
    // A keep-alive connection may have just been closed.
    const response = await send().catch(send);
    await response.text();
    if (!response.ok) throw new Error(`a message was refused: ${response.status}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    await this.server[Symbol.asyncDispose]();
  }
}

const windowsOnDisk = (page: Page, name: string): Promise<number> =>
  page.evaluate(
    (called) =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open(called);
        // Must not create the client's database.
        opening.onupgradeneeded = () => opening.transaction!.abort();
        opening.onerror = () => resolve(0);
        opening.onsuccess = () => {
          const { result: database } = opening;
          const done = (count: number) => {
            database.close();
            resolve(count);
          };
          if (!database.objectStoreNames.contains("windows")) return done(0);
          const counting = database.transaction("windows").objectStore("windows").count();
          counting.onsuccess = () => done(counting.result);
          counting.onerror = () => reject(counting.error);
        };
      }),
    name,
  );

export async function slowDown(page: Page, times: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: times });
}
