/** Registering: event types of a queue, contents of the snapshot, and lifetime of a queue. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  narrowOperatorNotSupported,
  notAuthorizedForQuery,
} from "../../src/contract/errors/general.ts";
import { QUEUES_PER_USER_MAX } from "../../src/features/register/rules.ts";
import type { Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => (testServer = await startTestServer()));
afterEach(() => testServer.close());

const DESTINATION = { type: "channel", to: "general", topic: "registering" };

/** Types of the events that the registration receives for a message and a mute. */
async function receivedTypes(params: Record<string, unknown>): Promise<string[]> {
  const cy = await testServer.listen("cy", params);
  await testServer.request("bo", "POST /messages", { ...DESTINATION, content: "hello" });
  const { stream_id } = await testServer.request("cy", "GET /get_stream_id", { stream: "general" });
  const topic = `topic ${crypto.randomUUID()}`;
  await testServer.request("cy", "POST /user_topics", { stream_id, topic, visibility_policy: 2 });
  return (await cy.takeAll()).map((event) => event.type);
}

test("sends all events and the whole snapshot if no types are given", async () => {
  const response = await testServer.request("cy", "POST /register");
  expect(response).toMatchObject({ alert_words: [], realm_name: "Town", max_message_id: -1 });
  expect(await receivedTypes({})).toEqual(["message", "muted_topics", "user_topic"]);
});

test("returns the user's own newest message, not that of another user", async () => {
  const maxMessageId = async (person: "bo" | "cy") =>
    (await testServer.request(person, "GET /users/me")).max_message_id;
  const before = await maxMessageId("cy");
  const message = { type: "direct", to: [testServer.idOf("ada")], content: "between us" };
  const own = await testServer.request("bo", "POST /messages", message);
  expect(await maxMessageId("bo")).toBe(own.id);
  expect(await maxMessageId("cy")).toBe(before);
});

test("event_types limits both, fetch_event_types only the snapshot", async () => {
  expect(await receivedTypes({ event_types: ["message"] })).toEqual(["message"]);
  expect(await receivedTypes({ fetch_event_types: ["realm"] })).toContain("message");
  const both = { event_types: ["message"], fetch_event_types: ["alert_words"] };
  const response = await testServer.request("cy", "POST /register", both);
  expect(response.alert_words).toEqual([]);
  expect(response.realm_name).toBeUndefined();
  const realmSnapshot = await testServer.request("cy", "POST /register", {
    event_types: ["realm"],
  });
  expect(realmSnapshot.realm_name).toBe("Town");
  expect(realmSnapshot.alert_words).toBeUndefined();
});

test("sends no older format to a client that receives user_topic events", async () => {
  expect(await receivedTypes({ event_types: ["user_topic", "muted_topics"] })).toEqual([
    "user_topic",
  ]);
  const params = { event_types: ["user_topic", "muted_topics"] };
  expect((await testServer.request("cy", "POST /register", params)).muted_topics).toBeUndefined();
});

test("always returns the version and the feature level, in both spellings", async () => {
  const response = await testServer.request("cy", "POST /register", { event_types: [] });
  expect(response).toMatchObject({ zulip_feature_level: 500, service_feature_level: 500 });
  expect(response.zulip_version).toBe(response.service_version);
});

const LIFETIMES: [unknown, number][] = [
  [undefined, 600],
  [30, 30],
  ["mobile", 43_200],
  ['"mobile"', 43_200],
  [10_000_000, 604_800],
  [-5, 1],
];

test.each(LIFETIMES)(
  "an idle queue that requests %p expires after %p seconds",
  async (requested, lives) => {
    const response = await testServer.request("cy", "POST /register", {
      idle_queue_timeout: requested,
    });
    expect(response.idle_queue_timeout_secs).toBe(lives);
  },
);

test("rejects a lifetime that is not a number", async () => {
  const refusal = await testServer.refused("cy", "POST /register", { idle_queue_timeout: "soon" });
  expect(refusal.msg).toBe("idle_queue_timeout is not an integer");
});

test("a narrow filters only messages", async () => {
  const narrow = [
    ["channel", "general"],
    ["topic", "REGISTERING"],
  ];
  const cy = await testServer.listen("cy", { narrow });
  await testServer.request("bo", "POST /messages", {
    ...DESTINATION,
    topic: "elsewhere",
    content: "no",
  });
  await testServer.request("bo", "POST /messages", { ...DESTINATION, content: "yes" });
  const events = (await cy.takeAll()).filter((event) => event.type === "message");
  expect(events.map((event) => event.message.subject)).toEqual(["registering"]);
});

