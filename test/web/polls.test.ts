// Polls and to-do lists: created in a dialog, voted on by several users, seen by all.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { withTimeout } from "../wait-until.ts";
import { faultsOf } from "./axe.ts";
import { NetworkFailure } from "./failing-network.ts";
import { waitUntilTrue, waitForConnection, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

const textField = (page: Page) => page.locator(".compose textarea:enabled");

test("creates a poll by keyboard, and shows votes to all", async () => {
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await textField(page).click();
  await page.keyboard.type("When?");
  await page.getByRole("button", { name: "Poll", exact: true }).press("Enter");
  await page.getByRole("dialog", { name: "Poll" }).locator("input:focus").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.type("<b>Now</b>\n\nLater");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
  expect(await textField(page).inputValue()).toBe("/poll When?\n<b>Now</b>\nLater");
  await page.keyboard.press("Control+Enter");
  const options = page.locator("article.msg:not([data-state]) .opt");
  await options.nth(1).waitFor();
  const other = await (await fixture.sessionOf("bo")).tab(fixture.topicUrl);
  // The vote is shown at once and sent later, since there is no network.
  const network = await NetworkFailure.of(other, "**/json/submessage");
  const now = other.getByRole("button", { name: "<b>Now</b> 0 votes" });
  await now.click();
  await other.locator(".opt[aria-pressed=true] small", { hasText: "you" }).waitFor();
  await network.restore();
  await options.first().locator("small", { hasText: "Bo Member" }).waitFor();
  await options.first().click();
  await other.locator(".opt small", { hasText: "Ada Admin" }).waitFor();
  expect(await options.first().innerText()).toMatch(
    /^<b>Now<\/b>\s+2\s+2 votes\s+you and Bo Member$/,
  );
  // The bar of an option shows its share of all voters.
  await options.first().click();
  await options.nth(1).click();
  await options.nth(1).locator("small", { hasText: "you" }).waitFor();
  const bars = page.locator("article.msg:not([data-state]) .opt meter");
  await page.waitForFunction(() => document.querySelectorAll(".opt small").length === 2);
  expect(await bars.evaluateAll((all) => all.map((bar) => (bar as HTMLMeterElement).max))).toEqual([
    2, 2,
  ]);
  // Only the author can edit the question.
  expect(await page.getByRole("button", { name: "Edit question" }).count()).toBe(1);
  expect(await other.getByRole("button", { name: "Edit question" }).count()).toBe(0);
  expect(browserSession.faults).toEqual([]);
});

test("creates a to-do list from its command", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await textField(page).fill("/todo Before\nTag");
  await page.getByRole("button", { name: "More tools" }).click();
  await page.getByRole("menuitem", { name: "To-do list" }).click();
  const dialog = page.getByRole("dialog", { name: "To-do list" });
  expect(await dialog.getByLabel("Title").inputValue()).toBe("Before");
  await dialog.getByLabel("Tasks").fill("Tag\nTell: everybody");
  await dialog.getByRole("button", { name: "Insert" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
  expect(await textField(page).inputValue()).toBe("/todo Before\nTag\nTell: everybody");
});

/** Creates a public channel with a poll and a to-do list by Bo; returns their ids and address. */
async function open(name: string) {
  const { testServer } = fixture;
  await testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
  const subscribers = [testServer.idOf("ada"), testServer.idOf("bo"), testServer.idOf("gus")];
  const params = { name, is_web_public: true, subscribers };
  const { id: to } = await testServer.request("olga", "POST /channels/create", params);
  const post = async (content: string): Promise<number> =>
    (await testServer.request("bo", "POST /messages", { type: "channel", to, topic: "t", content }))
      .id;
  const add = (name: "ada" | "gus" | "bo", message_id: number, addition: object) =>
    testServer.request(name, "POST /submessage", {
      message_id,
      msg_type: "widget",
      content: JSON.stringify(addition),
    });
  const [poll, todo] = [await post("/poll Where?\nHere\nThere"), await post("/todo Do\nTag: it")];
  await add("ada", poll, { type: "vote", key: "canned,1", vote: 1 });
  await add("bo", todo, { type: "strike", key: "0,canned" });
  return { to, poll, todo, place: `/#narrow/channel/${to}-${name}/topic/t`, add };
}

const toast = (page: Page, text: string) =>
  page.locator(".toast[role=alert]", { hasText: text }).waitFor();

test("shows votes and tasks to readers without controls", async () => {
  const { to, place: fragment } = await open("read");
  const { testServer } = fixture;
  const browserSession = await fixture.emptySession();
  const visitor = await browserSession.tab(fragment);
  const bo = await (await fixture.sessionOf("bo")).tab(fragment);
  const isComplete = async (page: Page) => {
    await page.getByRole("group", { name: "Where?" }).waitFor();
    expect(await page.getByRole("group", { name: "Where?" }).innerText()).toMatch(
      /There\s+1\s+1 vote\s+Ada Admin/,
    );
    const task = page.getByRole("group", { name: "Do" }).getByRole("checkbox", { name: "Tag it" });
    expect(await task.isChecked()).toBe(true);
    // Repeats the check, because an element that was rendered again loses its style.
    await page.waitForFunction(() => {
      const words = document.querySelector("[data-done] bdi");
      return words && getComputedStyle(words).textDecorationLine === "line-through";
    });
    expect(await faultsOf(page)).toEqual([]);
  };
  await isComplete(visitor);
  expect(await visitor.locator(".poll button").count()).toBe(0);
  await isComplete(bo);
  expect(await bo.getByRole("button", { name: "There 1 vote" }).getAttribute("title")).toBe(
    "Ada Admin",
  );
  // In an archived channel, displayed options report it, and new ones offer nothing.
  await testServer.request("olga", `DELETE /streams/${to}`);
  await bo.waitForFunction(() => {
    const forms = [...document.querySelectorAll("form")];
    if (!forms.some(({ textContent }) => textContent.includes("read is archived"))) return false;
    // Clicks in the same step, because the next event may render the poll again.
    const all = [...document.querySelectorAll<HTMLElement>(".poll button[aria-pressed]")];
    all.find(({ textContent }) => textContent.includes("Here"))!.click();
    return true;
  });
  await toast(bo, "read is archived. Nobody");
  expect(await bo.locator(".opt[aria-pressed=true]").count()).toBe(0);
  await bo.reload();
  await isComplete(bo);
  expect(await bo.locator(".poll button").count()).toBe(0);
  for (const name of ["Follow", "Resolve"])
    expect(await bo.getByRole("button", { name, exact: true }).count()).toBe(0);
  await bo.locator("article").first().hover();
  await bo.getByRole("button", { name: "Quote Bo Member’s message" }).waitFor();
  expect(await bo.getByRole("button", { name: "React to Bo Member’s message" }).count()).toBe(0);
});

test("keeps the position by keyboard while others vote", async () => {
  const { place: fragment, poll, add } = await open("keys");
  const browserSession = await fixture.sessionOf("gus");
  const page = await browserSession.tab(fragment);
  const more = page.getByRole("button", { name: "Add an option" });
  await more.press("Enter");
  await page.locator("[role=dialog] input:focus").waitFor();
  // The vote renders the row again under the dialog.
  await add("ada", poll, { type: "vote", key: "canned,0", vote: 1 });
  await page.locator(".opt", { hasText: /^Here 1/ }).waitFor();
  await page.keyboard.type("There");
  await page.keyboard.press("Enter");
  await toast(page, "“There” is already in the list.");
  await page.waitForFunction(() => document.activeElement?.textContent === "Add an option");
  await page.keyboard.press("Enter");
  await page.locator("[role=dialog] input:focus").waitFor();
  // Meanwhile another device of the same user adds an option.
  await add("gus", poll, { type: "new_option", idx: 1, option: "Nowhere" });
  await page.locator(".opt", { hasText: "Nowhere" }).waitFor();
  await page.keyboard.type("Elsewhere");
  await page.keyboard.press("Enter");
  const own = page.getByRole("button", { name: "Elsewhere 0 votes" });
  await own.waitFor();
  await own.press("Space");
  await page.locator(".opt:focus[aria-pressed=true]", { hasText: "Elsewhere" }).waitFor();
  // The message is deleted before the vote arrives, and the client reports that.
  const network = await NetworkFailure.of(page, "**/json/submessage");
  await page.locator(".opt", { hasText: "Nowhere" }).press("Enter");
  await page.locator(".opt[aria-pressed=true]", { hasText: "Nowhere" }).waitFor();
  await fixture.testServer.request("olga", `DELETE /messages/${poll}`);
  await page.locator(`#m${poll}`).waitFor({ state: "detached" });
  await network.restore();
  await toast(page, "This message was deleted or moved to where you cannot see it.");
});

test("keeps an addition between the response and its event", async () => {
  const { place: fragment } = await open("between");
  const browserSession = await fixture.sessionOf("gus");
  const received = Promise.withResolvers<void>();
  await browserSession.context.route("**/json/events?*", async (route) => {
    const response = await route.fetch();
    await received.promise;
    await route.fulfill({ response });
  });
  const page = await browserSession.tab(fragment);
  await page.getByRole("button", { name: "Add an option" }).press("Enter");
  await page.locator("[role=dialog] input:focus").waitFor();
  await page.keyboard.type("Elsewhere");
  const answered = page.waitForResponse("**/json/submessage");
  await page.keyboard.press("Enter");
  await answered;
  // The addition is confirmed once no pending change is stored.
  await waitUntilTrue(page, async () => {
    const all = await indexedDB.databases();
    const openRequest = indexedDB.open(
      all.find(({ name }) => name!.startsWith("skein-kept"))!.name!,
    );
    await new Promise((done) => (openRequest.onsuccess = done));
    const rows = openRequest.result.transaction("doings").objectStore("doings").count();
    await new Promise((done) => (rows.onsuccess = done));
    openRequest.result.close();
    return rows.result === 0;
  });
  expect(await page.locator(".opt", { hasText: "Elsewhere" }).count()).toBe(1);
  received.resolve();
});

test("adding to a poll that moves away leaves the rest of the view", async () => {
  const { to, place: fragment, poll, todo } = await open("moved");
  const { testServer } = fixture;
  const subscribers = [testServer.idOf("olga")];
  const params = { name: "secret", invite_only: true, subscribers };
  const { id: secret } = await testServer.request("olga", "POST /channels/create", params);
  const move = (message_id: number, target: object) =>
    testServer.request("olga", `PATCH /messages/${message_id}`, {
      ...target,
      propagate_mode: "change_one",
    });
  await testServer.request("bo", "POST /messages", {
    type: "channel",
    to,
    topic: "t",
    content: "Stays.",
  });
  const page = await (await fixture.sessionOf("ada")).tab(fragment);
  const request = async (message_id: number, name: string, text: string) => {
    await page.locator(`#m${message_id}`).getByRole("button", { name }).press("Enter");
    await page.locator("[role=dialog] input:focus").waitFor();
    await page.keyboard.type(text);
  };
  await request(poll, "Add an option", "Elsewhere");
  await move(poll, { topic: "other" });
  await page.locator(`#m${poll}`).waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await page.locator(`#m${todo}:focus`).waitFor();
  // The option is in the poll at its new place.
  const other = await (await fixture.sessionOf("bo")).tab(fragment.replace(/t$/, "other"));
  await other.locator(".opt", { hasText: "Elsewhere" }).waitFor();
  // Updates do not reach messages that the user can no longer see.
  await request(todo, "Add a task", "Hidden");
  await move(todo, { stream_id: secret, topic: "t" });
  await page.locator(`#m${todo}`).waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await toast(page, "This message was deleted or moved to where you cannot see it.");
  await page.locator("article:focus", { hasText: "Stays." }).waitFor();
  const { message } = await testServer.request("olga", `GET /messages/${todo}`);
  expect(JSON.stringify(message.submessages)).not.toContain("Hidden");
});

test("keeps the order of ticked tasks that are sent together", async () => {
  const { place: fragment, todo, add } = await open("once");
  await add("bo", todo, { type: "strike", key: "0,canned" });
  const page = await (await fixture.sessionOf("ada")).tab(fragment);
  await waitForConnection(page, "live");
  const task = page.getByRole("checkbox", { name: "Tag it" });
  await task.and(page.locator("[aria-checked=false]")).waitFor();
  expect(await task.locator("use").getAttribute("href")).toEndWith("#i-circle");
  // The next poll is sent only after both changes are answered.
  const [blocked, responded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route("**/json/events?**", async (route) => {
    blocked.resolve();
    await responded.promise;
    await route.continue();
  });
  await fixture.testServer.request("ada", "PATCH /settings", { twenty_four_hour_time: true });
  await withTimeout(blocked.promise, "the next poll");
  await page.locator(`#m${todo}`).focus();
  await page.keyboard.press("Control+s");
  await page.locator(`#m${todo}[data-starred]`).waitFor();
  const response = page.waitForResponse(/json\/submessage/);
  await task.press("Enter");
  await (await response).finished();
  await page.locator(`#m${todo}:not([data-state])`).waitFor();
  responded.resolve();
  // Later events are received as well.
  await add("gus", todo, { type: "new_task", key: 1, task: "Tell", desc: "", completed: false });
  await page.getByRole("checkbox", { name: "Tell" }).waitFor();
  expect(await task.getAttribute("aria-checked")).toBe("true");
  await page.unrouteAll({ behavior: "wait" });
});
