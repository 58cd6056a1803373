// Who joins by a form is in the client with the next click, unless the form was on a foreign page.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { PASSWORD } from "../browser.ts";
import { openTown, type Town } from "../town.ts";
import { LAN_HOST, Seat } from "./browser.ts";

let town: Town;
let link: string;
beforeAll(async () => {
  town = await openTown();
  link = (await town.ask("ada", "POST /invites/multiuse")).invite_link;
});
afterAll(() => town.close());

async function join(page: Page, name: string): Promise<void> {
  await page.getByLabel("Your email address").fill(`${name.toLowerCase()}@example.com`);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Join" }).click();
}

const inbox = (page: Page) => page.getByRole("heading", { level: 1, name: "Inbox" });
const sessionsOf = (email: string) => {
  const { user_id } = town.realm.read.users.one("email", email)!;
  return town.realm.read.sessions.countBy("user", user_id);
};

test("who follows a link for many reads and writes at once", async () => {
  const seat = await Seat.empty(town);
  const page = await seat.tab(link);
  await join(page, "Nia");
  await inbox(page).waitFor();
  await page.goto("/account/");
  await page.getByText("nia@example.com").first().waitFor();
  expect(sessionsOf("nia@example.com")).toBe(1);
  expect(seat.faults).toEqual([]);
  await seat.close();
});

test("whoever is signed in there stays so, and is told that the account is made", async () => {
  const seat = await Seat.of(town, "bo");
  const page = await seat.tab(link);
  await join(page, "Kim");
  await page.getByRole("heading", { name: "Welcome to Town" }).waitFor();
  await page.goto("/account/");
  await page.getByText("bo@example.com").first().waitFor();
  expect(sessionsOf("kim@example.com")).toBe(0);
  await seat.close();
});

test.each([
  ["site", LAN_HOST],
  ["origin", "127.0.0.1"],
])("a page of another %s that sends the form signs nobody in", async (kind, host) => {
  const fields = { full_name: `Mal ${kind}`, email: `${kind}@example.com`, password: PASSWORD };
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input name=${name} value="${value}">`,
  );
  const text = `<form method=post action="${link}">${inputs.join("")}<button>Win</button></form>`;
  const headers = { "Content-Type": "text/html" };
  const foreign = Bun.serve({ port: 0, fetch: () => new Response(text, { headers }) });
  const seat = await Seat.empty(town);
  const page = await seat.tab(`http://${host}:${foreign.port}/`);
  await page.getByRole("button", { name: "Win" }).click();
  await page.getByRole("heading", { name: "Welcome to Town" }).waitFor();
  expect(await seat.context.cookies(town.url)).toEqual([]);
  await page.goto(town.url);
  await page.locator("input[name=username]").waitFor();
  expect(sessionsOf(fields.email)).toBe(0);
  await seat.close();
  await foreign.stop(true);
});
