// Scheduled messages, which the server sends at a given time.
import Type from "typebox";
import {
  deliveryTimePast,
  nothingToChange,
  recipientRequired,
  scheduledAlreadySent,
  scheduledNotFound,
  topicRequired,
} from "../../contract/errors/messages.ts";
import { scheduledShape } from "../../contract/shapes/personal.ts";
import { list, nothing } from "../../contract/shapes/value-types.ts";
import { bool, endpoint, int, withAlias, oneOf, optional, rawText, text } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { ScheduledMessage } from "../../schema/records-messages.ts";
import type { Seconds, User } from "../../schema/records.ts";
import { type ComposedMessage, compose } from "../messages/content/compose.ts";
import { checkListLength } from "../messages/list-limits.ts";
import { checkCanSend } from "../messages/send/can-send.ts";
import { displaysSentMessages, tokenOf as sendTokenOf } from "../messages/send/post.ts";
import { rememberToken, sentBefore } from "../messages/send/send.ts";
import { topicName } from "../messages/topic.ts";
import { isToSelf, kindOf, type ScheduledTarget, placeOf, recipientOf } from "./recipients.ts";
import { SCHEDULED_MESSAGES_MAX } from "./rules.ts";
import {
  scheduledAdded,
  scheduledOf,
  scheduledRemoved,
  scheduledSnapshot,
  scheduledUpdated,
} from "./wire.ts";

export const SEND_SCHEDULED = "send scheduled message";

type Options = Pick<ScheduledMessage, "scheduled_delivery_timestamp" | "client" | "read_by_sender">;

function scheduleMessage(
  tx: Writer,
  user: User,
  target: ScheduledTarget,
  composed: ComposedMessage,
  options: Options,
): number {
  const { user_id } = user;
  checkFuture(tx, options.scheduled_delivery_timestamp);
  checkCanSend(tx, user, recipientOf(tx, user, target), composed);
  const message = { content: composed.content, rendered_content: composed.rendered!.html };
  checkRoom([...scheduledOf(tx, user), message]);

  const scheduled_message_id = tx.next("scheduled_messages");
  const job = enqueueDelivery(tx, user, scheduled_message_id, options.scheduled_delivery_timestamp);
  const fields = { user_id, scheduled_message_id, failed: false };
  const scheduled = { ...fields, ...target, ...message, ...options, ...job };
  tx.scheduled_messages.put(scheduled);
  tx.emit(scheduledAdded(tx, scheduled), toOwner(user));
  return scheduled_message_id;
}

interface Changes {
  /** Returns the new destination, given the old one. */
  recipient?: ((before: ScheduledTarget) => ScheduledTarget) | undefined;
  composed?: ComposedMessage | undefined;
  scheduled_delivery_timestamp?: Seconds | undefined;
  client: string;
}

/** Also retries messages that could not be sent. */
function rescheduleMessage(tx: Writer, user: User, id: number, changes: Changes): void {
  const before = accessScheduled(tx, user, id);
  const input = changes.scheduled_delivery_timestamp;
  const scheduled_delivery_timestamp = input ?? before.scheduled_delivery_timestamp;
  if (input !== undefined || before.failed) checkFuture(tx, scheduled_delivery_timestamp);
  const message = changedMessage(tx, user, before, changes);
  const others = scheduledOf(tx, user).filter((other) => other.scheduled_message_id !== id);
  checkRoom([...others, { ...before, ...message }]);

  tx.due.delete(before.job_at, before.job_id);
  const job = enqueueDelivery(tx, user, id, scheduled_delivery_timestamp);
  const now = { scheduled_delivery_timestamp, client: changes.client, failed: false };
  const scheduled = { ...before, ...message, ...now, ...job };
  tx.scheduled_messages.put(scheduled);
  tx.emit(scheduledUpdated(tx, scheduled), toOwner(user));
}

function deleteScheduled(tx: Writer, user: User, id: number): void {
  const scheduled = tx.scheduled_messages.get(user.user_id, id);
  if (!scheduled) throw scheduledNotFound();

  tx.due.delete(scheduled.job_at, scheduled.job_id);
  tx.scheduled_messages.delete(user.user_id, id);
  tx.emit(scheduledRemoved(id), toOwner(user));
}

function checkRoom(all: readonly Pick<ScheduledMessage, "content" | "rendered_content">[]): void {
  const texts = all.map(({ content, rendered_content }) => [content, rendered_content]);
  checkListLength("scheduled messages", SCHEDULED_MESSAGES_MAX, texts);
}

/** The token that identifies a send that an earlier attempt has already made. */
export const tokenOf = (scheduled_message_id: number) => `s:${scheduled_message_id}`;

export const toOwner = ({ user_id }: Pick<User, "user_id">) =>
  ({ to: "people", user_ids: [user_id] }) as const;

const type = oneOf("direct", "private", "channel", "stream");
const to = rawText;
const topic = optional(withAlias("subject", text));

export const getScheduled = endpoint({
  summary: "List your scheduled messages",
  tag: "Scheduled messages",
  params: {},
  answer: Type.Object({ scheduled_messages: list(scheduledShape) }),
  run: ({ realm, user }) => scheduledSnapshot(realm.read, user),
});

