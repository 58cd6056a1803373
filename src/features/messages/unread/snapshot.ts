// The register snapshot's unread messages, starred messages and recent direct conversations.
import { CAN_EMPTY_TOPIC } from "../../../contract/events.ts";
import type { Reader } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { chunkOf } from "../../../store/bitmap/bitmap.ts";
import { receivedAtSend } from "../access.ts";
import { FLAG_STARRED, MOVED_IN } from "../rules.ts";
import { directsSet, reachedSet, cachedMessages } from "../sets/received.ts";
import { COST, idsBack, idsFrom, StoredSet } from "../sets/sets.ts";
import { shownTopic } from "../wire.ts";
import { unreadByConversation, type UnreadConversation } from "./by-conversation.ts";

/** Recent conversations are those of this many newest direct messages. */
const RECENT_DIRECTS_MAX = 1000;
/** Number of newest messages to check before iterating over sets. */
const LOOKUPS_MAX = 20;

export function unreadSnapshot(
  reader: Reader,
  user: User,
  { capabilities }: { capabilities: number },
): Record<string, unknown> {
  const { places: conversations, mentions, count, isCut } = unreadByConversation(reader, user);
  const allow = (capabilities & CAN_EMPTY_TOPIC) !== 0;
  const unread = {
    count,
    pms: [] as object[],
    streams: [] as object[],
    huddles: [] as object[],
    mentions,
    old_unreads_missing: isCut,
  };
  for (const conversation of conversations) addConversation(unread, conversation, user, allow);
  return { unread_msgs: unread };
}

function addConversation(
  unread: { pms: object[]; streams: object[]; huddles: object[] },
  conversation: UnreadConversation,
  { user_id }: User,
  allow_empty_topic_name: boolean,
): void {
  const unread_message_ids = conversation.ids;
  if ("stream_id" in conversation) {
    const topic = shownTopic(conversation.topic, allow_empty_topic_name);
    unread.streams.push({ stream_id: conversation.stream_id, topic, unread_message_ids });
  } else if (conversation.user_ids.length > 2) {
    unread.huddles.push({ user_ids_string: conversation.user_ids.join(","), unread_message_ids });
  } else {
    const other_user_id = conversation.user_ids.find((id) => id !== user_id) ?? user_id;
    unread.pms.push({ other_user_id, sender_id: other_user_id, unread_message_ids });
  }
}

/**
 * Includes channels to which the user has lost access, because no event reports the loss or the
 * return.
 */
export function starredSnapshot(
  reader: Reader,
  { user_id }: Pick<User, "user_id">,
): { starred_messages: number[] } {
  const starred = new StoredSet("starred", COST.marks, reader.flags, [user_id, FLAG_STARRED]);
  const ids = idsFrom(starred, 0, reader.last("messages"), Infinity);
  return { starred_messages: ids.filter((id) => reader.messages.has(id)) };
}

export function recentConversationsSnapshot(
  reader: Reader,
  { user_id }: User,
): { recent_private_conversations: { user_ids: number[]; max_message_id: number }[] } {
  const last = reader.last("messages");
  const newest = idsBack(directsSet(reader, user_id), 0, last, RECENT_DIRECTS_MAX);
  const oldest = newest.at(-1);
  if (oldest === undefined) return { recent_private_conversations: [] };
  const range = { from: [chunkOf(oldest)], reverse: true };
  const recent = [...reader.conversations.scanIndex("recent", [user_id], range)]
    .filter(({ last_id }) => last_id >= oldest)
    .sort((a, b) => b.last_id - a.last_id);
  return {
    recent_private_conversations: recent.map(({ user_ids, last_id }) => ({
      user_ids: user_ids.filter((id) => id !== user_id),
      max_message_id: last_id,
    })),
  };
}

export function maxMessageIdSnapshot(
  reader: Reader,
  { user_id }: User,
): { max_message_id: number } {
  const last = reader.last("messages");
  for (let id = last; id > last - LOOKUPS_MAX; id--) {
    if (id === 0) return { max_message_id: -1 };
    const message = reader.messages.get(id);
    if (!message) continue;
    if (receivedAtSend(reader, user_id, message)) return { max_message_id: id };
    // The user may have received it in its original channel.
    if (message.bits & MOVED_IN) break;
  }
  const readable = reachedSet(reader, user_id, cachedMessages(reader));
  const [newest = -1] = idsBack(readable, 0, last, 1);
  return { max_message_id: newest };
}
