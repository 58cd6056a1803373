// The server's own pages are accessible in both color schemes, wide and narrow.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { signInLink } from "../../src/features/sign-in/link.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { openReset } from "../../src/features/passwords/reset.ts";
import { encryptedKey } from "../../src/features/secrets/encrypted.ts";
import { PASSWORD } from "../browser.ts";
import { emailOf } from "../users.ts";
import { startTwoOrganizations, ROOT, WEST } from "../two-organizations.ts";
import { startTestServerWithMail, type MailServer } from "../mail/mail-server.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { accessibilityFaults, TWO_LOOKS } from "./axe.ts";
import { openBrowser, BrowserSession } from "./browser-session.ts";

let testServer: TestServer;
let mailServer: MailServer;
beforeAll(async () => {
  ({ testServer, mailServer } = await startTestServerWithMail());
  await testServer.request("olga", "PATCH /realm", { invite_required: false });
});
afterAll(async () => {
  await testServer.close();
  await mailServer.close();
});

/** Pages with different layouts. */
async function addresses(): Promise<string[]> {
  const { invite_link } = await testServer.request("ada", "POST /invites/multiuse");
  const key = encryptedKey(testServer.realm);
  await testServer.realm.write((tx) => openReset(tx, tx.users.get(testServer.idOf("cy"))!, key));
  return [
    "/login/",
    "/register/",
    new URL(invite_link as string).pathname,
    "/join/gone/",
    "/accounts/password/reset/",
    `/accounts/password/reset/${key.key}/`,
    "/accounts/find/",
    "/accounts/send_confirm/",
    "/setup/gone",
    "/nowhere/",
  ];
}

test("sign-in pages have no accessibility faults", async () => {
  const browserSession = await BrowserSession.empty(testServer);
  const page = await browserSession.tab("/login/");
  const faults: string[] = [];
  for (const address of await addresses()) {
    await page.goto(address);
    const found = await accessibilityFaults(page, "html", TWO_LOOKS);
    faults.push(...found.map((fault) => `${address} ${fault}`));
  }
  expect(faults).toEqual([]);
});

test("the account page has no accessibility faults, in German too", async () => {
  await testServer.request("bo", "PATCH /settings", { default_language: "de" });
  const browserSession = await BrowserSession.of(testServer, "bo");
  const page = await browserSession.tab("/account/");
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Dein Konto");
  expect(browserSession.faults).toEqual([]);
});

test("the two-factor page has no accessibility faults, in the user's language", async () => {
  const hash = await hashPassword(PASSWORD);
  const user_id = testServer.idOf("mo");
  await testServer.realm.write((tx) => {
    const app = { sealed: "", created: tx.now, confirmed: tx.now, last_period: 0 };
    tx.passwords.put({ user_id, hash });
    tx.totps.put({ user_id, ...app });
  });
  await testServer.request("mo", "PATCH /settings", { default_language: "de" });
  const browserSession = await BrowserSession.empty(testServer);
  const page = await browserSession.tab("/login/");
  // The first field has the focus, and after an error the password field.
  await page.locator("input[name=username]:focus").waitFor();
  await page.keyboard.type(emailOf("mo"));
  await page.keyboard.press("Tab");
  await page.keyboard.type("not mine");
  await page.keyboard.press("Enter");
  await page.locator("[role=alert]").waitFor();
  await page.locator("input[type=password]:focus").waitFor();
  expect(await page.locator("input[name=username]").inputValue()).toBe(emailOf("mo"));
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await page.locator("input[name=code]:focus").waitFor();
  expect(await page.evaluate("document.documentElement.lang")).toBe("de");
  await isValid(page);
  expect(browserSession.faults.filter((fault) => !fault.includes("401"))).toEqual([]);
});

test("the server's host and deactivated organizations have no accessibility faults", async () => {
  const twoOrganizations = await startTwoOrganizations();
  await twoOrganizations.west.request("olga", "POST /realm/deactivate");
  const context = await (await openBrowser()).newContext();
  // These host names do not exist; the route forwards their requests to the test server.
  await context.route("http://*/**", async (route) => {
    const { host, pathname, search } = new URL(route.request().url());
    const response = await fetch(twoOrganizations.url + pathname + search, {
      headers: { Host: host },
    });
    const body = Buffer.from(await response.arrayBuffer());
    await route.fulfill({ status: response.status, headers: response.headers.toJSON(), body });
  });
  const page = await context.newPage();
  for (const address of [`${ROOT}/accounts/go/`, `${ROOT}/accounts/find/`, `${WEST}/login/`]) {
    await page.goto(`http://${address}`);
    await page.locator("h1").waitFor();
    await isValid(page);
  }
  await page.getByText("An owner deactivated").waitFor();
  await context.close();
  await twoOrganizations.close();
});

