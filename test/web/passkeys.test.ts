// A passkey in the browser: created in the settings, used to sign in, and removed.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { setPassword } from "../../src/features/passwords/actions.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { Authenticator } from "../authenticator.ts";
import { PASSWORD } from "../browser.ts";
import { emailOf } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { accessibilityFaults } from "./axe.ts";
import { BrowserSession } from "./browser-session.ts";

let testServer: TestServer;
let browserSession: BrowserSession;
let key: Authenticator;
/** Name of the error that the browser throws instead of returning a passkey. */
let failure: string | undefined;

beforeEach(async () => {
  testServer = await startTestServer();
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => setPassword(tx, testServer.idOf("bo"), hash));
  browserSession = await BrowserSession.of(testServer, "bo");
  key = new Authenticator(testServer.url);
  failure = undefined;
  await exposeKey(browserSession);
});
afterEach(async () => {
  await browserSession?.close();
  await testServer?.close();
});

/** Replaces the passkey API: Chromium's virtual authenticator needs too many resources. */
async function exposeKey({ context }: BrowserSession): Promise<void> {
  await context.exposeFunction("lentKey", async (action: "create" | "get", challenge: string) =>
    failure === undefined ? key[action]({ challenge }) : `!${failure}`,
  );
  await context.addInitScript(() => {
    const request = async (action: string, params: { publicKey: { challenge: ArrayBuffer } }) => {
      const bytes = String.fromCharCode(...new Uint8Array(params.publicKey.challenge));
      const challenge = btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
      const lent = window as unknown as { lentKey(action: string, key: string): Promise<string> };
      const received = await lent.lentKey(action, challenge);
      // Browsers write the message in their own language and for developers, not for users.
      if (received.startsWith("!"))
        throw new DOMException("See: https://w3.org", received.slice(1));
      return { toJSON: () => JSON.parse(received) as unknown };
    };
    if (isSecureContext)
      Object.assign(Object.getPrototypeOf(navigator.credentials), {
        create: (requested: never) => request("create", requested),
        get: (requested: never) => request("get", requested),
      });
  });
}

const passkeys = () => testServer.realm.read.passkeys.listBy("user", testServer.idOf("bo"));
const sectionOf = (page: Page) => page.locator("section").filter({ hasText: "Passkeys" });

/** Creates a passkey by keyboard alone: the password, the name, and Enter. */
async function make(page: Page, name: string): Promise<void> {
  await sectionOf(page).getByLabel("Current password").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Tab");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
}

async function isValid(page: Page): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
}

test("creates a passkey by keyboard, signs in with it, and removes it", async () => {
  const page = await browserSession.tab("/#settings/security");
  const row = sectionOf(page).locator("li").filter({ hasText: "Blue key" });
  await make(page, "Blue key");
  await page.getByRole("group", { name: "Recovery codes" }).and(page.locator(":focus")).waitFor();
  await row.getByText("Created ").waitFor();
  await page.getByText("Passkey added").waitFor();
  expect(await row.getByText("last used").count()).toBe(0);
  // The text above them and their buttons are in the right order.
  const [locator, codes] = [
    page.locator(".settings-intro").first(),
    page.locator(".settings-codes"),
  ];
  const [above, below] = [(await locator.boundingBox())!, (await codes.boundingBox())!];
  expect(above.y + above.height).toBeLessThan(below.y);
  const buttons = await codes.locator("button").all();
  const tops = await Promise.all(buttons.map(async (button) => (await button.boundingBox())!.y));
  expect(new Set(tops).size).toBe(1);
  await isValid(page);

  await page.goto("/accounts/logout/");
  await page.getByRole("button", { name: "Sign out" }).press("Enter");
  await page.locator("input[name=username]:focus").waitFor();
  await page.keyboard.type(emailOf("bo"));
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  const use = page.getByRole("button", { name: "Sign in with a passkey" });
  await use.and(page.locator(":focus")).waitFor();
  failure = "NotAllowedError";
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("The browser did not provide a passkey").waitFor();
  await isValid(page);
  failure = undefined;
  await page.keyboard.press("Enter");
  await page.locator("body[data-whole]").waitFor();

  await page.goto("/#settings/security");
  await row.getByText("last used").waitFor();
  await row.getByRole("button", { name: "Remove Blue key" }).press("Enter");
  await sectionOf(page).getByRole("alert").getByText("Password is incorrect").waitFor();
  await sectionOf(page).getByLabel("Current password").fill(PASSWORD);
  await row.getByRole("button", { name: "Remove Blue key" }).press("Enter");
  await page.getByText("Passkey removed").waitFor();
  await row.waitFor({ state: "detached" });
  expect(passkeys()).toEqual([]);
  expect(browserSession.faults.filter((fault) => !fault.includes("400"))).toEqual([]);
});

test("explains why the browser created no passkey, and keeps the input", async () => {
  const page = await browserSession.tab("/#settings/security");
  const section = sectionOf(page);
  failure = "NotAllowedError";
  await make(page, "Blue key");
  await section.getByRole("alert").getByText("No passkey was created").waitFor();
  expect(await section.locator("[aria-invalid=true]").count()).toBe(0);
  expect(await section.getByLabel("Passkey name").inputValue()).toBe("Blue key");
  await isValid(page);
  failure = "InvalidStateError";
  await page.keyboard.press("Enter");
  await section.getByRole("alert").getByText("already in the list").waitFor();
  failure = undefined;
  await make(page, "x".repeat(61));
  const name = section.getByLabel("Passkey name");
  await name.and(page.locator("[aria-invalid=true]")).waitFor();
  expect(passkeys()).toEqual([]);
  await make(page, "Blue key");
  await page.getByText("Passkey added").waitFor();
  expect(await section.getByRole("alert").count()).toBe(0);
  expect(passkeys()).toHaveLength(1);
});
