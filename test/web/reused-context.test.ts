// A test cannot notice which test used its browser before.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
/** Another server, so that its tests use no page of the ones above. */
const lastingFixture = await BrowserFixture.forTestFile();
/** The tests run in any order. */
const used = new Set<Page>();

/** Everything that a page can find of an earlier one. */
async function stateOf(page: Page) {
  // The browser looks for the element under the pointer after it has painted.
  await page.screenshot();
  const hovered = await page.evaluate(() => document.querySelectorAll("body :hover").length);
  await page.evaluate(() => {
    document.addEventListener("mousedown", ({ x }) => (document.title = `pressed at ${x}`));
  });
  await page.mouse.down();
  await page.mouse.up();
  const state = await page.evaluate(async () => ({
    cookies: document.cookie,
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    stored: Object.fromEntries(Object.entries(localStorage)),
    session: Object.fromEntries(Object.entries(sessionStorage)),
    name: window.name,
    width: innerWidth,
    isDark: matchMedia("(prefers-color-scheme: dark)").matches,
    isForced: matchMedia("(forced-colors: active)").matches,
    isStill: matchMedia("(prefers-reduced-motion: reduce)").matches,
    history: history.length,
    isOnline: navigator.onLine,
    answers: await Promise.all(
      ["/left-page", "/left-context"].map(async (path) => (await fetch(path)).status),
    ),
  }));
  return { ...state, hovered, title: await page.title() };
}

const EMPTY = {
  cookies: "",
  databases: [],
  caches: [],
  stored: {},
  session: {},
  name: "",
  width: 1280,
  isDark: false,
  isForced: false,
  isStill: true,
  hovered: 0,
  history: 2,
  isOnline: true,
  answers: [404, 404],
  title: "pressed at 0",
};

/** Changes everything that `stateOf` reads. */
async function change(page: Page): Promise<void> {
  await page.evaluate(async () => {
    document.cookie = "left=1";
    window.name = "left";
    localStorage.setItem("left", "1");
    sessionStorage.setItem("left", "1");
    history.pushState({}, "", "#left");
    await (await caches.open("left")).put("/left", new Response("left"));
    await new Promise((done) => (indexedDB.open("left").onsuccess = done));
  });
  await page.setViewportSize({ width: 400, height: 300 });
  await page.emulateMedia({ colorScheme: "dark", forcedColors: "active", reducedMotion: null });
  await page.mouse.move(5, 5);
  await page.route("**/left-page", (route) => route.fulfill({ status: 299 }));
  await page.context().route("**/left-context", (route) => route.fulfill({ status: 299 }));
}

test.each([1, 2, 3])("starts without anything that an earlier test left (%d)", async () => {
  const session = await fixture.emptySession();
  const page = await session.tab("/robots.txt");
  expect(await stateOf(page)).toEqual(EMPTY);
  // Otherwise the test would compare new pages.
  expect([...used].every((other) => other === page)).toBe(true);
  used.add(page);
  await change(page);
  let heard = 0;
  page.on("console", () => heard++);
  session.context.on("page", () => heard++);
  const other = await session.tab("/robots.txt");
  expect(await stateOf(other)).toMatchObject({ stored: { left: "1" }, session: {}, name: "" });
  expect(heard).toBe(1);
  expect(session.context.pages()).toEqual([page, other]);
  expect(listenersOf(page)).toBe(1);
  await session.context.setOffline(true);
});

const listenersOf = (page: Page): number =>
  (page as unknown as { listenerCount(event: string): number }).listenerCount("console");

const lasting: [string, (page: Page) => Promise<unknown>][] = [
  ["scripts", (page) => page.addInitScript("globalThis.left = 1")],
  ["functions", (page) => page.exposeFunction("left", () => 1)],
  ["permissions", (page) => page.context().grantPermissions(["notifications"])],
  ["headers", (page) => page.context().setExtraHTTPHeaders({ left: "1" })],
  ["clocks", (page) => page.clock.install()],
  [
    "emulation",
    async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: 2 });
    },
  ],
];
const usedUp = new Set<Page>();

test.each(lasting)("uses no page again after a test changed its %s", async (_, changeIt) => {
  const session = await lastingFixture.sessionOf("ada");
  const page = await session.tab("/robots.txt");
  expect(usedUp.has(page)).toBe(false);
  usedUp.add(page);
  await changeIt(page);
});
