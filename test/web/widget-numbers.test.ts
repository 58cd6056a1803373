// Votes and ticks on unconfirmed entries are moved to the number that the server assigns.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Json } from "../test-server.ts";
import { until } from "../wait-until.ts";
import { NetworkFailure } from "./failing-network.ts";
import { waitForConnection, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const [ada, bo] = [fixture.testServer.idOf("ada"), fixture.testServer.idOf("bo")];

const addBy = (name: "ada" | "bo", message_id: number, addition: object) =>
  fixture.testServer.request(name, "POST /submessage", {
    message_id,
    msg_type: "widget",
    content: JSON.stringify(addition),
  });

/** Submessages of a widget on the server, in order. */
async function read(message_id: number): Promise<[number, Json][]> {
  const { message } = await fixture.testServer.request("bo", `GET /messages/${message_id}`);
  return message.submessages
    .slice(1)
    .map(({ sender_id, content }: Json) => [sender_id, JSON.parse(content)]);
}

const entry = (page: Page, id: number, text: string) =>
  page.locator(`#m${id} .opt`).filter({ has: page.locator(`bdi:text-is("${text}")`) });

const isSet = (page: Page, id: number, text: string) =>
  entry(page, id, text).and(page.locator("[data-set]")).waitFor();

const isUnset = (page: Page, id: number, text: string) =>
  entry(page, id, text).and(page.locator(":not([data-set])")).waitFor();

/** Adds an option or task as Bo in a page, and votes for it or ticks it off. */
async function addAndPress(page: Page, id: number, tool: string, text: string): Promise<void> {
  await page.locator(`#m${id}`).getByRole("button", { name: tool }).press("Enter");
  await page.getByRole("dialog").getByRole("textbox").fill(text);
  await page.keyboard.press("Enter");
  await entry(page, id, text).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await entry(page, id, text).press("Enter");
  await isSet(page, id, text);
}

/** Posts a poll and a to-do list by Ada, and adds to both as Bo without reaching the server. */
async function openWidgets() {
  const { id: poll } = await fixture.post("ada", "/poll When?\nNow");
  const { id: todo } = await fixture.post("ada", "/todo Before\nImage");
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await entry(page, todo, "Image").waitFor();
  const network = await NetworkFailure.of(page, "**/json/submessage");
  await addAndPress(page, poll, "Add an option", "Mine");
  await addAndPress(page, todo, "Add a task", "Mine");
  return { poll, todo, browserSession, page, network };
}

async function isNotified(page: Page, ...ids: number[]): Promise<void> {
  for (const id of ids) await page.locator(`#m${id}:not([data-state])`).waitFor();
}

const vote = (key: string) => ({ type: "vote", key, vote: 1 });
const option = (idx: number, text: string) => ({ type: "new_option", idx, option: text });
const task = (key: number, text: string) => ({
  type: "new_task",
  key,
  task: text,
  desc: "",
  completed: false,
});

for (const isReloaded of [false, true]) {
  const description = isReloaded ? "of a page before" : "of this page";
  test(`follows an own addition to another number, ${description}`, async () => {
    const { poll, todo, page, network } = await openWidgets();
    // Meanwhile another device of the same user has taken the number.
    await addBy("bo", poll, option(1, "Other"));
    await addBy("bo", todo, task(1, "Other"));
    await entry(page, todo, "Other").waitFor();
    if (isReloaded) await page.reload();
    for (const id of [poll, todo]) {
      await isSet(page, id, "Mine");
      await isUnset(page, id, "Other");
    }
    await network.restore();
    // A page that has just loaded sends pending changes a little later.
    for (const id of [poll, todo]) await until(async () => (await read(id)).length >= 3);
    await isNotified(page, poll, todo);
    expect(await read(poll)).toEqual([
      [bo, option(1, "Other")],
      [bo, option(2, "Mine")],
      [bo, vote(`${bo},2`)],
    ]);
    expect(await read(todo)).toEqual([
      [bo, task(1, "Other")],
      [bo, task(2, "Mine")],
      [bo, { type: "strike", key: `2,${bo}` }],
    ]);
    for (const id of [poll, todo]) {
      await isSet(page, id, "Mine");
      await isUnset(page, id, "Other");
    }
  });
}

test("shows offline additions of two tabs after a reload in one of them", async () => {
  const { id } = await fixture.post("ada", "/poll When?\nNow");
  const browserSession = await fixture.sessionOf("bo");
  const tabs = [
    await browserSession.tab(fixture.topicUrl),
    await browserSession.tab(fixture.topicUrl),
  ] as const;
  for (const tab of tabs) {
    await waitForConnection(tab, "live");
    await entry(tab, id, "Now").waitFor();
  }
  const network = await NetworkFailure.of(browserSession.context, "**/json/submessage");
  await addAndPress(tabs[0], id, "Add an option", "One");
  await addAndPress(tabs[1], id, "Add an option", "Two");
  await tabs[0].reload();
  for (const text of ["One", "Two"]) await isSet(tabs[0], id, text);
  await network.restore();
  for (const tab of tabs) {
    await isNotified(tab, id);
    for (const text of ["One", "Two"]) await isSet(tab, id, text);
  }
});

test("counts a vote for the other user's option of the same text", async () => {
  const { poll, todo, page, network } = await openWidgets();
  await addBy("ada", poll, option(1, "Mine"));
  await addBy("ada", todo, task(1, "Mine"));
  await network.restore();
  await isNotified(page, poll, todo);
  expect((await read(poll)).at(-1)).toEqual([bo, vote(`${ada},1`)]);
  expect((await read(todo)).at(-1)).toEqual([bo, { type: "strike", key: `1,${ada}` }]);
  for (const id of [poll, todo]) await isSet(page, id, "Mine");
});

test("rolls back votes for an option that the server rejects", async () => {
  const { testServer } = fixture;
  const subscriptions = [{ name: "closing" }];
  const principals = [ada, bo];
  await testServer.request("ada", "POST /users/me/subscriptions", { subscriptions, principals });
  const { stream_id: to } = await testServer.request("ada", "GET /get_stream_id", {
    stream: "closing",
  });
  const params = { type: "channel", to, topic: "t", content: "/poll Where?\nHere" };
  const { id } = await testServer.request("ada", "POST /messages", params);
  const page = await (await fixture.sessionOf("bo")).tab(`/#narrow/channel/${to}-closing/topic/t`);
  await waitForConnection(page, "live");
  await entry(page, id, "Here").waitFor();
  const network = await NetworkFailure.of(page, "**/json/submessage");
  await addAndPress(page, id, "Add an option", "There");
  await testServer.request("olga", `DELETE /streams/${to}`);
  await page.locator("form", { hasText: "closing is archived" }).waitFor();
  await network.restore();
  const toast = page.locator(".toast[role=alert]");
  await toast.waitFor();
  expect(await toast.innerText()).toContain("closing is archived. Nobody");
  await entry(page, id, "There").waitFor({ state: "detached" });
  await isNotified(page, id);
  await isUnset(page, id, "Here");
  expect(await read(id)).toEqual([]);
});
