// Navigation: unread messages by one key, a first topic, and a shared search.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../wait-until.ts";
import { APPEARANCES, applyLook, accessibilityFaults, faultsOf, isTooWide } from "./axe.ts";
import type { BrowserSession } from "./browser-session.ts";
import { waitForMessage, BrowserFixture } from "./browser-fixture.ts";

let fixture: BrowserFixture;
let browserSession: BrowserSession;
let cys: BrowserSession; // Cy reads nothing, so all messages stay unread.
beforeEach(async () => {
  fixture = await BrowserFixture.open();
  const { testServer, stream_id } = fixture;
  const post = (name: "ada" | "bo", topic: string, content: string) =>
    testServer.request(name, "POST /messages", { type: "channel", to: stream_id, topic, content });
  await post("bo", "logo", "A first drawing of the mark");
  await post("bo", "poster", "Two posters for the door");
  await post("bo", "paper", "The grey paper is the one that froze");
  const direct = { type: "direct", content: "The samples are on your bench" };
  await testServer.request("bo", "POST /messages", { ...direct, to: [testServer.idOf("ada")] });
  browserSession = await fixture.sessionOf("ada");
  cys = await fixture.sessionOf("cy");
});
afterEach(() => fixture.close());

const waitForHeading = (page: Page, name: string) =>
  page.locator("main h1").filter({ hasText: name }).waitFor();

const rowOf = (page: Page, name: string) =>
  page.locator(".list-row").filter({ hasText: name }).first();

/** `accessibility.test.ts` checks lists and the switcher in the other looks. */
const [LIGHT, LIGHT_PHONE] = [APPEARANCES[0]!, APPEARANCES[2]!];

/** Cy's empty lists. */
const EMPTY = ["#drafts", "#narrow/is/starred"];

/** Addresses of views, with the text of their headings. */
const VIEWS = (stream_id: number): [string, string][] => [
  ["#inbox", "Inbox"],
  ["#recent", "Recent"],
  ["#drafts", "Drafts"],
  [`#topics/channel/${stream_id}-design`, "design"],
  [`#narrow/channel/${stream_id}-design/topic/poster`, "poster"],
  ["#narrow/search/paper", "Search"],
  ["#narrow/is/starred", "Starred"],
];

test("lists have no fault for screen readers in any look", async () => {
  const page = await cys.tab("/#inbox");
  await rowOf(page, "paper").waitFor();
  const faults: string[] = [];
  for (const [address, heading] of VIEWS(fixture.stream_id)) {
    await page.goto(`/${address}`);
    await waitForHeading(page, heading);
    await applyLook(page, LIGHT);
    expect(await isTooWide(page)).toBe(false);
    const looks = EMPTY.includes(address) ? APPEARANCES : [LIGHT_PHONE];
    const found = await accessibilityFaults(page, "html", looks);
    faults.push(...found.map((fault) => `${address}  ${fault}`));
  }
  expect(faults).toEqual([]);
});

test("opens the switcher, and finds and opens a channel by keyboard", async () => {
  const page = await cys.tab("/#inbox");
  await rowOf(page, "paper").waitFor();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Go to…" });
  await field.waitFor();
  expect(await accessibilityFaults(page, "html", [LIGHT, LIGHT_PHONE])).toEqual([]);
  await field.fill("post");
  await page.getByRole("option").first().filter({ hasText: "poster" }).waitFor();
  await page.keyboard.press("Enter");
  await waitForHeading(page, "poster");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await waitForHeading(page, "poster");
  expect(cys.faults).toEqual([]);
});

test("names the keys of a list in the shortcuts", async () => {
  const page = await cys.tab("/#inbox");
  await rowOf(page, "paper").waitFor();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.getByText("Go to the heading and collapse its section").first().waitFor();
  await page.close();
});

test("marks an inbox row as read by key, keeps it, and undoes it", async () => {
  const page = await browserSession.tab("/#inbox");
  await rowOf(page, "paper").waitFor();
  await page.keyboard.press("End");
  const chosen = page.locator(".list-row[data-selected]");
  const name = await chosen.locator(".top a").textContent();
  await page.keyboard.press("e");
  await page.locator(".toast").filter({ hasText: "marked as read" }).waitFor();
  await page.locator(".list-row[data-selected]:not([data-unread])").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator(".list-row[data-unread]").filter({ hasText: name! }).waitFor();
});

