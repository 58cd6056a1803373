// The audit log in the client, with filters for the person, the action and the day.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { startTestServer, type TestServer } from "../test-server.ts";
import { withTimeout } from "../wait-until.ts";
import { BrowserSession } from "./browser-session.ts";

let testServer: TestServer;
let browserSession: BrowserSession;
beforeEach(async () => {
  testServer = await startTestServer();
  browserSession = await BrowserSession.of(testServer, "ada");
});
afterEach(async () => {
  await browserSession.close();
  await testServer.close();
});

const auditPage = (): Promise<Page> => browserSession.tab("/#organization/audit");

test("shows actions by user and by kind, and pages back to older ones", async () => {
  for (let index = 0; index < 60; index++) {
    await testServer.request("ada", "PATCH /realm", { name: `Town ${index}` });
  }
  await testServer.request("olga", `PATCH /users/${testServer.idOf("cy")}`, { role: 300 });
  const page = await auditPage();
  const rows = page.locator(".org-act");
  const input = rows.filter({ hasText: "Role changed" });
  await input.getByText("Cy Member").waitFor();
  await input.getByText("Olga Owner, via the API").waitFor();
  await input.getByText("Details").click();
  await input.getByText("role: 400 → 300").waitFor();
  expect(await rows.count()).toBe(50);
  await page.getByRole("button", { name: "Show older" }).click();
  await page.locator(".org-act:nth-child(61)").waitFor();
  const renamed = rows.filter({ hasText: "Town 58" }).first();
  expect(await renamed.locator("p").first().textContent()).toBe("Organization settings changed");
  // Before a sign-in, the actor is unknown, and only the way is displayed.
  const signedIn = rows.filter({ hasText: "Signed in" }).first();
  await signedIn.getByText("by the server", { exact: true }).waitFor();
  await signedIn.getByText("Details").click();
  await signedIn.getByText(/^session: \d+$/).waitFor();

  await page.getByLabel(/^Action/).selectOption("user_role_changed");
  await page.locator(".org-act:nth-child(2)").waitFor({ state: "detached" });
  await page.getByLabel(/^Action/).selectOption("");
  await page.getByRole("combobox", { name: "User" }).fill("cy");
  await page.getByRole("option", { name: /Cy Member/ }).click();
  await page.locator(".org-act").first().getByText("Role changed").waitFor();
  await rows.filter({ hasText: "Town 59" }).first().waitFor({ state: "detached" });
});

test("filters by deactivated users, and shows the result of the last filter", async () => {
  await testServer.request("olga", "PATCH /realm", { name: "Village" });
  await testServer.request("olga", `PATCH /users/${testServer.idOf("cy")}`, { role: 300 });
  await testServer.request("olga", `DELETE /users/${testServer.idOf("cy")}`);
  const page = await auditPage();
  const rows = page.locator(".org-act");
  await rows.filter({ hasText: "Village" }).first().waitFor();
  const requested = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<void>();
  await page.route(/act=user_role_changed/, async (route) => {
    const response = await route.fetch();
    requested.resolve();
    await slow.promise;
    await route.fulfill({ response });
  });
  await page.getByLabel(/^Action/).selectOption("user_role_changed");
  // Waits for the request, because two choices within one frame would send only the second.
  await withTimeout(requested.promise, "the request of the first choice");
  await page.getByLabel(/^Action/).selectOption("user_deactivated");
  await rows.filter({ hasText: "Village" }).first().waitFor({ state: "detached" });
  const late = page.waitForResponse(/act=user_role_changed/);
  slow.resolve();
  await (await late).finished();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(await rows.filter({ hasText: "Role changed" }).count()).toBe(0);
  await page.getByRole("combobox", { name: "User" }).fill("cy");
  await page.getByRole("option", { name: "Cy Member Deactivated" }).click();
  await rows.getByText("Account deactivated: Cy Member").waitFor();
  expect(await rows.count()).toBe(1);
});
