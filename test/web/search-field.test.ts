// The search field: pills, and the addresses of its searches.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { emailOf } from "../users.ts";
import type { BrowserSession } from "./browser-session.ts";
import { waitForMessage, BrowserFixture } from "./browser-fixture.ts";

let fixture: BrowserFixture;
let browserSession: BrowserSession;
let page: Page;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
  const { testServer, stream_id } = fixture;
  const content = "The grey paper is the one that froze, see https://example.com";
  await testServer.request("bo", "POST /messages", {
    type: "channel",
    to: stream_id,
    topic: "p",
    content,
  });
  const to = ["ada", "cy"].map((name) => testServer.idOf(name as "ada"));
  await testServer.request("bo", "POST /messages", {
    type: "direct",
    to,
    content: "Lunch for three?",
  });
  browserSession = await fixture.sessionOf("ada");
  page = await browserSession.tab("/#inbox");
  await page.locator(".list-row").first().waitFor();
});
afterEach(() => fixture.close());

const field = () => page.getByRole("combobox", { name: "Search messages" });
const pill = (name: string) => page.locator(".pill").filter({ hasText: name });
const waitForHint = (text: string) => page.locator(".says").filter({ hasText: text }).waitFor();
const hash = () => page.evaluate(() => location.hash);
const options = () => page.locator("#search-suggestions [role=option]");

async function typeSearch(text: string): Promise<void> {
  await page.keyboard.press("/");
  await field().waitFor();
  await field().pressSequentially(text);
}

test("keeps results visible, and restores all when the last token is removed", async () => {
  await typeSearch("has:link ");
  await pill("link").waitFor();
  await page.keyboard.press("Enter");
  await waitForMessage(page, "the one that froze");
  await page.locator("input:focus").waitFor();
  expect(await options().count()).toBe(0);
  await page.keyboard.press("Backspace");
  await page.waitForFunction(() => location.hash === "#feed");
  await waitForHint("All messages.");
  await page.locator("input:focus").waitFor();
  await options().first().waitFor();
  await page.keyboard.type("is:unread ");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash === "#narrow/is/unread");
  // The view of unread messages is a search like others, so its bar shows the filter.
  await pill("unread").waitFor();
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await page.waitForFunction(() => location.hash === "#feed");
  await page.keyboard.press("Escape");
  await page.locator("main h1").filter({ hasText: "Everything" }).waitFor();
  await page.goBack();
  await page.waitForFunction(() => location.hash === "#inbox");
});

test("says which words are too common to search for", async () => {
  await typeSearch("the paper and");
  await page.keyboard.press("Enter");
  await waitForMessage(page, "the one that froze");
  await waitForHint("“the”, “and” are too common to search for, so they are ignored.");
  await field().fill("is it ");
  await page.keyboard.press("Enter");
  await waitForHint("only the newest 2,000 messages are searched");
  // A compound word and a phrase are compared with the text, so the notice disappears.
  await field().fill('paper AT&T "the one" ');
  await page.waitForFunction(
    () => !document.querySelector(".says")?.textContent?.includes("common"),
  );
});

test("reports terms without meaning, with alternatives", async () => {
  await typeSearch("is:zz");
  await options().filter({ hasText: "starred" }).waitFor();
  // The user selects none of the suggestions.
  await page.keyboard.press("Enter");
  await waitForHint("“is:zz” is not a valid filter, so it is searched as text.");
  expect(await hash()).toBe("#narrow/search/is.3Azz");
  await field().fill("from:nobody");
  await waitForHint("“from:nobody” is not a valid filter");
  await field().fill("http://example.com 12:30 ");
  await waitForHint("“http://example.com” and “12:30”");
  expect(await page.locator(".says").textContent()).not.toContain("is not a valid filter");
});

test("shows a URL for missing objects as removable tokens", async () => {
  for (const [address, name] of [
    ["is/wat", "is: wat"],
    ["wat/x/is/starred", "wat: x"],
  ]) {
    await page.goto(`/#narrow/${address}`);
    await waitForHint(`with invalid filter “${name}”`);
    await page.getByText("Part of this search is invalid.").waitFor();
  }
  await page.getByRole("button", { name: "Remove wat: x" }).click();
  await page.waitForFunction(() => location.hash === "#narrow/is/starred");
  await page.goto("/#narrow/id/99999999999999999999");
  await page.locator(".feed-note", { hasText: "not a string or integer" }).waitFor();
  await page.goto(`/#narrow/search/${"long".repeat(400)}`);
  await page.locator(".feed-note", { hasText: "too long" }).waitFor();
  await page.goto("/#narrow/channel/4711-gone");
  await page.getByText("This channel does not exist, or you don’t have access.").waitFor();
});

