// Drafts and scheduled messages after conflicts: no text is lost, and the user is informed.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Json } from "../test-server.ts";
import { NetworkFailure } from "./failing-network.ts";
import {
  waitForConnection,
  waitForEvents,
  waitForMessage,
  waitForValue,
  BrowserFixture,
} from "./browser-fixture.ts";

let fixture: BrowserFixture;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
});
afterEach(() => fixture.close());

const textField = (page: Page) => page.locator(".compose textarea:enabled");

/** Number of drafts in the sidebar. */
const waitForCount = (page: Page, number: string) =>
  page.locator(".sidebar a[href='#drafts']", { hasText: new RegExp(`${number}$`) }).waitFor();

async function listDrafts(): Promise<string[]> {
  const response = await fixture.testServer.request("bo", "GET /drafts");
  return response.drafts.map(({ content }: { content: string }) => content).sort();
}

test("keeps the texts of two devices in one conversation as separate drafts", async () => {
  const [desk, phone] = [await fixture.sessionOf("bo"), await fixture.sessionOf("bo")];
  const [thisPage, otherPage] = [
    await desk.tab(fixture.topicUrl),
    await phone.tab(fixture.topicUrl),
  ];
  await textField(thisPage).fill("begun");
  while ((await listDrafts()).length === 0) await Bun.sleep(100);
  await otherPage.waitForFunction(() => document.querySelector("textarea")?.value === "begun");
  // The first device receives no events about the second one for a while.
  const network = await NetworkFailure.of(thisPage, /\/json\/(?:events\?|drafts\/)/);
  await textField(thisPage).fill("begun, and finished at the desk");
  await textField(otherPage).fill("begun, and finished on the phone");
  while (!(await listDrafts()).includes("begun, and finished on the phone")) await Bun.sleep(100);
  network.stopFailing();
  await textField(thisPage).press("End");
  await thisPage.keyboard.type(".");
  while ((await listDrafts()).length < 2) await Bun.sleep(100);
  expect(await listDrafts()).toEqual([
    "begun, and finished at the desk.",
    "begun, and finished on the phone",
  ]);
  await thisPage.getByText("Both versions are in your drafts").waitFor();
  expect(await textField(thisPage).inputValue()).toBe("begun, and finished at the desk.");
  // The list of drafts opens the other version.
  await thisPage.getByRole("button", { name: "Drafts", exact: true }).press("Enter");
  const row = thisPage.locator(".own-list li").filter({ hasText: "on the phone" });
  await row.locator("a").press("Enter");
  await textField(thisPage).waitFor();
  expect(await textField(thisPage).inputValue()).toBe("begun, and finished on the phone");
  expect((await listDrafts()).length).toBe(2);
});

test("removes a draft on other devices and tabs when it is sent", async () => {
  const [desk, phone] = [await fixture.sessionOf("bo"), await fixture.sessionOf("bo")];
  const [thisPage, otherPage] = [
    await desk.tab(fixture.topicUrl),
    await desk.tab(fixture.topicUrl),
  ];
  const there = await phone.tab(fixture.topicUrl);
  await textField(thisPage).fill("said once");
  for (const page of [otherPage, there]) {
    await page.waitForFunction(() => document.querySelector("textarea")?.value === "said once");
  }
  const [deleted, isAllowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await there.route("**/json/drafts/*", async (route) => {
    deleted.resolve();
    await isAllowed.promise;
    await route.continue();
  });
  await textField(there).press("Control+Enter");
  await fixture.untilPosted(there, "said once");
  await deleted.promise;
  expect(await textField(there).inputValue()).toBe("");
  isAllowed.resolve();
  for (const page of [thisPage, otherPage, there]) {
    await waitForMessage(page, "said once");
    await waitForValue(textField(page), "");
  }
  expect(await listDrafts()).toEqual([]);
  expect((await fixture.listPosted()).length).toBe(1);
});

test("empties the text of a draft that another device deleted before confirmation", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const isAllowed = Promise.withResolvers<void>();
  await page.route("**/json/drafts", async (route) => {
    const response = await route.fetch();
    await isAllowed.promise;
    await route.fulfill({ response });
  });
  await textField(page).fill("sent elsewhere");
  while ((await listDrafts()).length === 0) await Bun.sleep(20);
  const { drafts: all } = await fixture.testServer.request("bo", "GET /drafts");
  const removed = waitForEvents(page, '"remove"');
  await fixture.testServer.request("bo", `DELETE /drafts/${all[0].id}`);
  await removed;
  isAllowed.resolve();
  await waitForValue(textField(page), "");
  expect(await listDrafts()).toEqual([]);
});

test("shows a draft once, and removes it when sent, even without a response", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await page.route("**/json/drafts", async (route) => {
    await route.fetch();
    return route.abort();
  });
  const received = waitForEvents(page, "drafts");
  await textField(page).fill("begun");
  await received;
  await textField(page).press("End");
  // Inserts the text at once, because slow typing would be saved in several parts.
  await page.keyboard.insertText(" and more");
  while (!(await listDrafts()).includes("begun and more")) await Bun.sleep(50);
  expect(await listDrafts()).toEqual(["begun and more"]);
  await textField(page).press("Control+Enter");
  await fixture.untilPosted(page, "begun and more");
  while ((await listDrafts()).length > 0) await Bun.sleep(50);
});

