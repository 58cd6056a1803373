// Invitations by address and link, which their creators and administrators see and revoke.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import { purgeInvitations } from "../../src/features/invitations/revoke.ts";
import { addressesIn, INVITATIONS_OPEN_MAX } from "../../src/features/invitations/rules.ts";
import type { RealmSettings } from "../../src/schema/records.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const POST = "POST /invites";
const LINK = "POST /invites/multiuse";
const invite = (requester: Name, invitee_emails: string, params: Params = {}) =>
  testServer.request(requester, POST, { invitee_emails, stream_ids: [], ...params });
const listInvitations = async (name: Name) =>
  (await testServer.request(name, "GET /invites")).invites;
const idOf = (name: string) => testServer.realm.read.channels.findBy("name", name)!.stream_id;
const statusOf = async (url: string) => (await fetch(url)).status;

async function expectRefused(
  refusal: errors.Refusal,
  requester: Name,
  line: string,
  params: Params = {},
) {
  const { errCode: code, status, message: msg, extra } = refusal;
  expect(await testServer.refused(requester, line, params)).toMatchObject({
    status,
    code,
    msg,
    ...extra,
  });
}

async function changeSettings(change: Partial<RealmSettings>) {
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, ...change } });
  });
}

const groupId = (name: string) => testServer.realm.read.groups.findBy("name", name)!.id;

test("invites users by address, and returns their links to the inviter", async () => {
  const names = ["bo", "ada", "cy"] as const;
  const { result, events } = await staysInSync(testServer, names, () =>
    invite("bo", "Nia <nia@example.com>, noa@example.com\nNIA@example.com,\n"),
  );
  expect(events.bo).toMatchObject([{ type: "invites_changed" }]);
  expect(events.ada).toMatchObject([{ type: "invites_changed" }]);
  expect(events.cy).toEqual([]);
  const { invite_links } = result;
  expect(invite_links).toMatchObject([{ email: "nia@example.com" }, { email: "noa@example.com" }]);
  expect(await statusOf(invite_links[0].invite_link)).toBe(200);

  const nia = {
    id: expect.any(Number),
    invited_by_user_id: testServer.idOf("bo"),
    invited: expect.any(Number),
    expiry_date: expect.any(Number),
    invited_as: 400,
    is_multiuse: false,
    email: "nia@example.com",
    notify_referrer_on_join: true,
    link_url: invite_links[0].invite_link,
  };
  const invites = await listInvitations("bo");
  expect(invites[0]).toEqual(nia);
  expect(invites[0].expiry_date - invites[0].invited).toBe(14_400 * 60);
  expect(await listInvitations("ada")).toEqual(invites);
  expect(await listInvitations("cy")).toEqual([]);
  const database = readFileSync(join(testServer.directory, "data", "data.mdb"));
  expect(database.includes(invite_links[0].invite_link.split("/").at(-2))).toBe(false);
});

test("creates a link for permitted users, which works until it is revoked", async () => {
  await expectRefused(channelErrors.insufficientPermission(), "bo", LINK);
  const { result } = await staysInSync(testServer, ["ada"], () =>
    testServer.request("ada", LINK, {
      invite_expires_in_minutes: null,
      stream_ids: [idOf("general")],
    }),
  );
  const { invite_link: link_url } = result;
  expect(link_url).toMatch(/\/join\/\w{32}\/$/);
  const [link] = (await listInvitations("ada")).filter((params: Params) => params["is_multiuse"]);
  expect(link).toEqual({
    id: link.id,
    invited_by_user_id: testServer.idOf("ada"),
    invited: expect.any(Number),
    expiry_date: null,
    invited_as: 400,
    is_multiuse: true,
    link_url,
  });
  expect(await statusOf(link_url)).toBe(200);
  const line = `DELETE /invites/multiuse/${link.id}`;
  await expectRefused(peopleErrors.administratorRequired(), "bo", line);
  const { events } = await staysInSync(testServer, ["olga", "bo"], () =>
    testServer.request("olga", line),
  );
  expect(events.olga).toMatchObject([{ type: "invites_changed" }]);
  expect(events.bo).toEqual([]);
  expect(await statusOf(link_url)).toBe(410);
  await expectRefused(peopleErrors.invitationAlreadyRevoked(), "ada", line);
  await expectRefused(peopleErrors.invitationNotFound(), "ada", "DELETE /invites/multiuse/9999");
});

