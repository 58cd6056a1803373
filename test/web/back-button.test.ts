// On a phone, Back closes the layers over a view one at a time, before it leaves the view.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { striped, upload } from "../features/upload-fixture.ts";
import type { Json } from "../test-server.ts";
import { BrowserSession } from "./browser-session.ts";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer } = fixture;
const path = await upload(testServer, "ada", { name: "a.png", bytes: striped(400, 300) });
await fixture.post("ada", `[a.png](${path})`);

/** Opens the topic from the inbox on a phone. */
async function openPhone(): Promise<Page> {
  const phone = await BrowserSession.forPhone(testServer, "bo");
  // Simulates HTTP, where randomUUID is not available.
  await phone.context.addInitScript(() => Object.assign(crypto, { randomUUID: undefined }));
  const page = await phone.tab("/#inbox");
  await page.evaluate((fragment) => (location.hash = fragment.slice(1)), fixture.topicUrl);
  await page.locator("article .shot").waitFor();
  return page;
}

/** The client may then go to another entry itself, while page.goBack() waits for the first. */
const goBack = (page: Page) => page.evaluate(() => history.back());
const forward = (page: Page) => page.evaluate(() => history.forward());
const waitForHashOf = (page: Page, hash: string) =>
  page.waitForFunction((expected) => location.hash === expected, hash);
const topic = new URL(fixture.topicUrl, testServer.url).hash;

/** Opens a layer over the view, goes back once, and checks that only the layer closes. */
async function navigatesBack(
  page: Page,
  topView: string,
  open: () => Promise<unknown>,
): Promise<void> {
  await open();
  await page.locator(topView).first().waitFor();
  // A layer is visible shortly before its history entry exists.
  await page.waitForFunction(() => history.state?.layer?.depth > 0);
  await goBack(page);
  await page.locator(topView).first().waitFor({ state: "hidden" });
  expect(new URL(page.url()).hash).toBe(topic);
}

/** Returns the address of a topic that fills several screens. */
async function longTopic(): Promise<string> {
  const content = Array.from({ length: 6 }, (_, line) => `Line ${line}`).join("\n");
  const to = { type: "channel", to: fixture.stream_id, topic: "long" };
  for (let at = 0; at < 24; at += 1)
    await testServer.request("ada", "POST /messages", { ...to, content });
  return topic.replace(/logo$/, "long");
}

const scrollDown = (page: Page) =>
  page.locator(".feed").evaluate((feed) => (feed.scrollTop += feed.clientHeight));

/** Waits until the history entry has another position, and returns the id of its message. */
async function leftId(page: Page, before: number): Promise<number> {
  const handle = await page.waitForFunction((other) => {
    const { at } = history.state?.left?.standing ?? {};
    return at && at.id !== other ? (at.id as number) : undefined;
  }, before);
  return (await handle.jsonValue())!;
}

const topOf = (row: Locator) =>
  row.evaluate((node) => {
    const top = node.closest(".feed")!.getBoundingClientRect().top;
    return Math.round(node.getBoundingClientRect().top - top);
  });

test("Back closes a picture, a menu, a dialog, the sidebar, then leaves the view", async () => {
  const page = await openPhone();
  const row = await page.locator("article").last().elementHandle();
  const picture = page.getByRole("button", { name: "Open a.png" });
  await navigatesBack(page, ".lightbox", () => picture.tap());
  // Forward does not reopen the picture, and one Back still suffices for the next layer.
  await forward(page);
  expect(await page.locator(".lightbox").count()).toBe(0);
  const menu = async () => {
    await page.locator("article").last().focus();
    await page.keyboard.press("i");
  };
  await navigatesBack(page, ".pop", menu);
  await navigatesBack(page, ".dialog", async () => {
    await menu();
    await page.getByRole("menuitem", { name: "Forward" }).tap();
  });
  await navigatesBack(page, "[data-drawer]", () => page.locator(".bar .back").tap());
  await navigatesBack(page, ".panel", () => page.locator(".bar").getByLabel("people").tap());
  // The command palette is over the panel of people, which stays open when the palette closes.
  await page.locator(".bar").getByLabel("people").tap();
  await page.locator(".panel").waitFor();
  await navigatesBack(page, ".palette", () => page.keyboard.press("Control+k"));
  await page.locator(".panel").waitFor();
  await goBack(page);
  await page.locator(".panel").waitFor({ state: "hidden" });
  // The view has not been rendered again.
  expect(await row!.evaluate((node) => node.isConnected)).toBe(true);
  await goBack(page);
  await waitForHashOf(page, "#inbox");
  await forward(page);
  await waitForHashOf(page, topic);
});

