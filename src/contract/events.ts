// All kinds of events and audiences.
import type { eventShapes } from "./shapes/events.ts";

/**
 * The receivers of an event, in a form of constant size; audiences.ts resolves it when the event
 * commits. If the same action changes who may receive it, users are listed explicitly.
 */
export type Audience = (
  | { to: "people"; user_ids: readonly number[] }
  /** All active users, including bots and guests. */
  | { to: "realm" }
  /** All users except guests. */
  | { to: "members" }
  /** Owners and administrators. */
  | { to: "administrators" }
  /**
   * Subscribers of the channel, and the users in `also`. `having`: only users who have one of these
   * messages. `formerly`: also users who were subscribed when one of them was sent.
   */
  | {
      to: "subscribers";
      stream_id: number;
      also?: readonly number[];
      having?: readonly number[];
      formerly?: readonly number[];
    }
  /** Users who can see that the channel exists, with its name and settings. */
  | { to: "viewers"; stream_id: number }
  /** Users who can see the channel's subscribers. */
  | { to: "peers"; stream_id: number }
  /** Users who can see this user. */
  | { to: "seers"; user_id: number }
) & { except?: readonly number[] };

/**
 * Bits of `QueueRecord.capabilities`: requested formats and declared capabilities. Stored on disk,
 * so never renumber them. The first three select the variants of a message.
 */
export const WANTS_MARKDOWN_RENDERED = 1;
export const WANTS_GRAVATAR_LEFT_OUT = 2;
export const CAN_EMPTY_TOPIC = 4;
export const WANTS_SLIM_PRESENCE = 8;
export const CAN = {
  empty_topic_name: CAN_EMPTY_TOPIC,
  notification_settings_null: 16,
  bulk_message_deletion: 32,
  user_avatar_url_field_optional: 64,
  stream_typing_notifications: 128,
  user_settings_object: 256,
  linkifier_url_template: 512,
  user_list_incomplete: 1024,
  include_deactivated_groups: 2048,
  archived_channels: 4096,
  simplified_presence_events: 8192,
  individual_emoji_changes: 16384,
  /** Skein's own event types: pinned messages. */
  skein_pins: 131072,
  /** Skein's own event types: topic notes. */
  skein_topic_notes: 262144,
  /** Skein's own event types: the user's order of the sidebar. */
  skein_sidebar_order: 524288,
} as const;

/** Capabilities that clients can declare. */
export type Capability = keyof typeof CAN;
/** Sends the names of names.ts in the other spelling where a value can have only one. */
export const WANTS_SERVICE_SPELLING = 32768;
/** Sends pronouns as text, to clients that do not support pronoun profile fields. */
export const WANTS_PRONOUNS_AS_TEXT = 65536;

/** `stream/update` or `heartbeat`: type and op, or only the type if there are no ops. */
type EventKind = keyof typeof eventShapes;
export type EventType = EventKind extends infer K
  ? K extends `${infer T}/${string}`
    ? T
    : K
  : never;

/** The event of a sent message; the message itself is in its table and rendered from there. */
export type MessageEvent = {
  type: "message";
  message_id: number;
  /** The sender's queue that gets `local_message_id`. */
  queue_id?: string;
  local_id?: string;
  /**
   * Users for whom the message is read from the start: the sender, and users who muted the sender.
   */
  read_by: readonly number[];
  /** The message contains an alert word of a receiver. */
  is_alerting?: true;
};

/**
 * All other events, in the form of the most capable client. A client without the capability
 * `needs`, or with the capability `lacks`, does not receive the event; these two are not sent.
 */
export type PlainEvent = {
  type: Exclude<EventType, "message">;
  needs?: Capability;
  lacks?: Capability | readonly Capability[];
} & Record<string, unknown>;

export type SkeinEvent = MessageEvent | PlainEvent;
