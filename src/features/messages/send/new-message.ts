// Creates a message: its record, and its event, whose text queues share.
import {
  CAN_EMPTY_TOPIC,
  type MessageEvent,
  WANTS_GRAVATAR_LEFT_OUT,
  WANTS_MARKDOWN_RENDERED,
} from "../../../contract/events.ts";
import type { Reader, Realm, Writer } from "../../../realm.ts";
import type { Message, Submessage } from "../../../schema/records-messages.ts";
import type { QueueRecord, Seconds, User } from "../../../schema/records.ts";
import { isMeMessage, type Rendered } from "../../../text/markdown/render.ts";
import { widgetOf } from "../../../text/widget.ts";
import { filesNamed } from "../../files/access.ts";
import { isHiddenFrom } from "../../people/access.ts";
import { receivedAtSend } from "../access.ts";
import { asSent } from "../edit-history-wire.ts";
import {
  HAS_ATTACHMENT,
  HAS_IMAGE,
  HAS_LINK,
  IS_ME,
  RESOLVE_NOTICE,
  STREAM_WILDCARD,
  TOPIC_WILDCARD,
  WIDGET,
} from "../rules.ts";
import { recordBackdated } from "../sets/backdated.ts";
import { addPersonalFlags, hasCommonFlags, OwnFlagReader } from "../unread/personal-flags.ts";
import { isReadOnArrival } from "../unread/read-marks.ts";
import { messagePresenter, plainParagraph } from "../wire.ts";

/** Options of a send besides the content. */
export interface MessageOptions {
  /** Name of the sending client. */
  client?: string;
  /** Replaces the widget that the content requests. */
  widget?: object | undefined;
  /** Additional bits. */
  bits?: number;
  /** Replaces the current time. */
  timestamp?: Seconds | undefined;
}

/** Client name of messages that the server sends. */
const OWN_CLIENT = "Internal";

export type MessageLocation = Pick<Message, "stream_id" | "topic_id" | "recipient_id" | "spelling">;

export function newMessage(
  tx: Writer,
  id: number,
  sender: User,
  location: MessageLocation,
  content: string,
  rendered: Rendered,
  { client = OWN_CLIENT, widget = widgetOf(content), bits = 0, timestamp }: MessageOptions,
): Message {
  const { html, mentioned_user_ids, mentioned_group_ids } = rendered;
  if (timestamp !== undefined) recordBackdated(tx, id, timestamp);
  return {
    id,
    sender_id: sender.user_id,
    timestamp: timestamp ?? tx.now,
    stream_id: location.stream_id,
    topic_id: location.topic_id,
    recipient_id: location.recipient_id,
    content,
    rendered_content: html === plainParagraph(content) ? null : html,
    client,
    bits: bitsOf(tx, sender, content, rendered) | bits,
    mentioned_user_ids: mentioned_user_ids.length > 0 ? mentioned_user_ids : null,
    mentioned_group_ids: mentioned_group_ids.length > 0 ? mentioned_group_ids : null,
    reactions: null,
    submessages: widget ? [widgetSeed(tx, id, sender, widget)] : null,
    edit_history: null,
    last_edit_timestamp: null,
    last_moved_timestamp: null,
    renames_seen: 0,
    spelling: location.spelling,
  };
}

/** The bits that `bitsOf` sets. */
export const RENDERED_BITS =
  IS_ME | STREAM_WILDCARD | TOPIC_WILDCARD | HAS_LINK | HAS_IMAGE | HAS_ATTACHMENT;

/** Returns the properties of the rendered content as bits. Edits compute them again. */
export function bitsOf(reader: Reader, author: User, content: string, rendered: Rendered): number {
  const hasFile = filesNamed(reader, author, rendered.upload_path_ids).length > 0;
  return (
    (hasFile ? HAS_ATTACHMENT : 0) |
    (isMeMessage(content) ? IS_ME : 0) |
    (rendered.stream_wildcard ? STREAM_WILDCARD : 0) |
    (rendered.topic_wildcard ? TOPIC_WILDCARD : 0) |
    (rendered.has_link ? HAS_LINK : 0) |
    (rendered.has_image ? HAS_IMAGE : 0)
  );
}

function widgetSeed(tx: Writer, message_id: number, sender: User, widget: object): Submessage {
  const id = tx.next("submessages");
  const content = JSON.stringify(widget);
  return { id, message_id, sender_id: sender.user_id, msg_type: "widget", content };
}

