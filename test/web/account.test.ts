/** The account pages: credentials, secrets that are shown once, errors and removal. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as otpauth from "otpauth";
import type { Locator } from "playwright-core";
import { setPassword } from "../../src/features/passwords/actions.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { PASSWORD } from "../browser.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

import { accessibilityFaults, faultsOf, TWO_LOOKS } from "./axe.ts";
import { BrowserSession } from "./browser-session.ts";
import { waitForValue } from "./browser-fixture.ts";

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

test("rates a new password while typing, and shows errors at their fields", async () => {
  const page = await browserSession.tab("/#settings/account");
  const form = page.locator("form").filter({ hasText: "New password" });
  const [own, fresh] = [form.getByLabel("Current password"), form.getByLabel("New password")];
  const waitForStatus = (text: string) =>
    form.getByRole("status").filter({ hasText: text }).waitFor();
  await fresh.fill("password");
  await waitForStatus("Too easy to guess");
  // A password equal to the user's name, which others can see, is easy to guess as well.
  await fresh.fill("Bo Member");
  await waitForStatus("Too easy to guess");
  await fresh.fill("blau7katze");
  await waitForStatus("OK. A longer password");
  await fresh.fill("eleven quiet herons over the weir");
  await waitForStatus("Strong password");
  const expectRefusedAt = async (at: Locator, text: string) => {
    await page.keyboard.press("Enter");
    await form.getByRole("alert").getByText(text).waitFor();
    expect(await form.locator("[aria-invalid=true]").count()).toBe(1);
    expect(await at.getAttribute("aria-invalid")).toBe("true");
  };
  await own.fill("not this one");
  await expectRefusedAt(own, "Wrong password");
  await own.fill(PASSWORD);
  await fresh.fill("password");
  await expectRefusedAt(fresh, "too weak");
  expect(await own.inputValue()).toBe(PASSWORD);
  expect(await faultsOf(page)).toEqual([]);

  const address = page.locator("form").filter({ hasText: "New email address" });
  await address.getByLabel("New email address").fill("ada@example.com");
  await address.getByLabel("Current password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await address.getByRole("alert").waitFor();
  const wrong = await address.getByLabel("New email address").getAttribute("aria-invalid");
  expect(wrong).toBe("true");
});

test("asks to confirm a new address if email is not configured", async () => {
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => setPassword(tx, testServer.idOf("ada"), hash));
  const other = await BrowserSession.of(testServer, "ada");
  const page = await other.tab("/#settings/account");
  const form = page.locator("form").filter({ hasText: "New email address" });
  await form.getByLabel("New email address").fill("ada.lind@example.com");
  await form.getByLabel("Current password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/accounts/confirm_new_email/**");
  await page.locator("form [type=submit]").click();
  const getDeliveryEmail = () =>
    testServer.realm.read.users.get(testServer.idOf("ada"))!.delivery_email;
  while (getDeliveryEmail() !== "ada.lind@example.com") await Bun.sleep(20);
  await other.close();
});

test("sets up an authenticator app, and signs out other sessions", async () => {
  const other = await BrowserSession.of(testServer, "bo");
  const page = await browserSession.tab("/#settings/security");
  const app = page.locator("section").filter({ hasText: "Authenticator app" });
  await app.getByLabel("Current password").fill(PASSWORD);
  await app.getByRole("button", { name: "Set up app" }).click();
  await page.getByRole("img", { name: "QR code" }).waitFor();
  const secret = (await page.locator(".settings-once code").textContent())!;
  await app.getByLabel("Code from the app").fill("000000x");
  await app.getByRole("button", { name: "Confirm" }).click();
  await app.getByRole("alert").waitFor();
  const totp = new otpauth.TOTP({ secret: otpauth.Secret.fromBase32(secret) });
  await app
    .getByLabel("Code from the app")
    .fill(totp.generate({ timestamp: testServer.realm.clock.now() }));
  await app.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("group", { name: "Recovery codes" }).waitFor();
  expect(await page.locator(".settings-codes li").count()).toBe(10);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("recovery-codes.txt");

  const codes = page.locator("section").filter({ hasText: "Recovery codes" }).locator("form");
  await codes.getByLabel("Current password").fill("not this one");
  await page.keyboard.press("Enter");
  await codes.getByRole("alert").waitFor();
  expect(await codes.locator("[aria-invalid=true]").count()).toBe(1);

  await page.getByRole("button", { name: "Sign out all other sessions" }).click();
  await page.getByText("Other sessions signed out").waitFor();
  expect((await other.context.request.get("/json/users/me")).status()).toBe(401);
  expect((await browserSession.context.request.get("/json/users/me")).status()).toBe(200);
  await other.close();
});

test("uploads no picture that cannot be decoded after its dialog was closed", async () => {
  const page = await browserSession.tab("/#settings/profile");
  const uploads: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/avatar"))
      uploads.push(request.url());
  });
  const choose = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload image" }).click();
  await page.evaluate(() => {
    const decoded = Promise.withResolvers<ImageBitmap>();
    Object.assign(globalThis, { decoded, createImageBitmap: () => decoded.promise });
  });
  const buffer = Buffer.from("no picture");
  await (await choose).setFiles({ name: "me.png", mimeType: "image/png", buffer });
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.evaluate(() => {
    const { decoded } = globalThis as unknown as { decoded: PromiseWithResolvers<ImageBitmap> };
    decoded.reject(new DOMException("no", "InvalidStateError"));
    return new Promise(requestAnimationFrame);
  });
  expect(uploads).toEqual([]);
});

test("syncs changes to other devices, and hides settings that are not allowed", async () => {
  const page = await browserSession.tab("/#settings/lists");
  const other = await browserSession.tab("/#settings/lists");
  await page.getByLabel("Alert word", { exact: true }).fill("kettle");
  await page.getByLabel("Alert word", { exact: true }).press("Enter");
  await other.getByRole("button", { name: "Remove kettle" }).click();
  await page.getByRole("button", { name: "Remove kettle" }).waitFor({ state: "detached" });

  await page.goto(`${browserSession.url}/#settings/profile`);
  await other.goto(`${browserSession.url}/#settings/profile`);
  await page.getByLabel("Name", { exact: true }).fill("Bo the Second");
  await page.getByLabel("Name", { exact: true }).press("Tab");
  await other.locator("footer, nav").getByText("Bo the Second").first().waitFor();
  await waitForValue(other.getByLabel("Name", { exact: true }), "Bo the Second");

  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Upload image" }).click(),
  ]);
  const buffer = await page.screenshot();
  await chooser.setFiles({ name: "me.png", mimeType: "image/png", buffer });
  await page.getByLabel("Zoom").fill("2");
  await page.getByRole("button", { name: "Save" }).click();
  await other.locator(".settings-picture img").waitFor();
  await page.locator(".settings-picture").getByRole("button", { name: "Remove" }).click();
  await other.locator(".settings-picture img").waitFor({ state: "detached" });

  const closed = { name_changes_disabled: true, avatar_changes_disabled: true };
  await testServer.request("olga", "PATCH /realm", closed);
  await page.getByLabel("Name", { exact: true }).waitFor({ state: "detached" });
  expect(await page.getByRole("button", { name: "Upload image" }).count()).toBe(0);
  expect(await page.getByText("Only administrators can change this.").count()).toBe(2);
});

test("creates, tests and deletes a webhook; guests are not offered one", async () => {
  const page = await browserSession.tab("/#settings/bots");
  await page.getByLabel("Bot type").selectOption("2");
  await page.getByLabel("Name", { exact: true }).fill("Kettle");
  await page.getByLabel("Bot email").fill("kettle");
  await page.getByRole("button", { name: "Create bot" }).click();
  // The key of a new bot is displayed, and can be copied at once.
  await page.locator(".settings-once button:focus", { hasText: "Copy" }).waitFor();
  const key = await page.locator(".settings-once code").first().textContent();
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByText("Test sent").waitFor();
  await page.getByRole("button", { name: "Recent calls of Kettle" }).press("Enter");
  const calls = page.getByRole("region", { name: "Recent calls of Kettle" });
  await calls.getByText("Accepted, message posted").waitFor();
  await calls.getByText("status 200").waitFor();
  expect(await calls.innerText()).not.toContain(key!);
  const rule = page.getByLabel("Whom Kettle can notify");
  const readStored = () => [...testServer.realm.read.bots.range()].at(-1)!.can_notify;
  expect(await rule.inputValue()).toBe("nobody");
  await rule.selectOption("Chosen people and groups");
  await page.getByLabel("People and groups that Kettle can notify").fill("Cy");
  await page.getByRole("option", { name: "Cy Member" }).click();
  await page.getByRole("status").getByText("Saved").waitFor();
  expect(readStored()).toEqual({ direct_members: [testServer.idOf("cy")], direct_subgroups: [] });
  await rule.selectOption("Everyone the bot can mention");
  while (readStored() !== "everyone") await page.waitForTimeout(20);
  const confirmInDialog = (action: string) =>
    page.getByRole("dialog").getByRole("button", { name: action, exact: true }).click();
  await page.getByRole("button", { name: "New API key for Kettle" }).click();
  await confirmInDialog("New API key");
  await page.locator(".settings-once code").first().filter({ hasNotText: key! }).waitFor();
  await page.getByRole("button", { name: "Deactivate Kettle" }).click();
  await confirmInDialog("Deactivate");
  await page.getByRole("button", { name: "Deactivate Kettle" }).waitFor({ state: "detached" });

  const guest = await BrowserSession.of(testServer, "gus");
  const theirs = await guest.tab("/#settings/bots");
  await theirs.getByText("No bots yet.").waitFor();
  expect(await theirs.getByRole("button", { name: "Create bot" }).count()).toBe(0);
  await guest.close();
});

test("keeps the entered values of a rejected bot, with the error at its field", async () => {
  const page = await browserSession.tab("/#settings/bots");
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const refusedAt = async (label: string, text: string) => {
    await page.getByRole("button", { name: "Create bot" }).click();
    await field(label).and(page.locator("[aria-invalid=true]:focus")).waitFor();
    const description = page.locator(`#${await field(label).getAttribute("aria-describedby")}`);
    expect(await description.textContent()).toContain(text);
    expect(await page.getByRole("alert").count()).toBe(1);
  };
  await page.getByLabel("Bot type").selectOption("3");
  await field("Name").fill("Cy Member");
  await field("Bot email").fill("nobody");
  await field("Endpoint URL").fill("ftp://example.com/");
  await refusedAt("Endpoint URL", "must begin with https:// or http://");
  await field("Endpoint URL").fill("https://example.com/");
  await refusedAt("Name", "already in use");
  await field("Name").fill("Cy's helper");
  await testServer.request("cy", "POST /bots", { full_name: "First", short_name: "nobody" });
  await refusedAt("Bot email", "already in use");
  expect(await field("Name").inputValue()).toBe("Cy's helper");
});

test("lets an owner reactivate a bot, and says who can create such bots", async () => {
  const bots = [];
  for (const [name, full_name] of [
    ["bo", "Kettle"],
    ["cy", "Toaster"],
  ] as const) {
    const params = { full_name, short_name: full_name.toLowerCase() };
    const { user_id } = await testServer.request(name, "POST /bots", params);
    await testServer.request(name, `DELETE /bots/${user_id}`);
    bots.push(user_id);
  }
  const page = await browserSession.tab("/#settings/bots");
  const row = page.locator(".settings-list li");
  await row.filter({ hasText: "Kettle" }).getByText("Deactivated").waitFor();
  expect(await row.filter({ hasText: "Toaster" }).count()).toBe(0);
  const reactivateButton = page.getByRole("button", { name: "Reactivate Kettle" });
  await testServer.request("bo", "POST /bots", { full_name: "Kettle", short_name: "another" });
  await reactivateButton.click();
  await row.getByRole("alert").getByText("already an active bot named").waitFor();
  const another = [...testServer.realm.read.users.range()].find(
    ({ full_name, is_active }) => full_name === "Kettle" && is_active,
  )!;
  await testServer.request("bo", `DELETE /bots/${another.user_id}`);
  await reactivateButton.last().waitFor();
  const { user_groups } = await testServer.request("olga", "GET /user_groups");
  const allow = async (role: string) => {
    const { id } = user_groups.find(({ name }: { name: string }) => name === role);
    await testServer.request("olga", "PATCH /realm", { can_create_bots_group: { new: id } });
  };
  await allow("role:administrators");
  await row.getByText("you cannot reactivate it").first().waitFor();
  expect(await reactivateButton.count()).toBe(0);
  expect(await faultsOf(page)).toEqual([]);
  await allow("role:members");
  await reactivateButton.first().click();
  await page.getByText("Kettle was reactivated.").waitFor();
  await page.getByRole("button", { name: "Deactivate Kettle" }).waitFor();
  expect(testServer.realm.read.users.get(bots[0]!)!.is_active).toBe(true);
});

test("axe finds no fault in these pages, in any look", async () => {
  const page = await browserSession.tab("/#settings/account");
  for (const text of [
    "account",
    "security",
    "notifications",
    "privacy",
    "profile",
    "lists",
    "bots",
  ]) {
    await page.goto(`${browserSession.url}/#settings/${text}`);
    await page.locator(".settings-body section").first().waitFor();
    expect([text, await accessibilityFaults(page, "html", TWO_LOOKS)]).toEqual([text, []]);
  }
});
