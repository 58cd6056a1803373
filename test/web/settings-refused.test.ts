// Rejected personal settings: the error is displayed beside the setting.
import { afterAll, expect, test } from "bun:test";
import { startTestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";
import { faultsOf } from "./axe.ts";
import { BrowserSession } from "./browser-session.ts";
import { waitForValue, waitForConnection } from "./browser-fixture.ts";

const testServer = await startTestServer();
afterAll(() => testServer.close());

const refusal = { result: "error", code: "BAD_REQUEST", msg: "Not today" };

test("rolls back a rejected setting, with the error at its row", async () => {
  const browserSession = await BrowserSession.of(testServer, "bo");
  const settingOf = (name: string) =>
    testServer.realm.read.users.get(testServer.idOf("bo"))!.settings[name];
  const page = await browserSession.tab("/#settings/preferences");
  let isRefused = true;
  let gate = Promise.resolve();
  await page.route("**/json/settings", async (route) => {
    await gate;
    await (isRefused ? route.fulfill({ status: 400, json: refusal }) : route.continue());
  });
  const locator = page.getByRole("alert").filter({ hasText: "Not today" });
  const messageIn = (text: string) =>
    page.locator(".settings-row, fieldset, tr").filter({ hasText: text }).locator(locator);

  const enter = page.getByRole("switch", { name: "Enter sends" });
  await enter.click();
  await messageIn("Enter sends").waitFor();
  await until(async () => !(await enter.isChecked()));
  expect(settingOf("enter_sends")).toBeUndefined();
  const described = await enter.getAttribute("aria-describedby");
  expect(described).toContain(await messageIn("Enter sends").getAttribute("id"));
  await page.getByLabel("Dark").click();
  await messageIn("Theme").waitFor();
  await until(async () => !(await page.getByLabel("Dark").isChecked()));
  // Two rejected changes of one setting restore the value before both.
  const size = page.getByLabel("Text size");
  await size.selectOption("18");
  await size.selectOption("20");
  await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === "16px");
  await messageIn("Text size").waitFor();
  await waitForValue(size, "16");
  expect(await faultsOf(page)).toEqual([]);

  isRefused = false;
  await size.selectOption("18");
  await until(() => settingOf("web_font_size_px") === 18);
  await messageIn("Text size").waitFor({ state: "detached" });
  expect(await locator.count()).toBe(2);
  isRefused = true;
  await page.goto("/#settings/notifications");
  await page.getByLabel("Channel messages: Desktop").click();
  await messageIn("Channel messages").waitFor();
  await page.getByRole("button", { name: "30 minutes" }).click();
  await messageIn("Pause notifications").waitFor();
  await page.getByRole("button", { name: "30 minutes" }).waitFor();
  // Rows of a page that the user has left show no error; a later error appears at the bottom.
  expect(await locator.count()).toBe(2);
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  await page.getByLabel("Channel messages: Sound").click();
  await page.goto("/#feed");
  await page.locator(".settings-body").waitFor({ state: "detached" });
  resolve();
  await page.locator(".toast").filter({ hasText: "Not today" }).waitFor();
});

test("shows the error of a profile field at the field", async () => {
  const field = (name: string, field_type: number, extra = {}) =>
    testServer.request("olga", "POST /realm/profile_fields", { name, field_type, ...extra });
  await field("Size", 3, { field_data: { s: { text: "Small", order: "1" } } });
  await field("Mentor", 6);
  const browserSession = await BrowserSession.of(testServer, "cy");
  const page = await browserSession.tab("/#settings/profile");
  await waitForConnection(page, "live");
  await page.route("**/json/users/me/profile_data", (route) =>
    route.fulfill({ status: 400, json: refusal }),
  );
  const fieldOf = (label: string) => page.locator(".settings-field").filter({ hasText: label });
  const size = fieldOf("Size").getByRole("combobox");
  await size.selectOption({ label: "Small" });
  await fieldOf("Size").getByRole("alert").getByText("Not today").waitFor();
  await waitForValue(size, "");
  await fieldOf("Mentor").getByRole("combobox").selectOption({ label: "Ada Admin" });
  await fieldOf("Mentor").getByRole("alert").getByText("Not today").waitFor();
  expect(await page.getByRole("alert").count()).toBe(2);
  expect(await faultsOf(page)).toEqual([]);
});