/** Leaves the topic by a search, and returns to its position. */
async function returnsFromSearch(page: Page, long: string, search: () => Promise<void>) {
  // A second Back that is pressed as soon as the first arrives leaves the view below.
  await page.evaluate((fragment) => (location.hash = fragment), long);
  const start = await leftId(page, 0);
  await scrollDown(page);
  const row = page.locator(`article[data-id="${await leftId(page, start)}"]`);
  const top = await topOf(row);
  await search();
  await page.locator(".search-field input").fill("nothing like it");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/search\//);
  await goBack(page);
  await waitForHashOf(page, long);
  await row.waitFor();
  await page.waitForFunction(() => history.state?.layer?.depth === 0);
  expect(Math.abs((await topOf(row)) - top)).toBeLessThan(8);
  await forward(page);
  await page.waitForURL(/\/search\//);
  await page.evaluate(() => {
    addEventListener("popstate", () => history.back(), { once: true });
    history.back();
  });
  await waitForHashOf(page, "#inbox");
  await forward(page);
  await waitForHashOf(page, long);
  await row.waitFor();
  await page.waitForFunction(() => history.state?.layer?.depth === 0);
  expect(Math.abs((await topOf(row)) - top)).toBeLessThan(8);
  await forward(page);
  await page.waitForURL(/\/search\//);
  await goBack(page);
  await waitForHashOf(page, long);
  await row.waitFor();
}

/** Leaves the topic by a link in the sidebar, and returns to its position. */
async function returnsFromLink(page: Page, long: string): Promise<void> {
  // The view scrolls on below the sidebar, and a link there leaves that position.
  await page.locator(".bar .back").tap();
  await page.locator("[data-drawer]").waitFor();
  await page.waitForFunction(() => history.state?.layer?.depth > 0);
  const before = await leftId(page, 0);
  await scrollDown(page);
  const row = page.locator(`article[data-id="${await leftId(page, before)}"]`);
  const top = await topOf(row);
  await page.locator(".sidebar-row", { hasText: "Recent" }).tap();
  await waitForHashOf(page, "#recent");
  await goBack(page);
  await waitForHashOf(page, long);
  await row.waitFor();
  await page.waitForFunction(() => history.state?.layer?.depth === 0);
  expect(Math.abs((await topOf(row)) - top)).toBeLessThan(8);
}

test("Back closes an unsubmitted search, and leaves a submitted one", async () => {
  const page = await openPhone();
  const search = async () => {
    await page.locator(".bar").getByRole("button", { name: "More" }).tap();
    await page.getByRole("menuitem", { name: "Search here" }).tap();
    await page.locator(".search-field input:focus").waitFor();
  };
  await navigatesBack(page, ".search-field", search);
  await page.locator(".bar h1", { hasText: "logo" }).waitFor();
  await search();
  await page.locator(".search-field input").fill("nothing like it");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/search\//);
  await goBack(page);
  await waitForHashOf(page, topic);
  await goBack(page);
  await waitForHashOf(page, "#inbox");
  const long = await longTopic();
  await returnsFromSearch(page, long, search);
  await returnsFromLink(page, long);
});

test("Back closes each item of the plus menu", async () => {
  const page = await openPhone();
  const text = page.locator(".compose textarea");
  await text.fill("For tomorrow");
  const openTool = async (name: string) => {
    await page.getByRole("button", { name: "More tools" }).tap();
    await page.getByRole("menuitem", { name }).tap();
  };
  const times = page.getByRole("menu", { name: "Send later" });
  const menu = async () => {
    await openTool("Send later");
    await times.waitFor();
  };
  await navigatesBack(page, ".pop", menu);
  await navigatesBack(page, ".dialog", async () => {
    await menu();
    await times.getByRole("menuitem").last().tap();
  });
  await navigatesBack(page, ".dialog", async () => {
    await openTool("Snippets");
    await page.getByRole("menuitem", { name: "New snippet" }).tap();
  });
  expect(await text.inputValue()).toBe("For tomorrow");
  await menu();
  await times.getByRole("menuitem").first().tap();
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "");
  const { scheduled_messages } = await testServer.request("bo", "GET /scheduled_messages");
  expect(scheduled_messages.map(({ content }: Json) => content)).toEqual(["For tomorrow"]);
  await goBack(page);
  await waitForHashOf(page, "#inbox");
});

test("closing by other means, or a reload, needs no additional Back", async () => {
  const page = await openPhone();
  const picture = page.getByRole("button", { name: "Open a.png" });
  await picture.tap();
  await page.locator(".lightbox").getByRole("button", { name: "Close" }).tap();
  await page.locator(".lightbox").waitFor({ state: "detached" });
  // The palette fills the screen, so it has a button too.
  await page.keyboard.press("Control+k");
  await page.locator(".palette").getByRole("button", { name: "Close" }).tap();
  await page.locator(".palette").waitFor({ state: "detached" });
  await goBack(page);
  await waitForHashOf(page, "#inbox");
  await forward(page);
  await waitForHashOf(page, topic);
  // If a link in the sidebar opened another view, Back returns to the view below the sidebar.
  await page.locator(".bar .back").tap();
  await page.locator(".sidebar-row", { hasText: "Recent" }).tap();
  await waitForHashOf(page, "#recent");
  await goBack(page);
  await waitForHashOf(page, topic);
  expect(await page.locator("[data-drawer]").count()).toBe(0);
  await forward(page);
  await waitForHashOf(page, "#recent");
  await goBack(page);
  await picture.tap();
  await page.locator(".lightbox").waitFor();
  await page.reload();
  await page.locator("body[data-whole]").waitFor();
  expect(await page.locator(".lightbox").count()).toBe(0);
  await goBack(page);
  await waitForHashOf(page, "#inbox");
});

test("a dialog with a URL is closed by one Back or by its button", async () => {
  const page = await openPhone();
  for (const leave of [
    () => goBack(page),
    () => page.locator(".dialog").getByRole("button", { name: "Close" }).tap(),
  ]) {
    await page.evaluate(() => (location.hash = "#invite"));
    await page.locator(".dialog").waitFor();
    await leave();
    await page.locator(".dialog").waitFor({ state: "detached" });
    await waitForHashOf(page, topic);
    // The dialog adds no second history entry for the view, so one more Back leaves it.
    await goBack(page);
    await waitForHashOf(page, "#inbox");
    await forward(page);
    await waitForHashOf(page, topic);
  }
});

test("Back closes a profile that was opened from a card, and the card", async () => {
  const page = await openPhone();
  for (const leave of [() => goBack(page), () => page.keyboard.press("Escape")]) {
    await page.locator(".msg-name").first().tap();
    await page.locator(".people-card").getByText("Profile").tap();
    await page.locator(".dialog").waitFor();
    await page.locator(".people-card").waitFor({ state: "detached" });
    await leave();
    await page.locator(".dialog").waitFor({ state: "detached" });
    await waitForHashOf(page, topic);
    await goBack(page);
    await waitForHashOf(page, "#inbox");
    await forward(page);
    await waitForHashOf(page, topic);
  }
});

test("Back closes a profile above the panel of people, then the panel", async () => {
  const page = await openPhone();
  const close = page.locator(".dialog").getByRole("button", { name: "Close" });
  for (const leave of [() => goBack(page), () => close.tap()]) {
    await page.locator(".bar").getByLabel("people").tap();
    const panel = page.locator(".panel[data-over]");
    await panel.getByRole("button", { name: /Ada Admin$/ }).tap();
    await page.locator(".people-card").getByText("Profile").tap();
    await close.waitFor();
    await leave();
    await close.waitFor({ state: "detached" });
    await waitForHashOf(page, topic);
    await page.waitForFunction(() => history.state?.layer?.depth === 1);
    await page.locator(".panel[data-over]").waitFor();
    await goBack(page);
    await page.locator(".panel[data-over]").waitFor({ state: "detached" });
    await waitForHashOf(page, topic);
    await goBack(page);
    await waitForHashOf(page, "#inbox");
    await forward(page);
    await waitForHashOf(page, topic);
  }
});

test("Back closes suggestions, a preview and a new message, but keeps its text", async () => {
  const page = await openPhone();
  const text = page.locator(".compose textarea");
  await navigatesBack(page, ".compose-pop", () => text.pressSequentially("Hello @c"));
  await navigatesBack(page, ".compose-pop", () => text.pressSequentially("y and @a"));
  await navigatesBack(page, ".compose-preview", () => text.press("Alt+p"));
  expect(await text.inputValue()).toBe("Hello @cy and @a");
  await navigatesBack(page, "[data-recipient]", async () => {
    await page.locator("article").last().focus();
    await page.keyboard.press("x");
    await page.locator("[data-recipient]").waitFor();
    await text.pressSequentially(", too");
  });
  await goBack(page);
  await waitForHashOf(page, "#inbox");
  await page.evaluate(() => (location.hash = "#drafts"));
  await page.locator("main").getByText("Hello @cy and @a, too").waitFor();
});
