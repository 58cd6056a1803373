// Deleting messages: permission, events, and removal from every index.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";
import { expectExact, idsInBitmap } from "./compare-indexes.ts";

let testServer: TestServer;
let stream_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  stream_id = await make("garden", ["bo", "cy", "gus"]);
});
afterEach(() => testServer.close());

async function make(name: string, people: Name[], params: Params = {}): Promise<number> {
  const subscribers = people.map((name) => testServer.idOf(name));
  return (
    await testServer.request("ada", "POST /channels/create", { name, subscribers, ...params })
  ).id;
}

const post = async (name: Name, content = "words", to = stream_id, topic = "peas") =>
  (await testServer.request(name, "POST /messages", { type: "stream", to, topic, content }))
    .id as number;
const notify = async (name: Name, people: Name[], content = "words") => {
  const to = people.map((name) => testServer.idOf(name));
  return (await testServer.request(name, "POST /messages", { type: "direct", to, content }))
    .id as number;
};
const remove = (name: Name, id: number) => testServer.request(name, `DELETE /messages/${id}`);

async function expectRefused(refusal: errors.Refusal, requester: Name, id: number) {
  const { errCode: code, status, message: msg } = refusal;
  expect(await testServer.refused(requester, `DELETE /messages/${id}`)).toMatchObject({
    status,
    code,
    msg,
  });
}

const deletionEvents = (events: Json[] | undefined) =>
  (events ?? []).filter((event) => event.type === "delete_message");
const set = (settings: Params) =>
  testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, ...settings } });
  });
const groupNamed = (name: string) => testServer.realm.read.groups.findBy("name", name)!.id;

test("deletes an own message, with events to everyone who had it", async () => {
  await post("cy", "first");
  const id = await post("bo", "@**all** look @**Cy Member**");
  const names: Name[] = ["bo", "cy", "gus", "mo"];
  const { events } = await staysInSync(testServer, names, () => remove("bo", id));
  const event = { type: "delete_message", message_type: "stream", stream_id, topic: "peas" };
  for (const name of ["bo", "cy", "gus"] as const) {
    expect(events[name]).toEqual([{ ...event, message_ids: [id], id: expect.any(Number) }]);
  }
  expect(events.mo).toEqual([]);
  await expectRefused(messageErrors.messageNotFound(), "bo", id);
  const { messages } = await testServer.request("bo", "GET /messages", { message_ids: [id] });
  expect(messages).toEqual([]);
  expect((await testServer.refused("bo", `GET /messages/${id}`)).msg).toBe("Invalid message(s)");
  expectExact(testServer.realm.read);
});

test("updates a channel's first message and a topic's last message", async () => {
  const first = await post("bo", "one");
  const second = await post("cy", "two", stream_id, "beans");
  const third = await post("bo", "three");
  const { events } = await staysInSync(testServer, ["cy"], () => remove("bo", first));
  expect(events.cy).toMatchObject([
    { type: "stream", op: "update", property: "first_message_id", value: second, stream_id },
    { type: "delete_message", message_ids: [first] },
  ]);
  expectExact(testServer.realm.read);
  await staysInSync(testServer, ["cy"], () => remove("bo", third));
  const { topics } = await testServer.request("cy", `GET /users/me/${stream_id}/topics`);
  expect(topics).toEqual([{ name: "beans", max_id: second }]);
  const last = await staysInSync(testServer, ["cy"], () => remove("cy", second));
  expect(last.events.cy![0]).toMatchObject({ property: "first_message_id", value: null });
  expectExact(testServer.realm.read);
  const fourth = await post("bo", "four");
  expect(testServer.realm.read.channels.get(stream_id)!.first_message_id).toBe(fourth);
  expectExact(testServer.realm.read);
});

test("deletes a direct message for all its users", async () => {
  const storedId = await notify("bo", ["cy", "gus"]);
  const id = await notify("bo", ["cy", "gus"]);
  const names: Name[] = ["bo", "cy", "gus", "mo"];
  const { events } = await staysInSync(testServer, names, () => remove("bo", id));
  for (const name of ["bo", "cy", "gus"] as const) {
    const event = { type: "delete_message", message_type: "private", message_ids: [id] };
    expect(events[name]).toEqual([{ ...event, id: expect.any(Number) }]);
  }
  expect(events.mo).toEqual([]);
  const { recent_private_conversations } = await testServer.request("gus", "POST /register");
  expect(recent_private_conversations[0].max_message_id).toBe(storedId);
  await remove("bo", storedId);
  expectExact(testServer.realm.read);
  const secondResponse = await testServer.request("gus", "POST /register");
  expect(secondResponse.recent_private_conversations).toEqual([]);
  expect(secondResponse.unread_msgs).toMatchObject({ count: 0, huddles: [] });
});

