/**
 * The index of unread messages: ids by conversation, conversations by id, and incremental counts.
 */
import type { Changed } from "../../contract/snapshot.ts";
import type { ConversationRef } from "../../views.ts";
import type { Channels } from "../channels/state.ts";
import { isTopicMuted, type Topics } from "../topics/state.ts";
import { keyOfConversation } from "../../conversation-keys.ts";

/** A topic or direct conversation with unread messages. */
export interface UnreadConversation {
  key: string;
  /** null: a direct conversation. */
  stream_id: number | null;
  topic: string;
  /** The other users of a direct conversation, ascending. */
  user_ids: number[];
  /** The ids of the unread messages, ascending. */
  ids: number[];
  mentions: number;
  isMuted: boolean;
}

interface Count {
  /** Number of messages in topics and channels that are not muted. */
  shown: number;
  muted: number;
  mentions: number;
}

export interface Unread {
  conversations: Map<string, UnreadConversation>;
  byMessage: Map<number, UnreadConversation>;
  mentions: Set<number>;
  channels: Map<number, Count & { conversations: Set<UnreadConversation> }>;
  directs: Count;
  all: Count;
  /** There are more than the newest 50,000, which the server reports. */
  isCut: boolean;
}

/** State that decides where a message belongs and whether it is muted. */
export interface UnreadContext {
  me: number;
  channels: Channels;
  topics: Topics;
}

export const emptyCount = (): Count => ({ shown: 0, muted: 0, mentions: 0 });

/** Evaluates again which conversations are muted. */
export function updateMutedConversations(
  unread: Unread,
  conversations: Iterable<UnreadConversation>,
  context: UnreadContext,
  changed: Changed,
): void {
  for (const conversation of conversations) {
    if (conversation.stream_id === null) continue;
    countConversation(unread, conversation, -1);
    conversation.isMuted = isTopicMuted(
      context.topics,
      context.channels,
      conversation.stream_id,
      conversation.topic,
    );
    countConversation(unread, conversation, 1);
    markConversationChanged(conversation, changed);
  }
}

export function addUnread(
  unread: Unread,
  location: ConversationRef,
  ids: readonly number[],
  context: UnreadContext,
  changed: Changed,
): void {
  const fresh = ids.filter((id) => !unread.byMessage.has(id));
  if (fresh.length === 0) return;
  const conversation = conversationAt(unread, location, context);
  countConversation(unread, conversation, -1);
  for (const id of fresh) {
    unread.byMessage.set(id, conversation);
    if (unread.mentions.has(id)) conversation.mentions++;
  }
  insert(conversation.ids, fresh);
  countConversation(unread, conversation, 1);
  markConversationChanged(conversation, changed);
}

function conversationAt(
  unread: Unread,
  location: ConversationRef,
  context: UnreadContext,
): UnreadConversation {
  const isChannel = "stream_id" in location;
  const key = keyOfConversation(location);
  const existing = unread.conversations.get(key);
  if (existing) return existing;
  const { channels, topics } = context;
  const conversation: UnreadConversation = {
    key,
    stream_id: isChannel ? location.stream_id : null,
    topic: isChannel ? location.topic : "",
    user_ids: isChannel ? [] : location.user_ids,
    ids: [],
    mentions: 0,
    isMuted: isChannel && isTopicMuted(topics, channels, location.stream_id, location.topic),
  };
  unread.conversations.set(key, conversation);
  if (isChannel) {
    let channel = unread.channels.get(location.stream_id);
    if (!channel) {
      channel = { ...emptyCount(), conversations: new Set() };
      unread.channels.set(location.stream_id, channel);
    }
    channel.conversations.add(conversation);
  }
  return conversation;
}

/** Ids usually arrive in order. */
function insert(ids: number[], fresh: readonly number[]): void {
  let isSorted = true;
  for (const id of fresh) {
    isSorted &&= id > (ids.at(-1) ?? 0);
    ids.push(id);
  }
  if (!isSorted) ids.sort((a, b) => a - b);
}

export function removeUnread(
  unread: Unread,
  removedIds: readonly number[],
  changed: Changed,
): void {
  const byPlace = Map.groupBy(
    removedIds.filter((id) => unread.byMessage.has(id)),
    (id) => unread.byMessage.get(id)!,
  );
  for (const [conversation, ids] of byPlace) {
    const out = new Set(ids);
    countConversation(unread, conversation, -1);
    conversation.mentions -= ids.filter((id) => unread.mentions.has(id)).length;
    conversation.ids = conversation.ids.filter((id) => !out.has(id));
    countConversation(unread, conversation, 1);
    for (const id of ids) unread.byMessage.delete(id);
    if (conversation.ids.length === 0) drop(unread, conversation);
    markConversationChanged(conversation, changed);
  }
  for (const id of removedIds) unread.mentions.delete(id);
}

function drop(unread: Unread, conversation: UnreadConversation): void {
  unread.conversations.delete(conversation.key);
  if (conversation.stream_id === null) return;
  const channel = unread.channels.get(conversation.stream_id);
  channel?.conversations.delete(conversation);
  if (channel?.conversations.size === 0) unread.channels.delete(conversation.stream_id);
}

/** Adds the conversation's unread messages to the counts, or with -1 subtracts them. */
export function countConversation(
  unread: Unread,
  conversation: UnreadConversation,
  factor: 1 | -1,
): void {
  const { stream_id, ids, mentions, isMuted } = conversation;
  const counter = stream_id === null ? unread.directs : unread.channels.get(stream_id)!;
  for (const sum of [counter, unread.all]) {
    sum[isMuted ? "muted" : "shown"] += factor * ids.length;
    sum.mentions += factor * mentions;
  }
}

export function markConversationChanged(
  { key, stream_id }: UnreadConversation,
  changed: Changed,
): void {
  changed.add("unread:all").add(`unread:${key}`);
  changed.add(stream_id === null ? "unread:directs" : `unread:channel/${stream_id}`);
}