test("sends messages of public channels without flags, including own ones", async () => {
  const name = "far from cy";
  const subscribers = [testServer.idOf("bo")];
  const { id } = await testServer.request("bo", "POST /channels/create", { name, subscribers });
  const narrowTerms = (...extra: string[][]) => ({ narrow: [["channel", name], ...extra] });
  const unread = await testServer.listen("cy", narrowTerms(["is", "unread"]));
  const mentioned = await testServer.listen("cy", narrowTerms(["is", "mentioned"]));
  const message = { type: "channel", to: id, topic: "t", content: "for @**Cy Member**" };
  await testServer.request("bo", "POST /messages", message);
  await testServer.request("cy", "POST /messages", { ...message, read_by_sender: true });
  const flags = (await unread.takeAll()).map((event) => event.flags);
  expect(flags).toEqual([[], []]);
  expect(await mentioned.takeAll()).toEqual([]);
});

test("limits the operators in a queue's narrow", async () => {
  const narrowError = await testServer.refused("cy", "POST /register", { narrow: [["near", "5"]] });
  expect(narrowError.msg).toBe(narrowOperatorNotSupported("near").message);
  const followed = await testServer.refused("cy", "POST /register", {
    narrow: [["is", "followed"]],
  });
  expect(followed.msg).toBe("Operand followed not supported.");
});

test("sends messages of unsubscribed channels to a queue for all public channels", async () => {
  const { stream_id } = await testServer.request("bo", "GET /get_stream_id", { stream: "sandbox" });
  await testServer.request("cy", "DELETE /users/me/subscriptions", { subscriptions: ["sandbox"] });
  const cy = await testServer.listen("cy", { all_public_streams: true, event_types: ["message"] });
  await testServer.request("bo", "POST /messages", {
    ...DESTINATION,
    to: stream_id,
    content: "far away",
  });
  expect(await cy.next()).toMatchObject({ type: "message", flags: [] });
});

test("rejects such a queue for guests", async () => {
  const refusal = await testServer.refused("gus", "POST /register", { all_public_streams: true });
  expect(refusal.msg).toBe(notAuthorizedForQuery().message);
});

test("closes the least recently polled queue of a user who registers too many", async () => {
  const register = async (name: Name = "bo"): Promise<string> =>
    (await testServer.request(name, "POST /register", { fetch_event_types: "[]" })).queue_id;
  const poll = (queue_id: string) =>
    testServer.send("bo", "GET /events", { queue_id, last_event_id: -1, dont_block: true });
  const others = await register("cy");
  const queues: string[] = [];
  for (let index = 0; index < QUEUES_PER_USER_MAX; index++) queues.push(await register());
  const [unpolled, next] = [queues[7]!, queues[40]!];
  await poll(next);
  for (const id of queues) if (id !== unpolled && id !== next) await poll(id);
  const isOpen = (id: string) => testServer.realm.hub.listeners.get(id) !== undefined;
  const first = await register();
  expect(queues.filter((id) => !isOpen(id))).toEqual([unpolled]);
  const second = await register();
  expect(queues.filter((id) => !isOpen(id))).toEqual([unpolled, next]);
  expect([first, second, others].map(isOpen)).toEqual([true, true, true]);
  const response = (await (await poll(unpolled)).json()) as { code: string };
  expect(response.code).toBe("BAD_EVENT_QUEUE_ID");
});

test("lets only its user access a queue, and removes it when deleted", async () => {
  const cy = await testServer.listen("cy");
  const { queue_id } = cy;
  const poll = { queue_id, last_event_id: -1, dont_block: true };
  expect(await testServer.refused("bo", "GET /events", poll)).toMatchObject({
    status: 400,
    code: "BAD_EVENT_QUEUE_ID",
    queue_id,
  });
  await testServer.refused("bo", "DELETE /events", { queue_id });
  await testServer.request("cy", "DELETE /events", { queue_id });
  expect((await testServer.refused("cy", "GET /events", poll)).code).toBe("BAD_EVENT_QUEUE_ID");
});

test("delivers an event stored by an earlier version after a restart", async () => {
  const cy = await testServer.listen("cy", { event_types: ["stream"] });
  const params = { name: "written down", subscribers: [] };
  await testServer.request("bo", "POST /channels/create", params);
  await testServer.realm.write((tx) => {
    const rows = [...tx.log.range()].filter(({ event }) => typeof event === "string");
    for (const row of rows) tx.log.put({ ...row, event: JSON.parse(row.event as string) });
    return rows.length;
  });
  await testServer.restart();
  expect(await cy.next()).toMatchObject({ op: "create", streams: [{ name: "written down" }] });
});

test("sends a restart event on existing queues", async () => {
  const cy = await testServer.listen("cy", { event_types: ["restart"] });
  await testServer.restart();
  expect(await cy.next()).toMatchObject({ type: "restart", zulip_feature_level: 500 });
});
