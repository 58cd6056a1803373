// Keyboard shortcuts of a channel equal those of the channel list, and its bar shows them.
import { expect, test } from "bun:test";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

test("keys on a channel's page join, leave and open it, as in the list", async () => {
  const { testServer } = fixture;
  await testServer.request("bo", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "soup" }],
  });
  const { stream_id } = await testServer.request("bo", "GET /get_stream_id", { stream: "soup" });
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(`/#channels/${stream_id}/soup/general`);
  const heading = (name: string) => page.locator("main h1", { hasText: name });
  await heading("soup").waitFor();
  const row = page.locator(".sidebar-row", { hasText: "soup" });
  await page.keyboard.press("S");
  await row.waitFor();
  await page.keyboard.press("S");
  await page.locator(".toast", { hasText: "soup" }).waitFor();
  await row.waitFor({ state: "detached" });
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await keys.getByText("Join or leave channel").waitFor();
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "detached" });
  await page.keyboard.press("n");
  await heading("New channel").waitFor();
  await page.goBack();
  await heading("soup").waitFor();
  await page.keyboard.press("V");
  await page.waitForFunction((id) => location.hash.includes(`/channel/${id}-soup`), stream_id);
  expect(browserSession.faults).toEqual([]);
});

test("shows the current number of subscribers above a channel's messages", async () => {
  const { testServer } = fixture;
  const subscriptions = [{ name: "garden", description: "What grows where" }];
  await testServer.request("ada", "POST /users/me/subscriptions", { subscriptions });
  const { stream_id } = await testServer.request("ada", "GET /get_stream_id", { stream: "garden" });
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(`/#narrow/channel/${stream_id}-garden`);
  const waitForToast = (text: string) =>
    page.locator(".bar").getByText(`What grows where · ${text}`, { exact: true }).waitFor();
  await waitForToast("1 member");
  await testServer.request("bo", "POST /users/me/subscriptions", { subscriptions });
  await waitForToast("2 members");
  await page.getByRole("button", { name: "Topics", exact: true }).click();
  await page.waitForFunction(() => location.hash.startsWith("#topics"));
  await testServer.request("bo", "DELETE /users/me/subscriptions", { subscriptions: ["garden"] });
  await waitForToast("1 member");
  expect(browserSession.faults).toEqual([]);
});
