// Records which functions of the client the pages of each test file execute.
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import type { ScriptCoverage } from "./sections.ts";

/** File that receives one line per page. If unset, nothing is recorded. */
const PATH = process.env["TEST_COVERAGE"];

export interface PageCoverage {
  /** Path of the test file. */
  readonly test: string;
  /** Scripts with the functions that were executed. */
  readonly covered: readonly ScriptCoverage[];
}

/** Records the pages of all contexts that the browser opens from now on. */
export function recordCoverage(browser: Browser): void {
  if (PATH === undefined) return;
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    recordContext(context);
    return context;
  };
}

/** Coverage ends with its page, so it is taken before the page or the context closes. */
function recordContext(context: BrowserContext): void {
  const test = relative(process.cwd(), Bun.main);
  const started = new Map<Page, Promise<CDPSession | undefined>>();
  const start = (page: Page) => {
    const session = started.get(page) ?? startCoverage(context, page);
    started.set(page, session);
    return session;
  };
  const take = async (page: Page) => {
    const session = started.get(page);
    started.delete(page);
    const covered = await coverageOf(await session);
    if (covered) appendFileSync(PATH!, `${JSON.stringify({ test, covered })}\n`);
  };
  const newPage = context.newPage.bind(context);
  context.newPage = async () => {
    const page = await newPage();
    await start(page);
    return page;
  };
  context.on("page", (page) => {
    void start(page);
    const close = page.close.bind(page);
    page.close = async (options) => {
      await take(page);
      await close(options);
    };
  });
  const close = context.close.bind(context);
  context.close = async (options) => {
    await Promise.all(context.pages().map(take));
    await close(options);
  };
}

async function startCoverage(context: BrowserContext, page: Page) {
  try {
    const cdp = await context.newCDPSession(page);
    await cdp.send("Profiler.enable");
    await cdp.send("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    return cdp;
  } catch {
    // A popup may close before the session starts.
    return undefined;
  }
}

/** A page that has crashed has no coverage. */
async function coverageOf(
  cdp: CDPSession | undefined,
): Promise<readonly ScriptCoverage[] | undefined> {
  const result = await cdp?.send("Profiler.takePreciseCoverage").catch(() => undefined);
  return result?.result
    .filter(({ url }) => url.startsWith("http"))
    .map(({ url, functions }) => ({
      url,
      functions: functions.filter(({ ranges: [whole] }) => whole!.count > 0),
    }));
}
