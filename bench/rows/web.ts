// Speed of the client in the browser, compared with the same rows in static HTML in the same run.
import type { BrowserContext, Page } from "playwright-core";
import { median } from "../ratio.ts";
import { type Line, lineWithin } from "../row.ts";
import type { Plan, Datasets } from "../datasets.ts";
import { withReference, quantile } from "../web/reference.ts";
import { fling } from "../web/fling.ts";
import { REFERENCE, slowDown, BenchBrowser, type PageTools } from "../web/bench-browser.ts";

const SMALL: Plan = { people: 100, channels: 2, subscribers: 100, messages: 5_000 };
const LONG_PLAN: Plan = {
  people: 100,
  channels: 1,
  subscribers: 100,
  messages: 5_000,
  oneTopic: 1,
};

/** Odd, and enough for stable medians. */
const STARTS = 11;
/** Number of visits before the measured one. */
const VISITS = 3;
const SWITCHES = 60;
const SLOW = 4;
const EVENTS_PER_SECOND = 100;
const BURST_MS = 10_000;
const MINUTE_MS = 60_000;

/**
 * The time in a new tab from the navigation to the first painted message, with empty and with full
 * caches.
 */
export async function webStart(datasets: Datasets): Promise<Line[]> {
  await using benchBrowser = await BenchBrowser.open(await datasets.createCopy(SMALL));
  const staticPage = await benchBrowser.reference(await benchBrowser.page(benchBrowser.topic(1)));
  const timings = { cold: [] as number[], warm: [] as number[], still: [] as number[] };
  for (let round = 0; round <= STARTS; round++) {
    const context = await benchBrowser.newContext();
    const page = await slowTab(context, benchBrowser.topic(1));
    const cold = await firstMessageTime(page);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.locator("main[data-connection=live]").waitFor();
    await benchBrowser.untilCached(page);
    await page.close();
    let warm = 0;
    for (let visitIndex = 0; visitIndex < VISITS; visitIndex++) {
      const repeated = await slowTab(context, benchBrowser.topic(1));
      warm = await firstMessageTime(repeated);
      await repeated.locator("main[data-connection=live]").waitFor();
      await repeated.close();
    }
    await context.close();
    const other = await slowTab(staticPage.context(), REFERENCE);
    const reference = await firstMessageTime(other);
    await other.close();
    if (round === 0) continue;
    timings.cold.push(cold);
    timings.warm.push(warm);
    timings.still.push(reference);
  }
  const [reference, unit] = [median(timings.still), "ms"];
  const cold = "client, CPU slowed 4 times: navigation to first messages, empty cache";
  const warm = "client, CPU slowed 4 times: navigation to first messages, returning user";
  return [
    lineWithin({ label: cold, goal: 900, unit }, median(timings.cold), timings.cold),
    lineWithin({ label: warm, goal: 250, unit }, median(timings.warm), timings.warm),
  ].map((line) => withReference(line, reference, unit));
}

async function slowTab(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await slowDown(page, SLOW);
  await page.goto(path);
  return page;
}

const firstMessageTime = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as PageTools).first);

/** Switches from one cached topic to another with the keyboard. */
export async function webSwitch(datasets: Datasets): Promise<Line[]> {
  await using benchBrowser = await BenchBrowser.open(await datasets.createCopy(SMALL));
  const page = await benchBrowser.page(benchBrowser.topic(1));
  await page.goto(benchBrowser.url + benchBrowser.topic(2));
  await page.locator("h1").filter({ hasText: "topic 2" }).waitFor();
  const staticPage = await benchBrowser.reference(page);
  const lines: Line[] = [];
  for (const [times, target] of [
    [1, 50],
    [SLOW, 120],
  ] as const) {
    await slowDown(page, times);
    await slowDown(staticPage, times);
    const durations = await switchTimes(page, [
      benchBrowser.topic(1).slice(1),
      benchBrowser.topic(2).slice(1),
    ]);
    const reference = quantile(await redrawTimes(staticPage), 0.95);
    const speed = times === 1 ? "" : `, CPU slowed ${times} times`;
    const label = `client: switch to a view in memory, p95${speed}`;
    lines.push(
      withReference(
        lineWithin({ label, goal: target, unit: "ms" }, quantile(durations, 0.95), durations),
        reference,
        "ms",
      ),
    );
  }
  return lines;
}

