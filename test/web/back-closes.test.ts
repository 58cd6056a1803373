// Back on a phone: what lies over the view goes first, one thing at a time, and nothing else moves.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { striped, upload } from "../features/uploading.ts";
import type { Json } from "../test-server.ts";
import { BrowserSession } from "./browser-session.ts";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.ofFile();
const { testServer } = fixture;
const path = await upload(testServer, "ada", { name: "a.png", bytes: striped(400, 300) });
await fixture.post("ada", `[a.png](${path})`);

/** In the topic, which was come to from the inbox. */
async function opened(): Promise<Page> {
  const phone = await BrowserSession.ofPhone(testServer, "bo");
  // As without https, where phones of a home often are.
  await phone.context.addInitScript(() => Object.assign(crypto, { randomUUID: undefined }));
  const page = await phone.tab("/#inbox");
  await page.evaluate((place) => (location.hash = place.slice(1)), fixture.place);
  await page.locator("article .shot").waitFor();
  return page;
}

/** The page goes on to another entry by itself: nobody waits for the one in between. */
const back = (page: Page) => page.evaluate(() => history.back());
const forward = (page: Page) => page.evaluate(() => history.forward());
const isAt = (page: Page, hash: string) =>
  page.waitForFunction((wanted) => location.hash === wanted, hash);
const topic = new URL(fixture.place, testServer.url).hash;

/** Opens something over the view, and goes back once. */
async function goesBack(page: Page, over: string, open: () => Promise<unknown>): Promise<void> {
  await open();
  await page.locator(over).first().waitFor();
  // It is visible a moment before the history has its entry.
  await page.waitForFunction(() => history.state?.layer?.depth > 0);
  await back(page);
  await page.locator(over).first().waitFor({ state: "hidden" });
  expect(new URL(page.url()).hash).toBe(topic);
}

test("Back closes a picture, a menu, a dialog, the rail, people, and then leads on", async () => {
  const page = await opened();
  const row = await page.locator("article").last().elementHandle();
  const picture = page.getByRole("button", { name: "Open a.png" });
  await goesBack(page, ".lightbox", () => picture.tap());
  // Forward opens nothing, and Back is one press again.
  await forward(page);
  expect(await page.locator(".lightbox").count()).toBe(0);
  const menu = async () => {
    await page.locator("article").last().focus();
    await page.keyboard.press("i");
  };
  await goesBack(page, ".pop", menu);
  await goesBack(page, ".dialog", async () => {
    await menu();
    await page.getByRole("menuitem", { name: "Forward" }).tap();
  });
  await goesBack(page, "[data-drawer]", () => page.locator(".bar .back").tap());
  await goesBack(page, ".panel", () => page.locator(".bar").getByLabel("people").tap());
  // A picture over the people: they are still there.
  await page.locator(".bar").getByLabel("people").tap();
  await page.locator(".panel").waitFor();
  await goesBack(page, ".palette", () => page.keyboard.press("Control+k"));
  await page.locator(".panel").waitFor();
  await back(page);
  await page.locator(".panel").waitFor({ state: "hidden" });
  // The view has not been drawn anew.
  expect(await row!.evaluate((node) => node.isConnected)).toBe(true);
  await back(page);
  await isAt(page, "#inbox");
  await forward(page);
  await isAt(page, topic);
});

test("a search that was begun is closed by Back, and one that was asked for leads on", async () => {
  const page = await opened();
  const search = async () => {
    await page.locator(".bar").getByRole("button", { name: "More" }).tap();
    await page.getByRole("menuitem", { name: "Search here" }).tap();
    await page.locator(".search-field input:focus").waitFor();
  };
  await goesBack(page, ".search-field", search);
  await page.locator(".bar h1", { hasText: "logo" }).waitFor();
  await search();
  await page.locator(".search-field input").fill("nothing like it");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/search\//);
  await back(page);
  await isAt(page, topic);
  await back(page);
  await isAt(page, "#inbox");
});

