// Texts that the user takes back: from scheduled messages, the outbox and their undos.
import { beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Json } from "../test-server.ts";
import { until } from "../wait-until.ts";
import { BrowserFixture, waitForConnection, waitForValue } from "./browser-fixture.ts";
import { NetworkFailure, routeOnce } from "./failing-network.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer, stream_id } = fixture;
const SCHEDULED = /\/json\/scheduled_messages/;

let topics = 0;
let topic = "";
beforeEach(() => void (topic = `seeds ${++topics}`));

const urlOf = (name: string) =>
  `/#narrow/channel/${stream_id}-design/topic/${encodeURIComponent(name)}`;
const field = (page: Page) => page.locator(".compose textarea");
const draftRow = (page: Page, text: string) =>
  page.locator(".own-list li").filter({ hasText: text });
const toastButton = (page: Page, name: string) =>
  page.locator(".toast").getByRole("button", { name });
/** Lists the scheduled messages of this test's topic. */
async function listScheduled(): Promise<Json[]> {
  const { scheduled_messages } = await testServer.request("bo", "GET /scheduled_messages");
  return scheduled_messages.filter((message: Json) => message.topic === topic);
}

async function openTopic(path = urlOf(topic)): Promise<Page> {
  const page = await (await fixture.sessionOf("bo")).tab(path);
  await waitForConnection(page, "live");
  return page;
}

async function schedule(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.getByRole("button", { name: "Send later" }).click();
  await page.getByRole("menuitem", { name: "Tomorrow morning" }).click();
  await waitForValue(field(page), "");
}

test("returns a scheduled text to its conversation, and keeps others", async () => {
  const page = await openTopic();
  await schedule(page, "dig at dawn");
  await page.goto(urlOf(`${topic}, other`));
  await page.getByRole("textbox", { name: `Message ${topic}, other` }).fill("typed since");
  await toastButton(page, "Undo").click();
  await waitForValue(field(page), "dig at dawn");
  await page.locator(".compose-to input[name=topic]").waitFor();
  await until(async () => (await listScheduled()).length === 0);
  await page.goto(urlOf(`${topic}, other`));
  await page.reload();
  await waitForValue(field(page), "typed since");
  await page.goto(urlOf(topic));
  await waitForValue(field(page), "dig at dawn");
});

test("keeps the text that was typed since in the same conversation as a draft", async () => {
  const page = await openTopic();
  await schedule(page, "water at noon");
  await field(page).fill("typed since here");
  await toastButton(page, "Undo").click();
  await waitForValue(field(page), "water at noon");
  await page.getByText("Your earlier text was saved as a draft.").waitFor();
  await toastButton(page, "Drafts").click();
  await draftRow(page, "typed since here").waitFor();
  await draftRow(page, "water at noon").waitFor();
});

test("returns a scheduled text from a view without a composer", async () => {
  const page = await openTopic();
  await schedule(page, "rake at three");
  await page.goto("/#narrow/is/starred");
  await page.getByRole("button", { name: "New message" }).waitFor();
  await toastButton(page, "Undo").click();
  await page.getByRole("textbox", { name: `Message ${topic}` }).waitFor();
  await waitForValue(field(page), "rake at three");
  await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
});

test("says so if a scheduled message cannot be taken back", async () => {
  const page = await openTopic();
  await schedule(page, "mow at five");
  await routeOnce(page, SCHEDULED, (route) => route.abort());
  await toastButton(page, "Undo").click();
  await page.getByRole("alert").getByText("Can’t reach the server").waitFor();
  expect(await listScheduled()).toMatchObject([{ content: "mow at five" }]);
  expect(await field(page).inputValue()).toBe("");
});

test("edits a scheduled message while another one is being written", async () => {
  const scheduled_delivery_timestamp = 4_000_000_000;
  const to = { type: "channel", to: stream_id, topic, content: "sow in rows" };
  await testServer.request("bo", "POST /scheduled_messages", {
    ...to,
    scheduled_delivery_timestamp,
  });
  const page = await openTopic("/#scheduled");
  await page.keyboard.press("x");
  const recipients = page.getByRole("combobox");
  await recipients.fill("Cy");
  await page.getByRole("option", { name: /Cy/ }).click();
  await field(page).fill("to Cy alone");
  await page.locator(".list-row").filter({ hasText: topic }).hover();
  await page.getByRole("button", { name: `Edit ${topic}` }).click();
  await page.getByRole("textbox", { name: `Message ${topic}` }).waitFor();
  await waitForValue(field(page), "sow in rows");
  await page.goto("/#drafts");
  const row = draftRow(page, "to Cy alone");
  await row.getByText(/^Cy/).waitFor();
});

test("restores a discarded message from a view of many conversations", async () => {
  const page = await openTopic();
  await NetworkFailure.of(page, /\/json\/messages$/, (request) => request.method() === "POST");
  await field(page).fill("prune the roses");
  await page.keyboard.press("Control+Enter");
  const unsent = page.locator("article[data-state]").filter({ hasText: "prune the roses" });
  await unsent.waitFor();
  await page.goto("/#feed");
  await unsent.getByRole("button", { name: "Discard" }).click();
  await toastButton(page, "Undo").click();
  await page.getByRole("textbox", { name: `Message ${topic}` }).waitFor();
  await waitForValue(field(page), "prune the roses");
  await unsent.waitFor({ state: "detached" });
  await page.goto("/#drafts");
  await draftRow(page, "prune the roses").waitFor();
});

test("schedules a text once if the first response is lost", async () => {
  const page = await openTopic();
  const tried = Promise.withResolvers<void>();
  await routeOnce(page, SCHEDULED, async (route) => {
    await route.fetch();
    tried.resolve();
    await route.abort();
  });
  await schedule(page, "only once");
  await tried.promise;
  await page.locator(".toast").getByText("Scheduled for").waitFor();
  expect(await listScheduled()).toMatchObject([{ content: "only once" }]);
});

test("keeps a text that could not be scheduled for lack of a response", async () => {
  const page = await openTopic();
  await NetworkFailure.of(page, SCHEDULED);
  await field(page).fill("not yet");
  await page.getByRole("button", { name: "Send later" }).click();
  await page.getByRole("menuitem", { name: "Tomorrow morning" }).click();
  await page.locator(".toast[role=alert]").getByText("No response from the server").waitFor();
  expect(await field(page).inputValue()).toBe("not yet");
});
