// The terminal client: its outdated parameters, and fields without which its threads crash.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { dict, nonEmptyList, nonEmptyDict, list, mismatches, type Schema } from "./shapes.ts";
import { WireClient } from "./wire.ts";

const AGENT = "ZulipTerminal/0.7.0+git (Linux) Python/3.11";
const PASSWORD = "correct horse battery";

const EVENT_TYPES = [
  ...["message", "update_message", "reaction", "submessage", "subscription", "typing"],
  ...["update_message_flags", "user_settings", "realm_emoji", "realm_user"],
];
const FETCHED_TYPES = [
  ...["realm", "presence", "subscription", "message", "starred_messages"],
  ...["update_message_flags", "muted_topics", "realm_user", "realm_user_groups", "user_settings"],
  ...["realm_emoji", "custom_profile_fields", "zulip_version"],
];
const FORM = { client_gravatar: "true", apply_markdown: "true", include_subscribers: "true" };
const event_types = JSON.stringify(EVENT_TYPES);
const REGISTER = { ...FORM, event_types, fetch_event_types: JSON.stringify(FETCHED_TYPES) };

const PERSON: Schema = { user_id: "int", email: "str", full_name: "str", is_bot: "bool" };
const CHANNEL: Schema = {
  stream_id: "int",
  name: "str",
  description: "str",
  rendered_description: "str",
  date_created: "int",
  invite_only: "bool",
  is_web_public: "bool",
  history_public_to_subscribers: "bool",
  message_retention_days: "int?",
};
const SUBSCRIPTION: Schema = {
  ...CHANNEL,
  color: "str",
  is_muted: "bool",
  pin_to_top: "bool",
  desktop_notifications: "bool",
  subscribers: nonEmptyList("int"),
};
const LEGACY_PRESENCE: Schema = {
  aggregated: { client: "str", status: "str", timestamp: "int" },
  website: { client: "str", status: "str", timestamp: "int" },
};
const IDS = nonEmptyList("int");
const SNAPSHOT: Schema = {
  queue_id: "str",
  last_event_id: "int",
  zulip_version: "str",
  zulip_feature_level: "int",
  user_id: "int",
  email: "str",
  full_name: "str",
  realm_name: "str",
  subscriptions: nonEmptyList(SUBSCRIPTION),
  unsubscribed: nonEmptyList({ ...CHANNEL, color: "str", subscribers: list("int") }),
  never_subscribed: nonEmptyList({ ...CHANNEL, subscribers: list("int") }),
  muted_topics: nonEmptyList(list("any")),
  realm_user_groups: nonEmptyList({
    id: "int",
    name: "str",
    description: "str",
    members: list("int"),
  }),
  realm_emoji: dict({ id: "str", name: "str", source_url: "str", deactivated: "bool" }),
  realm_message_retention_days: "int",
  presences: nonEmptyDict(LEGACY_PRESENCE),
  realm_users: nonEmptyList(PERSON),
  realm_non_active_users: nonEmptyList(PERSON),
  cross_realm_bots: nonEmptyList(PERSON),
  custom_profile_fields: list({ id: "int", name: "str", type: "int", order: "int" }),
  starred_messages: IDS,
  unread_msgs: {
    pms: nonEmptyList({ sender_id: "int", unread_message_ids: IDS }),
    streams: nonEmptyList({ stream_id: "int", topic: "str", unread_message_ids: IDS }),
    huddles: nonEmptyList({ user_ids_string: "str", unread_message_ids: IDS }),
    mentions: IDS,
  },
  max_message_id: "int",
  user_settings: {
    send_private_typing_notifications: "bool",
    twenty_four_hour_time: "bool",
    pm_content_in_desktop_notifications: "bool",
  },
  realm_allow_message_editing: "bool",
  realm_message_content_edit_limit_seconds: "int?",
  realm_allow_edit_history: "bool",
  max_stream_name_length: "int",
  max_stream_description_length: "int",
  max_topic_length: "int",
  max_message_length: "int",
  server_presence_ping_interval_seconds: "int",
  server_presence_offline_threshold_seconds: "int",
  server_timestamp: "num",
};
const MESSAGE: Schema = {
  id: "int",
  sender_id: "int",
  sender_email: "str",
  sender_full_name: "str",
  sender_realm_str: "str",
  type: "str",
  display_recipient: "any",
  "stream_id?": "int",
  subject: "str",
  timestamp: "int",
  content: "str",
  reactions: list({ emoji_name: "str", emoji_code: "str", reaction_type: "str", user_id: "int" }),
  submessages: list({ content: "str", sender_id: "int" }),
  is_me_message: "bool",
};
const EVENTS: Record<string, Schema> = {
  message: { flags: list("str"), message: MESSAGE },
  update_message_flags: { op: "str", flag: "str", messages: IDS, all: "bool" },
  subscription: { op: "str" },
  "subscription update": { property: "str", value: "any", stream_id: "int" },
  "subscription peer_add": { stream_ids: IDS, user_ids: IDS },
  "subscription peer_remove": { stream_ids: IDS, user_ids: IDS },
  typing: { op: "str", sender: { user_id: "int", email: "str" } },
  realm_user: { op: "str", person: { user_id: "int" } },
  user_settings: { op: "str", property: "str", value: "any" },
};

