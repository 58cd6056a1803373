// Selects the messages for an event queue with a narrow, or for one with all public channels.
import { tooLong, tooMany } from "../../../contract/errors/channels.ts";
import { badRequest, narrowOperatorNotSupported } from "../../../contract/errors/general.ts";
import type { MessageEvent } from "../../../contract/events.ts";
import type { Reader } from "../../../realm.ts";
import type { QueueRecord } from "../../../schema/records.ts";
import { foldedAddress } from "../../../text/email-address.ts";
import { writtenName } from "../../../text/input/normalize-name.ts";
import { foldedName } from "../../channels/rules.ts";
import { emailOf } from "../../people/wire.ts";
import { isGuest } from "../../rights/rules.ts";
import { RESOLVED_PREFIX } from "../rules.ts";
import { isSameTopic } from "../topic.ts";
import { flagsAtSend, type SentMessageData, sentMessageOf } from "./new-message.ts";

const OPERATORS = ["channel", "stream", "topic", "sender", "is"];

/** Each message is compared with each term. */
export const QUEUE_NARROW_TERMS_MAX = 50;
const QUEUE_NARROW_OPERAND_LENGTH_MAX = 1_000;

/**
 * Rejects narrows that event queues do not support. Returns each term once, with the normalized
 * name of a topic, because each is evaluated for each message.
 */
export function checkQueueNarrow(narrow: readonly (readonly string[])[]): [string, string][] {
  if (narrow.length > QUEUE_NARROW_TERMS_MAX) {
    throw tooMany("terms in the narrow of a queue", QUEUE_NARROW_TERMS_MAX);
  }
  const terms = narrow.map((term): [string, string] => {
    const [operator, operand] = term;
    if (term.length !== 2) throw badRequest("narrow is not valid");
    if (!OPERATORS.includes(operator!)) throw narrowOperatorNotSupported(operator!);
    if (operand!.length > QUEUE_NARROW_OPERAND_LENGTH_MAX) {
      throw tooLong("narrow", QUEUE_NARROW_OPERAND_LENGTH_MAX);
    }
    if (operator === "is" && operand === "followed")
      throw badRequest("Operand followed not supported.");
    return [operator!, operator === "topic" ? writtenName(operand!) : operand!];
  });
  const keyOf = ([operator, operand]: [string, string]) => `${operator} ${operand.toLowerCase()}`;
  return [...new Map(terms.map((term) => [keyOf(term), term])).values()];
}

/**
 * Whether the message is in a public channel to which the user is not subscribed but has access.
 */
export function canReceiveUnsubscribed(
  reader: Reader,
  queue: QueueRecord,
  event: MessageEvent,
): boolean {
  const message = reader.messages.get(event.message_id);
  const channel = message && reader.channels.get(message.stream_id);
  const user = reader.users.get(queue.user_id);
  return channel !== undefined && !channel.invite_only && user !== undefined && !isGuest(user);
}

/** Evaluates the message as it was sent; later changes have their own events. */
export function passesQueueNarrow(
  reader: Reader,
  queue: QueueRecord,
  event: MessageEvent,
): boolean {
  const message = sentMessageOf(reader, event);
  if (!message) return false;
  const flags = flagsAtSend(reader, event, queue.user_id);
  return queue.narrow.every((term) => passesTerm(reader, message, flags, term));
}

function passesTerm(
  reader: Reader,
  { message, subject }: SentMessageData,
  flags: readonly string[],
  [operator, operand]: readonly [string, string],
): boolean {
  const lowered = operand.toLowerCase();
  const isInTopic = message.stream_id !== 0;
  switch (operator) {
    case "channel":
    case "stream": {
      const channel = reader.channels.get(message.stream_id);
      return channel !== undefined && foldedName(channel.name) === foldedName(operand);
    }
    case "topic":
      return isInTopic && isSameTopic(subject, operand);
    case "sender": {
      const sender = reader.users.get(message.sender_id);
      return (
        sender !== undefined && foldedAddress(emailOf(reader, sender)) === foldedAddress(operand)
      );
    }
  }
  if (lowered === "dm" || lowered === "private") return !isInTopic;
  if (lowered === "resolved") return isInTopic && subject.startsWith(RESOLVED_PREFIX);
  if (lowered === "starred") return flags.includes("starred");
  if (lowered === "unread") return !flags.includes("read");
  if (lowered === "mentioned" || lowered === "alerted") return flags.includes("mentioned");
  return true;
}
