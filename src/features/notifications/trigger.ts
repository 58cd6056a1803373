// Decides whether a message notifies a user by email or push.
import { FOLLOWED } from "../../contract/policies.ts";
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
  NOT_NOTIFYING,
} from "../messages/rules.ts";
import { isUnread } from "../messages/unread/unread.ts";
import { isInGroup } from "../rights/access.ts";
import { isBot } from "../rights/rules.ts";
import { userSetting } from "../settings/rules.ts";
import {
  type NotificationContext,
  notificationReason,
  isReason,
  type Reason,
  type NotificationKind,
} from "./rules.ts";

export type Trigger = Reason;
/** The kinds of notifications for users who are away. */
type Medium = Extract<NotificationKind, "email" | "push">;

/** Why the message notifies this user in the current state; undefined if it does not. */
export function triggerOf(
  reader: Reader,
  user: User,
  message: Message,
  medium: Medium,
): Trigger | undefined {
  const { user_id } = user;
  if (!user.is_active || isBot(user) || user_id === message.sender_id) return undefined;
  if (message.bits & NOT_NOTIFYING || reader.muted_users.has(user_id, message.sender_id))
    return undefined;
  if (!canReadMessage(reader, user, message) || !isUnread(reader, user_id, message)) {
    return undefined;
  }
  const channel = message.stream_id === 0 ? undefined : reader.channels.get(message.stream_id);
  if (message.stream_id !== 0 && (!channel || channel.is_archived)) return undefined;
  const response = notificationReason(medium, reasonOf(reader, user, channel, message));
  return isReason(response) ? response : undefined;
}

function reasonOf(
  reader: Reader,
  user: User,
  channel: Channel | undefined,
  message: Message,
): NotificationContext {
  const { user_id } = user;
  return {
    isDirect: message.stream_id === 0,
    isMentioned: () => reader.flags.has([user_id, FLAG_MENTIONED], message.id),
    isGroupMentioned: () => isMentionedByGroup(reader, user, message),
    isEveryoneMentioned: () => isWildcard(reader, user, message),
    hasAlertWord: () => false,
    get policy() {
      const topic = reader.topics.get(message.topic_id)?.name ?? "";
      const row = reader.user_topics.get(user_id, channel!.stream_id, topic.toLowerCase());
      return row?.visibility_policy;
    },
    get channel() {
      const sub = channel && reader.subscriptions.get(user_id, channel.stream_id);
      return sub?.active ? sub : undefined;
    },
    wants: (name) => userSetting(user, name) === true,
  };
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

/** The messages that the user must be notified about, by the current state. */
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
 * All users whom the message may notify, and few others. Checks all subscribers only if the message
 * mentions a group or everyone.
 */
export function recipientsOf(reader: Reader, message: Message): Set<number> {
  const { stream_id, topic_id, bits } = message;
  if (stream_id === 0) {
    return new Set(reader.conversations.get(message.recipient_id)?.user_ids ?? []);
  }
  if (bits & STREAM_WILDCARD || message.mentioned_group_ids !== null) {
    return new Set(reader.subscriptions.listBy("subscribers", stream_id).map((sub) => sub.user_id));
  }
  const topic = reader.topics.get(topic_id)?.name ?? "";
  const choices = reader.user_topics.listBy("topic", stream_id, topic.toLowerCase());
  const followers = choices.filter((row) => row.visibility_policy === FOLLOWED);
  const alwaysNotified = reader.users.listBy("notified", 1);
  return new Set([
    ...(message.mentioned_user_ids ?? []),
    ...(bits & TOPIC_WILDCARD ? participantsOf(reader, topic_id) : []),
    ...followers.map((row) => row.user_id),
    ...reader.subscriptions.listBy("notified", stream_id).map((sub) => sub.user_id),
    ...alwaysNotified
      .map((user) => user.user_id)
      .filter((id) => isSubscribed(reader, id, stream_id)),
  ]);
}