let testServer: TestServer;
let terminal: WireClient;
let garden: number;

beforeEach(async () => {
  testServer = await startTestServer();
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => tx.passwords.put({ user_id: testServer.idOf("bo"), hash }));
  await populate();
  // The client continues with the address as typed, not as the server spells it.
  const typed = "Bo@EXAMPLE.com";
  const anonymous = new WireClient(testServer.url, AGENT);
  const signingIn = { username: typed, password: PASSWORD };
  const { api_key } = await anonymous.ask("POST /api/v1/fetch_api_key", signingIn);
  terminal = anonymous.signedIn(typed, api_key);
});
afterEach(() => testServer.close());

async function populate() {
  const [bo, cy, mo] = [testServer.idOf("bo"), testServer.idOf("cy"), testServer.idOf("mo")];
  const make = (name: string, ...subscribers: number[]) =>
    testServer.request("cy", "POST /channels/create", { name, subscribers });
  garden = (await make("garden", bo, cy)).id;
  await make("left", bo, cy);
  await make("elsewhere", cy);
  await testServer.request("bo", "DELETE /users/me/subscriptions", { subscriptions: ["left"] });
  const message = { type: "stream", to: garden, topic: "roses", content: "hi @**Bo Member**" };
  const { id } = await testServer.request("cy", "POST /messages", message);
  await testServer.request("cy", "POST /messages", {
    ...message,
    topic: "",
    content: "in no topic",
  });
  await testServer.request("cy", "POST /messages", { type: "direct", to: [bo], content: "psst" });
  await testServer.request("cy", "POST /messages", {
    type: "direct",
    to: [bo, mo],
    content: "all",
  });
  await testServer.request("bo", "POST /messages/flags", {
    messages: [id],
    op: "add",
    flag: "starred",
  });
  const weeds = { stream_id: garden, topic: "weeds", visibility_policy: 1 };
  await testServer.request("bo", "POST /user_topics", weeds);
  await testServer.request("cy", "POST /users/me/presence", { status: "active" });
  await testServer.request("olga", `DELETE /users/${mo}`);
}

test("finds the server with a doubled slash, and its organization", async () => {
  const settings = await terminal.ask("GET //api/v1//server_settings");
  expect(settings.realm_uri).toBe(testServer.url);
  expect(settings.zulip_version).toMatch(/^\d+\.\d+/);
  expect(settings.zulip_feature_level).toBeNumber();
});

test("gets a snapshot with all fields that it needs, in the old formats", async () => {
  const snapshot = await terminal.ask("POST /api/v1/register", REGISTER);
  expect(mismatches(SNAPSHOT, snapshot)).toEqual([]);
  expect(Object.keys(snapshot.presences)).toContain("cy@example.com");
  expect(snapshot.muted_topics[0].slice(0, 2)).toEqual(["garden", "weeds"]);
  expect(snapshot.email).toBe("bo@example.com");
  const names = (list: Json[]) => list.map(({ name }) => name);
  expect(names(snapshot.subscriptions)).toContain("garden");
  expect(names(snapshot.unsubscribed)).toEqual(["left"]);
  expect(names(snapshot.never_subscribed)).toEqual(["elsewhere"]);
  const { subscribers } = snapshot.subscriptions.find(({ name }: Json) => name === "garden");
  expect(subscribers.toSorted()).toEqual([testServer.idOf("bo"), testServer.idOf("cy")]);
  const { streams, pms } = snapshot.unread_msgs;
  const topics = streams.map(({ topic }: Json) => topic);
  expect(topics.sort()).toEqual(["general chat", "roses"]);
  expect(pms.map(({ sender_id }: Json) => sender_id)).toEqual([testServer.idOf("cy")]);
  expect(snapshot.streams).toBeUndefined();
});

