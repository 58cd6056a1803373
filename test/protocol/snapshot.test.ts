// Clients can request any part of the snapshot, and receive exactly the fields of that part.
import { afterAll, beforeAll, expect, test } from "bun:test";
import Type, { type TProperties } from "typebox";
import {
  alwaysShape,
  serverSettingsShape,
  snapshotParts,
  snapshotShape,
} from "../../src/contract/shapes/snapshot.ts";
import { CAST, type Name } from "../users.ts";
import { CAPABLE } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";
import { faultsOf } from "./schema-match.ts";
import { withSuccessFields } from "./check-responses.ts";
const MODERN = {
  client_gravatar: false,
  slim_presence: true,
  include_subscribers: "true",
  client_capabilities: CAPABLE,
};

let testServer: TestServer;
// A register request changes nothing for others, so all tests share a test server.
beforeAll(async () => {
  testServer = await startTestServer();
  await populate();
});
afterAll(() => testServer?.close());

/** Creates an example of everything that a snapshot can contain. */
async function populate() {
  const [bo, cy, mo] = [testServer.idOf("bo"), testServer.idOf("cy"), testServer.idOf("mo")];
  const channel = { name: "garden", subscribers: [bo, cy, testServer.idOf("gus")] };
  const { id: garden } = await testServer.request("olga", "POST /channels/create", channel);
  const bare = { name: "attic", subscribers: [bo], invite_only: true };
  const { id: attic } = await testServer.request("olga", "POST /channels/create", bare);
  await testServer.request("olga", `DELETE /streams/${attic}`);
  await testServer.request("olga", "POST /channels/create", { name: "pond", subscribers: [bo] });
  await testServer.request("bo", "DELETE /users/me/subscriptions", { subscriptions: ["pond"] });
  await testServer.request("olga", "POST /channels/create", { name: "meadow", subscribers: [] });
  const message = { type: "channel", to: garden, topic: "roses" };
  const content = "hello @**Bo Member**";
  const { id } = await testServer.request("cy", "POST /messages", { ...message, content });
  await testServer.request("cy", "POST /messages", { type: "direct", to: [bo], content: "psst" });
  await testServer.request("cy", "POST /messages", {
    type: "direct",
    to: [bo, mo],
    content: "psst",
  });
  await testServer.request("bo", "POST /messages/flags", {
    messages: [id],
    op: "add",
    flag: "starred",
  });
  await testServer.request("bo", `POST /users/me/muted_users/${testServer.idOf("gus")}`);
  const policy = { stream_id: garden, topic: "roses", visibility_policy: 1 };
  await testServer.request("bo", "POST /user_topics", policy);
  await testServer.request("bo", "POST /users/me/alert_words", { alert_words: ["roses"] });
  await testServer.request("cy", "POST /users/me/status", {
    status_text: "out",
    emoji_name: "car",
  });
  await testServer.request("cy", "POST /users/me/presence", { status: "active" });
  await testServer.request("bo", "POST /register_client_device");
  const draft = { type: "stream", to: [garden], topic: "roses", content: "half" };
  await testServer.request("bo", "POST /drafts", { drafts: [draft] });
  await testServer.request("bo", "POST /saved_snippets", { title: "hi", content: "hello" });
  const due = Math.floor(testServer.clock.now() / 1000) + 3600;
  const schedule = { content: "soon", scheduled_delivery_timestamp: due };
  await testServer.request("bo", "POST /scheduled_messages", { ...message, ...schedule });
  await testServer.request("bo", "POST /scheduled_messages", {
    ...schedule,
    type: "direct",
    to: [cy],
  });
  const reminder = { message_id: id, scheduled_delivery_timestamp: due, note: "water" };
  await testServer.request("bo", "POST /reminders", reminder);
  const view = { fragment: "narrow/is/alerted", is_pinned: true, name: "Alerted" };
  await testServer.request("bo", "POST /navigation_views", view);
  const bot = { full_name: "Hooked", short_name: "hooked", bot_type: 3, interface_type: 1 };
  await testServer.request("bo", "POST /bots", {
    ...bot,
    payload_url: '"https://example.org/hook"',
  });
  await testServer.request("olga", `DELETE /users/${mo}`);
  await organize(garden);
}

