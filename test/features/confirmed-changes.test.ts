// Administrators confirm their identity in a browser to change roles and to deactivate accounts.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { insufficientPermission, userIsDeactivated } from "../../src/contract/errors/channels.ts";
import { mustBeAdministrator } from "../../src/contract/errors/general.ts";
import {
  onlyOwnerStays,
  onlyOwnerStaysActive,
  ownerRequired,
  ownPasswordWrong,
  signInExpired,
  signInTooOld,
} from "../../src/contract/errors/people.ts";
import { createUser } from "../../src/features/accounts/actions.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { startSession } from "../../src/features/sessions/actions.ts";
import { csrfTokenOf } from "../../src/server/caller/session.ts";
import { Authenticator } from "../authenticator.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { deliverDueMail, startTestServerWithMail, type MailServer } from "../mail/mail-server.ts";
import type { Json, Params, TestServer } from "../test-server.ts";

let testServer: TestServer;
let mailServer: MailServer;
let hash: string;
beforeAll(async () => {
  ({ testServer, mailServer } = await startTestServerWithMail());
  hash = await hashPassword(PASSWORD);
});
afterAll(async () => {
  await testServer.close();
  await mailServer.close();
});

let created = 0;
/** Tests run in any order, so each has users of its own. */
function newUser(role = 400, extra: { password_hash?: string; signed_up?: boolean } = {}) {
  created += 1;
  const account = {
    email: `new${created}@example.com`,
    full_name: `New ${created}`,
    role,
    ...extra,
  };
  return testServer.realm.write((tx) => createUser(tx, { ...account, stream_ids: [] }));
}
const userOf = (user_id: number) => testServer.realm.read.users.get(user_id)!;

/** A session without the sign-in page, as after signing in with an identity provider. */
async function browserOf(user_id: number): Promise<Browser> {
  const { realm } = testServer;
  const token = await realm.write((tx) =>
    startSession(tx, tx.users.get(user_id)!, { user_agent: "x", method: "OIDC" }),
  );
  const browser = new Browser(testServer);
  browser.cookies.set("sessionid", token);
  browser.cookies.set("csrftoken", csrfTokenOf(token));
  return browser;
}

/** A new user with a password, in a browser. */
async function newBrowser(role: number) {
  const user = await newUser(role, { password_hash: hash });
  return { ...user, browser: await browserOf(user.user_id) };
}

async function actsOn(requester: Browser, user_id: number): Promise<string[]> {
  const { acts } = await requester.request("GET /audit/", {
    on: "user",
    on_id: `${user_id}`,
    num: 20,
  });
  return acts.map(({ act, actor_id }: Json) => `${act} by ${actor_id}`);
}

