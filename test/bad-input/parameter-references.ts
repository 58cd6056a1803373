// Finds where requests name each kind of object: row, parameter, and other parameters.
import { routes } from "../../src/contract/routes.ts";
import type { Params } from "../test-server.ts";
import { otherParameters } from "./fixture.ts";

export interface Mention {
  readonly row: string;
  readonly parameter: string;
  /** Parameters that name the object, given its id or name; by default the key itself. */
  readonly params?: (value: unknown) => Params;
}

const mentionAt = (row: string, parameter: string, params?: Mention["params"]): Mention => ({
  row,
  parameter,
  ...(params && { params }),
});

const fetched = { anchor: "newest", num_before: 5, num_after: 0 };
const inNarrow = (operator: string, operand: (value: unknown) => unknown = (value) => value) => [
  mentionAt("GET /messages", "narrow", (value) => ({
    ...fetched,
    narrow: [{ operator, operand: operand(value) }],
  })),
  mentionAt("POST /messages/flags/narrow", "narrow", (value) => ({
    ...{ ...fetched, op: "add", flag: "read" },
    narrow: [{ operator, operand: operand(value) }],
  })),
];
const message = { type: "stream", topic: "roses", content: "x" };
const schedule = { scheduled_delivery_timestamp: 4_000_000_000 };
const colored = { property: "color", value: "#123456" };
const muting = { topic: "roses", op: "add" };
const draftTo = (type: string) => (value: unknown) => ({
  drafts: [{ type, to: [value], topic: "", content: "x" }],
});

const CHANNEL_EITHER_WAY = [
  mentionAt("POST /messages", "to", (to) => ({ ...message, to })),
  ...inNarrow("channel"),
  ...inNarrow("stream"),
];

export const CHANNEL_IDS: readonly Mention[] = [
  ...CHANNEL_EITHER_WAY,
  mentionAt("POST /mark_stream_as_read", "stream_id"),
  mentionAt("POST /mark_topic_as_read", "stream_id", (value) => ({
    stream_id: value,
    topic_name: "roses",
  })),
  mentionAt("POST /typing", "stream_id", (value) => ({
    ...{ type: "stream", op: "start", topic: "roses", stream_id: value },
  })),
  mentionAt("POST /default_streams", "stream_id"),
  mentionAt("DELETE /default_streams", "stream_id"),
  mentionAt("POST /users/me/subscriptions/properties", "subscription_data", (value) => ({
    subscription_data: [{ stream_id: value, ...colored }],
  })),
  mentionAt("PATCH /users/me/subscriptions/muted_topics", "stream_id", (value) => ({
    ...{ stream_id: value, ...muting },
  })),
  mentionAt("POST /user_topics", "stream_id", (value) => ({
    ...{ stream_id: value, topic: "roses", visibility_policy: 1 },
  })),
  mentionAt("POST /drafts", "drafts", draftTo("stream")),
  mentionAt("POST /scheduled_messages", "to", (to) => ({ ...message, ...schedule, to })),
];

export const CHANNEL_NAMES: readonly Mention[] = [
  ...CHANNEL_EITHER_WAY,
  mentionAt("GET /get_stream_id", "stream"),
  mentionAt("PATCH /users/me/subscriptions/muted_topics", "stream", (value) => ({
    stream: value,
    ...muting,
  })),
  mentionAt("DELETE /users/me/subscriptions", "subscriptions", (value) => ({
    subscriptions: [value],
  })),
];

export const MESSAGES: readonly Mention[] = [
  mentionAt("GET /messages", "message_ids", (value) => ({ message_ids: [value] })),
  mentionAt("POST /reminders", "message_id", (message_id) => ({ ...schedule, message_id })),
  mentionAt("POST /messages/flags", "messages", (value) => ({
    messages: [value],
    op: "add",
    flag: "starred",
  })),
  ...["id", "with"].flatMap((operator) => inNarrow(operator)),
  // An empty narrow; otherwise flags would change what the next request finds.
  inNarrow("near")[0]!,
];

export const QUEUES: readonly Mention[] = [
  mentionAt("GET /events", "queue_id", (value) => ({ queue_id: value, last_event_id: -1 })),
  mentionAt("DELETE /events", "queue_id"),
];

const payload = { type: "direct", content: "x" };

export const PEOPLE: readonly Mention[] = [
  ...["sender", "dm-including", "dm", "mentions"].flatMap((operator) => inNarrow(operator)),
  ...["sender", "dm-including", "dm"].flatMap((operator) => inNarrow(operator, (value) => [value])),
  mentionAt("POST /messages", "to", (value) => ({ ...payload, to: [value] })),
  mentionAt("POST /scheduled_messages", "to", (value) => ({
    ...payload,
    ...schedule,
    to: [value],
  })),
  mentionAt("PATCH /scheduled_messages/{scheduled_message_id}", "to", (value) => ({
    ...payload,
    to: [value],
  })),
  mentionAt("GET /streams/{stream_id}/email_address", "sender_id"),
  mentionAt("POST /drafts", "drafts", draftTo("direct")),
  mentionAt("PATCH /users/me/profile_data", "data", (value) => ({
    data: [{ id: 1, value: [value] }],
  })),
  mentionAt("GET /users", "user_ids", (value) => ({ user_ids: [value] })),
  mentionAt("POST /typing", "to", (value) => ({ op: "start", to: [value] })),
  mentionAt("DELETE /users/me/subscriptions", "principals", (value) => ({
    ...{ subscriptions: ["garden"], principals: [value] },
  })),
];

/** Names of parameters that can name users. */
export const USER_PARAMETERS: ReadonlySet<string> = new Set([
  ...["to", "user_id", "user_ids", "principals", "members", "subscribers", "bot_owner_id"],
  ...["sender", "sender_id", "drafts", "narrow", "data", "profile_data"],
]);

/** Parameters with such a name that do not name a user, or that only some users may use. */
export const OTHER_PARAMETERS: ReadonlySet<string> = new Set([
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
  mentionAt("POST /messages", "to", (value) => ({ ...payload, to: [value] })),
  mentionAt("DELETE /users/me/subscriptions", "principals", (value) => ({
    ...{ subscriptions: ["garden"], principals: [value] },
  })),
  ...["sender", "dm-including", "dm", "mentions"].flatMap((operator) => inNarrow(operator)),
];

/** Returns an entry for each route with a path parameter of this name. */
export function pathReferences(
  placeholder: string,
  validValues: Record<string, string>,
): Mention[] {
  return routes
    .filter(({ path }) => !path.startsWith("root:"))
    .filter(({ path }) => path.includes(`{${placeholder}}`) || path.includes(`{${placeholder}*}`))
    .map((route) => {
      const { [placeholder]: _, ...others } = otherParameters(route, validValues);
      return mentionAt(`${route.method} ${route.path}`, placeholder, () => others);
    });
}
