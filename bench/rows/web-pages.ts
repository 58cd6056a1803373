// Pages of the client in a large organization: time to open, and smoothness of scrolling.
import type { Page } from "playwright-core";
import { type Line, lineWithin } from "../row.ts";
import type { Plan, Datasets } from "../datasets.ts";
import { withReference, quantile } from "../web/reference.ts";
import { fling } from "../web/fling.ts";
import { BenchBrowser, type PageTools } from "../web/bench-browser.ts";

/** The user is subscribed to none of the channels and may join all. */
const LARGE: Plan = { people: 10_000, channels: 5_000 };
const OPENINGS = 20;
const PEOPLE = "#organization/people";
const ROW = ".org-person";

/** From a list of conversations to a page through a link; the first visit may load its script. */
export async function webPages(datasets: Datasets): Promise<Line[]> {
  await using benchBrowser = await BenchBrowser.open(await datasets.createShared(LARGE));
  const page = await (await benchBrowser.newContext()).newPage();
  await page.goto("/#inbox");
  await page.locator("main[data-connection=live]").waitFor();
  const lines: Line[] = [];
  for (const [label, target, address, selector] of [
    ["own settings open", 100, "#settings/preferences", ".settings-body .settings-row"],
    ["settings of the organization open", 100, "#organization/permissions", ".settings-row"],
    ["people of the organization open, 10,000 people", 100, PEOPLE, ROW],
    ["channels open, 5,000 channels", 50, "#channels/all", ".channel-list .list-row"],
  ] as const) {
    const durations = await openingTimes(page, address, selector);
    const line = { label: `client: ${label}, p95`, goal: target, unit: "ms" };
    lines.push(lineWithin(line, quantile(durations, 0.95), durations));
  }
  return [...lines, await scrolling(benchBrowser, page)];
}

const openingTimes = (page: Page, address: string, shows: string): Promise<number[]> =>
  page.evaluate(
    async ({ to, selector, count }) => {
      const tools = window as unknown as PageTools;
      const durations: number[] = [];
      for (let index = 0; index <= count; index++) {
        location.hash = "#inbox";
        while (document.querySelector(selector)) await tools.nextPaint();
        const startedAt = performance.now();
        location.hash = to;
        let end = await tools.nextPaint();
        while (!document.querySelector(selector)) end = await tools.nextPaint();
        if (index > 0) durations.push(end - startedAt);
      }
      return durations;
    },
    { to: address, selector: shows, count: OPENINGS },
  );

/** Compared with the same number of rows in static HTML. */
async function scrolling(benchBrowser: BenchBrowser, page: Page): Promise<Line> {
  await page.goto(`/${PEOPLE}`);
  await page.locator(ROW).first().waitFor();
  const staticPage = await benchBrowser.reference(page);
  await staticPage.evaluate(
    ({ row, people }) => {
      const list = document.querySelector(row)!.parentElement!;
      const rows = [...list.querySelectorAll(row)];
      list.style.height = "auto";
      while (list.childElementCount < people) {
        list.append(...rows.map((node) => node.cloneNode(true)));
      }
      for (const node of list.querySelectorAll<HTMLElement>(row)) node.style.position = "static";
    },
    { row: ROW, people: LARGE.people },
  );
  const [candidate, baseline] = [
    await fling(page, ROW, "end"),
    await fling(staticPage, ROW, "end"),
  ];
  const label = "client: frames over 25 ms of 300, fast scroll through 10,000 people";
  const target = Math.max(baseline, 1);
  return withReference(
    lineWithin({ label, goal: target, unit: "frames" }, candidate, [candidate]),
    baseline,
    "frames",
  );
}
