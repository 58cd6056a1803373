// Removes messages from all indexes, moves them to the archive and emits events to users who had
// them.
import type { Audience, PlainEvent } from "../../../contract/events.ts";
import type { Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { Channel, User } from "../../../schema/records.ts";
import type { BitmapWriter, Key } from "../../../store/declare.ts";
import { changeProperty } from "../../channels/manage/change.ts";
import { releaseFiles } from "../../files/claim.ts";
import { dropPin } from "../../pins/remove.ts";
import { withdrawFromAll } from "../../push/queue/queue.ts";
import { unindexMessages } from "../../search/index.ts";
import { indexTopic } from "../../search/topics.ts";
import { dropNote } from "../../topic-notes/remove.ts";
import { forgetRenames } from "../edit-history-wire.ts";
import { emitStarsRemoved, starsOutsideAudience } from "../flags/stars.ts";
import { HAS_ATTACHMENT, STREAM_WILDCARD } from "../rules.ts";
import { audienceOf, readerChunks } from "../sets/audience.ts";
import { topicSet } from "../sets/muted.ts";
import { COST, idsBack, idsFrom, StoredSet } from "../sets/sets.ts";
import { nameByMessage, withSpelling } from "../spelling-wire.ts";
import { putTopic } from "../topic.ts";
import { messagesDeleted } from "../wire.ts";
import { putInArchive } from "./archive.ts";

/**
 * Removes messages of one channel or direct conversation. Keeps user flags, which have no effect
 * any more: flags are looked up only for messages in an index.
 */
export function removeMessages(
  tx: Writer,
  messages: readonly Message[],
  actingUser: User | null,
): void {
  const [first] = messages;
  if (!first) return;
  const places = [...Map.groupBy(messages, (message) => message.topic_id).values()];
  // The audience must be determined while the messages exist.
  const deletions = places.map((messages) => deletionOf(tx, messages, actingUser));
  // All recipients of a direct message receive its deletion, so no stars have to be removed
  // separately.
  const stars = first.stream_id === 0 ? [] : starsOutsideAudience(tx, messages, actingUser);
  for (const message of messages) removeFromIndexes(tx, message, actingUser);
  unindexMessages(tx, messages);
  if (first.stream_id === 0) updateConversation(tx, first.recipient_id);
  else {
    updateChannel(tx, tx.channels.get(first.stream_id)!);
    for (const messages of places) updateTopic(tx, messages[0]!.topic_id, messages.length);
  }
  for (const { event, audience, width } of deletions) tx.emit(event, audience, width);
  for (const [user_id, ids] of stars) emitStarsRemoved(tx, user_id, ids);
}

interface Deletion {
  event: PlainEvent;
  audience: Audience;
  width: number;
}

/** Clients without support for bulk deletion receive one event, with its own id, per message. */
function deletionOf(tx: Writer, messages: readonly Message[], actingUser: User | null): Deletion {
  const ids = messages.map((message) => message.id).sort((a, b) => a - b);
  const { stream_id, topic_id } = messages[0]!;
  const topic = stream_id === 0 ? undefined : tx.topics.get(topic_id);
  const event = messagesDeleted(ids, topic);
  return { event, audience: audienceOf(tx, messages, actingUser), width: ids.length };
}

function removeFromIndexes(tx: Writer, message: Message, actingUser: User | null): void {
  const { id, stream_id, topic_id, recipient_id, sender_id, bits } = message;
  putInArchive(tx, message, actingUser);
  tx.messages.delete(id);
  if (bits & HAS_ATTACHMENT) releaseFiles(tx, id);
  withdrawFromAll(tx, id);
  dropPin(tx, id);
  tx.sender_messages.remove([sender_id], id);
  for (const n of readerChunks(tx, id)) tx.historical_holders.set([id], n, undefined);
  tx.reacted_messages.remove([0], id);
  tx.quiet.remove([0], id);
  tx.backdated_messages.remove([0], id);
  if (bits & STREAM_WILDCARD) tx.wildcards.remove([0], id);
  for (const group_id of message.mentioned_group_ids ?? []) {
    tx.group_mentions.remove([group_id], id);
  }
  if (stream_id === 0) {
    tx.conversation_messages.remove([recipient_id], id);
    for (const user_id of tx.conversations.get(recipient_id)!.user_ids) {
      tx.user_directs.remove([user_id], id);
    }
  } else {
    tx.channel_messages.remove([stream_id], id);
    tx.topic_messages.remove([topic_id], id);
  }
}

/** Updates the channel after messages were removed. */
export function updateChannel(tx: Writer, channel: Channel): void {
  const { stream_id, first_message_id } = channel;
  if (first_message_id === null || tx.channel_messages.has([stream_id], first_message_id)) return;
  const all = new StoredSet("channel", COST.channel, tx.channel_messages, [stream_id]);
  const [next = null] = idsFrom(all, first_message_id, tx.last("messages"), 1);
  changeProperty(tx, channel, "first_message_id", next);
}

/** Participants of a topic are kept as long as it has messages. */
export function updateTopic(tx: Writer, topic_id: number, removedCount: number): void {
  const topic = tx.topics.get(topic_id)!;
  const rest = topicSet(tx, topic_id);
  const [first_id] = idsFrom(rest, topic.first_id, topic.last_id, 1);
  const [last_id] = idsBack(rest, topic.first_id, topic.last_id, 1);
  if (first_id !== undefined && last_id !== undefined) {
    const spelledTopic = withSpelling(topic, nameByMessage(tx, topic, last_id));
    const count = topic.count - removedCount;
    putTopic(tx, topic, { ...spelledTopic, first_id, last_id, count });
    return;
  }
  tx.topics.delete(topic_id);
  dropNote(tx, topic_id, topic.stream_id);
  indexTopic(tx, topic, undefined);
  clear(tx.topic_participants, [topic_id]);
  forgetRenames(tx, topic_id);
}

/** An empty direct conversation is kept. */
function updateConversation(tx: Writer, recipient_id: number): void {
  const conversation = tx.conversations.get(recipient_id)!;
  const rest = new StoredSet("conversation", COST.place, tx.conversation_messages, [recipient_id]);
  const [last_id = 0] = idsBack(rest, 0, conversation.last_id, 1);
  if (last_id !== conversation.last_id) tx.conversations.put({ ...conversation, last_id });
}

function clear(bitmap: BitmapWriter, key: Key): void {
  for (const n of [...bitmap.chunks(key)]) bitmap.set(key, n, undefined);
}