async function organize(garden: number) {
  const folder = { name: "plants", description: "**green**" };
  await testServer.request("olga", "POST /channel_folders/create", folder);
  const example = { example_input: "#12", reverse_template: "#{id}" };
  const pattern = { pattern: "#(?P<id>[0-9]+)", url_template: "https://example.org/{id}" };
  await testServer.request("olga", "POST /realm/filters", { ...pattern, ...example });
  const playground = { name: "Try", pygments_language: "Python" };
  const url_template = "https://example.org/?code={code}";
  await testServer.request("olga", "POST /realm/playgrounds", { ...playground, url_template });
  await testServer.request("olga", "POST /realm/domains", {
    domain: "example.org",
    allow_subdomains: true,
  });
  const field = { name: "Pet", field_type: 1, hint: "cat?", display_in_profile_summary: true };
  const { id } = await testServer.request("olga", "POST /realm/profile_fields", field);
  await testServer.request("bo", "PATCH /users/me/profile_data", {
    data: [{ id, value: "**Tom**" }],
  });
  const group = { group_name: "starters", description: "all", stream_names: ["garden"] };
  await testServer.request("olga", "POST /default_stream_groups/create", group);
  const gardeners = { name: "gardeners", description: "", members: [testServer.idOf("bo")] };
  await testServer.request("olga", "POST /user_groups/create", gardeners);
  const allowed = { direct_members: [testServer.idOf("bo")], direct_subgroups: [] };
  await testServer.request("olga", `PATCH /streams/${garden}`, {
    can_send_message_group: { new: allowed },
  });
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk" +
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const form = new FormData();
  form.set("file", new File([Buffer.from(png, "base64")], "tick.png", { type: "image/png" }));
  const headers = { Authorization: testServer.basicAuthorization("olga") };
  const url = `${testServer.url}/api/v1/realm/emoji/green_tick`;
  expect((await fetch(url, { method: "POST", headers, body: form })).status).toBe(200);
}

const faultsFor = async (name: Name, params: Params, fields: TProperties) =>
  faultsOf(
    withSuccessFields(Type.Object(fields)),
    await testServer.request(name, "POST /register", params),
  );

const ALWAYS = alwaysShape.properties;
const SNAPSHOT = snapshotShape.properties;
const PARTS = Object.keys(snapshotParts) as (keyof typeof snapshotParts)[];
const ACTIVE = (Object.keys(CAST) as Name[]).filter((name) => name !== "mo");

test.each(ACTIVE)("%s receives all fields and no others", async (name) => {
  expect(await faultsFor(name, MODERN, SNAPSHOT)).toEqual([]);
  expect(await faultsFor(name, {}, SNAPSHOT)).toEqual([]);
});

test.each(PARTS)("%s requested alone returns only its fields", async (group) => {
  const faults = await faultsFor(
    "bo",
    { fetch_event_types: [group] },
    { ...ALWAYS, ...snapshotParts[group] },
  );
  expect(faults).toEqual([]);
});

test("returns unread messages to clients of messages and of flags", async () => {
  const params = { event_types: ["message", "update_message_flags"] };
  const snapshot = await testServer.request("bo", "POST /register", params);
  const { unread_msgs } = snapshotShape.properties;
  const fields = { ...ALWAYS, ...snapshotParts.message, unread_msgs };
  expect(faultsOf(withSuccessFields(Type.Object(fields)), snapshot)).toEqual([]);
});

test("omits muted topics for clients of the newer format", async () => {
  const params = { event_types: ["muted_topics", "user_topic"] };
  expect(await faultsFor("bo", params, { ...ALWAYS, ...snapshotParts.user_topic })).toEqual([]);
});

test("the server has an example of every list", async () => {
  const snapshot = await testServer.request("bo", "POST /register", MODERN);
  const empty = Object.keys(snapshot).filter((key) =>
    ["[]", "{}"].includes(JSON.stringify(snapshot[key])),
  );
  expect(empty.sort()).toEqual(["realm_embedded_bots", "realm_filters", "stop_words"]);
  expect(snapshot.realm_bots[1].services).not.toEqual([]);
});

test("returns who can create channels", async () => {
  const canCreate = async (name: Name) => {
    const snapshot = await testServer.request(name, "POST /register", {
      fetch_event_types: ["realm_user"],
    });
    return snapshot.can_create_streams;
  };
  expect(await canCreate("bo")).toBe(true);
  expect(await canCreate("gus")).toBe(false);
});

test("returns complete server settings to anyone", async () => {
  const response = await testServer.request(null, "GET /server_settings");
  expect(faultsOf(withSuccessFields(serverSettingsShape), response)).toEqual([]);
});
