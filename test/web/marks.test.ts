// Highlights of searches and of the composer, and keys with one meaning per place.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { faultsOf, look, LOOKS } from "./axe.ts";
import { shows, BrowserFixture } from "./browser-fixture.ts";

let fixture: BrowserFixture;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
});
afterEach(() => fixture.close());

const post = (topic: string, content: string) => {
  const to = { type: "channel", to: fixture.stream_id, topic };
  return fixture.testServer.ask("bo", "POST /messages", { ...to, content });
};

/** Looked up and read in one step: a row that is drawn anew between these has no colour. */
const colorOf = async (page: Page, text: string): Promise<string> => {
  await shows(page, text);
  return page.evaluate((wanted) => {
    const texts = [...document.querySelectorAll("article .md")];
    return getComputedStyle(texts.find((one) => one.textContent.includes(wanted))!).color;
  }, text);
};

const isAt = (page: Page, name: string) =>
  page.locator("main h1").filter({ hasText: name }).waitFor();

test("words that were searched for are marked in text and topic, and nowhere else", async () => {
  await post("paper plans", "The grey **paper** froze");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#narrow/search/paper");
  await page.locator("article .highlight").getByText("paper").waitFor();
  await page.locator(".conv-bar .highlight").getByText("paper").waitFor();
  await isAt(page, "Search");
  for (const one of LOOKS) {
    await look(page, one);
    expect(await faultsOf(page)).toEqual([]);
  }
  // No box to write in stands below what was found; r opens one for the hit.
  expect(await page.locator(".compose-wrap").count()).toBe(0);
  await page.locator("article").first().focus();
  await page.keyboard.press("r");
  await page.locator(".compose textarea:enabled").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("article").first().focus();
  // Here Enter leads to the conversation, where nothing was searched for.
  await page.keyboard.press("Enter");
  await isAt(page, "paper plans");
  await shows(page, "The grey paper froze");
  expect(await page.locator("article .highlight").count()).toBe(0);
});

test("while one answers in a view of many, the others step back, each block of them", async () => {
  await post("logo", "Logo, one");
  await post("poster", "Poster, one");
  await post("logo", "Logo, two");
  const { id } = await post("poster", "Poster, two");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(`/#narrow/channel/${fixture.stream_id}-design`);
  await page.locator(`#m${id}`).focus();
  const atRest = await colorOf(page, "Logo, one");
  // Who presses before there is anything to answer with presses again.
  const isOpen = () => page.locator(".compose textarea:focus").count();
  while ((await isOpen()) === 0) {
    await page.locator(`#m${id}`).press("Enter");
    await Bun.sleep(200);
  }
  const soft = await colorOf(page, "Logo, one");
  expect(soft).not.toBe(atRest);
  expect(await colorOf(page, "Logo, two")).toBe(soft);
  expect(await colorOf(page, "Poster, one")).toBe(atRest);
  expect(await colorOf(page, "Poster, two")).toBe(atRest);
  // What comes meanwhile takes its side too.
  await post("logo", "Logo, three");
  await shows(page, "Logo, three");
  expect(await colorOf(page, "Logo, three")).toBe(soft);
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press("Escape");
  expect(await colorOf(page, "Logo, one")).toBe(atRest);
});

test("the page of keys tells of those that do something here, and counts them", async () => {
  // One's own is read from the start; in the inbox there is the other, whatever is read meanwhile.
  await fixture.post("ada", "One message");
  await post("poster", "Unread");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.place);
  await page.locator("article").first().focus();
  const rows = async () => {
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await dialog.waitFor();
    const told = Number.parseInt(await dialog.getByText(/^\d+ shortcuts?$/).innerText(), 10);
    expect(await dialog.locator(".shortcuts kbd").count()).toBe(told);
    const all = await dialog.locator(".shortcuts li").allInnerTexts();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    return all.map((text) => text.replaceAll(/\s+/g, " "));
  };
  const inFeed = await rows();
  expect(inFeed.filter((text) => text.startsWith("Reply"))[0]).toBe("Reply r Enter");
  // One key that has two names, and those that the text itself heeds.
  expect(inFeed).toContain("Close Esc Ctrl [");
  expect(inFeed).toContain("Bold Ctrl B");
  expect(inFeed.some((text) => text.startsWith("Edit your last message"))).toBe(true);
  expect(inFeed.some((text) => text.startsWith("Go to the heading"))).toBe(false);
  await page.goto("/#inbox");
  await isAt(page, "Inbox");
  await page.locator(".list-row").first().waitFor();
  const inList = await rows();
  expect(inList.some((text) => /^(Reply|Edit your)/.test(text))).toBe(false);
  expect(inList).toContain("Go to the heading and collapse its section ← h");
  // And so they do: the arrow folds, Enter opens, and nothing is written or edited.
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowLeft");
  await page.locator(".list-row").first().waitFor({ state: "detached" });
  await page.keyboard.press("ArrowRight");
  await page.locator(".list-row").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await isAt(page, "poster");
  expect(await page.locator(".edit-box, .compose textarea:focus").count()).toBe(0);
});

test("what is begun in one list is not under the next; settings are a command away", async () => {
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#inbox");
  await isAt(page, "Inbox");
  await page.keyboard.press("c");
  await page.locator(".compose").waitFor();
  await page.goto("/#recent");
  await isAt(page, "Recent");
  expect(await page.locator(".compose-wrap").count()).toBe(0);
  await page.keyboard.press("Control+K");
  await page.keyboard.type(">pref");
  await page.getByRole("option", { name: "Preferences" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Preferences" }).waitFor();
});

test("from the filter of a list one key leads into what it left", async () => {
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
  // Where nothing is left, one stays where one writes.
  await field.fill("nothing of the kind");
  await row("poster").waitFor({ state: "detached" });
  await page.keyboard.press("ArrowDown");
  expect(await field.evaluate((node) => node === document.activeElement)).toBe(true);
});

test("where very much is unread there is a way to its end", async () => {
  for (let count = 0; count < 3; count++) await post("logo", `Number ${count}`);
  const browserSession = await fixture.sessionOf("ada");
  await browserSession.context.route("**/json/register", async (route) => {
    const response = await route.fetch();
    const told = await response.json();
    for (const { unread_message_ids: ids } of told.unread_msgs.streams) {
      for (let id = 1_000_000; ids.length < 500; id++) ids.push(id);
    }
    await route.fulfill({ response, json: told });
  });
  const page = await browserSession.tab(fixture.place);
  await page.getByText("unread messages here").waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Jump to latest" }).press("Enter");
  await page.getByText("unread messages here").waitFor({ state: "detached" });
  await page.locator("article:focus").getByText("Number 2").waitFor();
  // In an empty box the arrow goes back to what one wrote last; there is nothing of one's own here.
  await page.locator(".compose textarea").focus();
  await page.keyboard.press("ArrowUp");
  expect(await page.locator(".edit-box").count()).toBe(0);
  const { id } = await fixture.post("ada", "Mine, with a fault");
  await page.locator(`#m${id}`).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.locator(`#m${id} .edit-box textarea:focus`).waitFor();
  await page.keyboard.press("Escape");
  // The menu of a conversation in a view of many, and that of the organization.
  await page.goto(`/#narrow/channel/${fixture.stream_id}-design`);
  await page.locator(".conv-bar").getByRole("button", { name: "More" }).first().press("Enter");
  await page.getByRole("menu").getByText("Mute").first().waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.getByRole("menu", { name: "Town" }).waitFor();
});
