// Administrators manage accounts from cards, profiles and the list of users, by keyboard too.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { createUser } from "../../src/features/accounts/actions.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { Authenticator } from "../authenticator.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { until } from "../wait-until.ts";
import { accessibilityFaults, faultsOf, applyLook, APPEARANCES } from "./axe.ts";
import { BrowserFixture } from "./browser-fixture.ts";
import { BrowserSession } from "./browser-session.ts";

let fixture: BrowserFixture;
let page: Page;
const idOf = (name: "ada" | "bo" | "olga" | "cy") => fixture.testServer.idOf(name);
const roleOf = (name: "bo") => fixture.testServer.realm.read.users.get(idOf(name))!.role;

beforeAll(async () => {
  fixture = await BrowserFixture.open();
  const hash = await hashPassword(PASSWORD);
  await fixture.testServer.realm.write((tx) => {
    for (const name of ["ada", "bo"] as const) tx.passwords.put({ user_id: idOf(name), hash });
  });
  await fixture.post("bo", "The mark is drawn");
  await BrowserSession.of(fixture.testServer, "bo");
  page = await (await fixture.sessionOf("ada")).tab("/#inbox");
});
/** Tests run in any order. */
async function openProfile(): Promise<void> {
  // A full page load closes what another test has left open.
  await page.goto("about:blank");
  await page.goto(`/#user/${idOf("bo")}`);
}
afterAll(() => fixture.close());

const waitForToast = (text: string) => page.locator(".toast").filter({ hasText: text }).waitFor();
const manage = () => page.getByRole("button", { name: "Manage account of Bo Member" });
const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });

