// The feed keeps its scroll position, and a bounded number of rows.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import { PAGE_MS } from "../patience.ts";
import { until } from "../wait-until.ts";
import { BrowserFixture } from "./browser-fixture.ts";

const MESSAGES = 600;
/** A row has about 40 nodes at most, and the page keeps 200 rows. */
const NODES_MAX = 6000;
const SHIFT_PIXELS_MAX = 1;
const EMOJI = ["tada", "smile", "heart", "fire"];

let fixture: BrowserFixture;
let ids: readonly number[] = [];
beforeAll(async () => {
  fixture = await BrowserFixture.open();
  const { testServer, stream_id } = fixture;
  ids = await testServer.realm.write((tx) => {
    const ada = tx.users.get(testServer.idOf("ada"))!;
    const to = { stream_id, topic: "logo" };
    return Array.from(
      { length: MESSAGES },
      (_, index) => sendMessage(tx, ada, to, textAt(index)).id,
    );
  });
  await testServer.request("cy", "POST /messages/flags", {
    messages: ids,
    op: "add",
    flag: "read",
  });
});
afterAll(async () => {
  await fixture?.close();
});

/** Texts of different heights. */
function textAt(index: number): string {
  if (index % 7 === 0) return `Long ${index}\n\n${"word ".repeat(120)}`;
  if (index % 5 === 0) return `Code ${index}\n\n\`\`\`\n${"line\n".repeat(8)}\`\`\``;
  return `Short ${index}`;
}

/** Scrolls as a user does, and returns how far a visible row moved in addition. */
async function shiftWhile(page: Page, pixels: number, settled: () => Promise<unknown>) {
  const before = await page.evaluate((offset) => {
    const feed = document.querySelector(".feed")!;
    const edge = feed.getBoundingClientRect().top;
    const row = [...feed.querySelectorAll<HTMLElement>(".msg")].find(
      (item) => item.getBoundingClientRect().top - edge > 80,
    )!;
    const top = row.getBoundingClientRect().top;
    feed.scrollTop += offset;
    return { id: row.id, top, moved: top - row.getBoundingClientRect().top };
  }, pixels);
  await settled();
  const after = await page.evaluate((id) => {
    const row = document.getElementById(id);
    return row && row.getBoundingClientRect().top;
  }, before.id);
  return after === null ? undefined : Math.abs(before.top - before.moved - after);
}

const nextPaint = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))));

test("follows new messages and growing rows at the end", async () => {
  const to = { type: "channel", to: fixture.stream_id, topic: "the end" };
  const post = (content: string) =>
    fixture.testServer.request("ada", "POST /messages", { ...to, content });
  for (let n = 1; n <= 12; n++) await post(`before ${n}\n\nand more`);
  const last = await post("the last one");
  const browserSession = await fixture.sessionOf("cy");
  const fragment = `#narrow/channel/${fixture.stream_id}-design/topic/the.20end`;
  const page = await browserSession.tab(`/${fragment}/near/${last.id}`);
  await page.locator(`#m${last.id}`).waitFor();
  const distanceToEnd = () =>
    page.evaluate(() => {
      const { scrollHeight, scrollTop, clientHeight } = document.querySelector(".feed")!;
      return scrollHeight - scrollTop - clientHeight;
    });
  const isAtEnd = async () => {
    await until(async () => (await distanceToEnd()) <= 1);
  };
  await page.locator(".feed").evaluate((feed) => (feed.scrollTop = feed.scrollHeight));
  await isAtEnd();
  const { id } = await post("a\n\nfew\n\nlines");
  await page.locator(`#m${id}`).waitFor();
  await isAtEnd();
  const content = "a\n\nfew\n\nmore\n\nlines\n\nthan\n\nthere\n\nwere";
  await fixture.testServer.request("ada", `PATCH /messages/${id}`, { content });
  await page.locator(`#m${id}`, { hasText: "were" }).waitFor();
  await isAtEnd();
  // The position stays after the user has scrolled up.
  await page.mouse.move(600, 300);
  await page.mouse.wheel(0, -300);
  await until(async () => (await distanceToEnd()) >= 250);
  const before = await distanceToEnd();
  const next = await post("later");
  await page.locator(`#m${next.id}`).waitFor();
  expect(await distanceToEnd()).toBeGreaterThan(before);
});

