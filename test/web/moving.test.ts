// The dialog that moves messages: what it proposes, and what it says of who reads them.
import { expect, test } from "bun:test";
import { shows, Street } from "./street.ts";

const street = await Street.ofFile();

test("a move proposes topics of where it goes, and counts the guests it blinds", async () => {
  const { town } = street;
  const subscribers = [town.idOf("ada"), town.idOf("bo")];
  const { id: stream_id } = await town.ask("ada", "POST /channels/create", {
    name: "prints",
    subscribers,
  });
  const to = { type: "channel", to: stream_id, topic: "first proof" };
  await town.ask("ada", "POST /messages", { ...to, content: "here" });
  await town.ask("ada", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "design" }],
    principals: [town.idOf("gus")],
  });
  await street.post("ada", "leek");
  const seat = await street.seatOf("ada");
  const page = await seat.tab(street.place);
  await shows(page, "leek");
  await page.locator("article").filter({ hasText: "leek" }).press("m");
  const dialog = page.getByRole("dialog");
  const topics = dialog.locator("datalist option");
  await topics.and(page.locator("[value=logo]")).waitFor({ state: "attached" });
  await dialog.getByLabel("Channel").selectOption({ label: "prints" });
  await topics.and(page.locator("[value='first proof']")).waitFor({ state: "attached" });
  expect(await topics.count()).toBe(1);
  await dialog.getByText("1 person will lose sight of it: they are not in #prints.").waitFor();
  expect(seat.faults).toEqual([]);
});