test("moves the focus to the next row when one disappears", async () => {
  const page = await browserSession.tab("/#inbox");
  await rowOf(page, "paper").waitFor();
  const has = (name: string) =>
    page.locator("[data-key]:has(:focus)").filter({ hasText: name }).waitFor();
  for (const key of ["Home", "ArrowDown", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
  await has("paper");
  await page.keyboard.press("M");
  await has("poster");
  await page.keyboard.press("k");
  await has("design");
  await page.keyboard.press("e");
  await has("The samples are on your bench");
  const drafts = ["one", "two", "three"].map((content, index) => {
    const to = [fixture.stream_id];
    return { type: "stream", to, topic: content, content, timestamp: 1_700_000_000 - index };
  });
  await fixture.testServer.request("ada", "POST /drafts", { drafts });
  await page.goto(`${browserSession.url}/#drafts`);
  await rowOf(page, "three").waitFor();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowUp");
  await has("two");
  await page.keyboard.press("Backspace");
  await has("three");
  await page.keyboard.press("Backspace");
  await has("one");
  expect(browserSession.faults).toEqual([]);
});

test("builds a search by keyboard, which is its URL for others", async () => {
  const page = await browserSession.tab("/#inbox");
  await rowOf(page, "poster").waitFor();
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: "Search messages" });
  await field.pressSequentially("channel:design grey ");
  await page.locator(".pill").filter({ hasText: "design" }).waitFor();
  await page.keyboard.press("Enter");
  await waitForMessage(page, "grey paper");
  const { hash } = new URL(page.url());
  expect(hash).toContain("/search/grey");
  const other = await fixture.sessionOf("bo");
  const theirs = await other.tab(`/${hash}`);
  await waitForMessage(theirs, "grey paper");
  await theirs.locator(".says").filter({ hasText: "in design" }).waitFor();
  await page.getByRole("button", { name: "Remove channel: design" }).click();
  await page.waitForFunction(() => !location.hash.includes("channel"));
  expect(browserSession.faults).toEqual([]);
});

test("a search in one place ignores channels and is not widened", async () => {
  const { testServer, stream_id } = fixture;
  await testServer.request("bo", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "aside" }],
  });
  const page = await browserSession.tab("/#narrow/search/zebra");
  const foot = page.locator(".end-of");
  await foot.getByText("No results in the").waitFor();
  const wider = foot.getByRole("button", { name: "Include public channels" });
  await wider.waitFor();
  for (const fragment of [`dm/${testServer.idOf("bo")}`, `channel/${stream_id}`, "is/dm"]) {
    await page.goto(`/#narrow/${fragment}/search/zebra`);
    await foot.getByText("No results.", { exact: true }).waitFor();
    expect(await wider.count()).toBe(0);
  }
});

test("the filter of the sidebar finds topics of collapsed channels", async () => {
  await fixture.testServer.request("cy", "POST /mark_all_as_read");
  const page = await cys.tab("/#drafts");
  await waitForHeading(page, "Drafts");
  await page.keyboard.press("q");
  await page.locator(".sidebar-top input:focus").fill("post");
  await page.locator(".sidebar .sidebar-row", { hasText: "poster" }).waitFor();
  await page.keyboard.press("Enter");
  await waitForHeading(page, "poster");
});

test("Ada reads all unread messages with the n key", async () => {
  const page = await browserSession.tab("/#inbox");
  await rowOf(page, "poster").waitFor();
  for (let topics = 3; topics > 0; topics--) {
    const before = page.url();
    await page.keyboard.press("n");
    await page.waitForFunction((url) => location.href !== url, before);
    await page.locator("article").first().waitFor();
    // The topic is marked as read because it is displayed.
    await page.locator(".sidebar-topics [aria-current]:not([data-unread])").waitFor();
  }
  await page.keyboard.press("n");
  await page.locator(".toast").filter({ hasText: "No unread topics" }).waitFor();
  await page.keyboard.press("p");
  await waitForMessage(page, "samples are on your bench");
});

test("shows the description of an empty channel, and starts there", async () => {
  const { testServer } = fixture;
  const subscribers = [testServer.idOf("ada")];
  const params = { name: "fresh", description: "For what **is** new", subscribers };
  const { id } = await testServer.request("ada", "POST /channels/create", params);
  const page = await browserSession.tab(`/#topics/channel/${id}-fresh`);
  await page.locator(".empty-note", { hasText: "For what is new" }).waitFor();
  await page.goto(`/#narrow/channel/${id}-fresh`);
  await page.locator(".feed .empty-note", { hasText: "For what is new" }).waitFor();
  await page.locator(".bar .sub", { hasText: "For what is new" }).waitFor();
  await page.getByRole("button", { name: "Start the first topic" }).press("Enter");
  await page.locator("input[name=topic]:focus").waitFor();
  expect(await page.locator("form.compose").textContent()).toContain("fresh");
  await page.goto("/#narrow/channel/99999-nowhere");
  await page
    .getByRole("alert")
    .getByText("This channel does not exist, or you don’t have access.")
    .waitFor();
});

test("shows /me messages in lists as in the feed", async () => {
  await fixture.post("bo", "/me waves at **all**");
  const page = await browserSession.tab("/#inbox");
  const line = rowOf(page, "logo").locator(".pre", { hasText: "waves" });
  await line.waitFor();
  expect(await line.innerText()).toBe("Bo waves at all");
});

