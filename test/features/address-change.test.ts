// Changes of an email address take effect after confirmation by email.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import * as refusals from "../../src/contract/errors/people.ts";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import { CHANGES_BY_USER, confirmAddress } from "../../src/features/accounts/address.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { SIGN_IN_RECENT_SECONDS } from "../../src/features/passwords/confirm.ts";
import type { RealmSettings } from "../../src/schema/records.ts";
import { Browser, PASSWORD } from "../browser.ts";
import {
  deliverDueMail,
  linkIn,
  startTestServerWithMail,
  type MailServer,
} from "../mail/mail-server.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let mailServer: MailServer;
let hash: string;
beforeEach(async () => {
  ({ testServer, mailServer } = await startTestServerWithMail());
  hash = await hashPassword(PASSWORD);
  await setPasswords(testServer);
});
afterEach(async () => {
  await testServer.close();
  await mailServer.close();
});

const old_password = PASSWORD;
/** Callers with an API key must pass the password. */
const setPasswords = (server: TestServer) =>
  server.realm.write((tx) => {
    for (const name of ["bo", "cy", "mo", "ada", "olga"] as const) {
      tx.passwords.put({ user_id: server.idOf(name), hash });
    }
  });

const confirm = (link: string) => fetch(link, { method: "POST" });
type UserName = "ada" | "bo" | "cy" | "mo" | "olga";
const addressOf = (name: UserName, server = testServer) =>
  server.realm.read.users.get(server.idOf(name))!.delivery_email;

async function linkFor(name: UserName, email: string): Promise<string> {
  const response = await testServer.request(name, "PATCH /settings", { email, old_password });
  expect(response.confirm_link).toBeUndefined();
  await deliverDueMail(testServer);
  return linkIn(mailServer.mailTo(email).at(-1)!);
}

async function changeSettings(change: Partial<RealmSettings>) {
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, ...change } });
  });
}

const refusedAs = async (refusal: errors.Refusal, email: string, name: "bo" | "ada" = "bo") => {
  const { msg, code } = await testServer.refused(name, "PATCH /settings", { email, old_password });
  expect([msg, code]).toEqual([refusal.message, refusal.errCode!]);
};

test("sends the link to the new address, and the link changes the address once", async () => {
  const user_id = testServer.idOf("cy");
  await testServer.realm.write((tx) => {
    tx.users.put({ ...tx.users.get(user_id)!, avatar_source: "G" });
  });
  const link = await linkFor("cy", "cyra@example.com");
  expect(addressOf("cy")).toBe("cy@example.com");
  const page = await (await fetch(link)).text();
  expect(page).toContain("cyra@example.com");
  expect(addressOf("cy")).toBe("cy@example.com");

  const { events } = await staysInSync(testServer, ["bo", "ada", "gus"], async () => {
    expect((await confirm(link)).status).toBe(200);
  });
  expect(events.bo).toMatchObject([
    { type: "realm_user", person: { user_id, delivery_email: "cyra@example.com" } },
    { type: "realm_user", person: { user_id, avatar_source: "G", avatar_version: 2 } },
    { type: "realm_user", person: { user_id, new_email: "cyra@example.com" } },
  ]);
  expect((await confirm(link)).status).toBe(410);
  expect((await fetch(link)).status).toBe(410);
  await deliverDueMail(testServer);
  const notice = mailServer.mailTo("cy@example.com").at(-1)!;
  expect(notice.mail.subject).toBe("Your email address for Town was changed");
  expect(notice.mail.text).toContain("cyra@example.com");
});

test("sends the event of a hidden address only to users who may see it", async () => {
  await testServer.request("mo", "PATCH /settings", { email_address_visibility: 3 });
  const link = await linkFor("mo", "moritz@example.com");
  const { events } = await staysInSync(testServer, ["bo", "ada", "gus"], () => confirm(link));
  const person = { user_id: testServer.idOf("mo"), delivery_email: "moritz@example.com" };
  expect(events.ada).toMatchObject([{ type: "realm_user", op: "update", person }]);
  expect([events.bo, events.gus]).toEqual([[], []]);
});