test("says that reading marks nothing only if a result is unread", async () => {
  const read = (op: string) =>
    fixture.testServer.request("ada", "POST /messages/flags/narrow", {
      ...{ anchor: "newest", num_before: 100, num_after: 0, narrow: "[]", op, flag: "read" },
    });
  await read("add");
  await page.goto("/#narrow/search/froze");
  await waitForMessage(page, "the one that froze");
  expect(await page.locator(".conversation-hint").count()).toBe(0);
  await read("remove");
  await page.locator(".conversation-hint").waitFor();
});

test("accepts several users with commas, and excludes no place", async () => {
  await typeSearch("dm:bo,cy ");
  const { testServer } = fixture;
  await page.keyboard.press("Enter");
  await waitForMessage(page, "Lunch for three?");
  expect(await hash()).toBe(`#narrow/dm/${testServer.idOf("bo")}.2C${testServer.idOf("cy")}-group`);
  await page.goto("/#inbox");
  await typeSearch("dm:Bo,C");
  await options().filter({ hasText: "Cy" }).first().waitFor();
  await page.keyboard.press("Enter");
  await waitForMessage(page, "Lunch for three?");
  await page.goto("/#inbox");
  await typeSearch("-near:5 ");
  await waitForHint("“-near:5” is not a valid filter");
  await field().fill("near:5 froze ");
  await pill("5").waitFor();
  await pill("5").locator(".pill-name").click();
  await page.getByRole("menuitem", { name: "Remove" }).waitFor();
  expect(await page.getByRole("menuitem", { name: "Exclude" }).count()).toBe(0);
});

test("arrow keys move through tokens, and removal keeps the focus", async () => {
  await page.goto("/#narrow/sender/1/has/link/is/unread/search/froze");
  await field().focus();
  const waitForPillFocus = (name: string) => pill(name).locator(".pill-name:focus").waitFor();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  await waitForPillFocus("unread");
  await page.keyboard.press("Home");
  await waitForPillFocus("from");
  await page.keyboard.press("ArrowRight");
  await waitForPillFocus("link");
  await page.keyboard.press("Delete");
  await waitForPillFocus("unread");
  expect(await hash()).toContain("/is/unread/");
  expect(await hash()).not.toContain("link");
  await page.keyboard.press("ArrowRight");
  await page.locator(".search-field input:focus").waitFor();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await page.locator(".search-field input:focus").waitFor();
  expect(await hash()).not.toContain("unread");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Backspace");
  await page.locator(".search-field input:focus").waitFor();
  expect(await hash()).toBe("#narrow/search/froze");
});

test("typed text adds a word to a search, and edits its own", async () => {
  await page.goto("/#narrow/search/grey");
  await waitForMessage(page, "the one that froze");
  await typeSearch("froze");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash === "#narrow/search/grey.20froze");
  await page.keyboard.type(" -from:me ");
  await pill("-from: you").locator(".pill-name").press("Enter");
  await page.getByRole("menuitem", { name: "Edit" }).press("Enter");
  await page.locator(".search-field input:focus").waitFor();
  await page.keyboard.type(" ");
  await pill("-from: you").waitFor();
});