test("reads rendered messages, and raw ones to edit", async () => {
  const { messages, anchor } = await terminal.ask("GET /api/v1//messages", {
    anchor: "10000000000000000",
    num_before: "30",
    num_after: "10",
    apply_markdown: "true",
    use_first_unread_anchor: "true",
    client_gravatar: "true",
    narrow: JSON.stringify([["stream", "garden"]]),
  });
  expect(mismatches(nonEmptyList({ ...MESSAGE, flags: list("str") } as Schema), messages)).toEqual(
    [],
  );
  expect(anchor).toBe(messages[0].id);
  expect(messages[1].subject).toBe("general chat");
  const messageRoute = `GET /api/v1/messages/${messages[0].id}`;
  const { message } = await terminal.ask(messageRoute, { apply_markdown: "false" });
  expect(message).toMatchObject({ content: "hi @**Bo Member**", content_type: "text/x-markdown" });
});

test("gets events with the fields that its handlers read", async () => {
  const { queue_id, last_event_id } = await terminal.ask("POST /api/v1/register", REGISTER);
  await useAllDay();
  await testServer.untilIdle();
  const last = `${last_event_id}`;
  const { events } = await terminal.ask("GET /api/v1/events", { queue_id, last_event_id: last });
  const expected = new Set(Object.keys(EVENTS));
  const bad: string[] = [];
  for (const event of events) {
    expect(EVENT_TYPES).toContain(event.type);
    for (const kind of [event.type, `${event.type} ${event.op}`]) {
      expected.delete(kind);
      bad.push(...mismatches(EVENTS[kind] ?? {}, event, kind));
    }
  }
  expect(bad).toEqual([]);
  expect([...expected]).toEqual([]);
  const typings = events.filter(({ type }: Json) => type === "typing");
  expect(typings.map(({ message_type }: Json) => message_type)).toEqual(["direct"]);
});

async function useAllDay() {
  const [bo, subscriptions] = [testServer.idOf("bo"), [{ name: "garden" }]];
  const message = { type: "direct", to: [bo], content: "/me waves" };
  const { id } = await testServer.request("cy", "POST /messages", message);
  await testServer.request("cy", "POST /typing", { op: "start", to: [bo] });
  await testServer.request("cy", "POST /typing", {
    op: "start",
    type: "stream",
    stream_id: garden,
    topic: "x",
  });
  const messages = JSON.stringify([id]);
  await terminal.ask("POST /api/v1/messages/flags", { messages, op: "add", flag: "read" });
  const subscription_data = [{ stream_id: garden, property: "pin_to_top", value: true }];
  const properties = { subscription_data: JSON.stringify(subscription_data) };
  await terminal.ask("POST /api/v1/users/me/subscriptions/properties", properties);
  await testServer.request("ada", "POST /users/me/subscriptions", { subscriptions });
  await testServer.request("ada", "DELETE /users/me/subscriptions", { subscriptions: ["garden"] });
  await testServer.request("olga", `PATCH /users/${testServer.idOf("cy")}`, {
    full_name: "Cy Senior",
  });
  await terminal.ask("PATCH /api/v1/settings", { pm_content_in_desktop_notifications: "false" });
}

test("requests presence by address", async () => {
  const ping = { status: "active", new_user_input: "true" };
  const { presences } = await terminal.ask("POST /api/v1/users/me/presence", ping);
  expect(mismatches(nonEmptyDict(LEGACY_PRESENCE), presences)).toEqual([]);
  expect(Object.keys(presences).sort()).toEqual(["bo@example.com", "cy@example.com"]);
});

test("registers anew with a dead queue, and needs the newest message id again", async () => {
  const { queue_id } = await terminal.ask("POST /api/v1/register", REGISTER);
  await terminal.ask("DELETE /api/v1/events", { queue_id });
  const params = { queue_id, last_event_id: "-1" };
  const refusal = await terminal.refused("GET /api/v1/events", params);
  expect(refusal).toMatchObject({ code: "BAD_EVENT_QUEUE_ID", result: "error" });
  const secondResponse = await terminal.ask("POST /api/v1/register", { ...FORM, event_types });
  const fields = { type: "direct", to: [testServer.idOf("bo")], content: "there?" };
  const { id } = await testServer.request("cy", "POST /messages", fields);
  expect(secondResponse.max_message_id).toBeLessThan(id);
  const last_event_id = `${secondResponse.last_event_id}`;
  const polled = { queue_id: secondResponse.queue_id, last_event_id };
  const { events } = await terminal.ask("GET /api/v1/events", polled);
  expect(events.map(({ message }: Json) => message?.id)).toEqual([id]);
});
