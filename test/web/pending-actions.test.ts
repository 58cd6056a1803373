// Actions survive a lost network, tab or response, and take effect once.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Json } from "../test-server.ts";
import { withTimeout, until } from "../wait-until.ts";
import type { BrowserSession } from "./browser-session.ts";
import { NetworkFailure } from "./failing-network.ts";
import { waitForMessage, waitForConnection, BrowserFixture, write } from "./browser-fixture.ts";

let fixture: BrowserFixture;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
});
afterEach(() => fixture.close());

const cutFlags = (browserSession: BrowserSession) =>
  NetworkFailure.of(browserSession.context, "**/json/**");

const messageSeenBy = async (name: "ada" | "bo", id: number): Promise<Json> =>
  fixture.testServer.request(name, `GET /messages/${id}`, { apply_markdown: false });

/** Returns the number of rows in a store on the disk. */
const rowsOn = (page: Page, database: string, store: string) =>
  page.evaluate(
    async ([name, storeName]) => {
      const openRequest = indexedDB.open(name!);
      await new Promise((done) => (openRequest.onsuccess = done));
      const rows = openRequest.result.transaction(storeName!).objectStore(storeName!).count();
      await new Promise((done) => (rows.onsuccess = done));
      openRequest.result.close();
      return rows.result;
    },
    [`${database}-${fixture.testServer.idOf("bo")}`, store],
  );

/** Waits until the disk has this number of pending changes; calls `meanwhile` before each check. */
const untilPending = (page: Page, expected: number, meanwhile?: () => Promise<unknown>) =>
  until(async () => {
    await meanwhile?.();
    return (await rowsOn(page, "skein-kept", "doings")) === expected;
  });

/** Loses the first response to each change; the client looks up the result or retries safely. */
async function loseAnswers(page: Page, to = /messages\/\d+/): Promise<Set<string>> {
  const lost = new Set<string>();
  await page.route(to, async (route) => {
    const request = route.request();
    const body = `${request.method()} ${request.url()} ${request.postData()}`;
    if (request.method() === "GET" || lost.has(body)) return route.continue();
    lost.add(body);
    await route.fetch();
    return route.abort();
  });
  return lost;
}

interface SentMessage {
  id: number;
  own: number;
  gone: number;
}

/** Key-bound actions of a user: reacts, stars, deletes, and moves own messages. */
async function actOn(page: Page, { id, own, gone: removed }: SentMessage): Promise<void> {
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("+");
  await page.locator(`#m${id} .react [aria-pressed="true"]`).waitFor();
  await page.keyboard.press("Control+s");
  await page.locator(`#m${id}[data-starred]`).waitFor();
  await page.locator(`#m${removed}`).focus();
  await page.keyboard.press("i");
  await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
  await page.locator(`#m${removed}`).waitFor({ state: "detached" });
  await move(page, own, "mark");
}

async function move(page: Page, id: number, topic: string): Promise<void> {
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("m");
  await page.locator(".dialog input[name=topic]").fill(topic);
  await page.keyboard.press("Enter");
  await page.locator(`#m${id}`).waitFor({ state: "detached" });
}

/** Checks that each action takes effect once, and none is lost. */
async function isDone({ id, own, gone: removed }: SentMessage): Promise<void> {
  const { message, raw_content } = await messageSeenBy("bo", own);
  expect([raw_content, message.subject]).toEqual(["Without a **typo**", "mark"]);
  const { message_history } = await fixture.testServer.request(
    "bo",
    `GET /messages/${own}/history`,
  );
  expect(message_history).toHaveLength(3);
  const { message: reacted } = await messageSeenBy("bo", id);
  expect(reacted.reactions.map((reaction: Json) => reaction.emoji_name)).toEqual(["+1"]);
  expect(reacted.flags).toContain("starred");
  expect((await fixture.testServer.send("bo", `GET /messages/${removed}`)).status).toBe(400);
}

