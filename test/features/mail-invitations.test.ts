// Invitations by email: the whole way from the invitation to the new account, and other emails.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import * as refusals from "../../src/contract/errors/people.ts";
import { REMINDED_SECONDS_BEFORE } from "../../src/features/invitations/rules.ts";
import {
  deliverDueMail,
  linkIn,
  startTestServerWithMail,
  type MailServer,
} from "../mail/mail-server.ts";
import { staysInSync } from "../sync.ts";
import { formOf, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let mailServer: MailServer;
beforeEach(async () => {
  ({ testServer, mailServer } = await startTestServerWithMail());
});
afterEach(async () => {
  await testServer.close();
  await mailServer.close();
});

const DAY = 86_400;
const PASSWORD = "correct horse battery";
const invite = (invitee_emails: string, params: Params = {}) =>
  testServer.request("ada", "POST /invites", { invitee_emails, stream_ids: [], ...params });
const listInvitations = async () => (await testServer.request("ada", "GET /invites")).invites;
const idOf = (name: string) => testServer.realm.read.channels.findBy("name", name)!.stream_id;
const userOf = (email: string) => testServer.realm.read.users.findBy("email", email);
const join = (link: string, full_name: string) =>
  fetch(link, { method: "POST", body: formOf({ full_name, password: PASSWORD }) });

test("joins a user with the emailed link, with the promised role and channels", async () => {
  await testServer.request("ada", "POST /channels/create", {
    ...{ name: "cellar", subscribers: [testServer.idOf("ada")], invite_only: true },
  });
  const { group_id } = await testServer.request("ada", "POST /user_groups/create", {
    ...{ name: "gardeners", description: "", members: [] },
  });
  const { result } = await staysInSync(testServer, ["ada", "bo"], () =>
    invite('"Nia the new" <nia@example.com>', {
      stream_ids: [idOf("cellar"), idOf("general")],
      group_ids: [group_id],
      invite_as: 300,
    }),
  );
  expect(result.invite_links).toBeUndefined();
  await deliverDueMail(testServer);

  const [email] = mailServer.mailTo("nia@example.com") as [MailServer["received"][number]];
  expect(mailServer.received).toHaveLength(1);
  expect(email.mail.subject).toBe("You are invited to join Town");
  expect(email.mail.from!.value[0]!.name).toBe("Ada Admin (Town)");
  expect(email.mail.headers.get("auto-submitted")).toBe("auto-generated");
  expect(email.mail.html).toContain(`<a href="${linkIn(email)}">`);
  const page = await fetch(linkIn(email));
  expect(await page.text()).toContain('value="nia@example.com"');
  expect((await join(linkIn(email), "Nia New")).status).toBe(200);

  const { user_id, role } = userOf("nia@example.com")!;
  expect(role).toBe(300);
  const subs = testServer.realm.read.subscriptions.listBy("user", user_id);
  expect(subs.map((sub) => sub.stream_id).sort()).toEqual([idOf("cellar"), idOf("general")].sort());
  const groups = testServer.realm.read.group_members.listBy("user", user_id);
  expect(groups.map((row) => row.group_id)).toEqual([group_id]);
  expect((await fetch(linkIn(email))).status).toBe(410);

  await deliverDueMail(testServer);
  const welcome = mailServer.mailTo("nia@example.com").at(-1)!;
  expect(welcome.mail.subject).toBe("Welcome to Town");
  expect(welcome.mail.text).toContain(testServer.url);
});

test("shows the link only in the email to the address", async () => {
  await invite("ned@example.com");
  const [invitation] = (await listInvitations()) as [Params];
  expect(invitation).toMatchObject({ email: "ned@example.com", is_multiuse: false });
  expect(invitation).not.toHaveProperty("link_url");
  await deliverDueMail(testServer);
  await testServer.request("ada", `POST /invites/${invitation["id"]}/resend`).then((response) => {
    expect(response.invite_link).toBeUndefined();
  });
  await deliverDueMail(testServer);
  const characters = mailServer.mailTo("ned@example.com");
  expect(characters).toHaveLength(2);
  expect(new Set(characters.map(linkIn)).size).toBe(1);
  expect(new Set(characters.map(({ mail }) => mail.messageId)).size).toBe(2);
});

test("does not send a waiting email after the invitation is revoked", async () => {
  mailServer.refusalCodeFor = () => 451;
  await invite("late@example.com");
  await deliverDueMail(testServer);
  mailServer.refusalCodeFor = () => undefined;
  const { id } = (await listInvitations()).find(
    ({ email }: Params) => email === "late@example.com",
  );
  await testServer.request("ada", `DELETE /invites/${id}`);
  testServer.clock.passSeconds(120);
  await deliverDueMail(testServer);
  expect(mailServer.mailTo("late@example.com")).toEqual([]);
});

test("reminds invited users two days before the end, and nobody else", async () => {
  await invite("slow@example.com\nquick@example.com");
  await invite("short@example.com", { invite_expires_in_minutes: REMINDED_SECONDS_BEFORE / 60 });
  await invite("ever@example.com", { invite_expires_in_minutes: null });
  await deliverDueMail(testServer);
  await join(linkIn(mailServer.mailTo("quick@example.com")[0]!), "Quick");
  testServer.clock.passSeconds(8 * DAY + 1);
  await deliverDueMail(testServer);
  const subjects = (name: string) => mailServer.mailTo(name).map(({ mail }) => mail.subject);
  const first = "You are invited to join Town";
  expect(subjects("slow@example.com")).toEqual([first, "Your invitation to Town expires soon"]);
  expect(subjects("quick@example.com")).toEqual([first, "Welcome to Town"]);
  expect(subjects("ever@example.com")).toEqual([first]);
  expect(linkIn(mailServer.mailTo("slow@example.com")[1]!)).toBe(
    linkIn(mailServer.mailTo("slow@example.com")[0]!),
  );
});

test("sends emails only to addresses without an account", async () => {
  const params = { invitee_emails: "bo@example.com, ola@example.com", stream_ids: [] };
  const refusal = await testServer.refused("ada", "POST /invites", params);
  expect(refusal).toMatchObject({
    code: peopleErrors.invitationsFailed("", []).errCode!,
    errors: [["bo@example.com", "Already has an account.", false]],
    sent_invitations: true,
  });
  expect(refusal["invite_links"]).toBeUndefined();
  await deliverDueMail(testServer);
  expect(mailServer.mailTo("ola@example.com")).toHaveLength(1);
  expect(mailServer.mailTo("bo@example.com")).toEqual([]);
});

test("sends no welcome email if the organization disabled it", async () => {
  await testServer.request("ada", "PATCH /realm", { send_welcome_emails: false });
  await invite("hush@example.com");
  await deliverDueMail(testServer);
  await join(linkIn(mailServer.mailTo("hush@example.com")[0]!), "Hush");
  await deliverDueMail(testServer);
  expect(mailServer.mailTo("hush@example.com")).toHaveLength(1);
});

test("shows administrators the welcome message as new users will see it", async () => {
  const line = "POST /realm/test_welcome_bot_custom_message";
  const words = { welcome_message_custom_text: "Good to **see** you" };
  const { result, events } = await staysInSync(testServer, ["ada", "bo"], () =>
    testServer.request("ada", line, words),
  );
  expect(events.ada).toMatchObject([
    { type: "message", message: { id: result.message_id, sender_full_name: "Welcome Bot" } },
  ]);
  expect(events.bo).toEqual([]);
  const { msg } = await testServer.refused("ada", line, { welcome_message_custom_text: " " });
  expect(msg).toBe(refusals.welcomeMessageEmpty().message);
  expect((await testServer.refused("bo", line, words)).code).toBe("UNAUTHORIZED_PRINCIPAL");
});