/** The direct messages that the user has received. */
async function noticesTo(user_id: number): Promise<string[]> {
  const narrow = JSON.stringify([{ operator: "is", operand: "dm" }]);
  const query = { anchor: "newest", num_before: 20, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await (await browserOf(user_id)).request("GET /messages", query);
  return messages.map(({ content }: Json) => content);
}

const WRONG_CONFIRMATIONS: readonly Params[] = [{}, { password: "wrong" }];

test("changes a role in a browser only with the administrator's password", async () => {
  const [requester, { user_id, delivery_email }] = [await newBrowser(200), await newUser()];
  const lines = [`PATCH /users/${user_id}`, `PATCH /users/${delivery_email}`];
  for (const line of lines) {
    for (const input of WRONG_CONFIRMATIONS) {
      const refusal = await requester.browser.refused(line, { role: 300, ...input });
      expect(refusal).toMatchObject({ code: "BAD_REQUEST", msg: ownPasswordWrong().message });
    }
  }
  expect(userOf(user_id).role).toBe(400);
  expect(await noticesTo(user_id)).toEqual([]);

  await requester.browser.request(lines[0]!, { role: 300, password: PASSWORD });
  expect(userOf(user_id).role).toBe(300);
  await requester.browser.request(lines[1]!, { role: 200, password: PASSWORD });
  expect(userOf(user_id).role).toBe(200);
  const name = `@_**${requester.full_name}|${requester.user_id}**`;
  expect(await noticesTo(user_id)).toEqual([
    `${name} changed your role to moderator.`,
    `${name} changed your role to administrator.`,
  ]);
  expect(await actsOn(requester.browser, user_id)).toContain(
    `user_role_changed by ${requester.user_id}`,
  );
  await deliverDueMail(testServer);
  const { mail } = mailServer.mailTo(delivery_email).at(-1)!;
  expect(mail.subject).toStartWith("Your role in");
  expect(mail.text).toContain(`${requester.full_name} changed your role to administrator.`);
});

test("deactivates a user in a browser only with the administrator's password", async () => {
  const [requester, { user_id, delivery_email }] = [await newBrowser(200), await newUser()];
  const theirBrowser = await browserOf(user_id);
  const line = `DELETE /users/${user_id}`;
  const requested = { deactivation_notification_comment: "Thank you" };
  for (const input of WRONG_CONFIRMATIONS) {
    const { msg } = await requester.browser.refused(line, { ...requested, ...input });
    expect(msg).toBe(ownPasswordWrong().message);
  }
  expect((await theirBrowser.fetch("GET /users/me")).status).toBe(200);
  const proof = { password: PASSWORD };
  await requester.browser.request(line, { ...requested, ...proof });
  expect(userOf(user_id).is_active).toBe(false);
  expect((await theirBrowser.fetch("GET /users/me")).status).toBe(401);
  expect(await actsOn(requester.browser, user_id)).toContain(
    `user_deactivated by ${requester.user_id}`,
  );
  expect((await requester.browser.refused(line, proof)).msg).toBe(userIsDeactivated().message);
  await deliverDueMail(testServer);
  expect(mailServer.mailTo(delivery_email).at(-1)!.mail.text).toContain("Thank you");
});

test("asks for the password to reactivate an administrator, but not for a member", async () => {
  const { browser } = await newBrowser(200);
  for (const [role, needsConfirmation] of [
    [400, false],
    [200, true],
  ] as const) {
    const { user_id } = await newUser(role);
    await testServer.request("olga", `DELETE /users/${user_id}`);
    const line = `POST /users/${user_id}/reactivate`;
    if (needsConfirmation)
      expect((await browser.refused(line)).msg).toBe(ownPasswordWrong().message);
    expect(userOf(user_id).is_active).toBe(false);
    await browser.request(line, needsConfirmation ? { password: PASSWORD } : {});
    expect(userOf(user_id).is_active).toBe(true);
  }
});

test("only owners reactivate owners in a browser, while an API key stays as in Zulip", async () => {
  const [ada, { user_id }] = [await newBrowser(200), await newUser(100)];
  const olga = await browserOf(testServer.idOf("olga"));
  const line = `POST /users/${user_id}/reactivate`;
  for (const requester of ["browser", "key"]) {
    await testServer.request("olga", `DELETE /users/${user_id}`);
    const { msg } = await ada.browser.refused(line, { password: PASSWORD });
    expect(msg).toBe(ownerRequired().message);
    expect(userOf(user_id).is_active).toBe(false);
    if (requester === "browser") await olga.request(line);
    else await testServer.request("ada", line);
    expect(userOf(user_id).is_active).toBe(true);
  }
  // The other tests have a single owner.
  await testServer.request("olga", `DELETE /users/${user_id}`);
});

test("asks for the password to change the role of a bot", async () => {
  const [{ browser }, bot_id] = [await newBrowser(200), testServer.idOf("bot")];
  for (const line of [`PATCH /bots/${bot_id}`, `PATCH /users/${bot_id}`]) {
    expect((await browser.refused(line, { role: 600 })).msg).toBe(ownPasswordWrong().message);
    await browser.request(line, { role: 600, password: PASSWORD });
    expect(userOf(bot_id).role).toBe(600);
    await testServer.request("ada", line, { role: 400 });
  }
  await browser.request(`PATCH /bots/${bot_id}`, { full_name: "Botty" });
});

test("asks for the password to invite an administrator, but not for a member", async () => {
  const { user_id, browser } = await newBrowser(200);
  const invitations = () => testServer.realm.read.invitations.listBy("inviter", user_id).length;
  const lines: [string, Params][] = [
    ["POST /invites/multiuse", {}],
    ["POST /invites", { invitee_emails: "ines@example.org", stream_ids: [] }],
  ];
  for (const [index, [line, params]] of lines.entries()) {
    const refusal = await browser.refused(line, { ...params, invite_as: 200 });
    expect(refusal.msg).toBe(ownPasswordWrong().message);
    expect(invitations()).toBe(2 * index);
    await browser.request(line, { ...params, invite_as: 200, password: PASSWORD });
    await browser.request(line, { ...params, invite_as: 400 });
    expect(invitations()).toBe(2 * index + 2);
    // The permission is checked first, and programs are not asked.
    expect((await browser.refused(line, { ...params, invite_as: 100 })).msg).toBe(
      ownerRequired().message,
    );
    await testServer.request("ada", line, { ...params, invite_as: 200 });
  }
});

test("asks for nothing to change a name, or if the role stays the same", async () => {
  const [{ browser }, { user_id }] = [await newBrowser(200), await newUser()];
  await browser.request(`PATCH /users/${user_id}`, { full_name: "New Name", role: 400 });
  expect(userOf(user_id).full_name).toBe("New Name");
  expect(await noticesTo(user_id)).toEqual([]);
});

test("programs with an API key change roles and deactivate users without a password", async () => {
  const { user_id, delivery_email } = await newUser();
  await testServer.request("ada", `PATCH /users/${user_id}`, { role: 300 });
  await testServer.request("ada", `PATCH /users/${delivery_email}`, { role: 200 });
  expect(userOf(user_id).role).toBe(200);
  expect(await noticesTo(user_id)).toEqual([]);
  await testServer.request("ada", `DELETE /users/${user_id}`);
  await testServer.request("ada", `POST /users/${user_id}/reactivate`);
  expect(userOf(user_id).is_active).toBe(true);
});

test("checks the permission before the identity, and the identity adds no permission", async () => {
  const [ada, mo, bo] = await Promise.all([200, 300, 400].map(newBrowser));
  const olga = await browserOf(testServer.idOf("olga"));
  const { user_id } = await newUser();
  const [onUser, onOwner] = [`/users/${user_id}`, `/users/${testServer.idOf("olga")}`];
  const refusals: [Browser, string, Params, string][] = [
    [ada!.browser, `PATCH ${onOwner}`, { role: 400 }, ownerRequired().message],
    [ada!.browser, `PATCH ${onUser}`, { role: 100 }, ownerRequired().message],
    [ada!.browser, `DELETE ${onOwner}`, {}, ownerRequired().message],
    [olga, `PATCH ${onOwner}`, { role: 400 }, onlyOwnerStays().message],
    [olga, `DELETE ${onOwner}`, {}, onlyOwnerStaysActive().message],
    ...[mo!, bo!].flatMap(({ browser }): [Browser, string, Params, string][] => [
      [browser, `PATCH ${onUser}`, { role: 300 }, insufficientPermission().message],
      [browser, `DELETE ${onUser}`, {}, insufficientPermission().message],
      [browser, `POST ${onUser}/reactivate`, {}, insufficientPermission().message],
    ]),
  ];
  for (const [requester, line, params, msg] of refusals) {
    for (const input of [{}, { password: PASSWORD }]) {
      expect((await requester.refused(line, { ...params, ...input })).msg).toBe(msg);
    }
  }
  expect(userOf(user_id)).toMatchObject({ role: 400, is_active: true });
});

test("asks moderators for the password to deactivate a new account", async () => {
  const { browser } = await newBrowser(300);
  const { user_id } = await newUser(400, { signed_up: true });
  const line = `DELETE /users/${user_id}`;
  expect((await browser.refused(line)).msg).toBe(ownPasswordWrong().message);
  await browser.request(line, { password: PASSWORD });
  expect(userOf(user_id).is_active).toBe(false);
});

test("administrators without a password must have signed in recently", async () => {
  const [requester, { user_id }] = [await newUser(200), await newUser()];
  const line = `PATCH /users/${user_id}`;
  await (await browserOf(requester.user_id)).request(line, { role: 300 });
  const oldBrowser = await browserOf(requester.user_id);
  await testServer.realm.write((tx) => {
    const [session] = tx.sessions.listBy("user", requester.user_id).slice(-1);
    tx.sessions.put({ ...session!, created: session!.created - 601 });
  });
  expect((await oldBrowser.refused(line, { role: 400 })).msg).toBe(signInTooOld().message);
  expect((await oldBrowser.refused(`DELETE /users/${user_id}`)).msg).toBe(signInTooOld().message);
  expect(userOf(user_id)).toMatchObject({ role: 300, is_active: true });
});

test("a passkey confirms one change", async () => {
  const [{ browser }, { user_id }] = [await newBrowser(200), await newUser()];
  const key = new Authenticator(testServer.url);
  key.isVerifying = true;
  const name = { name: "k", password: PASSWORD };
  const { options, ticket } = await browser.request("POST /account/passkeys/options/", name);
  const credential = await key.create(options);
  await browser.request("POST /account/passkeys/", { name: "k", ticket, credential });
  const confirmation = await browser.request("POST /account/confirmation/");
  const proof = { ticket: confirmation.ticket, credential: await key.get(confirmation.options) };
  await browser.request(`PATCH /users/${user_id}`, { role: 300, ...proof });
  expect(userOf(user_id).role).toBe(300);
  expect((await browser.refused(`DELETE /users/${user_id}`, proof)).msg).toBe(
    signInExpired().message,
  );
  expect(userOf(user_id).is_active).toBe(true);
});

test("shows administrators the last sign-ins, those of owners only to owners", async () => {
  const line = "GET /administration/users/sign-ins/";
  const [ada, mo, bo] = [await newBrowser(200), await newBrowser(300), await newUser()];
  const [olga, olga_id] = [await browserOf(testServer.idOf("olga")), testServer.idOf("olga")];
  const { now } = testServer.realm.read;
  await testServer.realm.write((tx) => {
    for (const user_id of [mo.user_id, olga_id]) tx.last_sign_ins.put({ user_id, at: now });
  });
  const shownTo = async (requester: Browser): Promise<Json[]> =>
    (await requester.request(line)).last_sign_ins;
  const idsOf = (all: Json[]) => all.map(({ user_id }) => user_id);
  expect(await shownTo(ada.browser)).toContainEqual({ user_id: mo.user_id, at: now });
  expect(idsOf(await shownTo(ada.browser))).not.toContain(olga_id);
  expect(idsOf(await shownTo(olga))).toContain(olga_id);
  expect(idsOf(await shownTo(olga))).not.toContain(bo.user_id);
  expect((await mo.browser.refused(line)).msg).toBe(mustBeAdministrator().message);
  expect((await testServer.send("olga", "GET //json/administration/users/sign-ins/")).status).toBe(
    401,
  );
});