test("Back restores the scroll position of a list", async () => {
  const { testServer, stream_id } = fixture;
  for (let index = 0; index < 40; index++) {
    const to = { type: "channel", to: stream_id, topic: `sketch ${index}` };
    await testServer.request("bo", "POST /messages", { ...to, content: "a line" });
  }
  const page = await browserSession.tab("/#recent");
  await rowOf(page, "sketch 39").waitFor();
  const scroller = page.locator(".scroll");
  await scroller.evaluate((node) => (node.scrollTop = 777));
  await page.waitForFunction(() => history.state?.top === 777);
  await page.locator(".list-row a", { hasText: "sketch 25" }).click();
  await waitForHeading(page, "sketch 25");
  await page.goBack();
  await waitForHeading(page, "Recent");
  await rowOf(page, "sketch 25").waitFor();
  await until(() => scroller.evaluate((node) => Math.abs(node.scrollTop - 777) <= 1));
});

test("a new user on a narrow screen finds a first topic", async () => {
  const page = await (await fixture.sessionOf("bo")).tab("/");
  await applyLook(page, APPEARANCES[2]!);
  await page.locator(".tabbar").getByRole("button", { name: "Channels" }).click();
  await page.locator(".sidebar-row", { hasText: "design" }).click();
  await waitForHeading(page, "design");
  await page.locator(".list-row a", { hasText: "poster" }).click();
  await waitForMessage(page, "Two posters for the door");
  expect(await faultsOf(page)).toEqual([]);
  const overflows = await page.evaluate(() => {
    return document.documentElement.scrollWidth > document.documentElement.clientWidth;
  });
  expect(overflows).toBe(false);
  // The button at the top opens the same sidebar.
  await page.getByRole("button", { name: "Sidebar" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("navigation", { name: "Sidebar" }).waitFor({ state: "hidden" });
});

test("mutes, follows and resolves a topic from its bar, with undo", async () => {
  const page = await browserSession.tab(`/#narrow/channel/${fixture.stream_id}-design/topic/paper`);
  await waitForMessage(page, "grey paper");
  const bar = page.locator(".bar-acts");
  await bar.locator("[aria-haspopup=menu]").first().click();
  await page
    .getByRole("menuitemradio", { name: "Mute No notifications, not counted as unread" })
    .click();
  const muted = bar.getByRole("button", { name: "Muted" });
  await muted.waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await muted.waitFor({ state: "detached" });
  await page.keyboard.press("f");
  await bar.getByRole("button", { name: "Following" }).waitFor();
  await page.keyboard.press("T");
  await page.waitForFunction(() => document.querySelector(".sidebar-topics .vh"));
  await page.locator(".sidebar-topics").filter({ hasText: "resolved" }).waitFor();
  expect(browserSession.faults).toEqual([]);
});

test("shows and keeps the notification settings of a channel", async () => {
  const { testServer, stream_id } = fixture;
  const page = await browserSession.tab(`/#topics/channel/${stream_id}-design`);
  const row = page.locator(".sidebar a").filter({ hasText: "design" }).first();
  await row.click({ button: "right" });
  await page.getByRole("menuitem", { name: "Personal settings" }).click();
  const sound = page.getByLabel("Sound");
  await sound.waitFor();
  expect(await sound.locator("option").allTextContents()).toEqual(["Default (off)", "on", "off"]);
  await sound.selectOption("on");
  // A setting that was set can be changed, but not reset to the default.
  await sound.locator("option", { hasText: "Default" }).waitFor({ state: "detached" });
  const ownSubscription = () =>
    testServer.realm.read.subscriptions.get(testServer.idOf("ada"), stream_id);
  await until(() => ownSubscription()?.audible_notifications === true);
  await sound.selectOption("off");
  await until(() => ownSubscription()?.audible_notifications === false);
  expect(await page.getByRole("alert").count()).toBe(0);
});

test("pressing M twice restores that a topic is followed", async () => {
  const { testServer, stream_id } = fixture;
  const followed = { stream_id, topic: "poster", visibility_policy: 3 };
  await testServer.request("ada", "POST /user_topics", followed);
  const page = await browserSession.tab(`/#narrow/channel/${stream_id}-design/topic/poster`);
  await waitForHeading(page, "poster");
  await page.locator("body[data-whole]").waitFor();
  const toast = page.locator(".toast");
  await page.keyboard.press("M");
  await toast.filter({ hasText: "Muted" }).waitFor();
  await page.keyboard.press("M");
  await toast.filter({ hasText: "Following" }).waitFor();
  // Likewise, pressing F twice restores that a muted topic is muted.
  await page.keyboard.press("M");
  await toast.filter({ hasText: "Muted" }).waitFor();
  await page.keyboard.press("f");
  await toast.filter({ hasText: "Following" }).waitFor();
  await page.keyboard.press("f");
  await toast.filter({ hasText: "Muted" }).waitFor();
});
