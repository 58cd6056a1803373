// Addresses in all spellings, also after moves, and navigation back.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer, stream_id } = fixture;

const addressIn = (page: Page) => decodeURI(new URL(page.url()).hash);
const waitForHash = (page: Page, hash: string) =>
  page.waitForFunction((to) => location.hash === to, hash);
const post = async (topic: string, content: string): Promise<number> => {
  const to = { type: "channel", to: stream_id, topic, content };
  return (await testServer.request("bo", "POST /messages", to)).id;
};
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "");

test("a link to a moved message leads to its place, and updates the URL", async () => {
  const first = await post("draft", "The mark is too light");
  const id = await post("draft", "A little heavier on the left");
  const all = { topic: "final", propagate_mode: "change_all" };
  await testServer.request("ada", `PATCH /messages/${first}`, all);
  const browserSession = await fixture.sessionOf("cy");
  const draft = `#narrow/channel/${stream_id}-design/topic/draft`;
  const final = `#narrow/channel/${stream_id}-design/topic/final`;
  for (const operator of ["with", "near"]) {
    const page = await browserSession.tab(`/${draft}/${operator}/${id}`);
    await waitForHash(page, `${final}/${operator}/${id}`);
    await page.locator(`#m${id}`).waitFor();
    await page.getByRole("textbox", { name: "Message final" }).waitFor();
    await page.close();
  }
  // The copied link uses the operator `with`, which follows later moves of the message.
  const page = await browserSession.tab(`/${final}`);
  await page.locator(`#m${id}`).waitFor();
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => void (document.body.dataset["copied"] = text);
  });
  await page.keyboard.press("Y");
  await page.locator(`body[data-copied*="/final/with/"]`).waitFor();
  expect(browserSession.faults).toEqual([]);
});

test("links with names and addresses open what they mean; invalid ones go home", async () => {
  await post("logo", "Here it is");
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab("/#narrow/stream/Design/subject/logo");
  await waitForHash(page, `#narrow/channel/${stream_id}-design/topic/logo`);
  await page.getByRole("textbox", { name: "Message logo" }).waitFor();
  await page.evaluate(() => (location.hash = "#narrow/pm-with/bo.40example.2Ecom"));
  await waitForHash(page, `#narrow/dm/${testServer.idOf("bo")}-Bo-Member`);
  await page.evaluate(() => (location.hash = "#narrow/topic/.E9"));
  await page.getByText("Page not found").waitFor();
  await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
  await page.waitForFunction(() => document.title.endsWith("Inbox · Town"));
  const missing = page.locator(".feed-note[role=alert], .empty-note[role=alert]");
  await page.evaluate(() => (location.hash = "#narrow/channel/4444-x/topic/y/near/99999"));
  await missing.getByText("This channel does not exist, or you don’t have access.").waitFor();
  expect(await page.locator(".conversation-hint").count()).toBe(0);
  // A link to a direct message between other users reveals as little.
  const to = { type: "direct", to: [testServer.idOf("ada")], content: "For you alone" };
  const { id } = await testServer.request("bo", "POST /messages", to);
  const others = `#narrow/dm/${testServer.idOf("ada")},${testServer.idOf("bo")}-dm/near/${id}`;
  await page.evaluate((to) => (location.hash = to), others);
  await page.getByRole("heading", { name: "Ada Admin", level: 1 }).waitFor();
  await missing.getByText("This message does not exist, or you don’t have access.").waitFor();
  await page.evaluate(() => (location.hash = "#narrow/channel/4444-x/topic/y/near/99999"));
  await page.getByRole("heading", { name: "y", level: 1 }).waitFor();
  // The title shows the topic from the URL, and "Channel" for an unknown channel.
  expect(await page.title()).toEndWith("y · Channel · Town");
  // The next view would replace this note, and a key that is pressed in it would be lost.
  await page.evaluate(() => (location.hash = "#inbox"));
  await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
  for (const hash of ["narrow/channel/4444-x", "topics/channel/4444-x", "channels/4444/x"]) {
    await page.evaluate((to) => (location.hash = to), hash);
    await page.getByRole("heading", { name: "Channel", level: 1, exact: true }).waitFor();
    expect(await page.title()).toMatch(/^(\(\d+\) )?Channels? · Town$/);
    await missing.getByRole("button", { name: "Browse channels" }).press("Enter");
    await page.getByRole("heading", { name: "Channels", level: 1 }).waitFor();
  }
});