test("accepts only the newest of several links, for at most a day", async () => {
  const first = await linkFor("bo", "one@example.com");
  const second = await linkFor("bo", "two@example.com");
  expect((await confirm(first)).status).toBe(410);
  testServer.clock.passSeconds(86_400);
  expect((await confirm(second)).status).toBe(410);
  const key = second.split("/").at(-2)!;
  const lateConfirmation = testServer.realm.write((tx) => confirmAddress(tx, key));
  await expect(lateConfirmation).rejects.toThrow(refusals.linkEnded().message);
  expect(addressOf("bo")).toBe("bo@example.com");
});

test("rejects an address that is taken, not allowed or invalid", async () => {
  await refusedAs(peopleErrors.emailTaken(), "ADA@example.com");
  await refusedAs(peopleErrors.emailInvalid(), "nowhere");
  await refusedAs(realmErrors.emailDisposable(), "bo@mailinator.com");
  await changeSettings({ emails_restricted_to_domains: true });
  await refusedAs(realmErrors.emailNotAllowed("bo@example.org"), "bo@example.org");
  await changeSettings({ emails_restricted_to_domains: false });
  const before = mailServer.received.length;
  expect(
    await testServer.request("bo", "PATCH /settings", { email: "bo@example.com", old_password }),
  ).toMatchObject({});
  await deliverDueMail(testServer);
  expect(mailServer.received.length).toBe(before);
});

test("lets only administrators change their address if changes are disabled", async () => {
  const link = await linkFor("bo", "bob@example.com");
  await changeSettings({ email_changes_disabled: true });
  await refusedAs(refusals.emailChangesDisabled(), "bobby@example.com");
  const latePage = await confirm(link);
  expect([latePage.status, await latePage.text()]).toEqual([
    400,
    expect.stringContaining(refusals.emailChangesDisabled().message),
  ]);
  await testServer.request("ada", "PATCH /settings", { email: "adele@example.com", old_password });
  await changeSettings({ email_changes_disabled: false });
});

test("does not take an address that another user has taken in the meantime", async () => {
  const link = await linkFor("bo", "wanted@example.com");
  await confirm(await linkFor("olga", "wanted@example.com"));
  const latePage = await confirm(link);
  expect([latePage.status, await latePage.text()]).toEqual([
    400,
    expect.stringContaining(peopleErrors.emailTaken().message),
  ]);
  expect(addressOf("bo")).toBe("bo@example.com");
});

test("rejects an unknown link", async () => {
  for (const key of ["x", "%00", "a".repeat(900)]) {
    const lines = [
      `GET //accounts/confirm_new_email/${key}/`,
      `POST //accounts/confirm_new_email/${key}/`,
    ];
    for (const line of lines) expect((await testServer.send(null, line)).status).toBe(410);
  }
});

/** Everything that a request to change the settings can change. */
const accountOf = (name: UserName, server = testServer) => {
  const { read } = server.realm;
  const user_id = server.idOf(name);
  const { full_name, settings } = read.users.get(user_id)!;
  return { full_name, settings, hash: read.passwords.get(user_id)!.hash };
};

test("limits address changes per hour, without other changes of a rejected request", async () => {
  const strict = await startTestServer({ mail: mailServer.config, rate_limits: true });
  await setPasswords(strict);
  const unchanged = accountOf("bo", strict);
  for (let call = 0; call < CHANGES_BY_USER[0].calls; call++) {
    await strict.request("bo", "PATCH /settings", { email: `bo${call}@example.com`, old_password });
  }
  const lateRefusal = await strict.refused("bo", "PATCH /settings", {
    ...{ email: "bo9@example.com", full_name: "Bo Renamed", old_password },
    ...{ new_password: `${PASSWORD} again`, timezone: "Europe/Berlin" },
  });
  const { errCode: code, status } = refusals.tooManyMails();
  expect(lateRefusal).toMatchObject({ status, code });
  expect(accountOf("bo", strict)).toEqual(unchanged);
  await strict.close();
});