test("behind the plus one sends later and takes snippets, and Back closes each of it", async () => {
  const page = await opened();
  const text = page.locator(".compose textarea");
  await text.fill("For tomorrow");
  const plus = async (name: string) => {
    await page.getByRole("button", { name: "More tools" }).tap();
    await page.getByRole("menuitem", { name }).tap();
  };
  const times = page.getByRole("menu", { name: "Send later" });
  const menu = async () => {
    await plus("Send later");
    await times.waitFor();
  };
  await goesBack(page, ".pop", menu);
  await goesBack(page, ".dialog", async () => {
    await menu();
    await times.getByRole("menuitem").last().tap();
  });
  await goesBack(page, ".dialog", async () => {
    await plus("Snippets");
    await page.getByRole("menuitem", { name: "New snippet" }).tap();
  });
  expect(await text.inputValue()).toBe("For tomorrow");
  await menu();
  await times.getByRole("menuitem").first().tap();
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "");
  const { scheduled_messages } = await testServer.ask("bo", "GET /scheduled_messages");
  expect(scheduled_messages.map(({ content }: Json) => content)).toEqual(["For tomorrow"]);
  await back(page);
  await isAt(page, "#inbox");
});

test("what was closed otherwise costs no press of Back, nor does a reload", async () => {
  const page = await opened();
  const picture = page.getByRole("button", { name: "Open a.png" });
  await picture.tap();
  await page.locator(".lightbox").getByRole("button", { name: "Close" }).tap();
  await page.locator(".lightbox").waitFor({ state: "detached" });
  await back(page);
  await isAt(page, "#inbox");
  await forward(page);
  await isAt(page, topic);
  // From what lay over it one went on, and comes back to what lay below.
  await page.locator(".bar .back").tap();
  await page.locator(".rail-row", { hasText: "Recent" }).tap();
  await isAt(page, "#recent");
  await back(page);
  await isAt(page, topic);
  expect(await page.locator("[data-drawer]").count()).toBe(0);
  await forward(page);
  await isAt(page, "#recent");
  await back(page);
  await picture.tap();
  await page.locator(".lightbox").waitFor();
  await page.reload();
  await page.locator("body[data-whole]").waitFor();
  expect(await page.locator(".lightbox").count()).toBe(0);
  await back(page);
  await isAt(page, "#inbox");
});

test("a dialog that has an address is left by one press of Back, or by closing it", async () => {
  const page = await opened();
  for (const leave of [
    () => back(page),
    () => page.locator(".dialog").getByRole("button", { name: "Close" }).tap(),
  ]) {
    await page.evaluate(() => (location.hash = "#invite"));
    await page.locator(".dialog").waitFor();
    await leave();
    await page.locator(".dialog").waitFor({ state: "detached" });
    await isAt(page, topic);
    // There is no second entry of the view: one more press leads on.
    await back(page);
    await isAt(page, "#inbox");
    await forward(page);
    await isAt(page, topic);
  }
});

test("somebody's profile that a card led to is one thing, and the card none any more", async () => {
  const page = await opened();
  for (const leave of [() => back(page), () => page.keyboard.press("Escape")]) {
    await page.locator(".msg-name").first().tap();
    await page.locator(".people-card").getByText("Profile").tap();
    await page.locator(".dialog").waitFor();
    await page.locator(".people-card").waitFor({ state: "detached" });
    await leave();
    await page.locator(".dialog").waitFor({ state: "detached" });
    await isAt(page, topic);
    await back(page);
    await isAt(page, "#inbox");
    await forward(page);
    await isAt(page, topic);
  }
});

test("Back closes proposals, a preview and a message begun elsewhere, not their text", async () => {
  const page = await opened();
  const text = page.locator(".compose textarea");
  await goesBack(page, ".compose-pop", () => text.pressSequentially("Hello @c"));
  await goesBack(page, ".compose-pop", () => text.pressSequentially("y and @a"));
  await goesBack(page, ".compose-preview", () => text.press("Alt+p"));
  expect(await text.inputValue()).toBe("Hello @cy and @a");
  await goesBack(page, "[data-aim]", async () => {
    await page.locator("article").last().focus();
    await page.keyboard.press("x");
    await page.locator("[data-aim]").waitFor();
    await text.pressSequentially(", too");
  });
  await back(page);
  await isAt(page, "#inbox");
  await page.evaluate(() => (location.hash = "#drafts"));
  await page.locator("main").getByText("Hello @cy and @a, too").waitFor();
});
