// Emails about missed messages: when they are sent, and what they may contain.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { enqueueMissed } from "../../src/features/notifications/enqueue.ts";
import type { Name } from "../users.ts";
import { emailOf } from "../users.ts";
import { deliverDueMail, startTestServerWithMail, type MailServer } from "../mail/mail-server.ts";
import type { Params, TestServer } from "../test-server.ts";

let testServer: TestServer;
let mailServer: MailServer;
beforeEach(async () => {
  ({ testServer, mailServer } = await startTestServerWithMail());
});
afterEach(async () => {
  await testServer.close();
  await mailServer.close();
});

const DELAY = 120;
const post = async (name: Name, content: string, topic = "plans", to = "general") =>
  (await testServer.request(name, "POST /messages", { type: "stream", to, topic, content })).id;
const notify = async (name: Name, to: Name[], content: string) =>
  (
    await testServer.request(name, "POST /messages", {
      type: "direct",
      to: to.map(testServer.idOf, testServer),
      content,
    })
  ).id;
const set = (name: Name, settings: Params) => testServer.request(name, "PATCH /settings", settings);
const subjects = (name: Name) => mailServer.mailTo(emailOf(name)).map(({ mail }) => mail.subject);

/** Runs the job for all messages sent, after the delay has passed. */
async function deliverLater(seconds = DELAY) {
  await enqueueMissed(testServer.realm);
  testServer.clock.passSeconds(seconds);
  await deliverDueMail(testServer);
}

test("sends one email about all missed messages of a conversation", async () => {
  const first = await notify("bo", ["cy"], "Are you **there**?");
  testServer.clock.passSeconds(30);
  await notify("bo", ["cy"], "Hello? <b>&");
  await notify("ada", ["cy", "mo"], "Group matters");
  await deliverLater();
  expect(subjects("cy").sort()).toEqual([
    "Group messages with Ada Admin, Mo Moderator",
    "Messages from Bo Member",
  ]);
  const { mail } = mailServer.received.find((received) =>
    received.mail.subject!.endsWith("Bo Member"),
  )!;
  expect(mail.from!.value[0]!.name).toBe("Bo Member (Town)");
  expect(mail.text).toContain("Bo Member:\nAre you there?");
  expect(mail.text).toContain("Hello? <b>&");
  expect(mail.html).toContain("Are you <strong>there</strong>?");
  expect(mail.html).toContain("Hello? &lt;b&gt;&amp;");
  expect(mail.text).toContain(`${testServer.url}/#narrow/dm/`);
  expect(mail.text).toContain(`/near/${first}`);
  expect(mail.text).toContain("because you received a direct message");
  expect(subjects("bo")).toEqual([]);
  expect(subjects("mo")).toEqual(["Group messages with Ada Admin, Cy Member"]);
});

test("groups emails of a conversation in the email program", async () => {
  for (const name of ["bo", "ada", "bo"] as const) {
    await notify(name, ["cy"], "Hello");
    await deliverLater();
  }
  const characters = mailServer.mailTo(emailOf("cy")).map(({ mail }) => mail);
  const [first, other, repeated] = characters.map(({ references }) => references);
  expect(first).toBe(repeated!);
  expect(first).not.toBe(other!);
  expect(characters.map(({ inReplyTo }) => inReplyTo)).toEqual([
    first,
    other,
    repeated,
  ] as string[]);
  expect(new Set(characters.map(({ messageId }) => messageId)).size).toBe(3);
});

test("omits messages that are read, deleted or inaccessible by then", async () => {
  const read = await notify("bo", ["cy"], "read");
  const deleted = await post("bo", "@**Cy Member** deleted");
  await post("bo", "@**Cy Member** moved away", "moved");
  await deliverLater(0);
  await testServer.request("cy", "POST /messages/flags", {
    messages: [read],
    op: "add",
    flag: "read",
  });
  await testServer.request("ada", `DELETE /messages/${deleted}`);
  await testServer.request("ada", "POST /channels/create", {
    ...{ name: "cellar", subscribers: [testServer.idOf("ada")], invite_only: true },
  });
  const movedId = await post("bo", "more", "moved");
  const cellar = testServer.realm.read.channels.findBy("name", "cellar")!.stream_id;
  await testServer.request("ada", `PATCH /messages/${movedId}`, {
    ...{ stream_id: cellar, propagate_mode: "change_all" },
  });
  await deliverLater();
  expect(subjects("cy")).toEqual([]);
});