test("the page of a broken link names its target, and offers inbox and search", async () => {
  const id = await post("broken", "Something else");
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab("/#inbox");
  const note = page.locator(".empty-note[role=alert]");
  const open = async (hash: string, text: string) => {
    await page.evaluate((to) => (location.hash = to), hash);
    await note.getByText(text).waitFor();
  };
  const conversation = "This conversation does not exist, or you don’t have access.";
  const message = "This message does not exist, or you don’t have access.";
  await open("#narrow/dm/4444-x", conversation);
  // The conversation has no composer, because its users are unknown.
  await page.locator(".compose-closed").waitFor();
  expect(await page.locator(".compose textarea").count()).toBe(0);
  await note.getByRole("button", { name: "Open inbox" }).press("Enter");
  await waitForHash(page, "#inbox");
  await open(`#narrow/channel/${stream_id}-design/topic/nothing/near/4444`, message);
  await note.getByRole("button", { name: "Search messages" }).press("Enter");
  await page.locator(".search-field input:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.evaluate(() => (location.hash = "#narrow/with/4444"));
  await waitForHash(page, "#narrow/id/4444");
  // The topic exists, and shows its messages.
  const address = `#narrow/channel/${stream_id}-design/topic/broken/near/4444`;
  await page.evaluate((to) => (location.hash = to), address);
  await page.locator(`#m${id}`).waitFor();
  await page.locator(".toast", { hasText: message }).waitFor();
  await open("#groups/4444/x", "This group does not exist.");
  // The notice belongs to the view that was left.
  expect(await page.locator(".toast").count()).toBe(0);
  await note.getByRole("button", { name: "Browse groups" }).press("Enter");
  await waitForHash(page, "#groups/all");
});

test("a profile opened from a page overlays it, and closes back to it", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  const settings = page.getByRole("heading", { name: "Settings", level: 1 });
  const profile = page.getByRole("dialog", { name: "Profile" });
  await page.evaluate(() => (location.hash = "#settings/preferences"));
  await settings.waitFor();
  await page.evaluate(() => (location.hash = "#settings/notifications"));
  await page.evaluate((id) => (location.hash = `#user/${id}`), testServer.idOf("bo"));
  await profile.waitFor();
  await settings.waitFor();
  await page.evaluate((id) => (location.hash = `#user/${id}`), testServer.idOf("ada"));
  await profile.getByText("Ada").first().waitFor();
  await page.keyboard.press("Escape");
  await profile.waitFor({ state: "detached" });
  await waitForHash(page, "#settings/notifications");
  await settings.waitFor();
  // On a settings page, Escape leads to the view below all pages.
  await page.keyboard.press("Escape");
  await waitForHash(page, new URL(fixture.topicUrl, testServer.url).hash);

  // In a tab that opened with settings, no view is below them, but they are below a profile.
  const other = await browserSession.tab("/#settings/preferences");
  await other.evaluate((id) => (location.hash = `#user/${id}`), testServer.idOf("bo"));
  await other.getByRole("dialog", { name: "Profile" }).waitFor();
  await other.keyboard.press("Escape");
  await waitForHash(other, "#settings/preferences");
  expect(browserSession.faults.filter((fault) => !fault.includes("400"))).toEqual([]);
});

test("Back restores the focus, and Escape leaves a page for the view below", async () => {
  for (const topic of ["one", "two", "three"]) await post(topic, `About ${topic}`);
  // Messages marked as read disappear from the inbox, even on a slow machine.
  await testServer.request("ada", "PATCH /settings", { web_mark_read_on_scroll_policy: 3 });
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#inbox");
  const chosen = page.locator(".list-row[data-selected] a:focus");
  await page.keyboard.press("j");
  do await page.keyboard.press("j");
  while (!(await focusedText(page)).includes("two"));
  await chosen.waitFor();
  await page.keyboard.press("Space");
  await page.locator("article", { hasText: "About two" }).waitFor();
  await page.keyboard.press("j");
  await page.locator("article:focus", { hasText: "About two" }).waitFor();
  await page.goBack();
  await chosen.waitFor();
  expect(await focusedText(page)).toBe("two");
  await page.goForward();
  await page.locator("article:focus", { hasText: "About two" }).waitFor();

  const topic = addressIn(page);
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: "detached" });
  expect(addressIn(page)).toBe(topic);
  await page.evaluate(() => (location.hash = "#settings/preferences"));
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  await page.evaluate(() => (location.hash = "#channels/all"));
  await page.getByRole("heading", { name: "Channels", level: 1 }).waitFor();
  await page.keyboard.press("Control+[");
  await waitForHash(page, new URL(`/${topic}`, testServer.url).hash);
  await page.locator("article:focus", { hasText: "About two" }).waitFor();
});

