/** Known messages, one object per id, and how events change their flags and content. */
import type { Message } from "../../contract/message.ts";
import type { Changed, Event, Snapshot } from "../../contract/snapshot.ts";
import { type Channels, isSubscribed } from "../channels/state.ts";
import { unresolved } from "../topics/rules.ts";

export interface Messages {
  byId: Map<number, Message>;
  starred: Set<number>;
  /** The newest received message; -1: none. */
  newest: number;
  /**
   * Counter that grows when known messages may have moved. Values that depend on the conversation
   * of messages are then outdated.
   */
  moves: number;
  /**
   * Messages moved from or to channels of which the user is not a member; few of them are the
   * user's own.
   */
  crossed: Set<number>;
}

export const MESSAGE_FIELDS = ["starred_messages", "max_message_id"] as const;

export function hydrateMessages(snapshot: Snapshot): Messages {
  return {
    byId: new Map(),
    crossed: new Set(),
    starred: new Set(snapshot.starred_messages ?? []),
    newest: snapshot.max_message_id ?? -1,
    moves: 0,
  };
}

export function dehydrateMessages({ starred, newest }: Messages): Partial<Snapshot> {
  return { starred_messages: [...starred].sort((a, b) => a - b), max_message_id: newest };
}

/** Adds a fetched message. The newer object wins, and views keep the object that they have. */
export function takeMessage(slice: Messages, message: Message, changed: Changed): Message {
  const { byId } = slice;
  const existing = byId.get(message.id);
  if (!existing) {
    byId.set(message.id, message);
    return message;
  }
  const before = JSON.stringify(existing);
  for (const field of Object.keys(existing))
    if (!(field in message)) Reflect.deleteProperty(existing, field);
  Object.assign(existing, message);
  // Unchanged messages are not rendered again.
  if (JSON.stringify(existing) !== before) {
    slice.moves++;
    changed.add(`message:${message.id}`);
  }
  return existing;
}

/** If `channels` is absent, as for the cache on disk, the caller removes moved messages. */
export function reduceMessages(
  slice: Messages,
  event: Event,
  changed: Changed,
  channels?: Channels,
): void {
  switch (event.type) {
    case "message":
      addReceived(slice, event, changed);
      return;
    case "update_message":
      updateMessage(slice, event, changed, channels);
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
      applyReaction(slice, event, changed);
      return;
    case "submessage":
      submitted(slice, event, changed);
  }
}

function addReceived(slice: Messages, event: Event<"message">, changed: Changed): void {
  const { message, flags, local_message_id } = event;
  slice.newest = Math.max(slice.newest, message.id);
  const localId = local_message_id === undefined ? {} : { local_message_id };
  takeMessage(slice, { ...message, flags: [...flags], ...localId }, changed);
}

function updateMessage(
  slice: Messages,
  event: Event<"update_message">,
  changed: Changed,
  channels: Channels | undefined,
): void {
  const { byId } = slice;
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
  slice.moves++;
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
  const ownFlags = flags.filter((flag) => flag === "starred" || flag === "collapsed");
  message.flags = ["read", "historical", ...(isOwn ? ownFlags : [])];
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
    const others = message.flags.filter((flagName) => flagName !== flag);
    message.flags = op === "add" ? [...others, flag] : others;
    changed.add(`message:${id}`);
  }
}

function applyReaction({ byId }: Messages, event: Event<"reaction">, changed: Changed): void {
  const message = byId.get(event.message_id);
  if (!message) return;
  const { op, emoji_name, emoji_code, reaction_type, user_id } = event;
  const others = message.reactions.filter(
    (reaction) =>
      reaction.user_id !== user_id ||
      reaction.emoji_code !== emoji_code ||
      reaction.reaction_type !== reaction_type,
  );
  const ownReaction = { emoji_name, emoji_code, reaction_type, user_id };
  message.reactions = op === "add" ? [...others, ownReaction] : others;
  changed.add(`message:${message.id}`);
}

function submitted({ byId }: Messages, event: Event<"submessage">, changed: Changed): void {
  const { type: _type, id: _id, submessage_id, message_id, sender_id, msg_type, content } = event;
  const message = byId.get(message_id);
  if (!message) return;
  const submessage = { id: submessage_id, message_id, sender_id, msg_type, content };
  // The user's own additions are already displayed, with a negative number.
  const index = message.submessages.findIndex((submessage) =>
    submessage_id < 0
      ? submessage.id === submessage_id
      : submessage.id < 0 &&
        submessage.sender_id === sender_id &&
        isSameAddition(submessage.content, content),
  );
  const others = message.submessages.filter((_, position) => position !== index);
  const isKnown = others.some((submessage) => submessage.id === submessage_id);
  // Empty content removes the user's own addition.
  message.submessages = isKnown || content === "" ? others : [...others, submessage];
  changed.add(`message:${message_id}`);
}

/** If the number was taken, the server assigned another one. */
export const isSameAddition = (content: string, other: string): boolean =>
  withoutNumber(content) === withoutNumber(other);

const withoutNumber = (content: string) => content.replace(/"(?:idx|key)":\d+/, "");