test("keeps a message in place whose menu, picker, dialog or editor is open", async () => {
  const to = { type: "channel", to: fixture.stream_id, topic: "menus" };
  const post = (content: string) =>
    fixture.testServer.request("cy", "POST /messages", { ...to, content });
  for (let n = 1; n <= 12; n++) await post(`before ${n}\n\nand more`);
  const above = await post("above it");
  const { id } = await post("mine");
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(`/#narrow/channel/${fixture.stream_id}-design/topic/menus`);
  const row = page.locator(`#m${id}`);
  await row.focus();
  const topOf = async () => (await row.boundingBox())!.y;
  const isHeld = async (open: () => Promise<unknown>, isOpen: string) => {
    await page.locator(".feed").evaluate((feed) => (feed.scrollTop = feed.scrollHeight));
    await row.focus();
    await open();
    await page.locator(isOpen).waitFor();
    const before = await topOf();
    await page.locator(`#m${(await post("a\n\nfew\n\nlines")).id}`).waitFor();
    // Rows above grow without moving the visible ones.
    await fixture.testServer.request("cy", `POST /messages/${above.id}/reactions`, {
      emoji_name: EMOJI.pop(),
    });
    await nextPaint(page);
    expect(Math.abs((await topOf()) - before)).toBeLessThanOrEqual(SHIFT_PIXELS_MAX);
    await page.keyboard.press("Escape");
    await page.locator(isOpen).waitFor({ state: "detached" });
  };
  await isHeld(() => page.keyboard.press("i"), "[role=menu]");
  await isHeld(() => page.keyboard.press(":"), ".emoji-pop");
  await isHeld(() => page.keyboard.press("m"), "dialog, [role=dialog]");
  // Rows that the user edits in place do not move others.
  await isHeld(() => page.keyboard.press("e"), ".msg textarea:focus");
  // At the end, and with nothing open, the feed follows new messages again.
  await page.locator(".feed").evaluate((feed) => (feed.scrollTop = feed.scrollHeight));
  const { id: last } = await post("the last one");
  await page.locator(`#m${last}`).waitFor();
  await page.waitForFunction(() => {
    const { scrollHeight, scrollTop, clientHeight } = document.querySelector(".feed")!;
    return scrollHeight - scrollTop - clientHeight <= 1;
  });
});

interface Scrolled {
  /** The rows that moved the furthest in addition to the scrolling, in pixels, and all compared. */
  worst: number;
  compared: number;
  rowsMax: number;
}

/**
 * Scrolls up as a user does, with a paint after each step, until the oldest message is displayed.
 * The loop runs in the page, since a call from outside costs more than a step.
 */
const scrollToOldest = (page: Page, pixels: number): Promise<Scrolled> =>
  page.evaluate(
    async ({ by, oldest, limit_ms }) => {
      const end_ms = performance.now() + limit_ms;
      const feed = document.querySelector(".feed")!;
      const rows = () => [...feed.querySelectorAll<HTMLElement>(".msg")];
      const firstId = () => rows()[0]?.dataset["id"];
      const topOf = (row: Element) => row.getBoundingClientRect().top;
      const nextPaint = () => {
        if (performance.now() > end_ms) throw new Error(`does not scroll above ${firstId()}`);
        return new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
      };
      const scrolled = { worst: 0, compared: 0, rowsMax: 0 };
      for (;;) {
        const edge = topOf(feed);
        const row = rows().find((item) => topOf(item) - edge > 80)!;
        feed.scrollTop += by;
        const expected = topOf(row);
        await nextPaint();
        const after = document.getElementById(row.id);
        if (after) {
          scrolled.worst = Math.max(scrolled.worst, Math.abs(expected - topOf(after)));
          scrolled.compared++;
        }
        scrolled.rowsMax = Math.max(scrolled.rowsMax, rows().length);
        // At the top of the loaded rows, more rows load.
        for (const first = firstId(); feed.scrollTop <= 0 && first !== oldest;) {
          if (firstId() !== first) break;
          await nextPaint();
        }
        if (firstId() === oldest) return scrolled;
      }
    },
    { by: pixels, oldest: String(ids[0]), limit_ms: PAGE_MS },
  );

test("loads older rows above and removes others below without moving visible ones", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(`#m${ids.at(-1)}`).waitFor();
  const { worst, compared, rowsMax } = await scrollToOldest(page, -300);
  expect(rowsMax).toBeLessThanOrEqual(200);
  expect(compared).toBeGreaterThan(20);
  expect(worst).toBeLessThanOrEqual(SHIFT_PIXELS_MAX);
  const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
  expect(nodes).toBeLessThanOrEqual(NODES_MAX);
  expect(browserSession.faults).toEqual([]);
});

