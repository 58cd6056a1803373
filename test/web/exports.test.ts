// Exports in the client: of the organization by administrators, and of a user's own data.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { setPassword } from "../../src/features/passwords/actions.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { PASSWORD } from "../browser.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { accessibilityFaults } from "./axe.ts";
import { BrowserSession } from "./browser-session.ts";

let testServer: TestServer;

beforeEach(async () => {
  testServer = await startTestServer();
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => setPassword(tx, testServer.idOf("bo"), hash));
});
afterEach(() => testServer.close());

test("an administrator starts an export, downloads it and deletes it", async () => {
  const session = await BrowserSession.of(testServer, "ada");
  const page = await session.tab("/#organization/exports");
  const rows = page.locator(".org-row");
  await page.getByText("No exports yet.").waitFor();
  await page.getByLabel("With private data").check();
  await page.getByRole("button", { name: "Start export" }).click();
  await page.getByRole("alert").getByText("at least one Organization Owner").waitFor();
  await page.getByLabel("Public data").check();
  await page.getByRole("button", { name: "Start export" }).click();
  await rows.getByText("Ready. Deleted after 14 days.").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    rows.getByRole("link", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("zulip-export-1.tar.gz");
  await rows.getByRole("button", { name: "Remove Public data" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await rows.getByText("Deleted", { exact: true }).waitFor();
  expect(await rows.getByRole("link").count()).toBe(0);
});

test("exports the user's own data after the password", async () => {
  const session = await BrowserSession.of(testServer, "bo");
  const page = await session.tab("/#settings/account");
  const section = page.locator("section").filter({ hasText: "A ZIP file with your profile" });
  const button = section.getByRole("button", { name: "Export my data" });
  await section.getByLabel("Current password").fill("not this one");
  await button.click();
  await section.getByRole("alert").getByText("Password is incorrect").waitFor();
  await section.getByLabel("Current password").fill(PASSWORD);
  await button.click();
  const link = section.getByRole("link", { name: "Download your data" });
  await link.waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toBe("skein-my-data.zip");
  expect(session.faults.filter((fault) => !fault.includes("400"))).toEqual([]);
});

test("loads the exports once the server answers again, without notices", async () => {
  const session = await BrowserSession.of(testServer, "ada");
  let lost = 0;
  await session.context.route(/\/json\/export\/realm$/, async (route) => {
    lost += 1;
    await (lost > 2 ? route.continue() : route.abort());
  });
  const page = await session.tab("/#organization/exports");
  await page.getByText("No exports yet.").waitFor();
  expect(await page.locator(".toast").count()).toBe(0);
});
