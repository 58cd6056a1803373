// Highlights of searches and of the composer, and keys with one meaning per place.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { accessibilityFaults, faultsOf } from "./axe.ts";
import { until } from "../wait-until.ts";
import { waitForMessage, BrowserFixture } from "./browser-fixture.ts";

let fixture: BrowserFixture;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
});
afterEach(() => fixture.close());

const post = (topic: string, content: string) => {
  const to = { type: "channel", to: fixture.stream_id, topic };
  return fixture.testServer.request("bo", "POST /messages", { ...to, content });
};

/** Reads the color in the same step, because a row rendered again in between has none. */
const colorOf = async (page: Page, text: string): Promise<string> => {
  await waitForMessage(page, text);
  return page.evaluate((expected) => {
    const texts = [...document.querySelectorAll("article .md")];
    return getComputedStyle(texts.find((text) => text.textContent.includes(expected))!).color;
  }, text);
};

const waitForHeading = (page: Page, name: string) =>
  page.locator("main h1").filter({ hasText: name }).waitFor();

test("highlights search terms in content and topic only", async () => {
  await post("paper plans", "The grey **paper** froze");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#narrow/search/paper");
  await page.locator("article .highlight").getByText("paper").waitFor();
  await page.locator(".conv-bar .highlight").getByText("paper").waitFor();
  await waitForHeading(page, "Search");
  expect(await accessibilityFaults(page)).toEqual([]);
  // A list of search results has no composer; `r` opens one for the selected result.
  expect(await page.locator(".compose-wrap").count()).toBe(0);
  await page.locator("article").first().focus();
  await page.keyboard.press("r");
  await page.locator(".compose textarea:enabled").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("article").first().focus();
  // Here Enter opens the conversation, where nothing is highlighted.
  await page.keyboard.press("Enter");
  await waitForHeading(page, "paper plans");
  await waitForMessage(page, "The grey paper froze");
  expect(await page.locator("article .highlight").count()).toBe(0);
});

test("dims other conversations while replying in a view of many", async () => {
  await post("logo", "Logo, one");
  await post("poster", "Poster, one");
  await post("logo", "Logo, two");
  const { id } = await post("poster", "Poster, two");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(`/#narrow/channel/${fixture.stream_id}-design`);
  await page.locator(`#m${id}`).focus();
  const atRest = await colorOf(page, "Logo, one");
  // Repeats the key press until there is a message to reply to.
  const isOpen = () => page.locator(".compose textarea:focus").count();
  while ((await isOpen()) === 0) {
    await page.locator(`#m${id}`).press("Enter");
    await Bun.sleep(200);
  }
  await until(async () => (await colorOf(page, "Logo, one")) !== atRest);
  const soft = await colorOf(page, "Logo, one");
  expect(await colorOf(page, "Logo, two")).toBe(soft);
  expect(await colorOf(page, "Poster, one")).toBe(atRest);
  expect(await colorOf(page, "Poster, two")).toBe(atRest);
  // Messages that arrive meanwhile are grouped the same way.
  await post("logo", "Logo, three");
  await waitForMessage(page, "Logo, three");
  expect(await colorOf(page, "Logo, three")).toBe(soft);
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await until(async () => (await colorOf(page, "Logo, one")) === atRest);
});