test("shows the day above the New line, sticky, and restores the position", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  const day = page.locator(".stretch > .line:not([data-new])").first();
  await day.locator("~ .line[data-new]").waitFor();
  const firstInSight = () =>
    page.evaluate(() => {
      const edge = document.querySelector(".feed")!.getBoundingClientRect().top;
      const rows = [...document.querySelectorAll<HTMLElement>(".feed .msg")];
      const all = rows.map((row) => [row.id, row.getBoundingClientRect().top - edge] as const);
      return all.find(([, top]) => top >= 0);
    });
  await page.evaluate(() => (document.querySelector(".feed")!.scrollTop += 900));
  expect((await day.boundingBox())!.y).toBe((await page.locator(".feed").boundingBox())!.y);
  const [row, top] = (await firstInSight())!;
  await page.waitForFunction((id) => history.state?.left?.standing.at?.id === id, +row.slice(1));
  await page.goto("/#inbox");
  await page.locator(".list-row").first().waitFor();
  await page.goBack();
  await page.locator(`#${row}`).waitFor();
  const [messageId, stands] = (await firstInSight())!;
  expect(messageId).toBe(row);
  expect(Math.abs(stands - top)).toBeLessThanOrEqual(SHIFT_PIXELS_MAX);
  // After a reload the feed is at the end, whether the end was already on the disk or not.
  await page.locator(".feed").focus();
  await page.keyboard.press("End");
  await page.waitForFunction(() => history.state?.left?.standing.at === "end");
  await page.reload();
  await page.locator(`#m${ids.at(-1)}`).waitFor();
});

test("growth above moves no visible row", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(`#m${ids.at(-1)}`).waitFor();
  await shiftWhile(page, -600, () => nextPaint(page));
  const shift = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        const feed = document.querySelector(".feed")!;
        const edge = feed.getBoundingClientRect().top;
        const rows = [...feed.querySelectorAll<HTMLElement>(".msg")];
        const index = rows.findIndex((row) => row.getBoundingClientRect().top >= edge);
        const before = rows[index]!.getBoundingClientRect().top;
        const box = document.createElement("div");
        box.style.setProperty("block-size", "173px");
        rows[index - 3]!.append(box);
        // The feed notices that it has grown before the next frame is painted.
        requestAnimationFrame(() =>
          setTimeout(() => done(Math.abs(rows[index]!.getBoundingClientRect().top - before)), 0),
        );
      }),
  );
  expect(shift).toBeLessThanOrEqual(SHIFT_PIXELS_MAX);
});

test("keeps the focused row, however far the user has scrolled", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(`#m${ids.at(-1)}`).waitFor();
  await page.locator(`#m${ids.at(-1)}`).focus();
  await scrollToOldest(page, -900);
  const id = await page.evaluate(
    () => document.activeElement?.closest<HTMLElement>(".msg")?.dataset["id"],
  );
  expect(id).toBe(String(ids.at(-1)));
  expect(await page.locator('.msg[tabindex="0"]').count()).toBe(1);
  await page.keyboard.press("k");
  await page.waitForFunction(
    (expected) =>
      document.activeElement?.closest<HTMLElement>(".msg")?.dataset["id"] === String(expected),
    ids.at(-2),
  );
});

test("hundreds of view switches leak neither heap nor nodes", async () => {
  const browserSession = await fixture.sessionOf("cy");
  await fixture.testServer.request("ada", "POST /messages", {
    ...{ type: "channel", to: fixture.stream_id, topic: "other", content: "There" },
  });
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(".msg").first().waitFor();
  // Requests after the page has loaded are not counted.
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/assets/render-")),
  );
  const session = await page.context().newCDPSession(page);
  const other = fixture.topicUrl.replace("/topic/logo", "/topic/other").slice(1);
  const switchViews = (count: number) =>
    page.evaluate(
      async ({ here, there, times }) => {
        const until = (condition: () => boolean) =>
          new Promise<void>((done) => {
            const check = () => (condition() ? done() : requestAnimationFrame(check));
            check();
          });
        const rows = () => document.querySelectorAll(".msg").length;
        for (let index = 0; index < times; index++) {
          location.hash = there;
          await until(() => rows() === 1);
          location.hash = here;
          await until(() => rows() > 10);
        }
      },
      { here: fixture.topicUrl.slice(1), there: other, times: count },
    );
  const measureMemory = async () => {
    for (let index = 0; index < 3; index++) await session.send("HeapProfiler.collectGarbage");
    const { nodes } = await session.send("Memory.getDOMCounters");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    return { nodes, usedSize };
  };
  await session.send("HeapProfiler.enable");
  await switchViews(20);
  const before = await measureMemory();
  await switchViews(250);
  // Timers and writes to the cache hold some memory until they end.
  await until(async () => (await measureMemory()).usedSize - before.usedSize <= 2_000_000);
  expect((await measureMemory()).nodes - before.nodes).toBeLessThanOrEqual(1000);
});
