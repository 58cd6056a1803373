// A real browser for tests: pages of users who are signed in to a test server.
import { afterAll } from "bun:test";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { startSession } from "../../src/features/sessions/actions.ts";
import { csrfTokenOf } from "../../src/server/caller/session.ts";
import { onEnd, onEndOfTest, onHang } from "../cleanup.ts";
import type { Name } from "../users.ts";
import { IS_LONG_RUN } from "../repetitions.ts";
import { PAGE_MS } from "../patience.ts";
import type { TestServer } from "../test-server.ts";
import { launchChromium } from "./chromium.ts";
import { recordCoverage } from "./coverage.ts";
import { describePages } from "./page-report.ts";
import { ReusedContext } from "./reused-context.ts";

/** A host name for loopback that browsers do not trust, unlike the names of loopback itself. */
export const LAN_HOST = "chat.lan";
const LAN_RULES = `--host-resolver-rules=MAP ${LAN_HOST} 127.0.0.1`;

/** Disables animations, so that tests neither wait for them nor see intermediate states. */
const REDUCED_MOTION = { reducedMotion: "reduce" } as const;

/** The service worker causes a third of a page's cost, so only long runs allow it by default. */
const DEFAULT = IS_LONG_RUN ? "allow" : "block";
let serviceWorkers: "allow" | "block" = DEFAULT;

/** A route for this address enables the interception of requests, and matches none. */
const NEVER_REQUESTED = "**/intercepts-nothing";

/** Allows the service worker, for files that test it or a browser without a network. */
export function withWorkers(): void {
  serviceWorkers = "allow";
  afterAll(() => void (serviceWorkers = DEFAULT));
}

const CLIENT = ":has(script[src*='/assets/main'])";
/** The body of a complete client, or of any other page, to which a client may redirect. */
const COMPLETE = `html${CLIENT} > body[data-whole], html:not(${CLIENT}) > body`;

/** Maximum wait for the parts that load late; without a network some never load. */
const PAGE_LOAD_MS = 20_000;

let launched: Promise<Browser> | undefined;

/** Shared by all tests of a process and closed at its end. */
export function openBrowser(): Promise<Browser> {
  return (launched ??= launch());
}

async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await startContext(options);
  // A page may bypass its routes if a service worker takes control of it while they are added.
  if (options.serviceWorkers === "allow")
    await context.route(NEVER_REQUESTED, (route) => route.continue());
  return context;
}

const takeContext = (options: BrowserContextOptions & { baseURL: string }) =>
  ReusedContext.take(options, newContext);

/** A recording of the coverage ends with its page. */
const isReusable = () => process.env["TEST_COVERAGE"] === undefined;

/** Starts another browser once: the test runner kills the browser of a test that times out. */
async function startContext(options: BrowserContextOptions): Promise<BrowserContext> {
  try {
    return await (await openBrowser()).newContext(options);
  } catch (error) {
    console.log(`Starts another browser: ${(error as Error).message}`);
    launched = undefined;
    return (await openBrowser()).newContext(options);
  }
}

async function launch(): Promise<Browser> {
  const browser = await launchChromium([LAN_RULES]);
  recordCoverage(browser);
  onHang(async () => {
    const described = await Promise.all(browser.contexts().map(describePages));
    console.log(`This test seems to hang. Its pages:\n\n${described.join("\n\n")}\n`);
  });
  onEnd(() => browser.close());
  return browser;
}

/** A user's browser: its tabs share cookies, storage and workers with no other session. */
export class BrowserSession {
  /** CSP violations, errors and missing files of the pages. */
  readonly faults: string[] = [];

  readonly context: BrowserContext;
  private isOver = false;

  private constructor(
    readonly testServer: TestServer,
    private readonly reused: ReusedContext,
    /** Base URL of pages. */
    readonly url: string,
  ) {
    const context = (this.context = reused.context);
    testServer.browserSessions.push(this);
    // Otherwise its pages would receive and render the messages of all other tests.
    onEndOfTest(() => this.close());
    context.setDefaultTimeout(PAGE_MS);
    context.on("weberror", (error) => this.faults.push(String(error.error())));
    context.on("console", (message) => {
      if (message.type() === "error") this.faults.push(message.text());
    });
  }

  /** Opens a browser that is not signed in. */
  static async empty(
    testServer: TestServer,
    host?: string,
    workers = serviceWorkers,
  ): Promise<BrowserSession> {
    const url = host === undefined ? testServer.url : testServer.url.replace("127.0.0.1", host);
    const options = { baseURL: url, serviceWorkers: workers, ...REDUCED_MOTION };
    return new BrowserSession(testServer, await takeContext(options), url);
  }

  /** Opens a phone with a touch screen and without a mouse. */
  static async forPhone(testServer: TestServer, name: Name): Promise<BrowserSession> {
    const phone = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } };
    const params = { baseURL: testServer.url, serviceWorkers, ...phone, ...REDUCED_MOTION };
    const reused = await takeContext(params);
    const browserSession = new BrowserSession(testServer, reused, testServer.url);
    await browserSession.signIn(name);
    return browserSession;
  }

  static async of(testServer: TestServer, name: Name, host?: string): Promise<BrowserSession> {
    const browserSession = await BrowserSession.empty(testServer, host);
    await browserSession.signIn(name);
    return browserSession;
  }

  /** Allows the service worker, for a test of it or of a start without a network. */
  static async withWorker(testServer: TestServer, name: Name): Promise<BrowserSession> {
    const browserSession = await BrowserSession.empty(testServer, undefined, "allow");
    await browserSession.signIn(name);
    return browserSession;
  }

  /** Signs in with session cookies instead of a password, replacing the previous user. */
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
   * Opens a tab of the client and waits for the parts that load after the first view, if they can.
   */
  async tab(path = "/"): Promise<Page> {
    const page = await this.reused.takePage();
    await page.goto(path);
    const complete = page.locator(COMPLETE);
    await complete.waitFor({ state: "attached", timeout: PAGE_LOAD_MS }).catch(() => undefined);
    return page;
  }

  /** Leaves the browser to another test at the same address, without any of its state. */
  async close(): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    await (isReusable() ? this.reused.release() : this.context.close());
  }
}
