// Messages that cause an email notification, and those that do not.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { MUTED, FOLLOWED, UNMUTED } from "../../src/contract/policies.ts";
import { enqueueMissed } from "../../src/features/notifications/enqueue.ts";
import { CAST, emailOf, type Name } from "../users.ts";
import { deliverDueMail, startTestServerWithMail, type MailServer } from "../mail/mail-server.ts";
import type { Params, TestServer } from "../test-server.ts";

let testServer: TestServer;
let mailServer: MailServer;
let topic = "";
let count = 0;
beforeEach(async () => {
  ({ testServer, mailServer } = await startTestServerWithMail());
  await testServer.request("ada", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "general" }],
    principals: [testServer.idOf("gus")],
  });
});
beforeEach(() => {
  topic = `topic ${++count}`;
});
afterEach(async () => {
  await testServer.close();
  await mailServer.close();
});

const REASON = /because (.*)\.$/m;
const generalId = () => testServer.realm.read.channels.findBy("name", "general")!.stream_id;
const post = async (name: Name, content: string, to = "general") =>
  (await testServer.request(name, "POST /messages", { type: "stream", to, topic, content }))
    .id as number;
const set = (name: Name, settings: Params) => testServer.request(name, "PATCH /settings", settings);
const follow = (name: Name, visibility_policy: number) =>
  testServer.request(name, "POST /user_topics", {
    stream_id: generalId(),
    topic,
    visibility_policy,
  });
const property = (userName: Name, name: string, value: boolean) =>
  testServer.request(userName, "POST /users/me/subscriptions/properties", {
    subscription_data: [{ stream_id: generalId(), property: name, value }],
  });

/** Returns which users get an email about the messages since then, and why. */
async function notifiedUsers(): Promise<Partial<Record<Name, string>>> {
  const before = mailServer.received.length;
  await enqueueMissed(testServer.realm);
  testServer.clock.passSeconds(120);
  await deliverDueMail(testServer);
  const names = Object.keys(CAST) as Name[];
  const characters = mailServer.received.slice(before).map(({ to, mail }) => {
    const name = names.find((name) => emailOf(name) === to)!;
    return [name, REASON.exec(mail.text!)![1]!] as const;
  });
  expect(new Set(characters.map(([name]) => name)).size).toBe(characters.length);
  return Object.fromEntries(characters);
}

const MENTIONED = "you were mentioned";
const FOLLOW_REASON = "you follow this topic";
const GROUP = "a group you belong to was mentioned";
const EVERYONE = "everyone was mentioned";
const ALL = "you have email notifications enabled for this channel";

test("does not notify about a plain message in a channel", async () => {
  await post("bo", "hello");
  expect(await notifiedUsers()).toEqual({});
});

test("notifies about a mention by name, but not a silent or own one", async () => {
  await post("bo", "@**Cy Member** and @_**Ada Admin** and @**Bo Member** and @**Botty**");
  expect(await notifiedUsers()).toEqual({ cy: MENTIONED });
});

test("notifies guests too, but not of channels that they cannot read", async () => {
  await post("bo", "@**Gus Guest**");
  expect(await notifiedUsers()).toEqual({ gus: MENTIONED });
  await post("bo", "@**Gus Guest** @**Ada Admin**", "sandbox");
  expect(await notifiedUsers()).toEqual({ ada: MENTIONED });
});

test("does not notify users who have left the channel", async () => {
  await post("bo", "@**Mo Moderator**");
  await testServer.request("mo", "DELETE /users/me/subscriptions", { subscriptions: ["general"] });
  expect(await notifiedUsers()).toEqual({});
  await testServer.request("mo", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "general" }],
  });
});

test("notifies the members of a mentioned group", async () => {
  await testServer.request("ada", "POST /user_groups/create", {
    ...{ name: "cooks", description: "", members: [testServer.idOf("cy"), testServer.idOf("bo")] },
  });
  await post("bo", "@*cooks*");
  expect(await notifiedUsers()).toEqual({ cy: GROUP });
});

test("notifies about a mention of everyone if users want it", async () => {
  await set("mo", { wildcard_mentions_notify: false });
  await property("gus", "wildcard_mentions_notify", false);
  await follow("olga", MUTED);
  await post("bo", "@**all**");
  expect(await notifiedUsers()).toEqual({ ada: EVERYONE, cy: EVERYONE });
  await set("mo", { wildcard_mentions_notify: true });
  await property("gus", "wildcard_mentions_notify", true);
});

