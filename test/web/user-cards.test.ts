// A user's card offers the same actions as the profile.
import { expect, test } from "bun:test";
import { waitForMessage, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer } = fixture;

test("offers no message to deactivated users, and mutes bots like users", async () => {
  const to = { type: "channel", to: fixture.stream_id, topic: "logo" };
  const principals = [testServer.idOf("bot")];
  const subscriptions = [{ name: "design" }];
  await testServer.request("ada", "POST /users/me/subscriptions", { subscriptions, principals });
  await testServer.request("bot", "POST /messages", { ...to, content: "from a machine" });
  await testServer.request("cy", "POST /messages", { ...to, content: "leek" });
  await testServer.request("olga", `DELETE /users/${testServer.idOf("cy")}`);
  const page = await (await fixture.sessionOf("ada")).tab(fixture.topicUrl);
  const card = page.locator(".pop");
  const open = async (text: string) => {
    await waitForMessage(page, text);
    await page.locator("article", { hasText: text }).focus();
    await page.keyboard.press("u");
    await card.getByRole("link", { name: "Profile" }).waitFor();
  };
  await open("leek");
  expect(await card.getByRole("link", { name: "Message", exact: true }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "detached" });
  await open("from a machine");
  for (const locator of [page.locator("article", { hasText: "from a machine" }), card]) {
    expect(await locator.locator(".av use").getAttribute("href")).toEndWith("#i-bot");
  }
  await card.getByRole("link", { name: "Message", exact: true }).waitFor();
  await card.getByRole("button", { name: "Mute" }).press("Enter");
  await page.getByText("Muted. You won’t see messages").waitFor();
  const isMuted = () =>
    testServer.realm.read.muted_users.get(testServer.idOf("ada"), testServer.idOf("bot"));
  while (!isMuted()) await Bun.sleep(20);
});
