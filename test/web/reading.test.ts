// Marking as read: messages marked as unread, older ones, and muted ones.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../wait-until.ts";
import type { BrowserSession } from "./browser-session.ts";
import { waitForConnection, BrowserFixture } from "./browser-fixture.ts";

let fixture: BrowserFixture;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
});
afterEach(() => fixture.close());

const post = (topic: string, content: string) => {
  const to = { type: "channel", to: fixture.stream_id, topic };
  return fixture.testServer.request("bo", "POST /messages", { ...to, content });
};

const isRead = async (id: number): Promise<boolean> =>
  (await fixture.testServer.request("ada", `GET /messages/${id}`)).message.flags.includes("read");

/** Opens a tab of Ada's at this message. */
async function openAtMessage(id: number): Promise<Page> {
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(`#m${id}`).focus();
  return page;
}

test('"unread from here" marks what follows, and reading marks nothing', async () => {
  const { id } = await fixture.post("bo", "Remember me");
  const { id: next } = await fixture.post("bo", "And me");
  const page = await openAtMessage(id);
  await until(() => isRead(next));
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("U");
  await page.getByText("Messages here stay unread until you leave this view.").waitFor();
  await until(async () => !(await isRead(next)));
  await page.keyboard.press("j");
  await page.getByRole("button", { name: "Mark as read while scrolling" }).press("Enter");
  await until(() => isRead(next));
});

test("a page does not mark messages as read again that were marked unread", async () => {
  const { id } = await fixture.post("bo", "Remember me");
  const page = await openAtMessage(id);
  await until(() => isRead(id));
  const unread = { op: "remove", flag: "read", messages: [id] };
  await fixture.testServer.request("ada", "POST /messages/flags", unread);
  await page.getByText("Messages here stay unread until you leave this view.").waitFor();
  // Messages that arrive meanwhile are not marked as read.
  const { id: next } = await fixture.post("bo", "And me");
  await page.locator(`#m${next}`).focus();
  expect(await isRead(id)).toBe(false);
  await page.getByRole("button", { name: "Mark as read while scrolling" }).press("Enter");
  await until(() => isRead(id));
});

test('"unread from here" reaches unloaded messages, and can be undone', async () => {
  const ids: number[] = [];
  for (let index = 0; index < 150; index++) ids.push((await post("logo", `Number ${index}`)).id);
  const all = { anchor: "newest", num_before: 200, num_after: 0 };
  const read = { ...all, narrow: [], op: "add", flag: "read" };
  await fixture.testServer.request("ada", "POST /messages/flags/narrow", read);
  const page = await (await fixture.sessionOf("ada")).tab(`${fixture.topicUrl}/near/${ids[5]}`);
  // The server marks thousands in one step; a lower limit causes several steps here.
  await page.route("**/flags/narrow", (route) => {
    const postData = route.request().postData()!.replace("num_after=5000", "num_after=30");
    return route.continue({ postData });
  });
  await page.locator(`#m${ids[5]}`).press("U");
  await page.getByText("145 messages marked as unread").waitFor();
  const narrow = [{ operator: "is", operand: "unread" }];
  const countUnread = async () =>
    (await fixture.testServer.request("ada", "GET /messages", { ...all, narrow })).messages.length;
  await until(async () => (await countUnread()) === 145);
  await page.locator(".sidebar .count", { hasText: "145" }).first().waitFor();
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await until(async () => (await countUnread()) === 0);
});

/** Opens a topic in which Ada has read everything, at a place where most of it is not fetched. */
async function waitUntilAllRead(topic: string) {
  const ids: number[] = [];
  for (let index = 0; index < 120; index++) ids.push((await post(topic, `Number ${index}`)).id);
  const all = { anchor: "newest", num_before: 200, num_after: 0 };
  const read = { ...all, narrow: [], op: "add", flag: "read" };
  await fixture.testServer.request("ada", "POST /messages/flags/narrow", read);
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(
    `${fixture.topicUrl.replace("logo", topic)}/near/${ids[5]}`,
  );
  const countUnread = async (): Promise<number> => {
    const narrow = [{ operator: "is", operand: "unread" }];
    return (await fixture.testServer.request("ada", "GET /messages", { ...all, narrow })).messages
      .length;
  };
  return { browserSession, page, row: page.locator(`#m${ids[5]}`), unread: countUnread };
}