test("the shortcuts page lists and counts the keys that work here", async () => {
  // Ada's own message counts as read; the other one keeps the inbox from being empty.
  await fixture.post("ada", "One message");
  await post("poster", "Unread");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator("article").first().focus();
  const rows = async () => {
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await dialog.waitFor();
    const received = Number.parseInt(await dialog.getByText(/^\d+ shortcuts?$/).innerText(), 10);
    expect(await dialog.locator(".shortcuts kbd").count()).toBe(received);
    const all = await dialog.locator(".shortcuts li").allInnerTexts();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    return all.map((text) => text.replaceAll(/\s+/g, " "));
  };
  const groups = page.locator(".shortcuts h3");
  await page.keyboard.press("?");
  await groups.first().waitFor();
  expect(await groups.allInnerTexts()).toEqual([
    ...["Navigation", "Reading messages", "Selected message", "Writing", "Topic", "More"],
  ]);
  // Searching for the name of a group lists all its keys.
  await page.getByRole("searchbox", { name: "Find a shortcut" }).fill("selected message");
  await groups.nth(1).waitFor({ state: "detached" });
  expect(await page.locator(".shortcuts").innerText()).toContain("Forward");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await groups.first().waitFor({ state: "detached" });
  await page.locator("article").first().focus();
  const inFeed = await rows();
  expect(inFeed.filter((text) => text.startsWith("Reply"))[0]).toBe("Reply r Enter");
  // The list contains a key with two names, and keys that the text field handles itself.
  expect(inFeed).toContain("Close Esc Ctrl [");
  expect(inFeed).toContain("Bold Ctrl B");
  expect(inFeed.some((text) => text.startsWith("Edit your last message"))).toBe(true);
  expect(inFeed.some((text) => text.startsWith("Go to the heading"))).toBe(false);
  await page.goto("/#inbox");
  await waitForHeading(page, "Inbox");
  await page.locator(".list-row").first().waitFor();
  const fold = "Go to the heading and collapse its section ← h";
  let inList = await rows();
  // The keys of a list work from the frame after its rows are shown.
  while (!inList.includes(fold)) inList = await rows();
  expect(inList.some((text) => /^(Reply|Edit your)/.test(text))).toBe(false);
  // The listed keys work: the arrow collapses, Enter opens, and no text field opens.
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowLeft");
  await page.locator(".list-row").first().waitFor({ state: "detached" });
  await page.keyboard.press("ArrowRight");
  await page.locator(".list-row").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await waitForHeading(page, "poster");
  expect(await page.locator(".edit-box, .compose textarea:focus").count()).toBe(0);
});

test("keeps a list's filter out of the next; settings have a shortcut", async () => {
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#inbox");
  await waitForHeading(page, "Inbox");
  await page.keyboard.press("c");
  await page.locator(".compose").waitFor();
  await page.goto("/#recent");
  await waitForHeading(page, "Recent");
  expect(await page.locator(".compose-wrap").count()).toBe(0);
  await page.keyboard.press("Control+K");
  await page.keyboard.type(">pref");
  await page.getByRole("option", { name: "Preferences" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Preferences" }).waitFor();
});

test("a key leads from the filter of a list to its rows", async () => {
  for (const topic of ["paper", "poster"]) await post(topic, `About the ${topic}`);
  const page = await (await fixture.sessionOf("ada")).tab("/#recent");
  const row = (name: string) => page.locator(".list-row").filter({ hasText: name });
  await row("poster").waitFor();
  const field = page.getByLabel("Filter by topic or person");
  for (const key of ["ArrowDown", "Enter"]) {
    await field.focus();
    await page.keyboard.type("post");
    await row("paper").waitFor({ state: "detached" });
    await page.keyboard.press(key);
    await page.locator(".list-row:has(:focus)").filter({ hasText: "poster" }).waitFor();
    await field.fill("");
  }
  // If there are no results, the focus stays in the field.
  await field.fill("nothing of the kind");
  await row("poster").waitFor({ state: "detached" });
  await page.keyboard.press("ArrowDown");
  expect(await field.evaluate((node) => node === document.activeElement)).toBe(true);
});

test("offers a way to the end of very many unread messages", async () => {
  for (let count = 0; count < 3; count++) await post("logo", `Number ${count}`);
  const browserSession = await fixture.sessionOf("ada");
  await browserSession.context.route("**/json/register", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const { unread_message_ids: ids } of body.unread_msgs.streams) {
      for (let id = 1_000_000; ids.length < 500; id++) ids.push(id);
    }
    await route.fulfill({ response, json: body });
  });
  const page = await browserSession.tab(fixture.topicUrl);
  await page.getByText("unread messages here").waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Jump to latest" }).press("Enter");
  await page.getByText("unread messages here").waitFor({ state: "detached" });
  await page.locator("article:focus").getByText("Number 2").waitFor();
  // In an empty composer ArrowUp edits the user's last message; here the user has written none.
  await page.locator(".compose textarea").focus();
  await page.keyboard.press("ArrowUp");
  expect(await page.locator(".edit-box").count()).toBe(0);
  const { id } = await fixture.post("ada", "Mine, with a fault");
  await page.locator(`#m${id}`).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.locator(`#m${id} .edit-box textarea:focus`).waitFor();
  await page.keyboard.press("Escape");
  // Opens the menu of a conversation in a view of many, and the menu of the organization.
  await page.goto(`/#narrow/channel/${fixture.stream_id}-design`);
  await page.locator(".conv-bar").getByRole("button", { name: "More" }).first().press("Enter");
  await page.getByRole("menu").getByText("Mute").first().waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.getByRole("menu", { name: "Town" }).waitFor();
});
