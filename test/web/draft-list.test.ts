// The lists of drafts and scheduled messages: opening, deleting and restoring an entry.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Json } from "../test-server.ts";
import { until } from "../wait-until.ts";
import { BrowserFixture } from "./browser-fixture.ts";

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

test("restores a deleted scheduled message", async () => {
  const { testServer, stream_id } = fixture;
  const scheduled = async () =>
    (await testServer.request("ada", "GET /scheduled_messages")).scheduled_messages;
  const later = { content: "Water the seedlings", scheduled_delivery_timestamp: 4_000_000_000 };
  const to = { type: "channel", to: stream_id, topic: "garden" };
  await testServer.request("ada", "POST /scheduled_messages", { ...to, ...later });
  const direct = { type: "direct", to: [testServer.idOf("bo")] };
  await testServer.request("ada", "POST /scheduled_messages", { ...direct, ...later });
  const before = await scheduled();
  const page = await (await fixture.sessionOf("ada")).tab("/#scheduled");
  for (const name of ["garden", "Bo Member"]) {
    await rowOf(page, name).hover();
    await page.getByRole("button", { name: `Delete scheduled message to ${name}` }).click();
    await until(async () => (await scheduled()).length === 1);
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await until(async () => (await scheduled()).length === 2);
    await rowOf(page, name).waitFor();
  }
  const withoutId = ({ scheduled_message_id: _id, ...rest }: Json) => rest;
  const sorted = (all: Json[]) => all.map(withoutId).sort((a, b) => (a.type < b.type ? -1 : 1));
  expect(sorted(await scheduled())).toEqual(sorted(before));
});
