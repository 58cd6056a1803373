// Administrators help users to sign in: password links, signing out, two-factor authentication.
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  insufficientPermission,
  userIsDeactivated,
  userNotFound,
} from "../../src/contract/errors/channels.ts";
import { mustBeAdministrator } from "../../src/contract/errors/general.ts";
import {
  isOwnAccount,
  ownerRequired,
  ownPasswordWrong,
  passkeyInvalid,
  passwordSignInOff,
  signInExpired,
} from "../../src/contract/errors/people.ts";
import { signOutEverywhere } from "../../src/features/accounts/administration/actions.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { endSessionsOf } from "../../src/features/sessions/actions.ts";
import { hasSecondFactor } from "../../src/features/two-factor/access.ts";
import { Authenticator } from "../authenticator.ts";
import { Browser, PASSWORD } from "../browser.ts";
import type { Name } from "../users.ts";
import { deliverDueMail, startTestServerWithMail, type MailServer } from "../mail/mail-server.ts";
import type { Json, TestServer } from "../test-server.ts";

const NEW_PASSWORD = "a quiet uncommon sentence 77";
const ACTS = ["password-link", "sign-out", "disable-2fa"] as const;

let testServer: TestServer;
let mailServer: MailServer;
beforeEach(async () => {
  ({ testServer, mailServer } = await startTestServerWithMail());
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => {
    for (const name of ["olga", "ada", "mo", "bo"] as const) {
      tx.passwords.put({ user_id: testServer.idOf(name), hash });
    }
  });
});
afterEach(async () => {
  await testServer.close();
  await mailServer.close();
});

async function signedIn(name: Name): Promise<Browser> {
  const browser = new Browser(testServer);
  await browser.signIn(name);
  await browser.open("/");
  return browser;
}

const pathOf = (name: Name, action: string) =>
  `/administration/users/${testServer.idOf(name)}/${action}/`;
const post = (
  requester: Browser,
  name: Name,
  action: string,
  input: object = { password: PASSWORD },
) => requester.request(`POST ${pathOf(name, action)}`, input as Record<string, string>);
const expectRefused = (
  requester: Browser,
  name: Name,
  action: string,
  input: object = { password: PASSWORD },
) => requester.refused(`POST ${pathOf(name, action)}`, input as Record<string, string>);
const accessOf = (requester: Browser, name: Name) =>
  requester.request(`GET ${pathOf(name, "access")}`);

const actsOn = async (requester: Browser, name: Name): Promise<string[]> => {
  const params = { on: "user", on_id: `${testServer.idOf(name)}`, num: 20 };
  const { acts } = await requester.request("GET /audit/", params);
  return acts.map(({ act, actor_id }: Json) => `${act} by ${actor_id}`);
};

