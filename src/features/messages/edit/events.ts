// The event of an edit or move, and its variants for different receivers.
import type { PlainEvent } from "../../../contract/events.ts";
import type { Reader, Realm } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { Channel, QueueRecord, Seconds } from "../../../schema/records.ts";
import { topicLinks } from "../../../text/topic-links.ts";
import { linkifiersInOrder } from "../../linkifiers/wire.ts";
import { hasReceived } from "../access.ts";
import { IS_ME } from "../rules.ts";
import { flagsOf } from "../unread/personal-flags.ts";
import { renderedOf } from "../wire.ts";

export type PropagateMode = "change_one" | "change_later" | "change_all";

export interface EditedMessage {
  user_id: number;
  timestamp: Seconds;
  message_id: number;
  /** Ascending, including `message_id`. */
  message_ids: readonly number[];
  /** The original channel; undefined for direct messages. */
  channel: Channel | undefined;
  content?: { before: Message; after: Message } | undefined;
  move?: {
    propagate_mode: PropagateMode;
    orig_subject: string;
    subject: string;
    stream_id: number;
  };
}

export function messagesEdited(reader: Reader, edited: EditedMessage): PlainEvent {
  const { user_id, timestamp, message_id, message_ids, channel, content, move } = edited;
  return {
    type: "update_message",
    user_id,
    edit_timestamp: timestamp,
    message_id,
    message_ids,
    rendering_only: false,
    ...(channel && { stream_name: channel.name, stream_id: channel.stream_id }),
    ...(content && contentFields(reader, content.before, content.after)),
    ...(move && channel && moveFields(reader, channel, move)),
  };
}

/**
 * A move for users who can see the messages only in the destination channel. Clients require the
 * fields of the original place: the channel's id is 0, and the topic is the new one.
 */
export function messagesArrived(reader: Reader, edited: EditedMessage): PlainEvent {
  const { stream_name: _name, ...event } = messagesEdited(reader, edited);
  const { subject } = edited.move!;
  const topic_links = topicLinks(subject, linkifiersInOrder(reader));
  return { ...event, stream_id: HIDDEN_CHANNEL, orig_subject: subject, subject, topic_links };
}

/** No channel has this id. */
const HIDDEN_CHANNEL = 0;

/** A new rendering of the same content, without an editor. */
export function messageRerendered(reader: Reader, message: Message): PlainEvent {
  const channel = reader.channels.get(message.stream_id);
  return {
    type: "update_message",
    user_id: null,
    edit_timestamp: reader.now,
    message_id: message.id,
    message_ids: [message.id],
    rendering_only: true,
    ...(channel && { stream_name: channel.name, stream_id: channel.stream_id }),
    ...newFields(reader, message),
  };
}

function contentFields(reader: Reader, before: Message, after: Message) {
  const orig_rendered_content = renderedOf(reader, before);
  return { orig_content: before.content, orig_rendered_content, ...newFields(reader, after) };
}

function newFields(reader: Reader, message: Message) {
  return {
    content: message.content,
    rendered_content: renderedOf(reader, message),
    is_me_message: (message.bits & IS_ME) !== 0,
  };
}

function moveFields(reader: Reader, channel: Channel, move: NonNullable<EditedMessage["move"]>) {
  const { propagate_mode, orig_subject, subject, stream_id } = move;
  return {
    propagate_mode,
    orig_subject,
    ...(subject !== orig_subject && {
      subject,
      topic_links: topicLinks(subject, linkifiersInOrder(reader)),
    }),
    ...(stream_id !== channel.stream_id && { new_stream_id: stream_id }),
  };
}

/** Avoids reading the store while the event is in memory. */
const messages = new WeakMap<PlainEvent, Message>();

/** The flags of the queue's user on the edited message. */
export function editEventPersonal(
  { read }: Pick<Realm, "read">,
  event: PlainEvent,
  { user_id }: QueueRecord,
): string {
  return `,"flags":${JSON.stringify(flagsFor(read, event, user_id))}`;
}

function flagsFor(read: Reader, event: PlainEvent, user_id: number): readonly string[] {
  const message = messages.get(event) ?? read.messages.get(event["message_id"] as number);
  const user = read.users.get(user_id);
  if (!message || !user) return ["read"];
  messages.set(event, message);
  return hasReceived(read, user, message) ? flagsOf(read, user, message) : ["read"];
}
