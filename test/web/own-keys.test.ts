// App passwords and API keys in the personal settings.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { setPassword } from "../../src/features/passwords/actions.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { PASSWORD } from "../browser.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { BrowserSession } from "./browser-session.ts";

let testServer: TestServer;
let browserSession: BrowserSession;
beforeEach(async () => {
  testServer = await startTestServer();
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => setPassword(tx, testServer.idOf("bo"), hash));
  browserSession = await BrowserSession.of(testServer, "bo");
});
afterEach(async () => {
  await browserSession?.close();
  await testServer?.close();
});

const keysOf = () => testServer.realm.read.api_keys.listBy("user", testServer.idOf("bo"));

test("creates, shows once and revokes an app password", async () => {
  const page = await browserSession.tab("/#settings/account");
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
  const credentials = btoa(
    `${testServer.realm.read.users.get(testServer.idOf("bo"))!.delivery_email}:${key}`,
  );
  const params = { headers: { Authorization: `Basic ${credentials}` } };
  expect((await fetch(`${testServer.url}/api/v1/users/me`, params)).status).toBe(200);
  // The user's other API key is no app password: the button revokes it and keeps the app password.
  const all = page.getByRole("button", { name: "Revoke all API keys" });
  await all.click();
  await page.getByText("API key", { exact: true }).waitFor({ state: "detached" });
  await page.getByText("App password", { exact: true }).waitFor();
  expect(await all.isDisabled()).toBe(true);
  await page.getByText("You have no API keys.").waitFor();
  expect(keysOf().map(({ client }) => client)).toEqual(["Kettle"]);
  expect((await fetch(`${testServer.url}/api/v1/users/me`, params)).status).toBe(200);
  await page.getByRole("button", { name: "Revoke Kettle" }).click();
  await page.getByText("Kettle").waitFor({ state: "detached" });
  expect((await fetch(`${testServer.url}/api/v1/users/me`, params)).status).toBe(401);
});