/** Returns the direct messages that this user has received. */
async function noticesTo(name: Name): Promise<string[]> {
  const narrow = [{ operator: "is", operand: "dm" }];
  const query = { anchor: "newest", num_before: 20, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await testServer.request(name, "GET /messages", query);
  return messages.map(({ content }: Json) => content);
}

async function addSecondFactor(name: Name): Promise<void> {
  await testServer.realm.write((tx) => {
    const row = { user_id: testServer.idOf(name), sealed: "x", created: 1, confirmed: 1 };
    tx.totps.put({ ...row, last_period: 0 });
  });
}

test("an administrator's password link works once, and the user is notified", async () => {
  const ada = await signedIn("ada");
  const first = await post(ada, "bo", "password-link");
  const { link, expires } = await post(ada, "bo", "password-link");
  expect(expires - testServer.realm.read.now).toBeLessThanOrEqual(86_400);
  const { pathname } = new URL(link);
  const [notice] = (await noticesTo("bo")).slice(-1);
  expect(notice).toContain(`@_**Ada Admin|${testServer.idOf("ada")}** created a link`);
  const bo = new Browser(testServer);
  expect((await bo.open(new URL(first.link).pathname)).status).toBe(410);
  await bo.open(pathname);
  expect((await bo.submit(pathname, { password: NEW_PASSWORD })).status).toBe(200);
  expect((await bo.open(pathname)).status).toBe(410);
  await deliverDueMail(testServer);
  const { mail } = mailServer.mailTo("bo@example.com")[0]!;
  expect(mail.text).toContain("Ada Admin created a link that sets a new password");
  expect(mail.text).not.toContain(pathname);
  expect(await actsOn(ada, "bo")).toContain(`password_link_made by ${testServer.idOf("ada")}`);
});

test("a password link ends after 24 hours", async () => {
  const { link } = await post(await signedIn("ada"), "bo", "password-link");
  testServer.clock.passSeconds(86_401);
  expect((await new Browser(testServer).open(new URL(link).pathname)).status).toBe(410);
});

test("a password link ends if its administrator could no longer create it", async () => {
  const setRole = (name: Name, role: number) =>
    testServer.request("olga", `PATCH /users/${testServer.idOf(name)}`, { role });
  const ada = await signedIn("ada");
  const { link } = await post(ada, "bo", "password-link");
  const { pathname } = new URL(link);
  const openStatus = async () => (await new Browser(testServer).open(pathname)).status;
  await setRole("bo", 200);
  expect(await openStatus()).toBe(200);
  await setRole("bo", 100);
  expect(await openStatus()).toBe(410);
  await setRole("bo", 400);
  const holder = new Browser(testServer);
  expect((await holder.open(pathname)).status).toBe(200);
  await setRole("ada", 300);
  expect((await holder.submit(pathname, { password: NEW_PASSWORD })).status).toBe(410);
  await setRole("ada", 200);
  expect(await openStatus()).toBe(200);
  await testServer.request("olga", `DELETE /users/${testServer.idOf("ada")}`);
  expect(await openStatus()).toBe(410);
});

test("signing out everywhere ends sessions and keys, and the user is notified", async () => {
  const ada = await signedIn("ada");
  const bo = await signedIn("bo");
  const params = { username: "bo@example.com", password: PASSWORD };
  await testServer.request(null, "POST /fetch_api_key", params);
  const before = await accessOf(ada, "bo");
  expect(before).toMatchObject({ sessions: 1, has_password: true, has_second_factor: false });
  expect(before.apps).toBeGreaterThan(0);
  expect(testServer.realm.read.now - before.last_sign_in).toBeLessThan(600);
  await post(ada, "bo", "sign-out");
  expect((await bo.fetch("GET /users/me")).status).toBe(401);
  expect(await accessOf(ada, "bo")).toMatchObject({
    ...{ sessions: 0, apps: 0, last_sign_in: before.last_sign_in },
  });
  expect(await actsOn(ada, "bo")).toContain(`user_signed_out by ${testServer.idOf("ada")}`);
  await deliverDueMail(testServer);
  const { text } = mailServer.mailTo("bo@example.com").at(-1)!.mail;
  expect(text).toContain("Ada Admin signed you out of all browsers and apps");
  expect((await ada.fetch("GET /users/me")).status).toBe(200);
});

test("disabling two-factor authentication removes all factors and notifies the user", async () => {
  await addSecondFactor("bo");
  const ada = await signedIn("ada");
  expect((await accessOf(ada, "bo")).has_second_factor).toBe(true);
  await post(ada, "bo", "disable-2fa");
  expect(hasSecondFactor(testServer.realm.read, testServer.idOf("bo"))).toBe(false);
  expect((await noticesTo("bo")).at(-1)).toContain("turned off two-factor authentication");
  expect(await actsOn(ada, "bo")).toContain(`two_factor_disabled by ${testServer.idOf("ada")}`);
  const notices = (await noticesTo("bo")).length;
  await post(ada, "bo", "disable-2fa");
  expect(await noticesTo("bo")).toHaveLength(notices);
});

test("does nothing and notifies no one without the administrator's password", async () => {
  const [ada, bo] = [await signedIn("ada"), await signedIn("bo")];
  await addSecondFactor("bo");
  for (const action of ACTS) {
    for (const input of [{ password: "wrong" }, { password: "" }, {}]) {
      expect(await expectRefused(ada, "bo", action, input)).toMatchObject({
        msg: ownPasswordWrong().message,
      });
    }
  }
  expect((await bo.fetch("GET /users/me")).status).toBe(200);
  expect(hasSecondFactor(testServer.realm.read, testServer.idOf("bo"))).toBe(true);
  expect((await noticesTo("bo")).join()).not.toContain("Ada Admin");
  expect([...testServer.realm.read.tickets.range()]).toEqual([]);
});

test("owners are helped only by owners, and members help nobody", async () => {
  const [ada, mo, olga] = [await signedIn("ada"), await signedIn("mo"), await signedIn("olga")];
  await testServer.request("olga", `PATCH /users/${testServer.idOf("cy")}`, { role: 100 });
  const received: [Browser, Name, string][] = [
    [ada, "olga", ownerRequired().message],
    [ada, "cy", ownerRequired().message],
    [ada, "ada", isOwnAccount().message],
    [ada, "bot", userNotFound().message],
    [mo, "bo", mustBeAdministrator().message],
  ];
  for (const [requester, name, msg] of received) {
    for (const action of ACTS) expect((await expectRefused(requester, name, action)).msg).toBe(msg);
    expect((await requester.refused(`GET ${pathOf(name, "access")}`)).msg).toBe(msg);
  }
  expect((await post(olga, "cy", "password-link")).link).toContain("/accounts/password/reset/");
  expect((await post(olga, "ada", "sign-out")).result).toBe("success");
});

test("an API key opens none of it", async () => {
  const confirmation = await testServer.send("olga", "POST //json/account/confirmation/");
  expect(confirmation.status).toBe(401);
  for (const action of ACTS) {
    const line = `POST /${pathOf("bo", action)}`.replace("POST //", "POST //json/");
    expect((await testServer.send("olga", line, { password: PASSWORD })).status).toBe(401);
  }
});

test("refuses deactivated accounts, and links where passwords are turned off", async () => {
  const olga = await signedIn("olga");
  await testServer.request("olga", `DELETE /users/${testServer.idOf("cy")}`);
  expect((await expectRefused(olga, "cy", "sign-out")).msg).toBe(userIsDeactivated().message);
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    const methods = { ...realm.settings.authentication_methods, Email: false };
    tx.realm.put({ ...realm, settings: { ...realm.settings, authentication_methods: methods } });
  });
  const response = await expectRefused(olga, "bo", "password-link", {});
  expect(response.msg).toBe(passwordSignInOff().message);
});