test("lets its creator or an administrator list and revoke an invitation", async () => {
  const { invite_links } = await invite("bo", "ned@example.com");
  const { id } = (await listInvitations("bo")).at(-1);
  const resend = `POST /invites/${id}/resend`;
  const before = await listInvitations("bo");
  const { result, events } = await staysInSync(testServer, ["bo"], () =>
    testServer.request("bo", resend),
  );
  expect(result.invite_link).toBe(invite_links[0].invite_link);
  expect(events.bo).toEqual([]);
  expect(await listInvitations("bo")).toEqual(before);

  const line = `DELETE /invites/${id}`;
  await expectRefused(peopleErrors.administratorRequired(), "cy", resend);
  await expectRefused(peopleErrors.administratorRequired(), "cy", line);
  await expectRefused(peopleErrors.administratorRequired(), "cy", "DELETE /invites/9999");
  await expectRefused(errors.guestsNotAllowed(), "gus", "GET /invites");
  await expectRefused(errors.botsNotAllowed(), "bot", "GET /invites");
  await staysInSync(testServer, ["bo", "ada"], () => testServer.request("bo", line));
  await expectRefused(peopleErrors.invitationNotFound(), "bo", line);
  await expectRefused(peopleErrors.invitationNotFound(), "bo", resend);
  expect(await statusOf(invite_links[0].invite_link)).toBe(410);
});

test("lets only owners invite owners, and hides such links from lower roles", async () => {
  const outsider = { invitee_emails: "x@example.com", stream_ids: [] };
  const cases: [Name, number, errors.Refusal][] = [
    ["ada", 100, peopleErrors.ownerRequired()],
    ["mo", 200, peopleErrors.administratorRequired()],
    ["mo", 300, peopleErrors.administratorRequired()],
    ["olga", 500, channelErrors.invalidValue("invite_as")],
  ];
  for (const [requester, invite_as, refusal] of cases) {
    await expectRefused(refusal, requester, POST, { ...outsider, invite_as });
  }
  const { invite_links } = await invite("olga", "oto@example.com", { invite_as: 100 });
  const { id } = (await listInvitations("olga")).at(-1);
  expect(JSON.stringify(await listInvitations("ada"))).not.toContain("oto@example.com");
  await expectRefused(peopleErrors.ownerRequired(), "ada", `DELETE /invites/${id}`);
  await expectRefused(peopleErrors.ownerRequired(), "ada", `POST /invites/${id}/resend`);
  expect(await statusOf(invite_links[0].invite_link)).toBe(200);

  const { invite_link } = await testServer.request("ada", LINK, { invite_as: 200 });
  await testServer.request("olga", `PATCH /users/${testServer.idOf("ada")}`, { role: 400 });
  expect(await statusOf(invite_link)).toBe(410);
  expect(JSON.stringify(await listInvitations("ada"))).not.toContain(invite_link);
  await testServer.request("olga", `PATCH /users/${testServer.idOf("ada")}`, { role: 200 });
});

