// Scrolling continues while the feed changes.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BrowserFixture } from "./browser-fixture.ts";

const MESSAGES = 400;
const SHIFT_PIXELS_MAX = 1;

let fixture: BrowserFixture;
const ids: number[] = [];
beforeAll(async () => {
  fixture = await BrowserFixture.open();
  for (let at = 0; at < MESSAGES; at++) {
    const lines = at % 7 === 0 ? "\n\nword".repeat(8) : "";
    ids.push((await fixture.post("ada", `Row ${at}${lines}`)).id);
  }
  await fixture.testServer.ask("cy", "POST /messages/flags", {
    messages: ids,
    op: "add",
    flag: "read",
  });
});
afterAll(async () => {
  await fixture?.close();
});

/** Scrolls once more as soon as rows come, and says how far a row in sight moved besides. */
async function shiftAsRowsCome(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const feed = document.querySelector(".feed")!;
    const topOf = (id: string) => document.getElementById(id)!.getBoundingClientRect().top;
    const first = () => feed.querySelector(".msg")!.id;
    const oldest = first();
    const before = await new Promise<{ id: string; top: number }>((done) => {
      const watch = new MutationObserver(() => {
        if (first() === oldest) return;
        watch.disconnect();
        // After the feed has put back what one sees, before the frame that tells of any scroll.
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

test("who goes on scrolling as older rows come is not put back", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.place);
  await page.locator(`#m${ids.at(-1)}`).waitFor();
  expect(await shiftAsRowsCome(page)).toBeLessThanOrEqual(SHIFT_PIXELS_MAX);
  expect(browserSession.faults).toEqual([]);
});

test("who scrolls in the frame in which something above grows is not put back", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(`${fixture.place}/near/${ids[MESSAGES / 2]}`);
  await page.locator(`#m${ids[MESSAGES / 2]}`).waitFor();
  const moved = await page.evaluate(() => {
    const feed = document.querySelector(".feed")!;
    const rows = [...feed.querySelectorAll<HTMLElement>(".msg")];
    const edge = feed.getBoundingClientRect().top;
    const at = rows.findIndex((one) => one.getBoundingClientRect().top >= edge);
    const topOf = () => rows[at]!.getBoundingClientRect().top;
    const before = topOf();
    return new Promise<number>((resolve) =>
      requestAnimationFrame(() => {
        // As Firefox has it: what has grown is told of before the scrolling is.
        feed.scrollTop -= 60;
        rows[at - 3]!.style.paddingBottom = "100px";
        setTimeout(() => requestAnimationFrame(() => resolve(topOf() - before)), 50);
      }),
    );
  });
  expect(Math.abs(moved - 60)).toBeLessThanOrEqual(SHIFT_PIXELS_MAX);
  expect(browserSession.faults).toEqual([]);
});
