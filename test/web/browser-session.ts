// A real browser for stories: pages of people of the cast, who are signed in to a test server.
import { afterAll } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { startSession } from "../../src/features/sessions/actions.ts";
import { csrfTokenOf } from "../../src/server/asker/session.ts";
import { atEnd, atEndOfTest } from "../at-end.ts";
import type { Name } from "../cast.ts";
import { IS_LONG } from "../long.ts";
import { PAGE_MS } from "../patience.ts";
import type { TestServer } from "../test-server.ts";
import { count } from "../usage.ts";
import { launchChromium } from "./chromium.ts";

/** A name for this machine that browsers do not trust as they do loopback's own. */
export const LAN_HOST = "chat.lan";
const LAN_RULES = `--host-resolver-rules=MAP ${LAN_HOST} 127.0.0.1`;

/** What opens is there at once, so that no story waits for motion, or meets what is half there. */
const STILL = { reducedMotion: "reduce" } as const;

/** Whether pages have the service worker, which takes a third of what a page costs a machine. */
const USUAL = IS_LONG ? "allow" : "block";
let serviceWorkers: "allow" | "block" = USUAL;

/** The stories of a file are about it, or about a browser without a network. */
export function withWorkers(): void {
  serviceWorkers = "allow";
  afterAll(() => void (serviceWorkers = USUAL));
}

/** Without a network some of it may never come. */
const WHOLE_MS = 20_000;

let launched: Promise<Browser> | undefined;

/** One for all stories of a process, at whose end it closes. */
export function openBrowser(): Promise<Browser> {
  return (launched ??= launch());
}

async function launch(): Promise<Browser> {
  const browser = await launchChromium([LAN_RULES]);
  atEnd(() => browser.close());
  return browser;
}

/** Somebody's browser: its tabs share cookies, storage and workers, with nobody else's. */
export class BrowserSession {
  /** What a page told of breaches of its policy, of errors, and of files that were not there. */
  readonly faults: string[] = [];

  private constructor(
    readonly testServer: TestServer,
    readonly context: BrowserContext,
    /** As the address line has it. */
    readonly url: string,
  ) {
    testServer.browserSessions.push(this);
    // Its pages would go on receiving and rendering the messages of all other tests.
    atEndOfTest(() => this.close());
    context.setDefaultTimeout(PAGE_MS);
    context.on("page", () => count("tabs"));
    context.on("weberror", (error) => this.faults.push(String(error.error())));
    context.on("console", (told) => {
      if (told.type() === "error") this.faults.push(told.text());
    });
  }

  /** Nobody is signed in there. */
  static async empty(testServer: TestServer, host?: string): Promise<BrowserSession> {
    const browser = await openBrowser();
    const url = host === undefined ? testServer.url : testServer.url.replace("127.0.0.1", host);
    return new BrowserSession(
      testServer,
      await browser.newContext({ baseURL: url, serviceWorkers, ...STILL }),
      url,
    );
  }

  /** A phone, on the glass of which there are fingers and no pointer. */
  static async ofPhone(testServer: TestServer, name: Name): Promise<BrowserSession> {
    const browser = await openBrowser();
    const phone = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } };
    const asked = { baseURL: testServer.url, serviceWorkers, ...phone, ...STILL };
    const context = await browser.newContext(asked);
    const browserSession = new BrowserSession(testServer, context, testServer.url);
    await browserSession.signIn(name);
    return browserSession;
  }

  static async of(testServer: TestServer, name: Name, host?: string): Promise<BrowserSession> {
    const browserSession = await BrowserSession.empty(testServer, host);
    await browserSession.signIn(name);
    return browserSession;
  }

  /** By a session's cookies, as no password need be asked for; it replaces who was there before. */
  async signIn(name: Name): Promise<void> {
    const { testServer, url } = this;
    const token = await testServer.realm.write((tx) =>
      startSession(tx, tx.users.get(testServer.idOf(name))!, {
        user_agent: "story",
        method: "Email",
      }),
    );
    const lax = { url, sameSite: "Lax" } as const;
    await this.context.addCookies([
      { ...lax, name: "sessionid", value: token, httpOnly: true },
      { ...lax, name: "csrftoken", value: csrfTokenOf(token) },
    ]);
  }

  /**
   * A new tab at an address of the client, as somebody sees it who takes a moment to begin: what
   * comes after the first view is there too, where it can come.
   */
  async tab(path = "/"): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(path);
    const isClient = (await page.locator("script[src*='/assets/main']").count()) > 0;
    const whole = page.locator("body[data-whole]");
    if (isClient) await whole.waitFor({ timeout: WHOLE_MS }).catch(() => undefined);
    return page;
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