test("applies flags, reactions, edits, moves and deletions once on a bad network", async () => {
  const { id } = await fixture.post("ada", "Look at this");
  const { id: own } = await fixture.post("bo", "With a tpyo");
  const { id: removed } = await fixture.post("bo", "Said in anger");
  const read = { messages: [id, own, removed], op: "add", flag: "read" };
  await fixture.testServer.request("bo", "POST /messages/flags", read);
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await page.locator(`#m${own}`).focus();
  await page.keyboard.press("e");
  await page.locator(`#m${own} .edit-box textarea`).fill("Without a **typo**");
  const network = await cutFlags(browserSession);
  await page.keyboard.press("Control+Enter");
  // The row shows the new text at once, and later that it is pending.
  await page.locator(`#m${own} .md`).getByText("Without a").waitFor();
  await page.locator(`#m${own}[data-state=waiting]`).getByText("Not saved yet").waitFor();
  await actOn(page, { id, own, gone: removed });
  // A new message follows the topic to the place where it was moved.
  await page.goto(`${browserSession.url}${fixture.topicUrl.replace("topic/logo", "topic/mark")}`);
  await write(page, "And so on");
  await waitForMessage(page, "And so on");
  await untilPending(page, 5);
  await page.reload();
  await page.locator("article[data-state=waiting]").filter({ hasText: "And so on" }).waitFor();
  expect((await messageSeenBy("bo", own)).raw_content).toBe("With a tpyo");

  const lost = await loseAnswers(page);
  await network.restore();
  // Dispatches `focus`, as a returning user does, so that waiting changes are retried at once.
  const dispatchFocus = () => page.evaluate(() => dispatchEvent(new Event("focus")));
  await untilPending(page, 0, dispatchFocus);
  await waitForMessage(page, "And so on");
  await isDone({ id, own, gone: removed });
  // The deletion may have reached the server as the page closed; all other requests were sent.
  expect([...lost].filter((item) => !item.startsWith("DELETE")).length).toBe(3);
});

test("rolls back rejected changes with a message, but keeps messages read", async () => {
  const { id } = await fixture.post("bo", "Where I am");
  await fixture.testServer.request("bo", "POST /mark_all_as_read");
  const { id: unread } = await fixture.post("ada", "Not read before");
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await page.locator(`#m${unread}[data-unread]`).waitFor();
  const network = await cutFlags(browserSession);
  await page.locator(`#m${unread}`).focus();
  await page.keyboard.press("k");
  await page.locator(`#m${unread}:not([data-unread])`).waitFor();
  // A request that was never sent is sent again.
  const tried = page.waitForEvent("requestfailed", (request) => request.method() === "PATCH");
  await move(page, id, "elsewhere");
  await Promise.all([tried, untilPending(page, 2)]);
  // Meanwhile Ada has moved the message.
  const moved = { topic: "third place", propagate_mode: "change_one" };
  await fixture.testServer.request("ada", `PATCH /messages/${id}`, moved);
  await network.restore();
  await page.getByRole("alert").getByText("Someone else moved").waitFor();
  await untilPending(page, 0);
  expect((await messageSeenBy("bo", id)).message.subject).toBe("third place");
  await until(async () => (await messageSeenBy("bo", unread)).message.flags.includes("read"));
});

/** Changes a poll and a to-do list as Bo, offline: votes, adds an option, ticks two tasks off. */
async function voteAndStrike(page: Page, poll: number, todo: number): Promise<void> {
  const entry = (text: string) =>
    page.locator(`:is(#m${poll}, #m${todo}) .opt`).filter({ hasText: text });
  const press = async (text: string) => {
    await entry(text).press("Enter");
    await entry(text).and(page.locator("[data-set]")).waitFor();
  };
  await press("Later");
  await page.locator(`#m${poll}`).getByRole("button", { name: "Add an option" }).press("Enter");
  await page.getByRole("dialog").getByRole("textbox").fill("Never");
  await page.keyboard.press("Enter");
  await entry("Never").waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  for (const task of ["Image", "Tag"]) await press(task);
}