test("shows an error at its field, focuses it, and keeps other values", async () => {
  // The server sends no email, so a single form asks for everything.
  const other = await startTestServer();
  const { invite_link } = await other.request("ada", "POST /invites/multiuse");
  const browserSession = await BrowserSession.empty(other);
  const page = await browserSession.tab(new URL(invite_link as string).pathname);
  const input = { email: "nia@example.com", full_name: "Nia New", password: "password" };
  const [email, name, password] = ["Your email address", "Your name", "Your password"].map((item) =>
    page.getByLabel(item),
  ) as [Locator, Locator, Locator];
  const join = async (wrong: Partial<typeof input>, text: string) => {
    const all = { ...input, password: PASSWORD, ...wrong };
    await email.fill(all.email);
    await name.fill(all.full_name);
    await password.fill(all.password);
    await page.getByRole("button", { name: "Join" }).click();
    await page
      .locator("input[aria-invalid=true]:focus + [role=alert]", { hasText: text })
      .waitFor();
    const [field] = Object.keys(wrong);
    const focused = page.locator(":focus");
    expect(await focused.getAttribute("name")).toBe(field!);
    const described = (await focused.getAttribute("aria-describedby"))!.split(" ");
    expect(described[0]).toBe((await page.getByRole("alert").getAttribute("id"))!);
    expect(await page.getByRole("alert").count()).toBe(1);
    expect([await email.inputValue(), await name.inputValue()]).toEqual([all.email, all.full_name]);
    await isValid(page);
  };
  await join({ password: "password" }, "too weak");
  await join({ email: emailOf("bo") }, "already in use");
  await join({ full_name: "Nia > New" }, "Invalid characters");
  expect(browserSession.faults.filter((fault) => !fault.includes("400"))).toEqual([]);
});

async function isValid(page: Page): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
}

test("focuses the first empty field of each form", async () => {
  const browserSession = await BrowserSession.empty(testServer);
  const page = await browserSession.tab("/login/");
  const other = await startTestServer();
  const links = (await addresses()).filter((address) => /reset\/.+|join\/(?!gone)/.test(address));
  const { invite_link } = await other.request("ada", "POST /invites/multiuse");
  const first: (string | null)[] = [];
  for (const path of [
    "/login/",
    "/register/",
    ...links,
    "/accounts/find/",
    invite_link as string,
  ]) {
    await page.goto(path);
    first.push(await page.locator(":focus").getAttribute("name"));
  }
  expect(first).toEqual(["username", "email", "email", "password", "emails", "email"]);
  expect(browserSession.faults).toEqual([]);
});

test("explains a form without a token, and accepts it the second time", async () => {
  const browserSession = await BrowserSession.empty(testServer);
  const page = await browserSession.tab("/login/");
  await browserSession.context.clearCookies();
  const signIn = async () => {
    await page.getByLabel("Your email address").fill(emailOf("bo"));
    await page.getByLabel("Your password").fill("not mine");
    await page.keyboard.press("Enter");
  };
  await signIn();
  await page.getByRole("alert").getByText("This form expired").waitFor();
  await signIn();
  await page.getByRole("alert").getByText("password is incorrect").waitFor();
});

test("shows the next step as the one primary button on each final page", async () => {
  const browserSession = await BrowserSession.empty(testServer);
  const page = await browserSession.tab("/register/");
  const steps: (string | null)[] = [];
  const step = async () => steps.push(await page.locator("a.button.first").getAttribute("href"));
  for (const address of ["/join/gone/", "/setup/gone", "/nowhere/", "/accounts/send_confirm/"]) {
    await page.goto(address);
    await step();
  }
  const link = await testServer.realm.write((tx) =>
    signInLink(tx, tx.users.get(testServer.idOf("ada"))!),
  );
  await page.goto(link);
  await page.goto("/account/");
  await step();
  expect(steps).toEqual(["/login/", "/login/", "/", "/login/", "/"]);
});

test("says at the sign-in that the session has expired", async () => {
  const browserSession = await BrowserSession.of(testServer, "gus");
  const page = await browserSession.tab("/#inbox");
  await page.locator("body[data-whole]").waitFor();
  const other = await browserSession.tab("/accounts/logout/");
  await other.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("You are signed out. Sign in to continue.").waitFor();
  await isValid(page);
  // The notice is not shown after a sign-out or on a first visit.
  await other.locator("input[name=username]").waitFor();
  expect(await other.getByText("You are signed out").count()).toBe(0);
  await browserSession.close();
  const outsider = await BrowserSession.empty(testServer);
  const first = await outsider.tab("/#inbox");
  await first.locator("input[name=username]").waitFor();
  expect(await first.getByText("You are signed out").count()).toBe(0);
  await outsider.close();
});