test("moves the focus to a control after its part of a page was removed", async () => {
  const page = await (await fixture.sessionOf("ada")).tab("/#channels/new");
  const body = page.locator(".page-body");
  await body.getByRole("button").last().waitFor();
  // The page watches its elements from its first frame on.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  await body.getByRole("button").last().focus();
  await body.evaluate((node) => node.replaceChildren());
  await page.locator("#main button:focus").waitFor();
});

test("moves the focus next to a removed row, and arrows through groups", async () => {
  for (const topic of ["ash", "beech", "cedar"]) await post(topic, `Of ${topic}`);
  await testServer.request("ada", "PATCH /settings", { web_mark_read_on_scroll_policy: 3 });
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#inbox");
  const selectedLink = (name: string) =>
    page.locator(".list-row[data-selected] a:focus", { hasText: name });
  await page.locator(".list-row", { hasText: "beech" }).waitFor();
  await page.keyboard.press("j");
  do await page.keyboard.press("j");
  while (!(await focusedText(page)).includes("beech"));
  await selectedLink("beech").waitFor();
  await page.keyboard.press("Enter");
  await page.locator("article", { hasText: "Of beech" }).waitFor();
  // A topic read on another device disappears meanwhile.
  await testServer.request("ada", "POST /mark_topic_as_read", { stream_id, topic_name: "beech" });
  await page
    .locator('.sidebar-row[data-unread][href$="/topic/beech"]')
    .waitFor({ state: "detached" });
  await page.goBack();
  // The newest topic is first, so the row after the removed one is the oldest topic.
  await selectedLink("ash").waitFor();

  await page.keyboard.press("ArrowLeft");
  const head = page.locator(".list-head[data-selected] button[data-focus]:focus");
  await head.waitFor();
  expect(await head.textContent()).toBe("design");
  await page.keyboard.press("ArrowLeft");
  await page.locator('.list-head button[aria-expanded="false"]:focus').waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowRight");
  await page.locator('.list-head button[aria-expanded="true"]:focus').waitFor();
  await page.keyboard.press("ArrowRight");
  await page.locator(".list-row[data-selected] a:focus").waitFor();
  await page.keyboard.press("h");
  await head.waitFor();
  expect(browserSession.faults).toEqual([]);
});

test("Enter opens the match in the sidebar's filter and in a search", async () => {
  await post("hinge", "It squeaks");
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(`/#narrow/channel/${stream_id}-design/topic/hinge`);
  await page.locator("article", { hasText: "It squeaks" }).waitFor();
  await page.evaluate(() => (location.hash = "#inbox"));
  const field = page.locator(".sidebar-top input:focus");
  await page.keyboard.press("q");
  await field.fill("hin");
  await page.locator(".sidebar-scroll").getByText("hinge").waitFor();
  // The key focuses the field again if it is already open.
  await page.keyboard.press("ArrowDown");
  await page.locator(".sidebar-row:focus").waitFor();
  await page.keyboard.press("q");
  await field.fill("hinge");
  await field.press("Enter");
  await waitForHash(page, `#narrow/channel/${stream_id}-design/topic/hinge`);

  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Search messages" }).fill("from:bo squeaks");
  await page.keyboard.press("Enter");
  await waitForHash(page, `#narrow/sender/${testServer.idOf("bo")}-Bo-Member/search/squeaks`);
  await page.locator("article", { hasText: "It squeaks" }).waitFor();
});

test("shows the position of a keyboard user in the sidebar", async () => {
  for (let index = 0; index < 8; index++) await post(`row ${index}`, "Something to read");
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(`/#narrow/channel/${stream_id}-design/topic/row.200`);
  await page.setViewportSize({ width: 1360, height: 420 });
  const isInSight = () => {
    const list = document.querySelector(".sidebar-scroll")!.getBoundingClientRect();
    const row = document.querySelector(".sidebar-topics [aria-current]")?.getBoundingClientRect();
    return row !== undefined && row.top >= list.top && row.bottom <= list.bottom;
  };
  await page.locator(".sidebar-topics [aria-current]").waitFor();
  for (const key of ["Alt+ArrowUp", "Alt+ArrowUp", "Alt+ArrowDown"]) {
    const before = page.url();
    await page.keyboard.press(key);
    await page.waitForFunction((url) => location.href !== url, before);
    await page.waitForFunction(isInSight);
  }
});