test("copies a password-reset link after confirming the password, by keyboard", async () => {
  await openProfile();
  await page.getByText(/^Last sign-in: /).waitFor();
  await manage().focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Password-reset link…" }).waitFor();
  expect(await page.getByRole("menuitem").allTextContents()).toEqual([
    ...["Change role…", "Password-reset link…", "Sign out everywhere…"],
    ...["Turn off two-factor authentication…", "Deactivate…"],
    "Deactivate and delete messages…",
  ]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const locator = dialog("Password-reset link for Bo Member");
  await locator.getByLabel("Your password").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await applyLook(page, APPEARANCES[0]!);
  await page.keyboard.type("wrong");
  await page.keyboard.press("Enter");
  await locator.getByRole("alert").waitFor();
  await locator.getByLabel("Your password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  const link = await locator.locator(".settings-once code").textContent();
  expect(link).toContain("/accounts/password/reset/");
  // The server of the test has a loopback address.
  await locator.getByText(/^This link opens only on this computer/).waitFor();
  // The next thing to do is to copy it.
  await locator.getByRole("button", { name: "Copy" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await locator.waitFor({ state: "detached" });
});

test("the menu of roles begins at the current one, and finds typed names", async () => {
  await page.setViewportSize({ width: 1360, height: 800 });
  await page.goto("about:blank");
  await page.goto("/#organization/people");
  const row = page.locator(".org-person").filter({ hasText: "Cy Member" });
  await row.getByRole("button", { name: "Role of Cy Member: Member" }).press("Enter");
  const focused = (name: string) =>
    page.getByRole("menuitemradio", { name, exact: true }).and(page.locator(":focus")).waitFor();
  await focused("Member");
  // "o" and "d" are not the beginnings of other roles.
  await page.keyboard.type("mod");
  await focused("Moderator");
  await page.keyboard.press("Escape");
});

test("a dialog with closed details takes the focus", async () => {
  await page.setViewportSize({ width: 1360, height: 800 });
  await page.goto("about:blank");
  await page.goto("/#organization/people");
  await page.getByRole("button", { name: "Actions for Cy Member" }).press("Enter");
  await page.getByRole("menuitem", { name: "Deactivate…" }).press("Enter");
  const sure = dialog("Deactivate Cy Member?");
  await sure.locator(":focus").waitFor();
  await page.keyboard.press("Escape");
  await sure.waitFor({ state: "detached" });
});

test("signs a user out everywhere from the profile", async () => {
  await openProfile();
  const { sessions } = fixture.testServer.realm.read;
  expect(sessions.listBy("user", idOf("bo"))).not.toEqual([]);
  await manage().click();
  await page.getByRole("menuitem", { name: "Sign out everywhere…" }).click();
  const locator = dialog("Sign out Bo Member everywhere?");
  await locator.getByLabel("Your password").fill(PASSWORD);
  await locator.getByRole("button", { name: "Sign out" }).click();
  await waitForToast("Bo Member is signed out everywhere.");
  await until(() => sessions.listBy("user", idOf("bo")).length === 0);
});

test("changes the role of a user from the card after confirming the password", async () => {
  await page.goto(fixture.topicUrl);
  const written = page.locator("article").filter({ hasText: "The mark is drawn" });
  await written.locator(".msg-name").click();
  const card = dialog("Profile card of Bo Member");
  expect(await card.locator("[data-kind=danger]").count()).toBe(0);
  await manage().click();
  await page.getByRole("menuitem", { name: "Change role…" }).click();
  await page.getByRole("menuitemradio", { name: "Moderator" }).click();
  const requested = dialog("Change role of Bo Member to Moderator?");
  await requested.getByText("Moderators are members with additional permissions").waitFor();
  await requested.getByLabel("Your password").fill("wrong");
  await requested.getByRole("button", { name: "Change role" }).click();
  await requested.getByRole("alert").getByText("Password is incorrect.").waitFor();
  expect(roleOf("bo")).toBe(400);
  await requested.getByLabel("Your password").fill(PASSWORD);
  await requested.getByRole("button", { name: "Change role" }).click();
  await waitForToast("Role of Bo Member changed to Moderator.");
  await until(() => roleOf("bo") === 300);
});

test("changes a role and deactivates in the list, by keyboard and on a phone", async () => {
  const { realm } = fixture.testServer;
  const account = { email: "dee@example.com", full_name: "Dee Member", role: 400 };
  const { user_id } = await realm.write((tx) => {
    const user = createUser(tx, { ...account, stream_ids: [] });
    tx.last_sign_ins.put({ user_id: user.user_id, at: tx.now });
    return user;
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("about:blank");
  await page.goto("/#organization/people");
  const row = page.locator(".org-person").filter({ hasText: "Dee Member" });
  await row.getByText("last sign-in").waitFor();
  await row.getByRole("button", { name: "Role of Dee Member: Member" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitemradio", { name: "Administrator" }).focus();
  await page.keyboard.press("Enter");
  const requested = dialog("Change role of Dee Member to Administrator?");
  // The field takes the focus when it appears.
  await requested.locator("input[type=password]:focus").waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await waitForToast("Role of Dee Member changed to Administrator.");
  await row.getByRole("button", { name: "Role of Dee Member: Administrator" }).waitFor();

  await row.getByRole("button", { name: "Actions for Dee Member" }).click();
  await page.getByRole("menuitem", { name: "Deactivate…" }).click();
  const sure = dialog("Deactivate Dee Member?");
  await sure.getByLabel("Your password").waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await sure.getByRole("button", { name: "Deactivate" }).click();
  await sure.getByRole("alert").getByText("Password is incorrect.").waitFor();
  expect(realm.read.users.get(user_id)!.is_active).toBe(true);
  await sure.getByLabel("Your password").fill(PASSWORD);
  await sure.getByRole("button", { name: "Deactivate" }).click();
  await row.waitFor({ state: "detached" });
  await until(() => !realm.read.users.get(user_id)!.is_active);

  // The account has the rights of an administrator again afterwards.
  await page.getByRole("button", { name: "Undo" }).click();
  const reactivateDialog = dialog("Reactivate Dee Member?");
  await reactivateDialog.getByLabel("Your password").fill(PASSWORD);
  await reactivateDialog.getByRole("button", { name: "Reactivate" }).click();
  await waitForToast("Dee Member was reactivated.");
  await row.waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(wide).toBe(false);
  await applyLook(page, APPEARANCES[0]!);
});

test("asks for the password to invite an administrator", async () => {
  await page.goto("about:blank");
  await page.goto("/#invite");
  const requested = dialog(/^Invite people/);
  const make = requested.getByRole("button", { name: "Create link" });
  await make.waitFor();
  expect(await requested.getByLabel("Your password").count()).toBe(0);
  await requested.getByLabel("Join as").selectOption({ label: "Administrator" });
  await requested.getByText("Administrators manage users").waitFor();
  await requested.getByLabel("Your password").waitFor();
  expect(await faultsOf(page, undefined, ".dialog")).toEqual([]);
  await make.click();
  await requested.getByRole("alert").getByText("Password is incorrect.").waitFor();
  const links = () =>
    [...fixture.testServer.realm.read.invitations.range()].filter(
      ({ invited_as }) => invited_as === 200,
    );
  expect(links()).toEqual([]);
  await requested.getByLabel("Your password").fill(PASSWORD);
  await make.click();
  await requested.getByRole("button", { name: "Done" }).waitFor();
  expect(links()).toHaveLength(1);
});

test("confirms with a passkey", async () => {
  const { testServer } = fixture;
  const key = new Authenticator(testServer.url);
  key.isVerifying = true;
  const ada = new Browser(testServer);
  await ada.signIn("ada");
  await ada.open("/");
  const params = { name: "Laptop", password: PASSWORD };
  const { options, ticket } = await ada.request("POST /account/passkeys/options/", params);
  const credential = await key.create(options);
  await ada.request("POST /account/passkeys/", { name: "Laptop", ticket, credential });

  await page.goto("about:blank");
  await page.goto("/#organization/people");
  // Browsers have no passkeys for IP addresses, so the test answers in the browser's place.
  await page.exposeFunction("answerOf", (publicKey: { challenge: string }) => key.get(publicKey));
  await page.evaluate(() => {
    const { answerOf } = window as unknown as { answerOf: (publicKey: unknown) => Promise<string> };
    PublicKeyCredential.parseRequestOptionsFromJSON = (options) => options as never;
    navigator.credentials.get = async (options) => JSON.parse(await answerOf(options?.publicKey));
  });
  await page.getByRole("button", { name: "Role of Gus Guest: Guest" }).click();
  await page.getByRole("menuitemradio", { name: "Member" }).click();
  const requested = dialog("Change role of Gus Guest to Member?");
  await requested.getByRole("button", { name: "Use passkey" }).click();
  await waitForToast("Role of Gus Guest changed to Member.");
  await until(() => testServer.realm.read.users.get(testServer.idOf("gus"))!.role === 400);
});

async function deactivatedUser(full_name: string, role: number): Promise<number> {
  const { testServer } = fixture;
  const email = `${full_name.toLowerCase().replace(" ", ".")}@example.com`;
  const { user_id } = await testServer.realm.write((tx) =>
    createUser(tx, { email, full_name, role, stream_ids: [] }),
  );
  await testServer.request("olga", `DELETE /users/${user_id}`);
  return user_id;
}

test("reactivates a user from the profile, but no owner", async () => {
  const owner_id = await deactivatedUser("Otto Owner", 100);
  await page.goto("about:blank");
  await page.goto(`/#user/${owner_id}`);
  await dialog("Profile").getByText("Deactivated", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: /^Reactivate/ }).count()).toBe(0);

  const user_id = await deactivatedUser("Eve Member", 400);
  await page.goto("about:blank");
  await page.goto(`/#user/${user_id}`);
  const profile = dialog("Profile");
  await profile.getByText("Deactivated", { exact: true }).waitFor();
  await profile.getByRole("button", { name: "Reactivate Eve Member" }).click();
  await waitForToast("Eve Member was reactivated.");
  await profile.getByRole("button", { name: "Manage account of Eve Member" }).waitFor();
  expect(fixture.testServer.realm.read.users.get(user_id)!.is_active).toBe(true);
});

test("shows no menu for owners, and none to members", async () => {
  await page.goto(`/#user/${idOf("olga")}`);
  const profile = dialog("Profile");
  await profile.getByText("Olga Owner").waitFor();
  expect(await page.getByRole("button", { name: /Manage account/ }).count()).toBe(0);
  expect(await profile.getByText(/Last sign-in/).count()).toBe(0);
  const cys = await (await fixture.sessionOf("cy")).tab(`/#user/${idOf("bo")}`);
  await cys.getByRole("dialog", { name: "Profile" }).getByText("Bo Member").waitFor();
  expect(await cys.getByRole("button", { name: /Manage account/ }).count()).toBe(0);
});

test("shows in the list of users who has no two-factor authentication", async () => {
  await page.goto("/#organization/people");
  await page.getByRole("button", { name: "Actions for Cy Member" }).click();
  await page.getByRole("menuitem", { name: "Turn off two-factor authentication…" }).click();
  await page.getByText("Cy Member does not use two-factor authentication.").waitFor();
  expect(await page.getByRole("button", { name: "Turn off" }).count()).toBe(0);
});
