// Parts have placeholders of their size until their scripts have loaded.
import { expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { BrowserFixture } from "./browser-fixture.ts";
import { BrowserSession } from "./browser-session.ts";

const fixture = await BrowserFixture.forTestFile();
await fixture.post("bo", "Three sketches of a logo");

/** A page whose later scripts do not arrive before `release` is called. */
async function openHeldPage(path: string, isPhone = false) {
  const { context } = await (isPhone
    ? BrowserSession.forPhone(fixture.testServer, "ada")
    : fixture.sessionOf("ada"));
  return openHeldPageIn(context, path);
}

async function openHeldPageIn(context: BrowserContext, path: string) {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  await context.route(/\/assets\/(?!main-)[\w-]+\.js$/, async (route) => {
    await promise;
    return route.fallback();
  });
  const page = await context.newPage();
  await page.goto(path);
  return { page, release };
}

/** The position and size of the first element that each selector matches. */
const boxesOf = (page: Page, selectors: readonly string[]) =>
  page.evaluate(
    (all) =>
      all.map((item) => {
        const { x, y, width, height } = document.querySelector(item)!.getBoundingClientRect();
        return [item, x, y, width, height];
      }),
    selectors,
  );

const waitForWholePage = (page: Page) => page.locator("body[data-whole]").waitFor();

const VIEWS = ["inbox", "recent", "settings", "channels", "organization/people"];

for (const view of VIEWS) {
  test(`shows placeholder rows until ${view} has loaded, and moves no bar`, async () => {
    const { page, release } = await openHeldPage(`/#${view}`);
    await page.locator("main .blanks li").nth(7).waitFor();
    const stored = ["main", "main .bar"];
    if (/settings|organization/.test(view)) stored.push(".pages-nav", ".pages-body");
    const before = await boxesOf(page, stored);
    release();
    await page.locator("main .bar .bar-acts").waitFor();
    await waitForWholePage(page);
    expect(await boxesOf(page, stored)).toEqual(before);
  });
}

test("opens a conversation with room for the composer and the panel", async () => {
  const { page, release } = await openHeldPage(fixture.topicUrl);
  await page.locator(".feed article").waitFor();
  await page.locator(".compose[aria-busy]").waitFor();
  await page.locator(".sidebar-head").first().waitFor();
  await page.locator(".sidebar-foot").waitFor();
  const stored = [
    "main",
    "main .bar",
    ".feed article",
    ".compose-wrap",
    ".compose",
    ".sidebar-head",
    ".sidebar-foot",
  ];
  const before = await boxesOf(page, [...stored, ".panel"]);
  release();
  await page.locator(".compose textarea:enabled").waitFor();
  await page.locator(".panel input").waitFor();
  await waitForWholePage(page);
  expect(await boxesOf(page, [...stored, ".panel"])).toEqual(before);
});

test("opens a search with room for its field, on a phone above the tab bar", async () => {
  const { page, release } = await openHeldPage("/#narrow/search/sketches", true);
  await page.locator(".feed article").waitFor();
  await page.locator(".search-field").waitFor();
  const stored = ["main", "main .bar", ".feed article", ".tabbar"];
  const before = await boxesOf(page, stored);
  release();
  await page.getByRole("combobox", { name: "Search" }).waitFor();
  await page.locator(".tabbar a").first().waitFor();
  await waitForWholePage(page);
  expect(await boxesOf(page, stored)).toEqual(before);
});

test("shows a placeholder for the end of a search", async () => {
  const { page, release } = await openHeldPage("/#narrow/search/sketches");
  await page.locator(".end-of .blank-text").waitFor();
  release();
  await page.getByText("1 result in").waitFor();
  expect(await page.locator(".end-of .blank-text").count()).toBe(0);
});

test("shows a placeholder for the text of an empty view", async () => {
  const { page, release } = await openHeldPage("/#narrow/is/mentioned");
  await page.locator(".feed-note .blank-text").waitFor();
  release();
  await page.getByText("No mentions yet.").waitFor();
  expect(await page.locator(".feed-note .blank-text").count()).toBe(0);
});

test("shows the sidebar in its stored width from the start", async () => {
  const { context } = await fixture.sessionOf("ada");
  await context.addInitScript(() => localStorage.setItem("skein:rail-width", "340"));
  const { page, release } = await openHeldPageIn(context, "/#inbox");
  await page.locator(".sidebar-foot").waitFor();
  const before = await boxesOf(page, [".sidebar", "main"]);
  expect(before[0]?.[3]).toBe(340);
  release();
  await page.locator(".sidebar-resize").waitFor({ state: "attached" });
  expect(await boxesOf(page, [".sidebar", "main"])).toEqual(before);
});

test("opens settings on a phone without moving them", async () => {
  const { page, release } = await openHeldPage("/#settings", true);
  const nav = ["main", "main .bar", ".pages-nav", ".tabbar"];
  await page.locator("main .blanks li").first().waitFor();
  const before = await boxesOf(page, nav);
  release();
  await page.locator("main .bar .bar-acts").waitFor();
  await page.locator(".tabbar a").first().waitFor();
  expect(await boxesOf(page, nav)).toEqual(before);
});

test("begins a message that was asked for before the composer has loaded", async () => {
  const { page, release } = await openHeldPage("/#narrow/is/starred");
  await page.getByRole("button", { name: "New message", exact: true }).click();
  expect(await page.locator(".compose").count()).toBe(0);
  release();
  await page.getByPlaceholder("Choose a channel").waitFor();
});

test("runs no shortcuts for keys that are pressed before the emoji picker has loaded", async () => {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const { context } = await fixture.sessionOf("ada");
  const page = await context.newPage();
  await page.goto(fixture.topicUrl);
  await waitForWholePage(page);
  await context.route(/\/assets\/[\w-]+\.js$/, async (route) => {
    await promise;
    return route.fallback();
  });
  await page.locator(".feed article").focus();
  await page.keyboard.press(":");
  await page.locator(".emoji-pop").waitFor();
  // Outside of the picker, this key opens the drafts.
  await page.keyboard.press("d");
  release();
  await page.locator(".emoji-pop input:enabled").fill("tad");
  await page.keyboard.press("Enter");
  await page.locator('.feed .react [aria-pressed="true"]').waitFor();
  expect(page.url()).toContain(fixture.topicUrl);
});
