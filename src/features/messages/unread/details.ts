// Details of messages that become unread, for clients that have not loaded them.
import type { Reader } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { User } from "../../../schema/records.ts";
import { Muting } from "../sets/muted.ts";
import { subjectOf } from "../spelling-wire.ts";
import type { MessageDetail } from "./flags-wire.ts";
import { flagsOf, OwnFlagReader } from "./personal-flags.ts";

export function unreadDetails(
  reader: Reader,
  user: User,
  messages: readonly Message[],
): Record<number, MessageDetail> {
  const muting = new Muting(reader, user.user_id);
  const own = new OwnFlagReader(reader, user.user_id);
  const details: Record<number, MessageDetail> = {};
  for (const message of messages) {
    const detail = conversationOf(reader, user, message, muting);
    const flags = flagsOf(reader, user, message, own);
    const isLoud = detail.unmuted_stream_msg !== false;
    const isWildcardMention = flags.includes("wildcard_mentioned") && isLoud;
    if (flags.includes("mentioned") || isWildcardMention) detail.mentioned = true;
    details[message.id] = detail;
  }
  return details;
}

function conversationOf(
  reader: Reader,
  { user_id }: User,
  message: Message,
  muting: Muting,
): MessageDetail {
  const { stream_id, recipient_id } = message;
  if (stream_id === 0) {
    const people = reader.conversations.get(recipient_id)?.user_ids ?? [];
    return { type: "private", user_ids: people.filter((id) => id !== user_id) };
  }
  const topic = subjectOf(reader, message);
  const unmuted_stream_msg = !muting.isMuted(stream_id, topic);
  return { type: "stream", stream_id, topic, unmuted_stream_msg };
}
