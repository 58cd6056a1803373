// Describes pages for the log of a test that hangs, where nobody can look at them.
import type { BrowserContext, Page } from "playwright-core";

/** A page that does not answer in this time is described as such. */
const ANSWER_MS = 10_000;
const NO_ANSWER = "does not answer";

/** Returns a text about each page: its location, focus, alerts, requests and stored rows. */
export async function describePages(context: BrowserContext): Promise<string> {
  const pages = context.pages().map(async (page) => `${page.url()}\n${await describe(page)}`);
  return (await Promise.all(pages)).join("\n\n");
}

async function describe(page: Page): Promise<string> {
  const response = page.evaluate(describeDocument).catch(String);
  const late = Bun.sleep(ANSWER_MS).then(() => NO_ANSWER);
  return Promise.race([response, late]);
}

/** Runs in the page. */
async function describeDocument(): Promise<string> {
  const tag = (element: Element) => (element.cloneNode() as Element).outerHTML.slice(0, 300);
  const textOf = (selector: string) =>
    [...document.querySelectorAll(selector)].map((item) => item.textContent.slice(0, 2000));
  const started = performance.now();
  await new Promise((done) => requestAnimationFrame(done));
  const requests = (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
    .filter(({ name }) => name.includes("/json/"))
    .slice(-25)
    .map((entry) => {
      const [from, to] = [entry.startTime, entry.responseEnd].map(Math.round);
      return `  ${from}–${to} ms ${entry.responseStatus} ${new URL(entry.name).pathname}`;
    });
  const stored: string[] = [];
  for (const { name } of await indexedDB.databases()) {
    const db = await new Promise<IDBDatabase>((done, fail) => {
      const opening = indexedDB.open(name!);
      opening.addEventListener("success", () => done(opening.result));
      opening.addEventListener("error", () => fail(opening.error));
    });
    for (const store of db.objectStoreNames) {
      const rows = await new Promise<unknown[]>((done, fail) => {
        const reading = db.transaction(store).objectStore(store).getAll();
        reading.addEventListener("success", () => done(reading.result));
        reading.addEventListener("error", () => fail(reading.error));
      });
      const last = rows.slice(-3).map((row) => JSON.stringify(row).slice(0, 2000));
      stored.push(`  ${name} ${store}: ${rows.length} rows ${last.join(" ")}`);
    }
    db.close();
  }
  return [
    `now ${Math.round(started)} ms, frame after ${Math.round(performance.now() - started)} ms`,
    `${document.visibilityState}, ${document.hasFocus() ? "focused" : "not focused"}`,
    `active element: ${tag(document.activeElement ?? document.body)}`,
    `body: ${tag(document.body)}`,
    `main: ${textOf("main").join(" | ").slice(0, 1500)}`,
    `alerts: ${textOf("[role=alert], [role=status], .toast, dialog[open]").join(" | ")}`,
    `last requests:\n${requests.join("\n")}`,
    `stored:\n${stored.join("\n")}`,
  ].join("\n");
}
