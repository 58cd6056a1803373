// Follows the requests of the mobile app, and checks every field that it requires.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import {
  EVENTS,
  FETCHED_MESSAGE,
  MESSAGES,
  SERVER_SETTINGS,
  SNAPSHOT,
} from "./phone-required-fields.ts";
import { mismatches } from "./shapes.ts";
import { WireClient } from "./wire.ts";

const AGENT = "ZulipFlutter/30.0.270 (Android 15)";
const PASSWORD = "correct horse battery";
const yes = "true";

const REGISTER = {
  apply_markdown: yes,
  client_gravatar: "false",
  slim_presence: yes,
  idle_queue_timeout: '"mobile"',
  client_capabilities: JSON.stringify({
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    stream_typing_notifications: true,
    user_settings_object: true,
    include_deactivated_groups: true,
    empty_topic_name: true,
    individual_emoji_changes: true,
  }),
};

let testServer: TestServer;
let anonymous: WireClient;
let phone: WireClient;
let garden: number;

beforeEach(async () => {
  testServer = await startTestServer();
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => tx.passwords.put({ user_id: testServer.idOf("bo"), hash }));
  await populate();
  anonymous = new WireClient(testServer.url, AGENT);
  const signedIn = await signIn();
  phone = anonymous.signedIn(signedIn.email, signedIn.api_key);
});
afterEach(() => testServer.close());

/** Creates an example of everything that a snapshot can contain. */
async function populate() {
  const subscribers = ["bo", "cy", "olga"].map((name) => testServer.idOf(name as "bo"));
  const created = await testServer.request("olga", "POST /channels/create", {
    name: "garden",
    subscribers,
  });
  garden = created.id;
  const [bo, mo] = [testServer.idOf("bo"), testServer.idOf("mo")];
  const content = "hello @**Bo Member**";
  const to = { type: "channel", to: garden };
  const { id } = await testServer.request("cy", "POST /messages", {
    ...to,
    topic: "roses",
    content,
  });
  await testServer.request("cy", "POST /messages", { ...to, topic: "", content: "in no topic" });
  await testServer.request("cy", "POST /messages", { type: "direct", to: [bo], content: "psst" });
  await testServer.request("cy", "POST /messages", {
    type: "direct",
    to: [bo, mo],
    content: "all of us",
  });
  await testServer.request("bo", "POST /messages/flags", {
    messages: [id],
    op: "add",
    flag: "starred",
  });
  await testServer.request("bo", `POST /users/me/muted_users/${testServer.idOf("gus")}`);
  const topic = { stream_id: garden, topic: "roses", visibility_policy: 3 };
  await testServer.request("bo", "POST /user_topics", topic);
  await testServer.request("cy", "POST /users/me/status", {
    status_text: "out",
    emoji_name: "car",
  });
  await testServer.request("cy", "POST /users/me/presence", { status: "active" });
  await testServer.request("olga", `DELETE /users/${testServer.idOf("mo")}`);
}

const signIn = () =>
  anonymous.ask("POST /api/v1/fetch_api_key", { username: "bo@example.com", password: PASSWORD });

test("learns the server's settings before the sign-in", async () => {
  const settings = await anonymous.ask("GET /api/v1/server_settings");
  expect(mismatches(SERVER_SETTINGS, settings)).toEqual([]);
  expect(settings.authentication_methods.password).toBe(true);
  expect(new URL(settings.realm_url).origin).toBe(testServer.url);
  expect(settings.realm_uri).toBe(settings.realm_url);
  expect(settings.zulip_feature_level).toBeGreaterThanOrEqual(371);
  expect(new URL(settings.realm_icon, testServer.url).href).toBeString();
});

test("signs in with a password", async () => {
  const signedIn = await signIn();
  expect(mismatches({ api_key: "str", email: "str", user_id: "int" }, signedIn)).toEqual([]);
  expect(signedIn.api_key).toHaveLength(32);
});

