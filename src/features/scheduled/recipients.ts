// The destination of a scheduled message: in requests, in storage, and its current recipients.
import {
  channelIdTypeInvalid,
  recipientsMissing,
  recipientsTypeInvalid,
  topicMissing,
} from "../../contract/errors/messages.ts";
import type { Reader } from "../../realm.ts";
import type { ScheduledMessage } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { channelNamed, peopleNamed, type Recipient } from "../messages/send/recipients.ts";
import { topicName } from "../messages/topic.ts";

export type ScheduledTarget = Pick<ScheduledMessage, "type" | "to" | "topic">;

export const kindOf = (
  type: "direct" | "private" | "channel" | "stream",
): ScheduledTarget["type"] => (type === "direct" || type === "private" ? "private" : "stream");

/** `text` is JSON: the id of a channel, or the ids of users. Direct messages ignore the topic. */
export function placeOf(
  author: User,
  type: ScheduledTarget["type"],
  text: string,
  topic: string | undefined,
): ScheduledTarget {
  const to = parsed(text);
  if (type === "stream") {
    if (!isId(to)) throw channelIdTypeInvalid();
    if (topic === undefined) throw topicMissing();
    return { type, to: [to], topic: topicName(topic) };
  }
  if (!Array.isArray(to) || !to.every(isId)) throw recipientsTypeInvalid();
  if (to.length === 0) throw recipientsMissing();
  const others = [...new Set(to)].filter((id) => id !== author.user_id).sort((a, b) => a - b);
  return { type, to: others.length > 0 ? others : [author.user_id], topic: "" };
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export const isToSelf = ({ type, to }: ScheduledTarget, { user_id }: User) =>
  type === "private" && to[0] === user_id;

/** Returns the recipient as far as the author can see it now. */
export function recipientOf(
  reader: Reader,
  author: User,
  { type, to, topic }: ScheduledTarget,
): Recipient {
  if (type === "stream") {
    return { stream_id: channelNamed(reader, author, to[0]!).stream_id, topic };
  }
  return { user_ids: peopleNamed(reader, author, to).map((user) => user.user_id) };
}