export interface SentMessageData {
  message: Message;
  /** The topic at the time of the send. */
  subject: string;
  isUnmarked: boolean;
}

/** Avoids reading the store while the event is in memory. */
const sentBy = new WeakMap<MessageEvent, SentMessageData>();

/** Caches the message of an event. */
export function cacheSentMessage(event: MessageEvent, message: Message, subject: string): void {
  const isQuiet = hasCommonFlags(message) && event.is_alerting !== true;
  sentBy.set(event, { message, subject, isUnmarked: isQuiet });
}

/** Capability bits that affect message events. */
const FORMS = WANTS_MARKDOWN_RENDERED | WANTS_GRAVATAR_LEFT_OUT | CAN_EMPTY_TOPIC;

/** The form for guests who cannot see the sender; separate from the bits above. */
const SENDER_HIDDEN = 8;

export function messageVariant(
  { read }: Pick<Realm, "read">,
  event: MessageEvent,
  queue: QueueRecord,
): number {
  const form = queue.capabilities & FORMS;
  const sender_id = sentMessageOf(read, event)?.message.sender_id ?? 0;
  return isHiddenFrom(read, queue.user_id, sender_id) ? form | SENDER_HIDDEN : form;
}

/**
 * Returns the JSON up to the flags, for all queues of a variant; none if the message was deleted.
 */
export function messageEventText(
  { read }: Pick<Realm, "read">,
  event: MessageEvent,
  variant: number,
): readonly string[] {
  const message = sentMessageOf(read, event);
  if (!message) return [];
  const present = messagePresenter(read, {
    apply_markdown: (variant & WANTS_MARKDOWN_RENDERED) !== 0,
    client_gravatar: (variant & WANTS_GRAVATAR_LEFT_OUT) !== 0,
    allow_empty_topic_name: (variant & CAN_EMPTY_TOPIC) !== 0,
    ...((variant & SENDER_HIDDEN) !== 0 && { canSee: () => false }),
  });
  const object = present(message.message, message.subject);
  return [`{"type":"message","message":${JSON.stringify(object)}`];
}

/** Returns the flags, and on the sender's queue the client's local id. */
export function messageEventPersonal(
  { read }: Pick<Realm, "read">,
  event: MessageEvent,
  queue: QueueRecord,
): string {
  const flags = flagsText(read, event, queue.user_id);
  if (event.local_id === undefined || event.queue_id !== queue.queue_id) return flags;
  return `${flags},"local_message_id":${JSON.stringify(event.local_id)}`;
}

const NO_FLAGS = ',"flags":[]';
const READ_FLAGS = ',"flags":["read"]';

function flagsText(read: Reader, event: MessageEvent, user_id: number): string {
  const flags = flagsAtSend(read, event, user_id);
  if (flags.length === 0) return NO_FLAGS;
  return flags.length === 1 && flags[0] === "read"
    ? READ_FLAGS
    : `,"flags":${JSON.stringify(flags)}`;
}

/** Flags at the time of the send; none for users who receive the event without the message. */
export function flagsAtSend(read: Reader, event: MessageEvent, user_id: number): string[] {
  const message = sentMessageOf(read, event);
  const isQuiet = message !== undefined && (message.message.bits & RESOLVE_NOTICE) !== 0;
  const isRead =
    event.read_by.includes(user_id) ||
    (isQuiet && isReadOnArrival(read, user_id, event.message_id));
  if (!message || (message.isUnmarked && !isRead)) return [];
  const user = read.users.get(user_id);
  if (!user || !receivedAtSend(read, user_id, message.message)) return [];
  const flags = isRead ? ["read"] : [];
  if (message.isUnmarked) return flags;
  addPersonalFlags(flags, read, user, message.message, new OwnFlagReader(read, user_id));
  return flags;
}

/** Returns the message as it was sent. Later changes have their own events. */
export function sentMessageOf(read: Reader, event: MessageEvent): SentMessageData | undefined {
  const cached = sentBy.get(event);
  if (cached) return cached;
  const message = read.messages.get(event.message_id);
  if (!message) return undefined;
  const sentMessage = asSent(read, message);
  cacheSentMessage(event, withoutAdditions(sentMessage.message), sentMessage.subject);
  return sentBy.get(event);
}

/** Reactions and submessages after the send have their own events and must not be counted twice. */
function withoutAdditions(message: Message): Message {
  const [first] = message.submessages ?? [];
  return { ...message, reactions: null, submessages: first?.msg_type === WIDGET ? [first] : null };
}