test("sends a draft again that got no response, even if events arrive", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const network = await NetworkFailure.of(page, "**/json/drafts");
  await textField(page).fill("begun");
  for (let lost = 0; lost < 2; lost++) await page.waitForEvent("requestfailed");
  network.stopFailing();
  while ((await listDrafts()).join() !== "begun") await Bun.sleep(50);
});

test("creates a new draft after one was sent without a network", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await textField(page).fill("half a");
  while ((await listDrafts()).length === 0) await Bun.sleep(50);
  await waitForConnection(page, "live");
  const network = await NetworkFailure.of(browserSession.context, "**/json/**");
  await textField(page).fill("half a thought");
  await textField(page).press("Control+Enter");
  await page.locator("article[data-state]").waitFor();
  await waitForCount(page, "Drafts");
  await textField(page).fill("and the next");
  await page.getByText("Draft saved").waitFor();
  await waitForCount(page, "Drafts1");
  await network.restore();
  while ((await listDrafts()).join() !== "and the next") await Bun.sleep(50);
  await waitForCount(page, "Drafts1");
  await textField(page).fill("");
  await waitForCount(page, "Drafts");
});

test("removes a deleted draft from all lists, on all devices", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  const start = async (text: string, fragment: string) => {
    await page.goto(`${browserSession.url}${fragment}`);
    await textField(page).fill(text);
    while (!(await listDrafts()).includes(text)) await Bun.sleep(50);
  };
  await start("deleted here", fixture.topicUrl);
  await start("deleted elsewhere", fixture.topicUrl.replace("topic/logo", "topic/other"));
  await page.goto(`${browserSession.url}/#drafts`);
  await waitForCount(page, "Drafts2");
  const row = (text: string) => page.locator(".own-list .list-row", { hasText: text });
  await row("deleted here").getByRole("link").press("Delete");
  await row("deleted here").waitFor({ state: "detached" });
  await waitForCount(page, "Drafts1");
  const { drafts } = await fixture.testServer.request("bo", "GET /drafts");
  const other = drafts.find(({ content }: Json) => content === "deleted elsewhere");
  await fixture.testServer.request("bo", `DELETE /drafts/${other.id}`);
  await row("deleted elsewhere").waitFor({ state: "detached" });
  await waitForCount(page, "Drafts");
  // The page sends the deletion when it ends, although it could still be undone.
  await page.goto("about:blank");
  while ((await listDrafts()).length > 0) await Bun.sleep(50);
});

test('offers to send later after "Couldn\'t send", and sends from its row', async () => {
  const { testServer } = fixture;
  testServer.clock.stop();
  const { stream_id } = await testServer
    .request("ada", "POST /users/me/subscriptions", {
      subscriptions: [{ name: "plans" }],
      principals: [testServer.idOf("bo")],
    })
    .then(() => testServer.request("ada", "GET /get_stream_id", { stream: "plans" }));
  const time = Math.floor(Date.now() / 1000) + 600;
  const to = { type: "channel", to: stream_id, topic: "garden", content: "Dig at dawn" };
  await testServer.request("bo", "POST /scheduled_messages", {
    ...to,
    scheduled_delivery_timestamp: time,
  });
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#scheduled");
  await page.locator(".own-list li").getByText("Dig at dawn").waitFor();
  expect(await page.locator(".own-failed").count()).toBe(0);
  testServer.clock.passSeconds(3600);
  testServer.realm.onDue();
  const failed = page.locator(".own-failed");
  await failed.getByText("Couldn’t send it").waitFor();
  await page.locator(".sidebar-failed").waitFor();
  await failed.getByRole("button", { name: "Send now" }).press("Enter");
  await waitForMessage(page, "Dig at dawn");
  await page.locator(".sidebar-failed").waitFor({ state: "detached" });
  const listScheduled = async () =>
    (await testServer.request("bo", "GET /scheduled_messages")).scheduled_messages;
  while ((await listScheduled()).length > 0) await Bun.sleep(50);
});

test("shows failed reminders in the sidebar too", async () => {
  const { testServer } = fixture;
  testServer.clock.stop();
  const { id } = await fixture.post("ada", "Water the seeds");
  const time = Math.floor(Date.now() / 1000) + 600;
  const params = { message_id: id, scheduled_delivery_timestamp: time };
  await testServer.request("bo", "POST /reminders", params);
  await testServer.request("olga", `DELETE /users/${testServer.idOf("bo")}`);
  testServer.clock.passSeconds(3600);
  testServer.realm.onDue();
  await testServer.request("olga", `POST /users/${testServer.idOf("bo")}/reactivate`);
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#inbox");
  const row = page.locator(".sidebar-row").filter({ hasText: "Reminders" });
  await row.getByText("Couldn’t send it.").waitFor();
  await row.click();
  await page.locator(".own-failed").getByText("Couldn’t set the reminder.").waitFor();
});

test("keeps a text empty that was cleared while it was being saved", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const [requested, isAllowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await browserSession.context.route("**/json/drafts", async (route) => {
    requested.resolve();
    await isAllowed.promise;
    await route.continue();
  });
  const page = await browserSession.tab(fixture.topicUrl);
  await textField(page).fill("half a thought");
  await requested.promise;
  await textField(page).fill("");
  const response = page.waitForResponse("**/json/drafts");
  isAllowed.resolve();
  await response;
  while ((await listDrafts()).length > 0) await Bun.sleep(50);
  expect(await textField(page).inputValue()).toBe("");
});
