// Which messages somebody is to be told of by mail or push, and whom a new message may concern.
import { FOLLOWED, MUTED, UNMUTED } from "../../contract/policies.ts";
import type { Reader } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { Channel, User } from "../../schema/records.ts";
import { isSubscribed } from "../channels/access.ts";
import { canReadMessage } from "../messages/access.ts";
import { participantsOf } from "../messages/mentions.ts";
import {
  FLAG_FROZEN_MENTION,
  FLAG_FROZEN_NO_MENTION,
  FLAG_MENTIONED,
  FLAG_TOPIC_WILDCARD,
  STREAM_WILDCARD,
  TOPIC_WILDCARD,
  UNMAILED,
} from "../messages/rules.ts";
import { isUnread } from "../messages/unread/unread.ts";
import { isInGroup } from "../rights/access.ts";
import { isBot } from "../rights/rules.ts";
import { userSetting } from "../settings/rules.ts";

export type Trigger = "direct" | "mention" | "group" | "wildcard" | "followed" | "channel";

/** How people are told. The settings have a name for each. */
export type Medium = "email" | "push";

/** Why this person is told of the message, as things stand now; undefined: not at all. */
export function triggerOf(
  reader: Reader,
  user: User,
  message: Message,
  medium: Medium,
): Trigger | undefined {
  const { user_id } = user;
  if (!user.is_active || isBot(user) || user_id === message.sender_id) return undefined;
  if (message.bits & UNMAILED || reader.muted_users.has(user_id, message.sender_id))
    return undefined;
  if (!canReadMessage(reader, user, message) || !isUnread(reader, user_id, message)) {
    return undefined;
  }
  const wantsPersonal = userSetting(user, `enable_offline_${medium}_notifications`);
  if (message.stream_id === 0) return wantsPersonal ? "direct" : undefined;
  const channel = reader.channels.get(message.stream_id);
  if (!channel || channel.is_archived) return undefined;
  if (wantsPersonal && reader.flags.has([user_id, FLAG_MENTIONED], message.id)) return "mention";
  if (wantsPersonal && isMentionedByGroup(reader, user, message)) return "group";
  return triggerInTopic(reader, user, channel, message, medium);
}

/** What a person may have muted; only what calls the person is louder than that. */
function triggerInTopic(
  reader: Reader,
  user: User,
  { stream_id }: Channel,
  message: Message,
  medium: Medium,
): Trigger | undefined {
  const topic = reader.topics.get(message.topic_id)?.name ?? "";
  const row = reader.user_topics.get(user.user_id, stream_id, topic.toLowerCase());
  const sub = reader.subscriptions.get(user.user_id, stream_id);
  const policy = row?.visibility_policy;
  const isHeard = policy === FOLLOWED || policy === UNMUTED;
  if (!sub || policy === MUTED || (sub.is_muted && !isHeard)) return undefined;
  const isFollowed = policy === FOLLOWED;
  if (isWildcard(reader, user, message)) {
    const wants =
      (sub.wildcard_mentions_notify ?? userSetting(user, "wildcard_mentions_notify")) ||
      (isFollowed && userSetting(user, "enable_followed_topic_wildcard_mentions_notify"));
    if (wants && userSetting(user, `enable_offline_${medium}_notifications`)) return "wildcard";
  }
  if (isFollowed && userSetting(user, `enable_followed_topic_${medium}_notifications`)) {
    return "followed";
  }
  const ofAll =
    sub[`${medium}_notifications`] ?? userSetting(user, `enable_stream_${medium}_notifications`);
  return ofAll ? "channel" : undefined;
}

function isWildcard(reader: Reader, { user_id }: User, { id, bits }: Message): boolean {
  return (bits & STREAM_WILDCARD) !== 0 || reader.flags.has([user_id, FLAG_TOPIC_WILDCARD], id);
}

function isMentionedByGroup(reader: Reader, user: User, message: Message): boolean {
  const { id, mentioned_group_ids } = message;
  if (mentioned_group_ids === null) return false;
  if (reader.flags.has([user.user_id, FLAG_FROZEN_MENTION], id)) return true;
  if (reader.flags.has([user.user_id, FLAG_FROZEN_NO_MENTION], id)) return false;
  return mentioned_group_ids.some((group_id) => isInGroup(reader, user, group_id));
}

/** Those of the messages that the person is to be told of as things stand now. */
export function stillTriggering(
  reader: Reader,
  user_id: number,
  message_ids: readonly number[],
  medium: Medium,
): Message[] {
  const user = reader.users.get(user_id);
  if (!user) return [];
  const messages = message_ids.flatMap((id) => reader.messages.get(id) ?? []);
  return messages.filter((message) => triggerOf(reader, user, message, medium) !== undefined);
}

/**
 * All whom the message may concern, and few besides. Only what calls a group or everyone is asked
 * of all subscribers.
 */
export function recipientsOf(reader: Reader, message: Message): Set<number> {
  const { stream_id, topic_id, bits } = message;
  if (stream_id === 0) {
    return new Set(reader.conversations.get(message.recipient_id)?.user_ids ?? []);
  }
  if (bits & STREAM_WILDCARD || message.mentioned_group_ids !== null) {
    return new Set(reader.subscriptions.by("subscribers", stream_id).map((sub) => sub.user_id));
  }
  const topic = reader.topics.get(topic_id)?.name ?? "";
  const choices = reader.user_topics.by("topic", stream_id, topic.toLowerCase());
  const fans = choices.filter((row) => row.visibility_policy === FOLLOWED);
  const keen = reader.users.by("notified", 1);
  return new Set([
    ...(message.mentioned_user_ids ?? []),
    ...(bits & TOPIC_WILDCARD ? participantsOf(reader, topic_id) : []),
    ...fans.map((row) => row.user_id),
    ...reader.subscriptions.by("notified", stream_id).map((sub) => sub.user_id),
    ...keen.map((user) => user.user_id).filter((id) => isSubscribed(reader, id, stream_id)),
  ]);
}