test("returns the link to the caller if email is not configured", async () => {
  const quiet = await startTestServer();
  await setPasswords(quiet);
  const { confirm_link } = await quiet.request("bo", "PATCH /settings", {
    email: "bob@example.com",
    old_password,
  });
  expect((await confirm(confirm_link)).status).toBe(200);
  expect(addressOf("bo", quiet)).toBe("bob@example.com");
  await quiet.close();
});

test("requires a recent sign-in or a password to request a change", async () => {
  const email = "thief@example.com";
  const expected = { email, old_password: "wrong" };
  const before = mailServer.received.length;
  for (const old_password of ["", "wrong"]) {
    const refusal = await testServer.refused("ada", "PATCH /settings", { email, old_password });
    expect(refusal.msg).toBe(refusals.ownPasswordWrong().message);
  }
  const none = await testServer.refused("gus", "PATCH /settings", { email });
  expect(none.msg).toBe(refusals.signInTooOld().message);
  const browser = new Browser(testServer);
  await browser.open("/login/");
  const username = addressOf("ada");
  await browser.submit("/accounts/login/", { username, password: PASSWORD });
  expect((await browser.refused("PATCH /settings", expected)).status).toBe(400);
  testServer.clock.passSeconds(SIGN_IN_RECENT_SECONDS);
  expect((await browser.refused("PATCH /settings", { email })).status).toBe(400);
  await deliverDueMail(testServer);
  expect(mailServer.received.slice(before).filter(({ to }) => to === email)).toEqual([]);

  await browser.open("/accounts/logout/");
  await browser.submit("/accounts/logout/");
  await browser.open("/login/");
  await browser.submit("/accounts/login/", { username, password: PASSWORD });
  await browser.request("PATCH /settings", { email: "mona@example.com" });
});

test("notifies the former address, and a new password cancels the change", async () => {
  const previousAddress = addressOf("ada");
  const link = await linkFor("ada", "thief@example.com");
  const email = mailServer.mailTo(previousAddress).at(-1)!;
  expect(email.mail.subject).toBe("Email address change requested for your account in Town");
  expect(email.mail.text).toContain("thief@example.com");
  expect(email.mail.text).not.toContain(link);
  const new_password = `${PASSWORD} again`;
  await testServer.request("ada", "PATCH /settings", { old_password, new_password });
  expect((await confirm(link)).status).toBe(410);
  expect(addressOf("ada")).toBe(previousAddress);
});

test("a request with an invalid value changes nothing, and is not counted", async () => {
  const strict = await startTestServer({ mail: mailServer.config, rate_limits: true });
  await setPasswords(strict);
  const unchanged = accountOf("bo", strict);
  const new_password = `${PASSWORD} again`;
  const valid = { email: "bob@example.com", full_name: "Bob", timezone: "Europe/Berlin" };
  const invalidValues = [{ full_name: "x" }, { timezone: "Nowhere/Bad" }, { new_password: "weak" }];
  for (const invalid of invalidValues) {
    const params = { ...valid, old_password, new_password, ...invalid };
    expect(await strict.refused("bo", "PATCH /settings", params)).toMatchObject({ status: 400 });
    expect(accountOf("bo", strict)).toEqual(unchanged);
  }
  await strict.request("bo", "PATCH /settings", { ...valid, old_password, new_password });
  const changed = accountOf("bo", strict);
  expect(changed).toMatchObject({ full_name: "Bob", settings: { timezone: "Europe/Berlin" } });
  expect(changed.hash).not.toBe(unchanged.hash);
  await deliverDueMail(strict);
  expect((await confirm(linkIn(mailServer.mailTo(valid.email).at(-1)!))).status).toBe(200);
  expect(addressOf("bo", strict)).toBe(valid.email);
  await strict.close();
});
