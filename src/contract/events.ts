// What is told: every kind of event and every kind of audience.
import type { eventShapes } from "./shapes/told.ts";

/**
 * Who hears an event, in a form that costs the same whoever listens; audiences.ts resolves it when
 * the event is committed. Where the same act changes who may hear, people are named explicitly.
 */
export type Audience = (
  | { to: "people"; user_ids: readonly number[] }
  /** Everyone active, bots and guests too. */
  | { to: "realm" }
  /** Everyone but guests. */
  | { to: "members" }
  /** Owners and administrators. */
  | { to: "administrators" }
  /**
   * Who is subscribed to the channel, and `also` some who are not. `having`: only those who have
   * one of these messages. `formerly`: with the members who were subscribed when one was sent.
   */
  | {
      to: "subscribers";
      stream_id: number;
      also?: readonly number[];
      having?: readonly number[];
      formerly?: readonly number[];
    }
  /** Who may see that the channel exists, its name and its settings. */
  | { to: "viewers"; stream_id: number }
  /** Who may see the list of the channel's subscribers. */
  | { to: "peers"; stream_id: number }
  /** Who may see this person. */
  | { to: "seers"; user_id: number }
) & { except?: readonly number[] };

/**
 * Bits of `QueueRecord.capabilities`: the forms that a client asked for, and what it declared. On
 * disk: never renumber one. The first three make the variants of a message.
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
} as const;

/** What a client may declare that it can do. */
export type Capability = keyof typeof CAN;
/** The doubled names of names.ts in the other spelling, where a value can have only one. */
export const WANTS_SERVICE_SPELLING = 32768;
/** For clients that know no profile field of pronouns. */
export const WANTS_PRONOUNS_AS_TEXT = 65536;

/** `stream/update` and `heartbeat`: by type and op, or by the type of what has no ops. */
type EventKind = keyof typeof eventShapes;
export type EventType = EventKind extends infer K
  ? K extends `${infer T}/${string}`
    ? T
    : K
  : never;

/** The event of a send: the message itself is in its table, and is rendered from there. */
export type MessageEvent = {
  type: "message";
  message_id: number;
  /** The sender's queue that gets `local_message_id`. */
  queue_id?: string;
  local_id?: string;
  /** People whose copy is born read: the sender, and who muted the sender. */
  read_by: readonly number[];
  /** It holds a word that somebody who got it wants to be alerted of. */
  is_alerting?: true;
};

/**
 * Every other event is kept as the most capable client sees it. `needs` and `lacks` name a client
 * capability without which, or with which, it is not heard; they are not told.
 */
export type PlainEvent = {
  type: Exclude<EventType, "message">;
  needs?: Capability;
  lacks?: Capability | readonly Capability[];
} & Record<string, unknown>;

export type SkeinEvent = MessageEvent | PlainEvent;
