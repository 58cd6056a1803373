// A test server with a row of every kind, and a valid value for each parameter.
import type { Route } from "../../src/server/routing.ts";
import type { ParameterKind } from "../../src/endpoint.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";

export interface RequestFixture {
  readonly testServer: TestServer;
  /** Valid values by parameter, as text in a request. */
  readonly validValues: Readonly<Record<string, string>>;
}

export async function openWorld(): Promise<RequestFixture> {
  const testServer = await startTestServer({}, { organizations: [], is_still: true });
  const [bo, cy] = [testServer.idOf("bo"), testServer.idOf("cy")];
  const [gus, bot] = [testServer.idOf("gus"), testServer.idOf("bot")];
  await testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
  const params = { name: "garden", subscribers: [bo, cy, gus, bot], is_web_public: true };
  const garden = await testServer.request("olga", "POST /channels/create", params);
  const message = { type: "stream", to: garden.id, topic: "roses", content: "hello" };
  const { id } = await testServer.request("cy", "POST /messages", message);
  await testServer.request("cy", "POST /messages", {
    type: "direct",
    to: [bo, gus, bot],
    content: "psst",
  });
  await testServer.request("cy", "POST /users/me/presence", { status: "active" });
  await testServer.realm.write((tx) => {
    tx.users.put({ ...tx.users.get(testServer.idOf("olga"))!, can_create_users: true });
    // The owner was just warned and gets no further warnings for a while.
    tx.bot_warnings.put({ user_id: bot, timestamp: tx.now });
  });
  const queue_id = await queueWithEvent(testServer, id);
  return { testServer, validValues: validValuesFor(garden.id, id, cy, queue_id) };
}

/** The server may not call this address, and does not try. */
export const UNREACHABLE_URL = "https://127.0.0.1:9";
/** The public part of a browser's push keys. */
const POINT =
  "BBW361vsbm3lmX93abiY4A3ulFNEfzKuqiNnSvu6CwUCQchHXcl6_oLLA2c7sCrl5qj2Dw3R7rrVIkXGyPns-6A";
const DRAFT = { type: "", to: [], topic: "", content: "x" };

/** A value for each parameter, by its name. */
export function validValuesFor(
  stream_id: number,
  message_id: number,
  user_id: number,
  queue_id: string,
): Record<string, string> {
  const property = [{ stream_id, property: "color", value: "#123456" }];
  const validValues = {
    ...{ stream_id, message_id, user_id, muted_user_id: user_id, key_id: 999 },
    ...{ email: "cy@example.com", user_id_or_email: user_id, username: "cy@example.com" },
    ...{ token: "x", file: "x", queue_id, last_event_id: -1, dont_block: true },
    ...{ type: "stream", to: stream_id, topic: "roses", content: "x", topic_name: "roses" },
    ...{ messages: [message_id], op: "add", flag: "starred", narrow: [], anchor: "newest" },
    ...{ num_before: 1, num_after: 1, visibility_policy: 1, status: "active", stream: "garden" },
    ...{ name: "pond", subscribers: [], full_name: "Nia New", password: "correct horse battery" },
    ...{ subscription_data: property, property: "color", value: "#123456" },
    ...{ bot_id: user_id, short_name: "robot", device_id: 1, invite_id: 1, stream_ids: [] },
    ...{ invitee_emails: "ned@example.com", storage: { a: "b" }, appid: "org.example" },
    ...{ scheduled_delivery_timestamp: 4_000_000_000, scheduled_message_id: 1, reminder_id: 1 },
    ...{ emoji_name: "tada", title: "x", draft: DRAFT, drafts: [DRAFT] },
    ...{
      push_subscription_id: 1,
      topic_url: `${UNREACHABLE_URL}/topic`,
      endpoint: `${UNREACHABLE_URL}/push`,
    },
    ...{ p256dh: POINT, auth: "A".repeat(22) },
  };
  const texts = Object.entries(validValues).map(([name, value]) => [name, textOf(value)]);
  return Object.fromEntries(texts);
}

/** Creates an event queue of bo's on which polls never wait. */
async function queueWithEvent(testServer: TestServer, message_id: number): Promise<string> {
  const { queue_id } = await testServer.request("bo", "POST /register");
  const starred = { messages: [message_id], op: "add", flag: "starred" };
  await testServer.request("bo", "POST /messages/flags", starred);
  await testServer.untilIdle();
  return queue_id;
}

/** Returns the other parameters of a request, so that the tested one is reached. */
export function otherParameters(
  { method, path, endpoint }: Route,
  validValues: Readonly<Record<string, string>>,
): Record<string, string> {
  const row = `${method} ${path}`;
  const input: Record<string, string> = {};
  for (const [name, { form, required }] of Object.entries(endpoint.params)) {
    if (required || EXTRA_PARAMETERS[row]?.includes(name))
      input[name] = validValues[name] ?? exampleValue(form);
  }
  return { ...input, ...VALUE_OVERRIDES[row] };
}

/** Optional parameters without which an endpoint does nothing. */
const EXTRA_PARAMETERS: Readonly<Record<string, string[]>> = {
  "POST /messages": ["to", "topic"],
  "GET /messages": ["anchor", "num_before", "num_after"],
  "GET /events": ["queue_id", "last_event_id", "dont_block"],
  "PATCH /users/me/subscriptions/muted_topics": ["stream_id"],
};
const VALUE_OVERRIDES: Readonly<Record<string, Record<string, string>>> = {
  "POST /users": { email: "nia@example.com" },
  "POST /typing": { type: "stream", op: "start", stream_id: "1", topic: "roses", to: "[1]" },
  "POST /users/me/subscriptions": { subscriptions: '[{"name":"garden"}]' },
  "DELETE /users/me/subscriptions": { subscriptions: '["garden"]' },
  "PUT /skein_topic_notes": { version: "0" },
  "POST /users/me/status": { status_text: "out" },
  "POST /users/{user_id}/status": { status_text: "out" },
};

function exampleValue(form: ParameterKind): string {
  if (form.as === "oneOf") return form.values[0] ?? "";
  if (form.as === "text") return "x";
  if (form.as === "bool") return "true";
  if (form.as === "int") return "1";
  return (form.schema as { type?: string }).type === "integer" ? "1" : "[]";
}

const textOf = (value: Json) => (typeof value === "string" ? value : JSON.stringify(value));