test("removes the conversation of users whose messages are all deleted", async () => {
  const id = await notify("bo", ["cy"]);
  const before = testServer.realm.read.messages.get(id)!;
  await remove("bo", id);
  await set({ direct_message_initiator_group: groupNamed("role:nobody") });
  const to = [testServer.idOf("cy")];
  const line = "POST /messages";
  const refusal = await testServer.refused("bo", line, { type: "direct", to, content: "again" });
  expect(refusal.msg).toBe(messageErrors.directMessageStartNotAllowed().message);
  await set({ direct_message_initiator_group: groupNamed("role:everyone") });
  const after = testServer.realm.read.messages.get(await notify("bo", ["cy"]))!;
  expect(after.recipient_id).toBe(before.recipient_id);
});

test("removes unread, starred and mention flags of a deleted message", async () => {
  const oldId = await post("bo", "before");
  const group = groupNamed("role:members");
  await testServer.realm.write((tx) => {
    const everyone = groupNamed("role:everyone");
    tx.groups.put({ ...tx.groups.get(group)!, can_mention_group: everyone });
  });
  const id = await post("bo", "@**all** @**Cy Member** @*role:members*");
  expect(idsInBitmap(testServer.realm.read.group_mentions, group)).toEqual([id]);
  await testServer.request("cy", "POST /messages/flags", {
    messages: [id],
    op: "add",
    flag: "starred",
  });
  await testServer.request("mo", "POST /messages/flags", {
    messages: [id, oldId],
    op: "add",
    flag: "starred",
  });
  const { events } = await staysInSync(testServer, ["cy", "mo"], () => remove("bo", id));
  expect(deletionEvents(events.mo)).toHaveLength(1);
  for (const name of ["cy", "mo"] as const) {
    const state = await testServer.request(name, "POST /register");
    expect(state.unread_msgs.mentions).toEqual([]);
    const buckets: Json[] = state.unread_msgs.streams;
    expect(buckets.flatMap((bucket) => bucket.unread_message_ids)).not.toContain(id);
    expect(state.starred_messages).toEqual(name === "mo" ? [oldId] : []);
    for (const operand of ["starred", "mentioned", "unread"]) {
      const narrow = [{ operator: "is", operand }];
      const params = { narrow, anchor: "newest", num_before: 10, num_after: 0 };
      const { messages } = await testServer.request(name, "GET /messages", params);
      expect(messages.map((message: Json) => message.id)).not.toContain(id);
    }
  }
  const flags = { messages: [id], op: "add", flag: "starred" };
  expect((await testServer.refused("cy", "POST /messages/flags", flags)).msg).toBe(
    "Invalid message(s)",
  );
  expect(idsInBitmap(testServer.realm.read.group_mentions, group)).toEqual([]);
  expect(idsInBitmap(testServer.realm.read.historical_holders, id)).toEqual([]);
  expect(idsInBitmap(testServer.realm.read.historical_holders, oldId)).toEqual([
    testServer.idOf("mo"),
  ]);
});

test("sends one event per message to a client without bulk deletion", async () => {
  const id = await post("bo", "words", stream_id, "");
  const listener = await testServer.listen("cy");
  await remove("bo", id);
  expect(await listener.takeAll()).toMatchObject([
    { type: "stream", property: "first_message_id" },
    { type: "delete_message", message_type: "stream", message_id: id, topic: "general chat" },
  ]);
});

test("sends the event to former subscribers and users with a star, but not to guests", async () => {
  const id = await post("bo", "@**Botty** look");
  await testServer.request("cy", "DELETE /users/me/subscriptions", { subscriptions: ["garden"] });
  await testServer.request("gus", "DELETE /users/me/subscriptions", { subscriptions: ["garden"] });
  await testServer.request("mo", "POST /messages/flags", {
    messages: [id],
    op: "add",
    flag: "starred",
  });
  const names: Name[] = ["bo", "bot", "cy", "gus", "mo", "olga", "ada"];
  const { events } = await staysInSync(testServer, names, () => remove("olga", id));
  for (const name of ["bo", "bot", "cy", "mo", "olga"] as const) {
    expect(deletionEvents(events[name])).toMatchObject([{ message_ids: [id] }]);
  }
  expect([...deletionEvents(events.gus), ...deletionEvents(events.ada)]).toEqual([]);
});

