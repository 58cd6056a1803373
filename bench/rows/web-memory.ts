// Memory of the client after a hundred thousand messages, and after many switches.
import type { Page } from "playwright-core";
import type { Account } from "../requests.ts";
import { type Line, lineWithin } from "../row.ts";
import type { Datasets } from "../datasets.ts";
import { BenchBrowser } from "../web/bench-browser.ts";

const MESSAGES = 100_000;
const AT_ONCE = 32;
const SWITCHES = 250;
const MEGABYTE = 1_000_000;

export async function webHeap(datasets: Datasets): Promise<Line[]> {
  const dataset = await datasets.createCopy({
    people: 100,
    channels: 2,
    subscribers: 100,
    messages: 5_000,
  });
  await using benchBrowser = await BenchBrowser.open(dataset);
  const page = await benchBrowser.page(benchBrowser.topic(1));
  const otherTopic = benchBrowser.topic(2).slice(1);
  const here = benchBrowser.topic(1).slice(1);
  await switchViews(page, [otherTopic, here], 20);
  const before = await heapOf(page);
  // The last switch returns to the first topic.
  await switchViews(page, [otherTopic, here], SWITCHES);
  const growth = (await heapOf(page)) - before;
  const [, from] = dataset.people as [Account, Account];
  for (let sentCount = 0; sentCount < MESSAGES; sentCount += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => benchBrowser.postMessage(from, 1)));
  await benchBrowser.postMessage(from, 9);
  await page.goto(`${benchBrowser.url}${benchBrowser.topic(9)}`);
  await page.locator(".msg").first().waitFor();
  const after = await heapOf(page);
  const unit = "MB";
  return [
    lineWithin(
      { label: "client: heap after 100,000 messages, their view left", goal: 60, unit },
      after,
      [after],
    ),
    lineWithin({ label: "client: heap left by 500 switches", goal: 2, unit }, growth, [growth]),
  ];
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  for (let index = 0; index < 3; index++) await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / MEGABYTE;
}

const switchViews = (page: Page, addresses: readonly string[], count: number): Promise<void> =>
  page.evaluate(
    async ({ to, times }) => {
      const firstRow = () => document.querySelector(".msg")?.id;
      for (let index = 0; index < 2 * times; index++) {
        const before = firstRow();
        location.hash = to[index % 2]!;
        while (firstRow() === before || firstRow() === undefined)
          await new Promise(requestAnimationFrame);
      }
    },
    { to: addresses, times: count },
  );
