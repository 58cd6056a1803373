// The lists of drafts and scheduled messages: opening, deleting and restoring an entry.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../wait-until.ts";
import { BrowserFixture, waitForValue } from "./browser-fixture.ts";
import { NetworkFailure } from "./failing-network.ts";

const fixture = await BrowserFixture.forTestFile();
const rowOf = (page: Page, name: string) => page.locator(".list-row").filter({ hasText: name });

test("continues a draft with the focus in its composer, by key and by click", async () => {
  // Two drafts of one conversation: the composer shows the one that was opened.
  const drafts = ["by key", "by click", "other"].map((content, index) => {
    const to = [fixture.stream_id];
    const topic = index === 0 ? "keys" : "clicks";
    return { type: "stream", to, topic, content, timestamp: 1_700_000_000 + index };
  });
  await fixture.testServer.request("ada", "POST /drafts", { drafts });
  const page = await (await fixture.sessionOf("ada")).tab("/#drafts");
  const composer = page.locator(".compose textarea:focus");
  await rowOf(page, "by key").locator("a").focus();
  await page.keyboard.press("Enter");
  await composer.waitFor();
  await page.keyboard.type(" and more");
  await until(async () => (await composer.inputValue()) === "by key and more");
  await page.goto("/#drafts");
  await rowOf(page, "by click").locator("a").click();
  await composer.waitFor();
  await until(async () => (await composer.inputValue()) === "by click");
});

test("restores deleted drafts, scheduled messages and reminders offline", async () => {
  const { testServer, stream_id } = fixture;
  const { id: message_id } = await fixture.post("bo", "The seedlings are thirsty");
  const scheduled_delivery_timestamp = 4_000_000_000;
  const content = "Water the seedlings";
  const to = { type: "channel", to: stream_id, topic: "garden" };
  const draft = { type: "stream", to: [stream_id], topic: "garden", content, timestamp: 1 };
  await testServer.request("cy", "POST /drafts", { drafts: [draft] });
  await testServer.request("cy", "POST /scheduled_messages", {
    ...to,
    ...{ content, scheduled_delivery_timestamp },
  });
  const note = "Rain water";
  await testServer.request("cy", "POST /reminders", {
    ...{ message_id, scheduled_delivery_timestamp, note },
  });
  const KINDS = ["drafts", "scheduled_messages", "reminders"] as const;
  const listAll = async () =>
    Promise.all(KINDS.map(async (kind) => (await testServer.request("cy", `GET /${kind}`))[kind]));
  const before = await listAll();
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab("/#drafts");
  const network = await NetworkFailure.of(page, /\/json\/(drafts|scheduled_messages|reminders)/);
  for (const kind of ["drafts", "scheduled", "reminders"]) {
    await page.goto(`/#${kind}`);
    const row = page.locator(".own-list .list-row");
    await row.hover();
    await row.getByRole("button", { name: "Delete" }).click();
    await row.waitFor({ state: "detached" });
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await row.waitFor();
  }
  await network.restore();
  await page.reload();
  await page.locator(".own-list .list-row").waitFor();
  expect(await listAll()).toEqual(before);
});

test("offers the text of a scheduled message deleted just before its time", async () => {
  const { testServer, stream_id } = fixture;
  const content = "Close the shutters";
  await testServer.request("ada", "POST /scheduled_messages", {
    ...{ type: "channel", to: stream_id, topic: "storm", content },
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 50,
  });
  const page = await (await fixture.sessionOf("ada")).tab("/#scheduled");
  await rowOf(page, "storm").locator("a").press("Delete");
  await until(
    async () =>
      (await testServer.request("ada", "GET /scheduled_messages")).scheduled_messages.length === 0,
  );
  await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
  await waitForValue(page.locator(".compose textarea"), content);
});