test("rejects an invitation as a whole if it names something invalid", async () => {
  const emails = { invitee_emails: "x@example.com", stream_ids: [] };
  await testServer.request("ada", "POST /channels/create", {
    ...{ name: "cellar", subscribers: [testServer.idOf("ada")], invite_only: true },
  });
  const cases: [Params, errors.Refusal][] = [
    [{ invitee_emails: " ,\n" }, peopleErrors.inviteesMissing()],
    [{ stream_ids: [9999] }, peopleErrors.invitedChannelNotFound(9999)],
    [{ stream_ids: [idOf("cellar")] }, peopleErrors.invitedChannelNotFound(idOf("cellar"))],
    [{ group_ids: [9999] }, channelErrors.groupNotFound()],
    [{ group_ids: [groupId("role:members")] }, channelErrors.insufficientPermission()],
    [{ invite_expires_in_minutes: 0 }, channelErrors.invalidValue("invite_expires_in_minutes")],
    [{ welcome_message_custom_text: "hi" }, peopleErrors.administratorRequired()],
  ];
  for (const [wrong, refusal] of cases) {
    await expectRefused(refusal, "bo", POST, { ...emails, ...wrong });
  }
  const long = { ...emails, welcome_message_custom_text: "w".repeat(8001) };
  const tooLong = channelErrors.tooLong("welcome_message_custom_text", 8000);
  await expectRefused(tooLong, "ada", POST, long);
  await expectRefused(errors.missingParameter("stream_ids"), "bo", POST, {
    invitee_emails: "x@example.com",
  });
});

test("requires permission to subscribe users to invite into a non-public channel", async () => {
  await testServer.request("bo", "POST /channels/create", { name: "garden", subscribers: [] });
  const emails = { invitee_emails: "gil@example.com" };
  await changeSettings({ can_add_subscribers_group: groupId("role:administrators") });
  const garden = { ...emails, stream_ids: [idOf("garden")] };
  await expectRefused(peopleErrors.subscribingOthersNotAllowed(), "cy", POST, garden);
  await testServer.request("cy", POST, { ...emails, stream_ids: [idOf("general")] });
  await changeSettings({ can_add_subscribers_group: groupId("role:members") });
  await testServer.request("cy", POST, garden);
});

test("skips addresses with an account and invites the others", async () => {
  await testServer.request("ada", `DELETE /users/${testServer.idOf("gus")}`);
  const cy = ["cy@example.com", "Already has an account.", false] as const;
  const gus = ["gus@example.com", "Account has been deactivated.", true] as const;
  const bad = ["no address", peopleErrors.emailInvalid().message, false] as const;
  const request = (invitee_emails: string) => ({ invitee_emails, stream_ids: [] });
  const wrong = "Some emails did not validate, so we didn't send any invitations.";
  const refusal = peopleErrors.invitationsFailed(wrong, [bad]);
  await expectRefused(refusal, "bo", POST, request("no address,cy@example.com,p@example.com"));
  const none = peopleErrors.invitationsFailed("We weren't able to invite anyone.", [cy, gus]);
  await expectRefused(none, "bo", POST, request("cy@example.com,gus@example.com"));
  expect(JSON.stringify(await listInvitations("bo"))).not.toContain("p@example.com");

  const part = await testServer.refused("bo", POST, request("cy@example.com,pat@example.com"));
  expect(part).toMatchObject({
    code: "INVITATION_FAILED",
    errors: [cy],
    sent_invitations: true,
    daily_limit_reached: false,
    license_limit_reached: false,
    invite_links: [{ email: "pat@example.com" }],
  });
  expect((await listInvitations("bo")).at(-1)).toMatchObject({ email: "pat@example.com" });
});

test("rejects addresses that the organization does not allow", async () => {
  await changeSettings({ emails_restricted_to_domains: true });
  const reason = realmErrors.emailNotAllowed("x@example.com").message;
  const wrong = "Some emails did not validate, so we didn't send any invitations.";
  const refusal = peopleErrors.invitationsFailed(wrong, [["x@example.com", reason, false]]);
  await expectRefused(refusal, "ada", POST, { invitee_emails: "x@example.com", stream_ids: [] });
  await changeSettings({ emails_restricted_to_domains: false });
});