export const postScheduled = endpoint({
  summary: "Schedule a message",
  tag: "Scheduled messages",
  params: {
    type,
    to,
    content: text,
    topic,
    scheduled_delivery_timestamp: int,
    read_by_sender: optional(bool),
  },
  answer: Type.Object({ scheduled_message_id: Type.Integer() }),
  refuses: [
    "STREAM_DOES_NOT_EXIST",
    "STREAM_WILDCARD_MENTION_NOT_ALLOWED",
    "TOPIC_WILDCARD_MENTION_NOT_ALLOWED",
  ],
  async run({ realm, user, client, request }, { scheduled_delivery_timestamp, ...input }) {
    const token = retryTokenOf(request);
    const before = sentBefore(realm.read, user, token);
    if (before) return { scheduled_message_id: before.id };
    const target = placeOf(user, kindOf(input.type), input.to, input.topic);
    const composed = compose(realm.read, user, input.content);
    const isRead = displaysSentMessages(client) && !isToSelf(target, user);
    const read_by_sender = input.read_by_sender ?? isRead;
    const options = { scheduled_delivery_timestamp, client, read_by_sender };
    const scheduled_message_id = await realm.write((tx) => {
      const duplicate = sentBefore(tx, user, token);
      if (duplicate) return duplicate.id;
      const id = scheduleMessage(tx, user, target, composed, options);
      rememberToken(tx, user, token, id);
      return id;
    });
    return { scheduled_message_id };
  },
});

/** The token of the request's `Idempotency-Key`; a send with the same key has another one. */
function retryTokenOf(request: Request): string | undefined {
  const token = sendTokenOf(request, undefined, undefined);
  return token === undefined ? undefined : `scheduled ${token}`;
}

export const patchScheduled = endpoint({
  summary: "Change a scheduled message",
  tag: "Scheduled messages",
  params: {
    scheduled_message_id: int,
    type: optional(type),
    to: optional(to),
    content: optional(text),
    topic,
    scheduled_delivery_timestamp: optional(int),
  },
  answer: nothing,
  refuses: [
    "STREAM_DOES_NOT_EXIST",
    "STREAM_WILDCARD_MENTION_NOT_ALLOWED",
    "TOPIC_WILDCARD_MENTION_NOT_ALLOWED",
  ],
  async run({ realm, user, client }, { scheduled_message_id, ...input }) {
    if (Object.values(input).every((value) => value === undefined)) throw nothingToChange();
    const { content, scheduled_delivery_timestamp } = input;
    const recipient = recipientChange(user, input);
    const composed = content === undefined ? undefined : compose(realm.read, user, content);
    const changes = { recipient, composed, scheduled_delivery_timestamp, client };
    await realm.write((tx) => rescheduleMessage(tx, user, scheduled_message_id, changes));
    return {};
  },
});

export const removeScheduled = endpoint({
  summary: "Delete a scheduled message",
  tag: "Scheduled messages",
  params: { scheduled_message_id: int },
  answer: nothing,
  async run({ realm, user }, { scheduled_message_id }) {
    await realm.write((tx) => deleteScheduled(tx, user, scheduled_message_id));
    return {};
  },
});

interface RequestedRecipient {
  type: Parameters<typeof kindOf>[0] | undefined;
  to: string | undefined;
  topic: string | undefined;
}

function recipientChange(user: User, input: RequestedRecipient): Changes["recipient"] {
  const { type, to, topic } = input;
  if (type !== undefined) {
    const kind = kindOf(type);
    if (to === undefined) throw recipientRequired();
    if (kind === "stream" && topic === undefined) throw topicRequired();
    const target = placeOf(user, kind, to, topic);
    return () => target;
  }
  if (to !== undefined) return (before) => placeOf(user, before.type, to, topic ?? before.topic);
  if (topic === undefined) return undefined;
  const name = topicName(topic);
  return ({ type, to }) => ({ type, to, topic: type === "stream" ? name : "" });
}

/** Checks the new content, unless it is unchanged. */
function changedMessage(
  reader: Reader,
  user: User,
  before: ScheduledMessage,
  { recipient, composed }: Changes,
) {
  if (!recipient && !composed) return {};
  const { type, to, topic } = recipient?.(before) ?? before;
  const details = composed ?? compose(reader, user, before.content);
  checkCanSend(reader, user, recipientOf(reader, user, { type, to, topic }), details);
  return { type, to, topic, content: details.content, rendered_content: details.rendered!.html };
}

function accessScheduled(reader: Reader, user: User, id: number): ScheduledMessage {
  const scheduled = reader.scheduled_messages.get(user.user_id, id);
  if (scheduled) return scheduled;
  throw sentBefore(reader, user, tokenOf(id)) ? scheduledAlreadySent() : scheduledNotFound();
}

function checkFuture(reader: Reader, scheduled_delivery_timestamp: Seconds): void {
  if (scheduled_delivery_timestamp <= reader.now) throw deliveryTimePast();
}

function enqueueDelivery(
  tx: Writer,
  { user_id }: User,
  scheduled_message_id: number,
  timestamp: Seconds,
) {
  const job_at = Math.min(timestamp * 1000, Number.MAX_SAFE_INTEGER);
  const job_id = tx.enqueue(SEND_SCHEDULED, job_at, { user_id, scheduled_message_id });
  return { job_at, job_id };
}