test("sends nothing to new subscribers about earlier messages of a protected history", async () => {
  const shed = await make("shed", ["bo", "mo"], {
    invite_only: true,
    history_public_to_subscribers: false,
  });
  const id = await post("bo", "words", shed);
  const principals = [testServer.idOf("cy")];
  const subscriptions = [{ name: "shed" }];
  await testServer.request("bo", "POST /users/me/subscriptions", { subscriptions, principals });
  await testServer.request("mo", "DELETE /users/me/subscriptions", { subscriptions: ["shed"] });
  const names: Name[] = ["bo", "cy", "mo"];
  const { events } = await staysInSync(testServer, names, () => remove("bo", id));
  expect(deletionEvents(events.bo)).toHaveLength(1);
  expect([...deletionEvents(events.cy), ...deletionEvents(events.mo)]).toEqual([]);
  await expectRefused(messageErrors.messageNotFound(), "olga", await post("bo", "words", shed));
});

test("requires permission to delete", async () => {
  const own = await post("bo");
  const ofBot = await post("bot");
  await expectRefused(messageErrors.deletingNotAllowed(), "cy", own);
  await remove("bo", ofBot);
  await set({ can_delete_own_message_group: groupNamed("role:moderators") });
  await expectRefused(messageErrors.deletingNotAllowed(), "bo", own);
  const channelSetting = (name: string, group: string) =>
    testServer.realm.write((tx) => {
      const channel = tx.channels.get(stream_id)!;
      tx.channels.put({ ...channel, [name]: groupNamed(group) });
    });
  await channelSetting("can_delete_own_message_group", "role:everyone");
  await remove("bo", own);
  await channelSetting("can_delete_any_message_group", "role:members");
  await remove("cy", await post("bo"));
  await expectRefused(messageErrors.deletingNotAllowed(), "gus", await post("bo"));
  await remove("ada", await post("gus"));
  await expectRefused(messageErrors.messageNotFound(), "bo", 9999);
  await expectRefused(messageErrors.messageNotFound(), "ada", await notify("bo", ["cy"]));
  expectExact(testServer.realm.read);
});

test("allows deleting own messages only within the time limit", async () => {
  const id = await post("bo");
  testServer.clock.passSeconds(601);
  await expectRefused(messageErrors.deletingTooLate(), "bo", id);
  await set({ message_content_delete_limit_seconds: 700 });
  await remove("bo", id);
  const oldId = await post("bo");
  await set({ message_content_delete_limit_seconds: null });
  testServer.clock.passSeconds(1_000_000);
  await remove("bo", oldId);
  const oldest = await post("bo");
  await set({ message_content_delete_limit_seconds: 600 });
  testServer.clock.passSeconds(1_000_000);
  await remove("ada", oldest);
});

test("rejects deletions in an archived channel", async () => {
  const id = await post("bo");
  await testServer.request("ada", `DELETE /streams/${stream_id}`);
  await expectRefused(messageErrors.messageNotFound(), "ada", id);
  const line = `POST /streams/${stream_id}/delete_topic`;
  const { msg } = await testServer.refused("ada", line, { topic_name: "peas" });
  expect(msg).toBe(channelErrors.channelNotFound().message);
});

test("creates no second message at the retry of a send whose message was deleted", async () => {
  const params = { type: "stream", to: stream_id, topic: "peas", content: "once" };
  const token = { queue_id: "q", local_id: "1" };
  const { id } = await testServer.request("bo", "POST /messages", { ...params, ...token });
  await remove("bo", id);
  const retried = await testServer.request("bo", "POST /messages", { ...params, ...token });
  expect(retried.id).toBe(id);
  expect([...testServer.realm.read.messages.range()].map((message) => message.id)).not.toContain(
    id,
  );
});

test("sends only the deletion to a client that returns after a restart", async () => {
  const listener = await testServer.listen("cy");
  const id = await post("bo");
  await remove("bo", id);
  await testServer.restart();
  const events = await listener.takeAll();
  expect(deletionEvents(events)).toMatchObject([{ message_id: id }]);
});
