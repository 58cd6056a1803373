// Which messages a queue with a narrow, or one for all public channels, takes.
import { badRequest, narrowOperatorNotSupported } from "../../errors.ts";
import type { MessageEvent } from "../../events.ts";
import type { Reader } from "../../realm.ts";
import type { Message, QueueRecord } from "../../records.ts";
import { isGuest } from "../users/rules.ts";
import { emailOf } from "../users/wire.ts";
import { flagsOf } from "./marks.ts";
import { RESOLVED_PREFIX } from "./rules.ts";

const OPERATORS = ["channel", "stream", "topic", "sender", "is"];

/** Refuses what a queue's narrow cannot hold. */
export function checkQueueNarrow(narrow: readonly (readonly string[])[]): [string, string][] {
  return narrow.map((term) => {
    const [operator, operand] = term;
    if (term.length !== 2) throw badRequest("narrow is not valid");
    if (!OPERATORS.includes(operator!)) throw narrowOperatorNotSupported(operator!);
    if (operator === "is" && operand === "followed")
      throw badRequest("Operand followed not supported.");
    return [operator!, operand!];
  });
}

/** A message of a public channel, for a person who is not subscribed to it. */
export function canHearUnsubscribed(
  reader: Reader,
  queue: QueueRecord,
  event: MessageEvent,
): boolean {
  const message = reader.messages.get(event.message_id);
  const channel = message && reader.channels.get(message.stream_id);
  const user = reader.users.get(queue.user_id);
  return channel !== undefined && !channel.invite_only && user !== undefined && !isGuest(user);
}

export function passesQueueNarrow(
  reader: Reader,
  queue: QueueRecord,
  event: MessageEvent,
): boolean {
  const message = reader.messages.get(event.message_id);
  return (
    message !== undefined && queue.narrow.every((term) => passes(reader, queue, message, term))
  );
}

function passes(
  reader: Reader,
  queue: QueueRecord,
  message: Message,
  [operator, operand]: readonly [string, string],
): boolean {
  const wanted = operand.toLowerCase();
  switch (operator) {
    case "channel":
    case "stream":
      return reader.channels.get(message.stream_id)?.name.toLowerCase() === wanted;
    case "topic":
      return message.topic_id !== 0 && topicOf(reader, message).toLowerCase() === wanted;
    case "sender": {
      const sender = reader.users.get(message.sender_id);
      return sender !== undefined && emailOf(reader, sender).toLowerCase() === wanted;
    }
    default:
      return passesIs(reader, queue, message, wanted);
  }
}

function passesIs(reader: Reader, queue: QueueRecord, message: Message, operand: string): boolean {
  if (operand === "dm" || operand === "private") return message.stream_id === 0;
  if (operand === "resolved") {
    return message.topic_id !== 0 && topicOf(reader, message).startsWith(RESOLVED_PREFIX);
  }
  const user = reader.users.get(queue.user_id);
  const flags = user ? flagsOf(reader, user, message) : [];
  if (operand === "starred") return flags.includes("starred");
  if (operand === "unread") return !flags.includes("read");
  if (operand === "mentioned" || operand === "alerted") return flags.includes("mentioned");
  return true;
}

const topicOf = (reader: Reader, message: Message) =>
  reader.topics.get(message.topic_id)?.name ?? "";