test("gets a snapshot with all fields that it needs", async () => {
  const snapshot = await phone.ask("POST /api/v1/register", REGISTER);
  expect(mismatches(SNAPSHOT, snapshot)).toEqual([]);
  expect(snapshot.idle_queue_timeout_secs).toBe(43_200);
  expect(snapshot.realm_users.map((user: Json) => user.user_id)).toContain(testServer.idOf("bo"));
  expect([1, 2, 3, 5, 6, 7]).toContain(snapshot.realm_wildcard_mention_policy);
  expect([1, 2, 3, 4]).toContain(snapshot.streams[0].stream_post_policy);
  for (const { color } of snapshot.subscriptions) expect(color).toMatch(/^#[0-9a-f]{6}$/);
  const topics = snapshot.unread_msgs.streams.map((unread: Json) => unread.topic);
  expect(topics.sort()).toEqual(["", "roses"]);
  const { pms, streams, huddles } = snapshot.unread_msgs;
  for (const { unread_message_ids: ids } of [...pms, ...streams, ...huddles]) {
    expect(ids).toEqual([...new Set<number>(ids)].sort((a, b) => a - b));
  }
  for (const role of ["owners", "administrators", "moderators", "members", "everyone", "nobody"]) {
    const names = snapshot.realm_user_groups.map((group: Json) => group.name);
    expect(names).toContain(`role:${role}`);
  }
  expect(snapshot.ignored_parameters_unsupported).toBeUndefined();
});

test("loads the names of emoji, and images, from their URLs", async () => {
  const snapshot = await phone.ask("POST /api/v1/register", REGISTER);
  const emoji = await fetch(new URL(snapshot.server_emoji_data_url, testServer.url));
  const { code_to_names } = (await emoji.json()) as Json;
  expect(code_to_names["1f600"]).toContain("grinning");
  expect(code_to_names["1fa85"]?.[0]).toBe("piñata");
  for (const { avatar_url } of snapshot.realm_users) {
    const picture = await fetch(new URL(avatar_url, testServer.url));
    expect(picture.headers.get("content-type")).toStartWith("image/");
  }
});

test("fetches a conversation whose messages have all fields that it needs", async () => {
  const fetchBy = (...narrow: object[]) =>
    phone.ask("GET /api/v1/messages", {
      narrow: JSON.stringify(narrow),
      anchor: "first_unread",
      num_before: "100",
      num_after: "100",
      client_gravatar: "false",
      allow_empty_topic_name: yes,
    });
  const everything = await fetchBy();
  const dms = await fetchBy({ operator: "dm", operand: [testServer.idOf("cy")] });
  const topic = await fetchBy(
    { operator: "channel", operand: garden },
    { operator: "topic", operand: "" },
  );
  for (const fetched of [everything, dms, topic]) {
    expect(mismatches(FETCHED_MESSAGE, fetched)).toEqual([]);
    for (const message of fetched.messages) {
      expect(mismatches(MESSAGES[message.type]!, message, `${message.id}`)).toEqual([]);
      expect(message.content_type).toBe("text/html");
    }
  }
  expect(dms.messages.map((message: Json) => message.content)).toEqual(["<p>psst</p>"]);
  expect(topic.messages.map((message: Json) => message.subject)).toEqual([""]);
  const messageRoute = `GET /api/v1/messages/${dms.messages[0].id}`;
  const { message } = await phone.ask(messageRoute, { allow_empty_topic_name: yes });
  expect(mismatches(MESSAGES["private"]!, message)).toEqual([]);
});

test("sends, and recognizes its message by the local id", async () => {
  const { queue_id, last_event_id } = await phone.ask("POST /api/v1/register", REGISTER);
  const response = await phone.ask("POST /api/v1/messages", {
    type: "stream",
    to: JSON.stringify(garden),
    topic: "roses",
    content: "from the **phone**",
    queue_id,
    local_id: "17",
    read_by_sender: yes,
  });
  expect(response.id).toBeNumber();
  const [event] = await eventsAfter(queue_id, last_event_id, 1);
  expect(event).toMatchObject({ type: "message", local_message_id: "17", flags: ["read"] });
  expect(event.message).toMatchObject({ id: response.id, client: "ZulipFlutter" });
});

test("gets all fields that it needs of every event that it parses", async () => {
  const { queue_id, last_event_id } = await phone.ask("POST /api/v1/register", REGISTER);
  await useAllDay();
  await testServer.untilIdle();
  const expected = new Set(Object.keys(EVENTS));
  const events = await eventsAfter(queue_id, last_event_id, 1);
  const bad = [];
  for (const event of events) {
    expect(mismatches({ id: "int", type: "str" }, event)).toEqual([]);
    const kind = event.op === undefined ? event.type : `${event.type} ${event.op}`;
    expected.delete(kind);
    bad.push(...mismatches(EVENTS[kind] ?? {}, event, kind));
    if (event.type !== "message") continue;
    bad.push(...mismatches(MESSAGES[event.message.type]!, event.message, kind));
  }
  expect(bad).toEqual([]);
  expect([...expected]).toEqual([]);
});

/** Causes an event of every kind that clients receive. */
async function useAllDay() {
  const [bo, cy] = [testServer.idOf("bo"), testServer.idOf("cy")];
  const topic = { stream_id: garden, topic: "roses" };
  const { id } = await testServer.request("cy", "POST /messages", {
    type: "direct",
    to: [bo],
    content: "a",
  });
  await testServer.request("cy", "POST /messages", {
    type: "stream",
    to: garden,
    topic: "x",
    content: "b",
  });
  for (const op of ["add", "remove"]) {
    await phone.ask("POST /api/v1/messages/flags", { messages: `[${id}]`, op, flag: "read" });
  }
  await phone.ask("POST /api/v1/messages/flags/narrow", {
    anchor: "oldest",
    include_anchor: "false",
    num_before: "0",
    num_after: "1000",
    narrow: JSON.stringify([{ operator: "is", operand: "unread" }]),
    op: "add",
    flag: "read",
  });
  await testServer.request("cy", "POST /typing", { op: "start", to: [bo] });
  await testServer.request("cy", "POST /typing", { op: "start", type: "stream", ...topic });
  const ping = { last_update_id: "-1", ping_only: "false", new_user_input: yes, status: "active" };
  await phone.ask("POST /api/v1/users/me/presence", ping);
  await testServer.request("olga", "POST /users/me/presence", { status: "active" });
  await testServer.request("cy", "POST /users/me/status", { status_text: "in" });
  await phone.ask("POST /api/v1/user_topics", {
    stream_id: `${garden}`,
    topic: "roses",
    visibility_policy: "1",
  });
  await testServer.request("bo", `DELETE /users/me/muted_users/${testServer.idOf("gus")}`);
  const subscribers = [cy];
  const { id: pond } = await testServer.request("olga", "POST /channels/create", {
    name: "pond",
    subscribers,
  });
  await testServer.request("olga", `PATCH /streams/${pond}`, { description: "deep" });
  const subscriptions = JSON.stringify([{ name: "pond" }]);
  await phone.ask("POST /api/v1/users/me/subscriptions", { subscriptions });
  await phone.ask("POST /api/v1/users/me/subscriptions/properties", {
    subscription_data: JSON.stringify([{ stream_id: pond, property: "is_muted", value: true }]),
  });
  const pondOnly = { subscriptions: JSON.stringify(["pond"]) };
  await testServer.request("ada", "POST /users/me/subscriptions", { subscriptions });
  await testServer.request("ada", "DELETE /users/me/subscriptions", pondOnly);
  await phone.ask("DELETE /api/v1/users/me/subscriptions", pondOnly);
  await testServer.request("olga", `DELETE /streams/${pond}`);
  await testServer.realm.write((tx) => {
    tx.users.put({ ...tx.users.get(testServer.idOf("olga"))!, can_create_users: true });
  });
  const nia = { email: "nia@example.com", full_name: "Nia New", password: PASSWORD };
  const { user_id } = await testServer.request("olga", "POST /users", nia);
  await testServer.request("olga", `PATCH /users/${user_id}`, { role: 300 });
  await phone.ask("PATCH /api/v1/settings", { twenty_four_hour_time: yes });
}

async function eventsAfter(queue_id: string, last_event_id: number, min: number): Promise<Json[]> {
  const last = `${last_event_id}`;
  const { events } = await phone.ask("GET /api/v1/events", { queue_id, last_event_id: last });
  expect(events.length).toBeGreaterThanOrEqual(min);
  return events;
}

test("registers anew when its queue is gone", async () => {
  const { queue_id } = await phone.ask("POST /api/v1/register", REGISTER);
  await phone.ask("DELETE /api/v1/events", { queue_id });
  const params = { queue_id, last_event_id: "-1" };
  expect(await phone.refused("GET /api/v1/events", params)).toEqual({
    status: 400,
    result: "error",
    code: "BAD_EVENT_QUEUE_ID",
    msg: `Bad event queue ID: ${queue_id}`,
    queue_id,
  });
  const snapshot = await phone.ask("POST /api/v1/register", REGISTER);
  expect(
    mismatches(SNAPSHOT, snapshot, "again").filter((line) => !/unread|muted/.test(line)),
  ).toEqual([]);
});