test("keeps offline votes and tasks when the tab closes, and sends them once", async () => {
  const { id: poll } = await fixture.post("ada", "/poll When?\nNow\nLater");
  const { id: todo } = await fixture.post("ada", "/todo Before\nImage\nTag");
  const read = { messages: [poll, todo], op: "add", flag: "read" };
  await fixture.testServer.request("bo", "POST /messages/flags", read);
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await page.locator(`#m${todo} .opt`).nth(1).waitFor();
  // The displayed view is cached, so it is available offline.
  await until(async () => (await rowsOn(page, "skein", "windows")) > 0);
  const network = await cutFlags(browserSession);
  await voteAndStrike(page, poll, todo);
  await untilPending(page, 4);
  await page.reload();
  const voted = page.locator(`#m${poll} .opt[aria-pressed=true]`);
  const ticked = page.locator(`#m${todo} .opt[aria-checked=true]`);
  await voted.getByText("Later").waitFor();
  await page.locator(`#m${poll} .opt`).filter({ hasText: "Never" }).waitFor();
  await ticked.nth(1).waitFor();
  await page.locator(`#m${todo}[data-state=waiting]`).getByText("Not saved yet").waitFor();
  // Ada has ticked one of the tasks off as well; it stays ticked.
  const strike = JSON.stringify({ type: "strike", key: "0,canned" });
  const by_ada = { message_id: todo, msg_type: "widget", content: strike };
  await fixture.testServer.request("ada", "POST /submessage", by_ada);

  const lost = await loseAnswers(page, /submessage/);
  await network.restore();
  await untilPending(page, 0, () => page.evaluate(() => dispatchEvent(new Event("focus"))));
  const additionsOf = async (id: number) =>
    (await messageSeenBy("bo", id)).message.submessages
      .slice(1)
      .map(({ sender_id, content }: Json) => [sender_id, JSON.parse(content)]);
  const [ada, bo] = [fixture.testServer.idOf("ada"), fixture.testServer.idOf("bo")];
  expect(await additionsOf(poll)).toEqual([
    [bo, { type: "vote", key: "canned,1", vote: 1 }],
    [bo, { type: "new_option", idx: 1, option: "Never" }],
  ]);
  expect(await additionsOf(todo)).toEqual([
    [ada, { type: "strike", key: "0,canned" }],
    [bo, { type: "strike", key: "1,canned" }],
  ]);
  expect(lost.size).toBe(3);
  await page.locator(`#m${todo}:not([data-state])`).waitFor();
  await ticked.nth(1).waitFor();
  await voted.getByText("Later").waitFor();
});

test("shows the last choice while the server still sends earlier ones", async () => {
  const { testServer } = fixture;
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#settings/preferences");
  const size = page.getByLabel("Text size");
  await size.waitFor();
  // Holds the first choice's event until the second response, and the next poll until a check.
  const responded = Promise.withResolvers<void>();
  const looked = Promise.withResolvers<void>();
  const isShown = Promise.withResolvers<void>();
  let isFirstNotified = false;
  await page.route("**/json/events?**", async (route) => {
    if (isFirstNotified) {
      isShown.resolve();
      await looked.promise;
    }
    const response = await route.fetch();
    if ((await response.text()).includes("web_font_size_px")) {
      isFirstNotified = true;
      await responded.promise;
    }
    await route.fulfill({ response });
  });
  // Another event ends the poll in flight, which the route does not hold.
  await testServer.request("bo", "PATCH /settings", { twenty_four_hour_time: true });
  await page.getByLabel("24-hour clock").and(page.locator(":checked")).waitFor();

  await size.selectOption("18");
  await until(async () => isFirstNotified);
  const taken = page.waitForResponse(
    (response) => response.request().postData()?.includes("20") === true,
  );
  await size.selectOption("20");
  await (await taken).finished();
  await page.getByRole("button", { name: "Undo" }).waitFor();
  responded.resolve();
  await withTimeout(isShown.promise, "the next poll");
  expect(await size.inputValue()).toBe("20");
  looked.resolve();
  await page.unrouteAll({ behavior: "wait" });
});
