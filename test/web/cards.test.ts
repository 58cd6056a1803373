// The card of a person offers what the profile does.
import { expect, test } from "bun:test";
import { shows, Street } from "./street.ts";

const street = await Street.ofFile();
const { town } = street;

test("who is deactivated is not written to from it, and a bot is muted as people are", async () => {
  const to = { type: "channel", to: street.stream_id, topic: "logo" };
  const principals = [town.idOf("bot")];
  const subscriptions = [{ name: "design" }];
  await town.ask("ada", "POST /users/me/subscriptions", { subscriptions, principals });
  await town.ask("bot", "POST /messages", { ...to, content: "from a machine" });
  await town.ask("cy", "POST /messages", { ...to, content: "leek" });
  await town.ask("olga", `DELETE /users/${town.idOf("cy")}`);
  const page = await (await street.seatOf("ada")).tab(street.place);
  const card = page.locator(".pop");
  const open = async (text: string) => {
    await shows(page, text);
    await page.locator("article", { hasText: text }).focus();
    await page.keyboard.press("u");
    await card.getByRole("link", { name: "Profile" }).waitFor();
  };
  await open("leek");
  expect(await card.getByRole("link", { name: "Message", exact: true }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "detached" });
  await open("from a machine");
  for (const one of [page.locator("article", { hasText: "from a machine" }), card]) {
    expect(await one.locator(".av use").getAttribute("href")).toEndWith("#i-bot");
  }
  await card.getByRole("link", { name: "Message", exact: true }).waitFor();
  await card.getByRole("button", { name: "Mute" }).press("Enter");
  await page.getByText("Muted. You won’t see messages").waitFor();
  const isMuted = () => town.realm.read.muted_users.get(town.idOf("ada"), town.idOf("bot"));
  while (!isMuted()) await Bun.sleep(20);
});
