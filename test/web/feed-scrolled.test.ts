// Scrolling continues while the feed changes.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BrowserFixture } from "./browser-fixture.ts";

const MESSAGES = 400;
const STILL_FRAMES = 10;
const SHIFT_PIXELS_MAX = 1;

let fixture: BrowserFixture;
const ids: number[] = [];
beforeAll(async () => {
  fixture = await BrowserFixture.open();
  for (let index = 0; index < MESSAGES; index++) {
    const lines = index % 7 === 0 ? "\n\nword".repeat(8) : "";
    ids.push((await fixture.post("ada", `Row ${index}${lines}`)).id);
  }
  await fixture.testServer.request("cy", "POST /messages/flags", {
    messages: ids,
    op: "add",
    flag: "read",
  });
});
afterAll(async () => {
  await fixture?.close();
});

/** Scrolls again as soon as rows are added; returns how far a visible row moved in addition. */
async function shiftAsRowsCome(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const feed = document.querySelector(".feed")!;
    const topOf = (id: string) => document.getElementById(id)!.getBoundingClientRect().top;
    const firstMessageId = () => feed.querySelector(".msg")!.id;
    const oldest = firstMessageId();
    const before = await new Promise<{ id: string; top: number }>((done) => {
      const watch = new MutationObserver(() => {
        if (firstMessageId() === oldest) return;
        watch.disconnect();
        // Runs after the feed has restored its position and before the frame of the scroll event.
        feed.scrollTop += 60;
        done({ id: oldest, top: topOf(oldest) });
      });
      watch.observe(feed, { subtree: true, childList: true });
      feed.scrollTop = 0;
    });
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    return Math.abs(topOf(before.id) - before.top);
  });
}

test("keeps the position of a user who scrolls while older rows load", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(`#m${ids.at(-1)}`).waitFor();
  expect(await shiftAsRowsCome(page)).toBeLessThanOrEqual(SHIFT_PIXELS_MAX);
  expect(browserSession.faults).toEqual([]);
});

/** Resolves when the feed has kept its height and position for some frames. */
const untilScrollStops = (page: Page): Promise<void> =>
  page.evaluate(
    (frames) =>
      new Promise((resolve) => {
        const feed = document.querySelector(".feed")!;
        let [last, same] = ["", 0];
        const tick = () => {
          const scrollState = `${feed.scrollHeight} ${feed.scrollTop}`;
          same = scrollState === last ? same + 1 : 0;
          last = scrollState;
          if (same >= frames) resolve();
          else requestAnimationFrame(tick);
        };
        tick();
      }),
    STILL_FRAMES,
  );

test("keeps the scroll position when content above grows in the same frame", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(`${fixture.topicUrl}/near/${ids[MESSAGES / 2]}`);
  await page.locator(`#m${ids[MESSAGES / 2]}`).waitFor();
  await untilScrollStops(page);
  const moved = await page.evaluate(() => {
    const feed = document.querySelector(".feed")!;
    const rows = [...feed.querySelectorAll<HTMLElement>(".msg")];
    const edge = feed.getBoundingClientRect().top;
    const index = rows.findIndex((row) => row.getBoundingClientRect().top >= edge);
    const topOf = () => rows[index]!.getBoundingClientRect().top;
    const before = topOf();
    return new Promise<number>((resolve) =>
      requestAnimationFrame(() => {
        // Firefox reports the resize before the scroll.
        feed.scrollTop -= 60;
        rows[index - 3]!.style.paddingBottom = "100px";
        setTimeout(() => requestAnimationFrame(() => resolve(topOf() - before)), 50);
      }),
    );
  });
  expect(Math.abs(moved - 60)).toBeLessThanOrEqual(SHIFT_PIXELS_MAX);
  expect(browserSession.faults).toEqual([]);
});
