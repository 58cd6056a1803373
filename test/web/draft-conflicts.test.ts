// Drafts and scheduled messages after conflicts: no text is lost, and the user is informed.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { Cut } from "./failing-network.ts";
import {
  connectionIs,
  eventsReceived,
  shows,
  waitForValue,
  BrowserFixture,
} from "./browser-fixture.ts";

let fixture: BrowserFixture;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
});
afterEach(() => fixture.close());

const box = (page: Page) => page.locator(".compose textarea:enabled");

/** Number of drafts in the sidebar. */
const counted = (page: Page, number: string) =>
  page.locator(".sidebar a[href='#drafts']", { hasText: new RegExp(`${number}$`) }).waitFor();

async function drafts(): Promise<string[]> {
  const response = await fixture.testServer.request("bo", "GET /drafts");
  return response.drafts.map(({ content }: { content: string }) => content).sort();
}

test("keeps the texts of two devices in one conversation as separate drafts", async () => {
  const [desk, phone] = [await fixture.sessionOf("bo"), await fixture.sessionOf("bo")];
  const [thisPage, otherPage] = [await desk.tab(fixture.place), await phone.tab(fixture.place)];
  await box(thisPage).fill("begun");
  while ((await drafts()).length === 0) await Bun.sleep(100);
  await otherPage.waitForFunction(() => document.querySelector("textarea")?.value === "begun");
  // The first device receives no events about the second one for a while.
  const network = await Cut.of(thisPage, /\/json\/(?:events\?|drafts\/)/);
  await box(thisPage).fill("begun, and finished at the desk");
  await box(otherPage).fill("begun, and finished on the phone");
  while (!(await drafts()).includes("begun, and finished on the phone")) await Bun.sleep(100);
  network.mend();
  await box(thisPage).press("End");
  await thisPage.keyboard.type(".");
  while ((await drafts()).length < 2) await Bun.sleep(100);
  expect(await drafts()).toEqual([
    "begun, and finished at the desk.",
    "begun, and finished on the phone",
  ]);
  await thisPage.getByText("Both versions are in your drafts").waitFor();
  expect(await box(thisPage).inputValue()).toBe("begun, and finished at the desk.");
  // The list of drafts opens the other version.
  await thisPage.getByRole("button", { name: "Drafts", exact: true }).press("Enter");
  const row = thisPage.locator(".own-list li").filter({ hasText: "on the phone" });
  await row.locator("a").press("Enter");
  await box(thisPage).waitFor();
  expect(await box(thisPage).inputValue()).toBe("begun, and finished on the phone");
  expect((await drafts()).length).toBe(2);
});

test("removes a draft on other devices and tabs when it is sent", async () => {
  const [desk, phone] = [await fixture.sessionOf("bo"), await fixture.sessionOf("bo")];
  const [thisPage, otherPage] = [await desk.tab(fixture.place), await desk.tab(fixture.place)];
  const there = await phone.tab(fixture.place);
  await box(thisPage).fill("said once");
  for (const page of [otherPage, there]) {
    await page.waitForFunction(() => document.querySelector("textarea")?.value === "said once");
  }
  const [deleted, isAllowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await there.route("**/json/drafts/*", async (route) => {
    deleted.resolve();
    await isAllowed.promise;
    await route.continue();
  });
  await box(there).press("Control+Enter");
  await fixture.arrived(there, "said once");
  await deleted.promise;
  expect(await box(there).inputValue()).toBe("");
  isAllowed.resolve();
  for (const page of [thisPage, otherPage, there]) {
    await shows(page, "said once");
    await waitForValue(box(page), "");
  }
  expect(await drafts()).toEqual([]);
  expect((await fixture.posted()).length).toBe(1);
});

test("empties the text of a draft that another device deleted before confirmation", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.place);
  await connectionIs(page, "live");
  const isAllowed = Promise.withResolvers<void>();
  await page.route("**/json/drafts", async (route) => {
    const response = await route.fetch();
    await isAllowed.promise;
    await route.fulfill({ response });
  });
  await box(page).fill("sent elsewhere");
  while ((await drafts()).length === 0) await Bun.sleep(20);
  const { drafts: all } = await fixture.testServer.request("bo", "GET /drafts");
  const removed = eventsReceived(page, '"remove"');
  await fixture.testServer.request("bo", `DELETE /drafts/${all[0].id}`);
  await removed;
  isAllowed.resolve();
  await waitForValue(box(page), "");
  expect(await drafts()).toEqual([]);
});