test("notifies about a topic mention", async () => {
  await set("cy", { automatically_follow_topics_policy: 4 });
  await post("cy", "mine");
  await notifiedUsers();
  await post("bo", "@**topic**");
  expect(await notifiedUsers()).toEqual({ cy: EVERYONE });
});

test("notifies about all messages of a followed topic unless the user disabled it", async () => {
  await follow("cy", FOLLOWED);
  await follow("ada", FOLLOWED);
  await follow("mo", UNMUTED);
  await set("ada", { enable_followed_topic_email_notifications: false });
  await post("bo", "news");
  expect(await notifiedUsers()).toEqual({ cy: FOLLOW_REASON });
});

test("notifies about all messages of a channel, by its own setting or the global one", async () => {
  await property("cy", "email_notifications", true);
  await set("mo", { enable_stream_email_notifications: true });
  await set("ada", { enable_stream_email_notifications: true });
  await property("ada", "email_notifications", false);
  await post("bo", "news");
  expect(await notifiedUsers()).toEqual({ cy: ALL, mo: ALL });
  await property("cy", "email_notifications", false);
  await set("mo", { enable_stream_email_notifications: false });
});

test("does not notify about muted topics, except for mentions by name", async () => {
  await property("cy", "email_notifications", true);
  await property("cy", "is_muted", true);
  await post("bo", "news");
  await post("bo", "@**all**");
  expect((await notifiedUsers()).cy).toBeUndefined();
  await post("bo", "@**Cy Member**");
  expect(await notifiedUsers()).toEqual({ cy: MENTIONED });
  await follow("cy", UNMUTED);
  await post("bo", "news");
  expect(await notifiedUsers()).toEqual({ cy: ALL });
  await property("cy", "is_muted", false);
  await property("cy", "email_notifications", false);
});

test("does not notify about messages of muted users", async () => {
  await testServer.request("cy", `POST /users/me/muted_users/${testServer.idOf("bo")}`);
  await post("bo", "@**Cy Member**");
  expect(await notifiedUsers()).toEqual({});
  await testServer.request("cy", `DELETE /users/me/muted_users/${testServer.idOf("bo")}`);
});

test("does not notify users who disabled emails for mentions and direct messages", async () => {
  await set("cy", { automatically_follow_topics_where_mentioned: false });
  await set("cy", { enable_offline_email_notifications: false });
  await post("bo", "@**Cy Member** @**all**");
  await testServer.request("bo", "POST /messages", {
    ...{ type: "direct", to: [testServer.idOf("cy")], content: "hello" },
  });
  expect((await notifiedUsers()).cy).toBeUndefined();
  await set("cy", { enable_offline_email_notifications: true });
});

test("notifies users mentioned by an edit, once", async () => {
  const message_id = await post("bo", "@**Cy Member**");
  expect(await notifiedUsers()).toEqual({ cy: MENTIONED });
  const content = "@**Cy Member** @**Mo Moderator**";
  await testServer.request("bo", `PATCH /messages/${message_id}`, { content });
  expect(await notifiedUsers()).toEqual({ mo: MENTIONED });
  await testServer.request("bo", `PATCH /messages/${message_id}`, { content: `${content}!` });
  expect(await notifiedUsers()).toEqual({});
});

test("does not notify about messages that are old when they are processed", async () => {
  await post("bo", "@**Cy Member**");
  testServer.clock.passSeconds(2 * 3_600);
  expect(await notifiedUsers()).toEqual({});
});

test("stops at a deactivated account or an archived channel", async () => {
  await post("bo", "@**Cy Member** @**Mo Moderator**");
  await post("ada", "@**Mo Moderator**", "sandbox");
  await enqueueMissed(testServer.realm);
  await testServer.request("olga", `DELETE /users/${testServer.idOf("cy")}`);
  const { stream_id } = testServer.realm.read.channels.findBy("name", "sandbox")!;
  await testServer.request("ada", `DELETE /streams/${stream_id}`);
  expect(await notifiedUsers()).toEqual({ mo: MENTIONED });
});