test('"unread from here" continues after a reload', async () => {
  const { browserSession, page, row, unread } = await waitUntilAllRead("reload");
  let steps = 0;
  let isCut = true;
  await browserSession.context.route("**/flags/narrow", (route) => {
    if (isCut && steps === 1) return route.abort();
    steps += 1;
    const postData = route.request().postData()!.replace("num_after=5000", "num_after=20");
    return route.continue({ postData });
  });
  await row.press("U");
  await page.getByText(/^\d+ messages marked as unread/).waitFor();
  expect(await unread()).toBeLessThan(115);
  // Messages outside the view are not marked as read again.
  await page.goto("/#settings");
  await page.reload();
  isCut = false;
  await until(async () => (await unread()) === 115);
  expect(steps).toBeGreaterThan(2);
});

test('"mark as unread" waits for the network, and can be undone', async () => {
  const { browserSession, page, row, unread } = await waitUntilAllRead("away");
  let steps = 0;
  browserSession.context.on(
    "request",
    (request) => (steps += Number(/flags.narrow/.test(request.url()))),
  );
  await browserSession.context.setOffline(true);
  await waitForConnection(page, "unreached");
  await row.press("U");
  await page.getByText(/^\d+ messages marked as unread/).waitFor();
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  // A later request shows when all earlier ones were sent.
  await row.press("Control+s");
  await browserSession.context.setOffline(false);
  const starred = { narrow: [{ operator: "is", operand: "starred" }], num_before: 9, num_after: 0 };
  const send = () =>
    fixture.testServer.request("ada", "GET /messages", { anchor: "newest", ...starred });
  await until(async () => (await send()).messages.length === 1);
  expect([await unread(), steps]).toEqual([0, 0]);
});

/** Opens a session of Ada's in which this unread message is missing, as very old ones are. */
async function sessionWithoutCapability(id: number): Promise<BrowserSession> {
  const browserSession = await fixture.sessionOf("ada");
  await browserSession.context.route("**/json/register", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const { streams } = body.unread_msgs;
    for (const stream of streams) {
      stream.unread_message_ids = stream.unread_message_ids.filter((other: number) => other !== id);
    }
    body.unread_msgs.old_unreads_missing = true;
    await route.fulfill({ response, json: body });
  });
  return browserSession;
}

test("marks old messages as read when seen, and mentions them in the inbox", async () => {
  const { id } = await post("logo", "From long ago");
  const { id: other } = await post("felt", "Also from then");
  const browserSession = await sessionWithoutCapability(id);
  const page = await browserSession.tab(fixture.topicUrl);
  await until(() => isRead(id));
  await page.keyboard.press("I");
  await page.getByRole("button", { name: "Mark all as read" }).press("Enter");
  await until(() => isRead(other));
  await page.getByRole("button", { name: "Mark older as read" }).waitFor();
  expect(await page.getByText("No unread messages", { exact: true }).count()).toBe(0);
});

test("marks old unread messages as read on request", async () => {
  const { id } = await post("logo", "Very old");
  await post("logo", "Quite new");
  const browserSession = await sessionWithoutCapability(id);
  const page = await browserSession.tab("/#inbox");
  await page.getByText("older unread messages").waitFor();
  await page.getByRole("button", { name: "Mark older as read" }).press("Enter");
  await page.getByText("older unread messages").waitFor({ state: "detached" });
  await until(() => isRead(id));
  await page.locator(".list-row").getByText("Quite new").waitFor();
});

test("shows the last place to users who have only muted messages unread", async () => {
  const { testServer, stream_id } = fixture;
  await testServer.request("ada", "POST /user_topics", {
    stream_id,
    topic: "felt",
    visibility_policy: 1,
  });
  await post("felt", "For nobody in particular");
  await post("logo", "For everybody");
  const page = await (await fixture.sessionOf("ada")).tab("/#inbox");
  await page.getByRole("button", { name: "Mark all as read" }).press("Enter");
  await page.getByRole("heading", { name: "No unread messages" }).waitFor();
  await page.locator(".list-row").getByText("For everybody").waitFor();
  await page.getByRole("button", { name: "All", exact: true }).press("Enter");
  await page.locator(".list-row").getByText("For nobody in particular").waitFor();
  await page.getByRole("button", { name: "Followed" }).press("Enter");
  await page.getByText("No unread messages match this filter").waitFor();
});