test("shows a draft once, and removes it when sent, even without a response", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.place);
  await connectionIs(page, "live");
  await page.route("**/json/drafts", async (route) => {
    await route.fetch();
    return route.abort();
  });
  const received = eventsReceived(page, "drafts");
  await box(page).fill("begun");
  await received;
  await box(page).press("End");
  // Inserts the text at once, because slow typing would be saved in several parts.
  await page.keyboard.insertText(" and more");
  while (!(await drafts()).includes("begun and more")) await Bun.sleep(50);
  expect(await drafts()).toEqual(["begun and more"]);
  await box(page).press("Control+Enter");
  await fixture.arrived(page, "begun and more");
  while ((await drafts()).length > 0) await Bun.sleep(50);
});

test("sends a draft again that got no response, even if events arrive", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.place);
  await connectionIs(page, "live");
  const network = await Cut.of(page, "**/json/drafts");
  await box(page).fill("begun");
  for (let lost = 0; lost < 2; lost++) await page.waitForEvent("requestfailed");
  network.mend();
  while ((await drafts()).join() !== "begun") await Bun.sleep(50);
});

test("creates a new draft after one was sent without a network", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.place);
  await box(page).fill("half a");
  while ((await drafts()).length === 0) await Bun.sleep(50);
  await connectionIs(page, "live");
  const network = await Cut.of(browserSession.context, "**/json/**");
  await box(page).fill("half a thought");
  await box(page).press("Control+Enter");
  await page.locator("article[data-state]").waitFor();
  await counted(page, "Drafts");
  await box(page).fill("and the next");
  await page.getByText("Draft saved").waitFor();
  await counted(page, "Drafts1");
  await network.tell();
  while ((await drafts()).join() !== "and the next") await Bun.sleep(50);
  await counted(page, "Drafts1");
  await box(page).fill("");
  await counted(page, "Drafts");
});

test("removes a deleted draft from all lists, on all devices", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.place);
  const start = async (text: string, fragment: string) => {
    await page.goto(`${browserSession.url}${fragment}`);
    await box(page).fill(text);
    while (!(await drafts()).includes(text)) await Bun.sleep(50);
  };
  await start("deleted here", fixture.place);
  await start("deleted elsewhere", fixture.place.replace("topic/logo", "topic/other"));
  await page.goto(`${browserSession.url}/#drafts`);
  await counted(page, "Drafts2");
  const row = (text: string) => page.locator(".own-list .list-row", { hasText: text });
  await row("deleted here").getByRole("link").press("Delete");
  await row("deleted here").waitFor({ state: "detached" });
  await counted(page, "Drafts1");
  const { drafts: left } = await fixture.testServer.request("bo", "GET /drafts");
  await fixture.testServer.request("bo", `DELETE /drafts/${left[0].id}`);
  await row("deleted elsewhere").waitFor({ state: "detached" });
  await counted(page, "Drafts");
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
  testServer.clock.pass(3600);
  testServer.realm.onDue();
  const failed = page.locator(".own-failed");
  await failed.getByText("Couldn’t send it").waitFor();
  await page.locator(".sidebar-failed").waitFor();
  await failed.getByRole("button", { name: "Send now" }).press("Enter");
  await shows(page, "Dig at dawn");
  await page.locator(".sidebar-failed").waitFor({ state: "detached" });
  const left = async () =>
    (await testServer.request("bo", "GET /scheduled_messages")).scheduled_messages;
  while ((await left()).length > 0) await Bun.sleep(50);
});

test("shows failed reminders in the sidebar too", async () => {
  const { testServer } = fixture;
  testServer.clock.stop();
  const { id } = await fixture.post("ada", "Water the seeds");
  const time = Math.floor(Date.now() / 1000) + 600;
  const params = { message_id: id, scheduled_delivery_timestamp: time };
  await testServer.request("bo", "POST /reminders", params);
  await testServer.request("olga", `DELETE /users/${testServer.idOf("bo")}`);
  testServer.clock.pass(3600);
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
  const page = await browserSession.tab(fixture.place);
  await box(page).fill("half a thought");
  await requested.promise;
  await box(page).fill("");
  const taken = page.waitForResponse("**/json/drafts");
  isAllowed.resolve();
  await taken;
  while ((await drafts()).length > 0) await Bun.sleep(50);
  expect(await box(page).inputValue()).toBe("");
});
