// Random actions of others during late answers: each view matches a new browser.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { countOf } from "../long.ts";
import { PAGE_MS } from "../patience.ts";
import { SEED } from "../seed.ts";
import { type Chance, chanceOf } from "../store/sample.ts";
import { Chaos } from "./chaos.ts";
import { stands, BrowserFixture } from "./browser-fixture.ts";

const ACTS = 30;
const LATE_MS = 400;
/** High enough that all there is in a view is drawn. */
const SIZE = { width: 1280, height: 4000 };

for (let at = 0; at < countOf("chaos"); at++) {
  const seed = SEED + at;
  test(`a town as it is after acts of everybody, with ${seed}`, async () => {
    const chance = chanceOf(seed);
    const fixture = await BrowserFixture.open();
    const chaos = await Chaos.begin(fixture, chance);
    const browserSession = await fixture.sessionOf("bo");
    const page = await browserSession.tab("/#inbox");
    await page.setViewportSize(SIZE);
    await late(page, chance);
    for (let act = 0; act < ACTS; act++) {
      if (chance.once(3)) await goTo(page, chance.pick(chaos.views()));
      await chaos.act();
    }
    await page.unrouteAll({ behavior: "wait" });
    await stands(page, "live");

    const fresh = await (await fixture.sessionOf("bo")).tab("/#inbox");
    await fresh.setViewportSize(SIZE);
    const told = () => [...chaos.done, ...browserSession.faults].join("\n");
    for (const view of chaos.views()) await alike(view, page, fresh, told);
    expect(browserSession.faults.filter((fault) => !isOfLost.test(fault))).toEqual([]);
    await fixture.close();
  });
}

/** What is asked for while others take it away is refused. */
const isOfLost = /status of 400 /;

/** Each answer but of events is held for a while, before or after the server makes it. */
const late = (page: Page, chance: Chance) =>
  page.route(/\/json\/(?!events)/, async (route) => {
    await Bun.sleep(chance.below(LATE_MS));
    const response = await route.fetch();
    await Bun.sleep(chance.below(LATE_MS));
    await route.fulfill({ response });
  });

const goTo = (page: Page, view: string) =>
  page.evaluate((hash) => void (location.hash = hash), view);

/** What others wait for, as a list is asked for again from time to time, comes in its time. */
async function alike(view: string, page: Page, fresh: Page, told: () => string): Promise<void> {
  for (const one of [page, fresh]) {
    await goTo(one, view);
    await one.locator("main h1").first().waitFor();
  }
  const until = performance.now() + PAGE_MS;
  for (;;) {
    const [known, true_] = [await shownIn(page), await shownIn(fresh)];
    if (Bun.deepEquals(known, true_)) return;
    if (performance.now() > until) {
      console.log(`${view}\n${told()}`);
      expect(known).toEqual(true_);
    }
    await Bun.sleep(100);
  }
}

/** What one sees: the rail, what stands above, and each row with its marks. */
const shownIn = (page: Page) =>
  page.evaluate(() => {
    const textOf = (node: Element) => {
      const copy = node.cloneNode(true) as Element;
      for (const one of copy.querySelectorAll(".msg-tools, .act")) one.remove();
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
      rail: rows("nav.rail .rail-row"),
    };
  });