const switchTimes = (page: Page, addresses: readonly string[]): Promise<number[]> =>
  page.evaluate(
    async ({ to, count }) => {
      const tools = window as unknown as PageTools;
      const durations: number[] = [];
      const rowsOf = () => document.querySelector(".msg")?.id;
      for (let index = 0; index < count + 2; index++) {
        const [before, startedAt] = [rowsOf(), performance.now()];
        location.hash = to[index % 2]!;
        let end = await tools.nextPaint();
        while (rowsOf() === before || rowsOf() === undefined) end = await tools.nextPaint();
        // The first visit of each may load from the server.
        if (index > 1) durations.push(end - startedAt);
      }
      return durations;
    },
    { to: addresses, count: SWITCHES },
  );

/** Removes the rows of a page and inserts them again. */
const redrawTimes = (page: Page): Promise<number[]> =>
  page.evaluate(async (count) => {
    const tools = window as unknown as PageTools;
    const column = document.querySelector(".feed .col")!;
    const html = column.cloneNode(true);
    const durations: number[] = [];
    for (let index = 0; index < count; index++) {
      const startedAt = performance.now();
      column.replaceChildren(...html.cloneNode(true).childNodes);
      durations.push((await tools.nextPaint()) - startedAt);
    }
    return durations;
  }, SWITCHES);

/** Delivers a hundred events per second for ten seconds, and measures the longest task. */
export async function webBurst(datasets: Datasets): Promise<Line[]> {
  await using benchBrowser = await BenchBrowser.open(await datasets.createCopy(SMALL));
  const page = await benchBrowser.page(benchBrowser.topic(1));
  const staticPage = await benchBrowser.reference(page);
  await Promise.all([page, staticPage].map(watchTasks));
  const stop = benchBrowser.postRegularly(EVENTS_PER_SECOND, 1);
  await Bun.sleep(BURST_MS);
  await stop();
  const [candidate, baseline] = await Promise.all([page, staticPage].map(longestTask));
  const label = "client: longest task, 100 messages a second into the open topic, in ms over 50";
  return [
    withReference(
      lineWithin({ label, goal: 0, unit: "ms" }, candidate!, [candidate!]),
      baseline!,
      "ms",
    ),
  ];
}

const watchTasks = (page: Page) =>
  page.evaluate(() => {
    const tools = window as unknown as { longest: number };
    tools.longest = 50;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries())
        tools.longest = Math.max(tools.longest, duration);
    }).observe({ type: "longtask" });
  });
const longestTask = (page: Page) =>
  page.evaluate(() => (window as unknown as { longest: number }).longest - 50);

/** Counts late frames while the page scrolls fast through a long topic. */
export async function webFling(datasets: Datasets): Promise<Line[]> {
  await using benchBrowser = await BenchBrowser.open(await datasets.createCopy(LONG_PLAN));
  const page = await benchBrowser.page(benchBrowser.topic(0));
  const staticPage = await benchBrowser.reference(page);
  await staticPage.evaluate(() => {
    const column = document.querySelector(".feed .col")!;
    const rows = [...column.childNodes];
    while (column.querySelectorAll(".msg").length < 5_000)
      column.append(...rows.map((node) => node.cloneNode(true)));
  });
  const [candidate, baseline] = [
    await fling(page, ".msg", "beginning"),
    await fling(staticPage, ".msg", "beginning"),
  ];
  const label = "client: frames over 25 ms of 300, fast scroll through 5,000 messages";
  const target = Math.max(baseline, 1);
  return [
    withReference(
      lineWithin({ label, goal: target, unit: "frames" }, candidate, [candidate]),
      baseline,
      "frames",
    ),
  ];
}

/** CPU time of a minute without activity. */
export async function webIdle(datasets: Datasets): Promise<Line[]> {
  await using benchBrowser = await BenchBrowser.open(await datasets.createCopy(SMALL));
  const page = await benchBrowser.page(benchBrowser.topic(1));
  const staticPage = await benchBrowser.reference(page);
  await Bun.sleep(5_000);
  const [candidate, baseline] = await Promise.all([page, staticPage].map(minute));
  const label = "client: CPU of a minute in which nothing happens";
  return [
    withReference(
      lineWithin({ label, goal: 150, unit: "ms" }, candidate!, [candidate!]),
      baseline!,
      "ms",
    ),
  ];
}

async function minute(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const taskSeconds = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")!.value;
  };
  const before = await taskSeconds();
  await Bun.sleep(MINUTE_MS);
  return ((await taskSeconds()) - before) * 1000;
}