test("considers changes while an email waits for the mail server", async () => {
  mailServer.refusalCodeFor = () => 451;
  const id = await notify("bo", ["cy"], "a secret that was sent in error");
  await deliverLater();
  await testServer.request("ada", "PATCH /realm", {
    can_delete_any_message_group: {
      new: testServer.realm.read.groups.findBy("name", "role:administrators")!.id,
    },
  });
  await testServer.request("bo", `DELETE /messages/${id}`);
  mailServer.refusalCodeFor = () => undefined;
  await deliverLater();
  expect(mailServer.received).toEqual([]);
});

test("does not notify active users, unless they turn out to be away", async () => {
  await testServer.request("cy", "POST /users/me/presence", {
    status: "active",
    new_user_input: true,
  });
  await notify("bo", ["cy"], "psst");
  await deliverLater();
  expect(subjects("cy")).toEqual([]);
  testServer.clock.passSeconds(DELAY);
  await deliverDueMail(testServer);
  expect(subjects("cy")).toEqual(["Messages from Bo Member"]);
});

test("waits for the user's own delay, starting at the first message", async () => {
  await set("cy", { email_notifications_batching_period_seconds: 600 });
  await notify("bo", ["cy"], "one");
  await deliverLater(590);
  await notify("bo", ["cy"], "two");
  await enqueueMissed(testServer.realm);
  expect(subjects("cy")).toEqual([]);
  testServer.clock.passSeconds(11);
  await deliverDueMail(testServer);
  expect(mailServer.mailTo(emailOf("cy")).map(({ mail }) => mail.text!.includes("two"))).toEqual([
    true,
  ]);
  await deliverLater(600);
  expect(mailServer.mailTo(emailOf("cy"))).toHaveLength(1);
});

test("omits content for users or organizations that disabled it", async () => {
  await set("cy", { message_content_in_email_notifications: false });
  await notify("bo", ["cy"], "top secret");
  await deliverLater();
  await set("cy", { message_content_in_email_notifications: true });
  await testServer.request("ada", "PATCH /realm", {
    message_content_allowed_in_email_notifications: false,
  });
  await post("bo", "@**Cy Member** top secret", "hush hush");
  await deliverLater();
  const characters = mailServer.mailTo(emailOf("cy"));
  expect(subjects("cy")).toEqual(["New messages", "New messages"]);
  for (const { mail } of characters) {
    expect(`${mail.text}${String(mail.html)}${mail.from!.text}`).not.toMatch(
      /secret|hush|Bo Member/,
    );
  }
});

test("adds the name of the organization to the subject for users who want it", async () => {
  await set("cy", { realm_name_in_email_notifications_policy: 2 });
  await notify("bo", ["cy"], "hi");
  await deliverLater();
  expect(subjects("cy")).toEqual(["[Town] Messages from Bo Member"]);
});

test("sends waiting emails after a restart, and none twice", async () => {
  await notify("bo", ["cy"], "one");
  await enqueueMissed(testServer.realm);
  await notify("ada", ["cy"], "two");
  await testServer.restart();
  await deliverLater();
  await testServer.restart();
  await deliverLater();
  expect(subjects("cy").sort()).toEqual(["Messages from Ada Admin", "Messages from Bo Member"]);
});

test("unsubscribes from all with one click, including settings of single channels", async () => {
  const stream_id = testServer.realm.read.channels.findBy("name", "general")!.stream_id;
  await testServer.request("cy", "POST /users/me/subscriptions/properties", {
    subscription_data: [{ stream_id, property: "email_notifications", value: true }],
  });
  await post("bo", "to all");
  await deliverLater();
  const { mail } = mailServer.mailTo(emailOf("cy"))[0]!;
  const url = /\S+\/accounts\/unsubscribe\/missed_messages\/\S+/.exec(mail.text!)![0];
  expect((await fetch(url, { method: "POST" })).status).toBe(200);
  await notify("bo", ["cy"], "more");
  await post("bo", "@**Cy Member** more");
  await deliverLater();
  expect(mailServer.mailTo(emailOf("cy"))).toHaveLength(1);
});
