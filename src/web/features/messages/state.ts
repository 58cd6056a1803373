/** The messages one has seen, one object an id, and what flags and edits did to them. */
import type { Static } from "typebox";
import type { emojiTypeShape } from "../../../contract/shapes/messages.ts";
import type { Changed, Event, Snapshot } from "../../snapshot.ts";
import { type Channels, isSubscribed } from "../channels/state.ts";
import { unresolved } from "../topics/resolved.ts";

export interface Reaction {
  emoji_name: string;
  emoji_code: string;
  reaction_type: Static<typeof emojiTypeShape>;
  user_id: number;
}

export interface Submessage {
  id: number;
  message_id: number;
  sender_id: number;
  msg_type: string;
  content: string;
}

/** State of an unconfirmed message. */
export interface Sending {
  local_id: string;
  state: "sending" | "waiting" | "sent" | "refused" | "unsure";
  /** Why it was refused, in the server's words. */
  words: string | undefined;
  /** When it was written, in milliseconds since 1970. */
  made: number;
  /** The server has the message, and not what was changed of it. */
  isChange?: boolean;
}

export interface Message {
  id: number;
  type: "stream" | "private";
  sender_id: number;
  sender_full_name: string;
  /** Only for messages in channels. */
  stream_id?: number;
  /** The topic; "" for the one without a name. */
  subject: string;
  display_recipient: string | readonly { id: number; full_name: string; email: string }[];
  /** HTML as the server rendered it. */
  content: string;
  /** Seconds since 1970. */
  timestamp: number;
  is_me_message: boolean;
  reactions: readonly Reaction[];
  submessages: readonly Submessage[];
  flags: string[];
  topic_links: readonly { text: string; url: string }[];
  last_edit_timestamp?: number;
  last_moved_timestamp?: number;
  edit_history?: readonly unknown[];
  /** The id that this client gave it before it was confirmed. */
  local_message_id?: string;
  /** Set for own unconfirmed messages. */
  sending?: Sending;
  [field: string]: unknown;
}

export interface Messages {
  byId: Map<number, Message>;
  starred: Set<number>;
  /** The newest that one has received; -1: none. */
  newest: number;
  /** Moved to where one is not, or from there: they may be among one's own, and rarely are. */
  crossed: Set<number>;
}

export const MESSAGE_FIELDS = ["starred_messages", "max_message_id"];

export function hydrateMessages(snapshot: Snapshot): Messages {
  return {
    byId: new Map(),
    crossed: new Set(),
    starred: new Set(snapshot["starred_messages"] ?? []),
    newest: snapshot["max_message_id"] ?? -1,
  };
}

export function dehydrateMessages({ starred, newest }: Messages): Record<string, unknown> {
  return { starred_messages: [...starred].sort((a, b) => a - b), max_message_id: newest };
}

/** A fetched message: the newer object wins, views keep the one that they know. */
export function takeMessage({ byId }: Messages, message: Message, changed: Changed): Message {
  const known = byId.get(message.id);
  if (!known) {
    byId.set(message.id, message);
    return message;
  }
  const before = JSON.stringify(known);
  for (const field of Object.keys(known)) if (!(field in message)) delete known[field];
  Object.assign(known, message);
  // Unchanged messages are not rendered again.
  if (JSON.stringify(known) !== before) changed.add(`message:${message.id}`);
  return known;
}

/** Without channels, as on disk, moved messages are removed by the caller. */
export function reduceMessages(
  slice: Messages,
  event: Event,
  changed: Changed,
  channels?: Channels,
): void {
  switch (event.type) {
    case "message":
      received(slice, event, changed);
      return;
    case "update_message":
      updated(slice, event, changed, channels);
      return;
    case "update_message_flags":
      flagged(slice, event, changed);
      return;
    case "delete_message":
      for (const id of event.message_ids ?? [event.message_id]) {
        slice.byId.delete(id);
        if (slice.starred.delete(id)) changed.add("starred");
        changed.add(`message:${id}`);
      }
      return;
    case "reaction":
      reacted(slice, event, changed);
      return;
    case "submessage":
      submitted(slice, event, changed);
  }
}

function received(slice: Messages, event: Event<"message">, changed: Changed): void {
  const { message, flags, local_message_id } = event;
  slice.newest = Math.max(slice.newest, message.id);
  const own = local_message_id === undefined ? {} : { local_message_id };
  takeMessage(slice, { ...message, flags: [...flags], ...own }, changed);
}

