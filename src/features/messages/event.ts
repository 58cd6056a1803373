// The event of a message that was sent: its text, shared by many queues, and what differs.
import type { MessageEvent } from "../../events.ts";
import { CAN_EMPTY_TOPIC, WANTS_GRAVATAR_LEFT_OUT, WANTS_MARKDOWN_RENDERED } from "../../events.ts";
import type { Realm, Reader } from "../../realm.ts";
import type { Message } from "../../records-messages.ts";
import type { QueueRecord } from "../../records.ts";
import { canSeeUser } from "../users/access.ts";
import { isGuest } from "../users/rules.ts";
import { WIDGET } from "../submessages/rules.ts";
import { receivedAtSend } from "./access.ts";
import { addMarks, isUnmarked, OwnFlags } from "./marks.ts";
import { asSent } from "./past.ts";
import { isBornRead } from "./read-marks.ts";
import { RESOLVE_NOTICE } from "./rules.ts";
import { messagePresenter } from "./wire.ts";

export interface Sent {
  message: Message;
  /** The topic as the message was sent to it. */
  subject: string;
  isUnmarked: boolean;
}

/** Spares a look into the store as long as the event itself is kept in memory. */
const sentBy = new WeakMap<MessageEvent, Sent>();

/** Keeps with the event the message that it tells of. */
export function rememberSent(event: MessageEvent, message: Message, subject: string): void {
  const isQuiet = isUnmarked(message) && event.is_alerting !== true;
  sentBy.set(event, { message, subject, isUnmarked: isQuiet });
}

/** The bits of the queue's capabilities that make a difference to a message. */
const FORMS = WANTS_MARKDOWN_RENDERED | WANTS_GRAVATAR_LEFT_OUT | CAN_EMPTY_TOPIC;
/** For guests who do not see the sender; it is none of the bits above. */
const SENDER_HIDDEN = 8;

export function messageVariant(
  { read }: Pick<Realm, "read">,
  event: MessageEvent,
  queue: QueueRecord,
): number {
  const form = queue.capabilities & FORMS;
  if (read.users.countBy("guests", 1) === 0) return form;
  const viewer = read.users.get(queue.user_id);
  if (!viewer || !isGuest(viewer)) return form;
  const sender = read.users.get(sentOf(read, event)?.message.sender_id ?? 0);
  return !sender || canSeeUser(read, viewer, sender) ? form : form | SENDER_HIDDEN;
}

/** The JSON up to the flags, for all queues of a variant; nothing when the message is gone. */
export function messageEventText(
  { read }: Pick<Realm, "read">,
  event: MessageEvent,
  variant: number,
): readonly string[] {
  const sent = sentOf(read, event);
  if (!sent) return [];
  const present = messagePresenter(read, {
    apply_markdown: (variant & WANTS_MARKDOWN_RENDERED) !== 0,
    client_gravatar: (variant & WANTS_GRAVATAR_LEFT_OUT) !== 0,
    allow_empty_topic_name: (variant & CAN_EMPTY_TOPIC) !== 0,
    ...((variant & SENDER_HIDDEN) !== 0 && { sees: () => false }),
  });
  const object = present(sent.message, sent.subject);
  return [`{"type":"message","message":${JSON.stringify(object)}`];
}

/** The flags, and on the sender's own queue the id that the client gave the message. */
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
const READ = ',"flags":["read"]';

function flagsText(read: Reader, event: MessageEvent, user_id: number): string {
  const flags = flagsAtSend(read, event, user_id);
  if (flags.length === 0) return NO_FLAGS;
  return flags.length === 1 && flags[0] === "read" ? READ : `,"flags":${JSON.stringify(flags)}`;
}

/** As the event has them: none, for who hears of a message without receiving it. */
export function flagsAtSend(read: Reader, event: MessageEvent, user_id: number): string[] {
  const sent = sentOf(read, event);
  const isQuiet = sent !== undefined && (sent.message.bits & RESOLVE_NOTICE) !== 0;
  const isRead =
    event.read_by.includes(user_id) || (isQuiet && isBornRead(read, user_id, event.message_id));
  if (!sent || (sent.isUnmarked && !isRead)) return [];
  const user = read.users.get(user_id);
  if (!user || !receivedAtSend(read, user_id, sent.message)) return [];
  const flags = isRead ? ["read"] : [];
  if (sent.isUnmarked) return flags;
  addMarks(flags, read, user, sent.message, new OwnFlags(read, user_id));
  return flags;
}

/** The message of the event, as it was sent: what became of it has events of its own. */
export function sentOf(read: Reader, event: MessageEvent): Sent | undefined {
  const known = sentBy.get(event);
  if (known) return known;
  const message = read.messages.get(event.message_id);
  if (!message) return undefined;
  const sent = asSent(read, message);
  rememberSent(event, withoutAdditions(sent.message), sent.subject);
  return sentBy.get(event);
}

/** What was added after the send has events of its own, which a client must not count twice. */
function withoutAdditions(message: Message): Message {
  const [first] = message.submessages ?? [];
  return { ...message, reactions: null, submessages: first?.msg_type === WIDGET ? [first] : null };
}