test("a changed token keeps its operator and value", async () => {
  const { testServer, stream_id } = fixture;
  const [bo, cy] = [testServer.idOf("bo"), testServer.idOf("cy")];
  await page.goto(`/#narrow/sender/${bo}/search/name`);
  await page.locator(".pill", { hasText: "Bo Member" }).waitFor();
  for (const id of [bo, cy]) {
    await testServer.request("ada", `PATCH /users/${id}`, { full_name: "Kim Lee" });
  }
  await page.locator(".pill", { hasText: "Kim Lee" }).waitFor();
  const content = "No name for it";
  await testServer.request("bo", "POST /messages", {
    type: "channel",
    to: stream_id,
    topic: "",
    content,
  });
  await testServer.request("ada", `DELETE /users/${bo}`);
  for (const terms of [
    `sender/${bo}`,
    `-sender/${cy}`,
    `dm-including/${bo}`,
    `dm/${cy},${bo}`,
    `channel/${stream_id}-design/topic/`,
  ]) {
    await page.goto(`/#narrow/${terms}/search/name`);
    const last = page.locator(".pill").last();
    await last.filter({ hasText: /Kim Lee|general chat/ }).waitFor();
    const before = await last.textContent();
    for (const end of ["Enter", '" x']) {
      await last.locator(".pill-name").click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
      await page.locator(".search-field input:focus").waitFor();
      if (end === "Enter") await page.keyboard.press(end);
      else await page.keyboard.type(end);
      await page.locator(".pill").last().filter({ hasText: before! }).waitFor();
    }
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.hash.endsWith("x"));
    expect(decodeURIComponent((await hash()).replaceAll(".", "%"))).toContain(terms);
  }
  // Users who have left are found by name too.
  await testServer.request("ada", `PATCH /users/${bo}`, { full_name: "Zoe Far" });
  await page.goto("/#inbox");
  await typeSearch("from:zoe");
  await options().filter({ hasText: "Zoe Far" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForFunction((id) => location.hash.startsWith(`#narrow/sender/${id}`), bo);
});

test("distinguishes users of the same name, and keeps a minus sign", async () => {
  const { testServer } = fixture;
  const cy = testServer.idOf("cy");
  for (const id of [testServer.idOf("bo"), cy]) {
    await testServer.request("ada", `PATCH /users/${id}`, { full_name: "Kim Lee" });
  }
  const mine = `Kim Lee (${emailOf("cy")})`;
  await typeSearch("from:kim");
  await options().filter({ hasText: mine }).click();
  await page.keyboard.press("Enter");
  await page.waitForFunction((id) => location.hash === `#narrow/sender/${id}-Kim-Lee`, cy);
  await waitForHint(`Messages by ${mine}.`);
  await pill(mine).locator(".pill-name").click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.locator(".search-field input:focus").waitFor();
  expect(await field().inputValue()).toBe('from:"Kim Lee');
  await page.keyboard.press("Home");
  await page.keyboard.type("-");
  await page.keyboard.press("Enter");
  await page.waitForFunction((id) => location.hash === `#narrow/-sender/${id}-Kim-Lee`, cy);
  await waitForHint(`Messages not by ${mine}.`);
});

test("finds topics of several words, with colons, each once", async () => {
  const { testServer, stream_id } = fixture;
  await testServer.request("bo", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "garden" }],
    principals: [testServer.idOf("ada")],
  });
  const post = (to: number | string, topic: string) =>
    testServer.request("bo", "POST /messages", { type: "channel", to, topic, content: topic });
  await post("garden", "fix: grey paper");
  const { id } = await post(stream_id, "fix: grey paper");
  await page.locator(`.list-row[data-key*="fix"]`).nth(1).waitFor();
  await typeSearch("topic:fix: grey p");
  await options().filter({ hasText: "fix: grey paper" }).waitFor();
  expect(await options().count()).toBe(1);
  expect(await page.locator(".pill").count()).toBe(0);
  await page.keyboard.press("Enter");
  await pill("fix: grey paper").waitFor();
  await page.locator(`#m${id}`).waitFor();
  // Text that matches no topic stays a plain word.
  await page.keyboard.press("Escape");
  await page.goto("/#inbox");
  await typeSearch("topic:green tea");
  await pill("green").waitFor();
});

test("shows newest results first, even with older unread ones", async () => {
  const { testServer, stream_id } = fixture;
  const to = { type: "channel", to: stream_id, topic: "p" };
  let newest = 0;
  for (let index = 0; index < 40; index++) {
    const message = await testServer.request("bo", "POST /messages", {
      ...to,
      content: `A paper ${index}`,
    });
    newest = message.id;
  }
  const row = page.locator(`#m${newest}`);
  await typeSearch("paper");
  await page.keyboard.press("Enter");
  await row.waitFor();
  await page.waitForFunction(
    (id) => document.querySelector(`#m${id}`)!.getBoundingClientRect().bottom <= innerHeight,
    newest,
  );
  // Views of unread messages start at the first unread one.
  await page.goto("/#narrow/is/unread");
  await waitForMessage(page, "the one that froze");
  expect(await row.count()).toBe(0);
  await page.goto(`/#narrow/sender/${testServer.idOf("bo")}`);
  await row.waitFor();
});
