// App passwords and API keys in the settings of one's own account.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { setPassword } from "../../src/features/passwords/actions.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { PASSWORD } from "../browser.ts";
import { openTown, type Town } from "../town.ts";
import { Seat } from "./browser.ts";

let town: Town;
let seat: Seat;
beforeEach(async () => {
  town = await openTown();
  const hash = await hashPassword(PASSWORD);
  await town.realm.write((tx) => setPassword(tx, town.idOf("bo"), hash));
  seat = await Seat.of(town, "bo");
});
afterEach(async () => {
  await seat?.close();
  await town?.close();
});

const keysOf = () => town.realm.read.api_keys.by("user", town.idOf("bo"));

test("an app password is made, shown once and ended; a wrong password is refused", async () => {
  const page = await seat.tab("/#settings/account");
  const before = keysOf().length;
  const form = page.locator("form").filter({ hasText: "App name" });
  await form.getByLabel("App name").fill("Kettle");
  await form.getByLabel("Current password").fill("not this one");
  await form.getByLabel("Current password").press("Enter");
  await form.getByRole("alert").waitFor();
  expect(await form.getByLabel("Current password").getAttribute("aria-invalid")).toBe("true");
  expect(await form.getByLabel("App name").inputValue()).toBe("Kettle");
  expect(keysOf().length).toBe(before);

  await form.getByLabel("Current password").fill(PASSWORD);
  await form.getByLabel("Current password").press("Enter");
  const key = await page.locator(".settings-once code").textContent();
  expect(keysOf().length).toBe(before + 1);
  const credentials = btoa(`${town.realm.read.users.get(town.idOf("bo"))!.delivery_email}:${key}`);
  const asked = { headers: { Authorization: `Basic ${credentials}` } };
  expect((await fetch(`${town.url}/api/v1/users/me`, asked)).status).toBe(200);
  // The person's other key is no app password: it ends, and the app password stays.
  const all = page.getByRole("button", { name: "End all API keys" });
  await all.click();
  await page.getByText("API key", { exact: true }).waitFor({ state: "detached" });
  await page.getByText("App password", { exact: true }).waitFor();
  expect(await all.isDisabled()).toBe(true);
  expect(keysOf().map(({ client }) => client)).toEqual(["Kettle"]);
  expect((await fetch(`${town.url}/api/v1/users/me`, asked)).status).toBe(200);
  await page.getByRole("button", { name: "End Kettle" }).click();
  await page.getByText("Kettle").waitFor({ state: "detached" });
  expect((await fetch(`${town.url}/api/v1/users/me`, asked)).status).toBe(401);
});
