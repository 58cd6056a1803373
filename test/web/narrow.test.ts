// Personal lists and toasts on the narrowest screens and with the longest names.
import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { BrowserSession } from "./browser-session.ts";
import { waitForMessage, BrowserFixture } from "./browser-fixture.ts";

const WIDE_NAME = "W".repeat(60);
const NARROW_VIEWPORT = { width: 320, height: 800 };

const fixture = await BrowserFixture.forTestFile();
const { testServer } = fixture;
await testServer.request("ada", "PATCH /settings", { default_language: "de" });
await testServer.request("olga", `PATCH /users/${testServer.idOf("bo")}`, {
  full_name: "Maximiliane ".repeat(8),
});
await fixture.post("bo", "To be handed on");
const openOnPhone = async (path: string) =>
  (await BrowserSession.forPhone(testServer, "ada")).tab(path);

async function boxOf(locator: Locator) {
  const { x: left, y: top, width, height } = (await locator.boundingBox())!;
  return { left, top, width, height, right: left + width, bottom: top + height };
}

test("shows the time and the delete button of a draft on one line", async () => {
  const timestamp = Math.floor(Date.now() / 1000) - 40 * 86_400;
  const rest = { content: WIDE_NAME, timestamp };
  await testServer.request("ada", "POST /drafts", {
    drafts: [
      { type: "stream", to: [fixture.stream_id], topic: WIDE_NAME, ...rest },
      { type: "private", to: [testServer.idOf("bo")], topic: "", ...rest },
    ],
  });
  const page = await openOnPhone("/#drafts");
  await page.setViewportSize(NARROW_VIEWPORT);
  const rows = page.locator(".own-list .list-row");
  await rows.nth(1).waitFor();
  for (const row of await rows.all()) {
    const [time, bin] = await Promise.all([boxOf(row.locator("time")), boxOf(row.locator(".act"))]);
    expect(time.right).toBeLessThanOrEqual(bin.left);
    expect(bin.right).toBeLessThanOrEqual(NARROW_VIEWPORT.width);
    const middle = (time.top + time.bottom) / 2;
    expect([middle > bin.top, middle < bin.bottom]).toEqual([true, true]);
  }
});

test("shows the back link beside the longest name", async () => {
  await testServer.request("ada", "POST /users/me/subscriptions", {
    subscriptions: [{ name: WIDE_NAME }],
  });
  const page = await openOnPhone("/#channels");
  await page.setViewportSize(NARROW_VIEWPORT);
  await page.locator(".list-row a", { hasText: WIDE_NAME }).click();
  await page.getByRole("button", { name: "Verlassen" }).click();
  const back = page.locator(".toast button").first();
  await back.waitFor();
  expect(await back.textContent()).toBe("Rückgängig");
  expect(await back.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0);
  expect((await boxOf(back)).right).toBeLessThanOrEqual(NARROW_VIEWPORT.width);
});

test("shows notices above the composer, not across the screen", async () => {
  const page = await openOnPhone(fixture.topicUrl);
  await waitForMessage(page, "To be handed on");
  await page.locator("article").first().focus();
  await page.keyboard.press("y");
  const toast = page.locator(".toast");
  await toast.waitFor();
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const { top } = await boxOf(page.locator("form.compose"));
    expect((await boxOf(toast)).bottom).toBeLessThanOrEqual(top);
  }
  await page.setViewportSize({ width: 1360, height: 800 });
  await toast.locator("span").evaluate((node) => (node.textContent = "Moved to ".repeat(20)));
  expect((await boxOf(toast)).width).toBeLessThanOrEqual(600);
});