test("a passkey that checks its user confirms once", async () => {
  const ada = await signedIn("ada");
  const key = new Authenticator(testServer.url);
  const created = await ada.request("POST /account/passkeys/options/", {
    name: "k",
    password: PASSWORD,
  });
  const credential = await key.create(created.options);
  await ada.request("POST /account/passkeys/", { name: "k", ticket: created.ticket, credential });
  const start = () => ada.request("POST /account/confirmation/");

  const unverified = await start();
  expect(unverified).toMatchObject({ has_password: true });
  expect(unverified.options.userVerification).toBe("required");
  const assertion = await key.get(unverified.options);
  expect(
    await expectRefused(ada, "bo", "sign-out", {
      ticket: unverified.ticket,
      credential: assertion,
    }),
  ).toMatchObject({ msg: passkeyInvalid().message });

  key.isVerifying = true;
  const { ticket, options } = await start();
  const proof = { ticket, credential: await key.get(options) };
  await post(ada, "bo", "sign-out", proof);
  expect((await expectRefused(ada, "bo", "sign-out", proof)).msg).toBe(signInExpired().message);
  const olga = await signedIn("olga");
  const other = await start();
  const stolen = { ticket: other.ticket, credential: await key.get(other.options) };
  expect((await expectRefused(olga, "bo", "sign-out", stolen)).msg).toBe(signInExpired().message);
});

test("rejects an administrator who lost the role while the password was checked", async () => {
  const { realm } = testServer;
  await signedIn("bo");
  const before = realm.read.users.get(testServer.idOf("ada"))!;
  await testServer.request("olga", `PATCH /users/${before.user_id}`, { role: 400 });
  const lateSignOut = realm.write((tx) => signOutEverywhere(tx, before, testServer.idOf("bo")));
  await expect(lateSignOut).rejects.toThrow(insufficientPermission().message);
  expect(realm.read.sessions.listBy("user", testServer.idOf("bo"))).toHaveLength(1);
});

test("explains on the sign-in page why a session ended, only to its browser", async () => {
  const [olga, bo, ada] = [await signedIn("olga"), await signedIn("bo"), await signedIn("ada")];
  const otherBrowser = new Browser(testServer);
  const loginPageText = async (browser: Browser) => (await browser.open("/login/?ended=1")).text;
  await post(olga, "bo", "sign-out");
  expect(await loginPageText(bo)).toContain("An administrator signed you out on all devices.");
  await bo.signIn("bo");
  await bo.open("/");
  await testServer.request("olga", `DELETE /users/${testServer.idOf("bo")}`);
  await testServer.realm.write((tx) => endSessionsOf(tx, testServer.idOf("ada")));
  expect(await loginPageText(bo)).toContain("Your account was deactivated.");
  expect((await bo.open("/login/")).text).toContain("Your account was deactivated.");
  for (const other of [ada, otherBrowser]) {
    const text = await loginPageText(other);
    expect(text).toContain("You are signed out. Sign in to continue.");
    expect(text).not.toContain("deactivated");
  }
  await testServer.request("olga", `POST /users/${testServer.idOf("bo")}/reactivate`);
  expect(await loginPageText(bo)).toContain("You are signed out. Sign in to continue.");
});