function updated(
  { byId }: Messages,
  event: Event<"update_message">,
  changed: Changed,
  channels: Channels | undefined,
): void {
  const { message_ids, message_id, rendering_only, edit_timestamp } = event;
  const text = byId.get(message_id);
  if (text && event.rendered_content !== undefined) {
    text.content = event.rendered_content;
    text.is_me_message = event.is_me_message;
    if (event.topic_links) text.topic_links = event.topic_links;
    text.flags = [...event.flags];
    if (!rendering_only && event.orig_content !== undefined)
      text.last_edit_timestamp = edit_timestamp;
    delete text.edit_history;
    changed.add(`message:${message_id}`);
  }
  const { subject, new_stream_id, topic_links } = event;
  if (subject === undefined && new_stream_id === undefined) return;
  const isOutside =
    channels && new_stream_id !== undefined && !isSubscribed(channels, new_stream_id);
  for (const id of message_ids) {
    const message = byId.get(id);
    if (!message) continue;
    if (isOutside) countAsRead(message);
    const was = unresolved(message.subject);
    if (subject !== undefined) message.subject = subject;
    if (new_stream_id !== undefined) message.stream_id = new_stream_id;
    if (topic_links) message.topic_links = topic_links;
    // Resolving a topic is not a move.
    if (new_stream_id !== undefined || unresolved(message.subject) !== was)
      message.last_moved_timestamp = edit_timestamp;
    delete message.edit_history;
    changed.add(`message:${id}`);
  }
}

/** Outside of the user's channels, messages are read and mention nobody. Stars stay. */
function countAsRead(message: Message): void {
  const { flags } = message;
  const isOwn = flags.includes("starred") || flags.includes("historical");
  const kept = flags.filter((flag) => flag === "starred" || flag === "collapsed");
  message.flags = ["read", "historical", ...(isOwn ? kept : [])];
}

function flagged(
  { byId, starred }: Messages,
  event: Event<"update_message_flags">,
  changed: Changed,
): void {
  const { op, flag, messages, all } = event;
  const ids: Iterable<number> = all ? byId.keys() : messages;
  if (flag === "starred") changed.add("starred");
  for (const id of ids) {
    if (flag === "starred") {
      if (op === "add") starred.add(id);
      else starred.delete(id);
    }
    const message = byId.get(id);
    if (!message || message.flags.includes(flag) === (op === "add")) continue;
    const others = message.flags.filter((one) => one !== flag);
    message.flags = op === "add" ? [...others, flag] : others;
    changed.add(`message:${id}`);
  }
}

function reacted({ byId }: Messages, event: Event<"reaction">, changed: Changed): void {
  const message = byId.get(event.message_id);
  if (!message) return;
  const { op, emoji_name, emoji_code, reaction_type, user_id } = event;
  const others = message.reactions.filter(
    (one) =>
      one.user_id !== user_id ||
      one.emoji_code !== emoji_code ||
      one.reaction_type !== reaction_type,
  );
  const own = { emoji_name, emoji_code, reaction_type, user_id };
  message.reactions = op === "add" ? [...others, own] : others;
  changed.add(`message:${message.id}`);
}

function submitted({ byId }: Messages, event: Event<"submessage">, changed: Changed): void {
  const { type: _type, id: _id, submessage_id, message_id, sender_id, msg_type, content } = event;
  const message = byId.get(message_id);
  if (!message) return;
  const submessage = { id: submessage_id, message_id, sender_id, msg_type, content };
  // Own additions were shown already, with a negative number.
  const shown = message.submessages.findIndex((one) =>
    submessage_id < 0
      ? one.id === submessage_id
      : one.id < 0 && one.sender_id === sender_id && isSameAddition(one.content, content),
  );
  const others = message.submessages.filter((_, at) => at !== shown);
  const isKnown = others.some((one) => one.id === submessage_id);
  // An empty content removes an own addition.
  message.submessages = isKnown || content === "" ? others : [...others, submessage];
  changed.add(`message:${message_id}`);
}

/** If the number was taken, the server assigned another one. */
export const isSameAddition = (one: string, other: string): boolean =>
  withoutNumber(one) === withoutNumber(other);

const withoutNumber = (content: string) => content.replace(/"(?:idx|key)":\d+/, "");
