// After random actions of other users during delayed responses, each view shows the same as a new
// browser.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { countOf } from "../repetitions.ts";
import { PAGE_MS } from "../patience.ts";
import { SEED } from "../random.ts";
import { type RandomChance, chanceOf } from "../store/sample-schema.ts";
import { Chaos } from "./chaos.ts";
import { waitForConnection, BrowserFixture } from "./browser-fixture.ts";
import { routeUntilEnd } from "./failing-network.ts";

const ACTS = 30;
const LATE_MS = 400;
/** Tall enough to render every row of a view. */
const SIZE = { width: 1280, height: 4000 };

for (let index = 0; index < countOf("chaos"); index++) {
  const seed = SEED + index;
  test(`shows the same as a new tab after random actions, with ${seed}`, async () => {
    const random = chanceOf(seed);
    const fixture = await BrowserFixture.open();
    const chaos = await Chaos.start(fixture, random);
    const browserSession = await fixture.sessionOf("bo");
    const page = await browserSession.tab("/#inbox");
    await page.setViewportSize(SIZE);
    const answerAtOnce = await delayResponses(page, random);
    for (let step = 0; step < ACTS; step++) {
      if (random.once(3)) await goTo(page, random.pick(chaos.views()));
      await chaos.runAction();
    }
    answerAtOnce();
    await waitForConnection(page, "live");

    const fresh = await (await fixture.sessionOf("bo")).tab("/#inbox");
    await fresh.setViewportSize(SIZE);
    const read = () => [...chaos.log, ...browserSession.faults].join("\n");
    for (const view of chaos.views()) await expectSame(view, page, fresh, read);
    expect(browserSession.faults.filter((fault) => !isOfLost.test(fault))).toEqual([]);
    await fixture.close();
  });
}

/** A request for an object that another user removes meanwhile is rejected. */
const isOfLost = /status of 400 /;

/** Delays each response except that of the event poll, before or after the server handles it. */
const delayResponses = (page: Page, random: RandomChance) =>
  routeUntilEnd(page, /\/json\/(?!events)/, async (route) => {
    await Bun.sleep(random.below(LATE_MS));
    const response = await route.fetch();
    await Bun.sleep(random.below(LATE_MS));
    await route.fulfill({ response });
  });

const goTo = (page: Page, view: string) =>
  page.evaluate((hash) => void (location.hash = hash), view);

/** Waits until both pages show the same; some changes arrive only when a list reloads. */
async function expectSame(
  view: string,
  page: Page,
  fresh: Page,
  read: () => string,
): Promise<void> {
  for (const item of [page, fresh]) {
    await goTo(item, view);
    await item.locator("main h1").first().waitFor();
  }
  const until = performance.now() + PAGE_MS;
  for (;;) {
    const [content, true_] = [await contentOf(page), await contentOf(fresh)];
    if (Bun.deepEquals(content, true_)) return;
    if (performance.now() > until) {
      console.log(`${view}\n${read()}`);
      expect(content).toEqual(true_);
    }
    await Bun.sleep(100);
  }
}

/** Visible state: sidebar, header, and each row with its markers. */
const contentOf = (page: Page) =>
  page.evaluate(() => {
    const textOf = (node: Element) => {
      const copy = node.cloneNode(true) as Element;
      for (const item of copy.querySelectorAll(".msg-tools, .act")) item.remove();
      return copy.textContent!.replace(/\s+/g, " ").trim();
    };
    const marks = ["starred", "mention", "unread", "collapsed", "at"];
    const rows = (selector: string) =>
      [...document.querySelectorAll<HTMLElement>(selector)].map((row) =>
        [row.id, textOf(row), ...marks.filter((mark) => mark in row.dataset)].join(" | "),
      );
    return {
      head: rows("main h1"),
      bars: rows("main .conv-bar h2"),
      messages: rows("main .msg"),
      list: rows("main .list-row"),
      empty: rows("main .empty-note"),
      rail: rows("nav.sidebar .sidebar-row"),
    };
  });