test("limits open invitations per user", async () => {
  const tooMany = Array.from({ length: INVITATIONS_OPEN_MAX + 1 }, (_, n) => `p${n}@example.com`);
  const params = { invitee_emails: tooMany.join(), stream_ids: [] };
  await expectRefused(peopleErrors.invitationsTooMany(INVITATIONS_OPEN_MAX), "mo", POST, params);
  await invite("bo", "nia@example.com");
  await testServer.realm.write((tx) => {
    const [invitation] = tx.invitations.listBy("inviter", testServer.idOf("bo"));
    for (let n = 0; n < INVITATIONS_OPEN_MAX; n++) {
      const hash = `of mo ${n}`;
      tx.invitations.put({
        ...invitation!,
        id: 5000 + n,
        hash,
        invited_by_user_id: testServer.idOf("mo"),
      });
    }
  });
  const invitation = { invitee_emails: "x@example.com", stream_ids: [] };
  await expectRefused(
    peopleErrors.invitationsTooMany(INVITATIONS_OPEN_MAX),
    "mo",
    POST,
    invitation,
  );
  await testServer.realm.write((tx) => {
    for (let n = 0; n < INVITATIONS_OPEN_MAX; n++) tx.invitations.delete("email", 5000 + n);
  });
});

test("rejects invitations of new accounts if anyone can sign up", async () => {
  await changeSettings({ invite_required: false });
  const params = { invitee_emails: "x@example.com", stream_ids: [] };
  const recent = "Your account is too new to send invites for this organization.";
  await expectRefused(peopleErrors.invitationsFailed(recent, []), "bo", POST, params);
  await invite("ada", "xa@example.com");
  await changeSettings({ invite_required: true });
});

test("ends an invitation at its expiry and with its creator's account", async () => {
  const short = { invite_expires_in_minutes: 1 };
  const { invite_links } = await invite("cy", "late@example.com", short);
  const own = await invite("cy", "sad@example.com", { invite_expires_in_minutes: null });
  testServer.clock.passSeconds(61);
  expect(await statusOf(invite_links[0].invite_link)).toBe(410);
  expect(JSON.stringify(await listInvitations("cy"))).not.toContain("late@example.com");
  expect(await statusOf(own.invite_links[0].invite_link)).toBe(200);

  const { events } = await staysInSync(testServer, ["ada", "bo"], () =>
    testServer.request("ada", `DELETE /users/${testServer.idOf("cy")}`),
  );
  expect(events.ada![0]).toMatchObject({ type: "invites_changed" });
  expect(events.bo!.some(({ type }) => type === "invites_changed")).toBe(false);
  await testServer.request("ada", `POST /users/${testServer.idOf("cy")}/reactivate`);
  expect(await statusOf(own.invite_links[0].invite_link)).toBe(410);

  const before = testServer.realm.read.invitations.count();
  testServer.clock.passSeconds(41 * 86_400);
  await purgeInvitations(testServer.realm);
  const invitations = [...testServer.realm.read.invitations.range()];
  expect(invitations.length).toBeLessThan(before);
  expect(invitations.every(({ revoked, expiry_date }) => !revoked && !expiry_date)).toBe(true);
});

test("finds addresses in pasted text, and reports invalid ones", () => {
  expect(addressesIn("bo@x.com; Cy@x.com,  bo@X.com\r\ndee@x.com eve@x.com")).toEqual([
    "bo@x.com",
    "Cy@x.com",
    "dee@x.com",
    "eve@x.com",
  ]);
  // Email programs write addresses like this, with the address as the name if they know none.
  const namedAddresses = '"bo@x.com" <bo@x.com>, Cy Ma < cy@x.com > Dee <dee@x.com>';
  expect(addressesIn(namedAddresses)).toEqual(["bo@x.com", "cy@x.com", "dee@x.com"]);
  expect(addressesIn("Bo Ruiz, bo@x.com Bo, ,")).toEqual(["Bo Ruiz", "bo@x.com Bo"]);
  const long = "<a@".repeat(200_000);
  expect(addressesIn(long)).toEqual([long]);
});
