// Finds where requests name each kind of object: row, parameter, and other parameters.
import { routes } from "../../src/contract/routes.ts";
import type { Params } from "../test-server.ts";
import { otherParameters } from "./fixture.ts";

export interface Mention {
  readonly row: string;
  readonly parameter: string;
  /** Parameters that name the object, given its id or name; by default the key itself. */
  readonly params?: (it: unknown) => Params;
}

const mentionAt = (row: string, parameter: string, params?: Mention["params"]): Mention => ({
  row,
  parameter,
  ...(params && { params }),
});

const fetched = { anchor: "newest", num_before: 5, num_after: 0 };
const narrowed = (operator: string, operand: (it: unknown) => unknown = (it) => it) => [
  mentionAt("GET /messages", "narrow", (it) => ({
    ...fetched,
    narrow: [{ operator, operand: operand(it) }],
  })),
  mentionAt("POST /messages/flags/narrow", "narrow", (it) => ({
    ...{ ...fetched, op: "add", flag: "read" },
    narrow: [{ operator, operand: operand(it) }],
  })),
];
const sent = { type: "stream", topic: "roses", content: "x" };
const later = { scheduled_delivery_timestamp: 4_000_000_000 };
const colored = { property: "color", value: "#123456" };
const muting = { topic: "roses", op: "add" };
const draftTo = (type: string) => (it: unknown) => ({
  drafts: [{ type, to: [it], topic: "", content: "x" }],
});

const CHANNEL_EITHER_WAY = [
  mentionAt("POST /messages", "to", (to) => ({ ...sent, to })),
  ...narrowed("channel"),
  ...narrowed("stream"),
];

export const CHANNEL_IDS: readonly Mention[] = [
  ...CHANNEL_EITHER_WAY,
  mentionAt("POST /mark_stream_as_read", "stream_id"),
  mentionAt("POST /mark_topic_as_read", "stream_id", (it) => ({
    stream_id: it,
    topic_name: "roses",
  })),
  mentionAt("POST /typing", "stream_id", (it) => ({
    ...{ type: "stream", op: "start", topic: "roses", stream_id: it },
  })),
  mentionAt("POST /default_streams", "stream_id"),
  mentionAt("DELETE /default_streams", "stream_id"),
  mentionAt("POST /users/me/subscriptions/properties", "subscription_data", (it) => ({
    subscription_data: [{ stream_id: it, ...colored }],
  })),
  mentionAt("PATCH /users/me/subscriptions/muted_topics", "stream_id", (it) => ({
    ...{ stream_id: it, ...muting },
  })),
  mentionAt("POST /user_topics", "stream_id", (it) => ({
    ...{ stream_id: it, topic: "roses", visibility_policy: 1 },
  })),
  mentionAt("POST /drafts", "drafts", draftTo("stream")),
  mentionAt("POST /scheduled_messages", "to", (to) => ({ ...sent, ...later, to })),
];

export const CHANNEL_NAMES: readonly Mention[] = [
  ...CHANNEL_EITHER_WAY,
  mentionAt("GET /get_stream_id", "stream"),
  mentionAt("PATCH /users/me/subscriptions/muted_topics", "stream", (it) => ({
    stream: it,
    ...muting,
  })),
  mentionAt("DELETE /users/me/subscriptions", "subscriptions", (it) => ({ subscriptions: [it] })),
];

export const MESSAGES: readonly Mention[] = [
  mentionAt("GET /messages", "message_ids", (it) => ({ message_ids: [it] })),
  mentionAt("POST /reminders", "message_id", (message_id) => ({ ...later, message_id })),
  mentionAt("POST /messages/flags", "messages", (it) => ({
    messages: [it],
    op: "add",
    flag: "starred",
  })),
  ...["id", "with"].flatMap((operator) => narrowed(operator)),
  // An empty narrow; otherwise flags would change what the next request finds.
  narrowed("near")[0]!,
];

export const QUEUES: readonly Mention[] = [
  mentionAt("GET /events", "queue_id", (it) => ({ queue_id: it, last_event_id: -1 })),
  mentionAt("DELETE /events", "queue_id"),
];

const payload = { type: "direct", content: "x" };

export const PEOPLE: readonly Mention[] = [
  ...["sender", "dm-including", "dm", "mentions"].flatMap((operator) => narrowed(operator)),
  ...["sender", "dm-including", "dm"].flatMap((operator) => narrowed(operator, (it) => [it])),
  mentionAt("POST /messages", "to", (it) => ({ ...payload, to: [it] })),
  mentionAt("POST /scheduled_messages", "to", (it) => ({ ...payload, ...later, to: [it] })),
  mentionAt("PATCH /scheduled_messages/{scheduled_message_id}", "to", (it) => ({
    ...payload,
    to: [it],
  })),
  mentionAt("GET /streams/{stream_id}/email_address", "sender_id"),
  mentionAt("POST /drafts", "drafts", draftTo("direct")),
  mentionAt("PATCH /users/me/profile_data", "data", (it) => ({ data: [{ id: 1, value: [it] }] })),
  mentionAt("GET /users", "user_ids", (it) => ({ user_ids: [it] })),
  mentionAt("POST /typing", "to", (it) => ({ op: "start", to: [it] })),
  mentionAt("DELETE /users/me/subscriptions", "principals", (it) => ({
    ...{ subscriptions: ["garden"], principals: [it] },
  })),
];

/** Names of parameters that can name users. */
export const NAMING_PEOPLE: ReadonlySet<string> = new Set([
  ...["to", "user_id", "user_ids", "principals", "members", "subscribers", "bot_owner_id"],
  ...["sender", "sender_id", "drafts", "narrow", "data", "profile_data"],
]);

/** Parameters with such a name that do not name a user, or that only some users may use. */
export const NAMING_NOBODY: ReadonlySet<string> = new Set([
  // Allowed for users who may state the sender.
  "POST /messages sender",
  // The event queue of a guest gets only events of that guest.
  "POST /register narrow",
  // Uses the same access check as the narrow of GET /messages.
  "GET /messages/matches_narrow narrow",
  "GET /messages/summary narrow",
  "DELETE /users/me/profile_data data",
  "PATCH /users/{user_id} profile_data",
  "PATCH /users/{email} profile_data",
]);

export const ADDRESSES: readonly Mention[] = [
  mentionAt("POST /messages", "to", (it) => ({ ...payload, to: [it] })),
  mentionAt("DELETE /users/me/subscriptions", "principals", (it) => ({
    ...{ subscriptions: ["garden"], principals: [it] },
  })),
  ...["sender", "dm-including", "dm", "mentions"].flatMap((operator) => narrowed(operator)),
];

/** Returns an entry for each route with a path parameter of this name. */
export function inPaths(placeholder: string, sensible: Record<string, string>): Mention[] {
  return routes
    .filter(({ path }) => !path.startsWith("root:"))
    .filter(({ path }) => path.includes(`{${placeholder}}`) || path.includes(`{${placeholder}*}`))
    .map((route) => {
      const { [placeholder]: _, ...others } = otherParameters(route, sensible);
      return mentionAt(`${route.method} ${route.path}`, placeholder, () => others);
    });
}
