/**
 * The index of unread messages: ids by conversation, conversations by id, and incremental counts.
 */
import type { Changed } from "../../contract/snapshot.ts";
import type { Channels } from "../channels/state.ts";
import { isTopicMuted, type Topics } from "../topics/state.ts";
import { conversationKey, topicKey } from "../../conversation-keys.ts";

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
  places: Map<string, UnreadConversation>;
  placeOf: Map<number, UnreadConversation>;
  mentions: Set<number>;
  channels: Map<number, Count & { places: Set<UnreadConversation> }>;
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

export type UnreadLocation = { stream_id: number; topic: string } | { user_ids: number[] };

export const emptyCount = (): Count => ({ shown: 0, muted: 0, mentions: 0 });

/** Evaluates again which conversations are muted. */
export function updateMutedConversations(
  unread: Unread,
  places: Iterable<UnreadConversation>,
  context: UnreadContext,
  changed: Changed,
): void {
  for (const place of places) {
    if (place.stream_id === null) continue;
    countConversation(unread, place, -1);
    place.isMuted = isTopicMuted(context.topics, context.channels, place.stream_id, place.topic);
    countConversation(unread, place, 1);
    markConversationChanged(place, changed);
  }
}

export function addUnread(
  unread: Unread,
  where: UnreadLocation,
  ids: readonly number[],
  context: UnreadContext,
  changed: Changed,
): void {
  const fresh = ids.filter((id) => !unread.placeOf.has(id));
  if (fresh.length === 0) return;
  const place = placeAt(unread, where, context);
  countConversation(unread, place, -1);
  for (const id of fresh) {
    unread.placeOf.set(id, place);
    if (unread.mentions.has(id)) place.mentions++;
  }
  insert(place.ids, fresh);
  countConversation(unread, place, 1);
  markConversationChanged(place, changed);
}

function placeAt(
  unread: Unread,
  where: UnreadLocation,
  context: UnreadContext,
): UnreadConversation {
  const isChannel = "stream_id" in where;
  const key = keyOf(where);
  const known = unread.places.get(key);
  if (known) return known;
  const { channels, topics } = context;
  const place: UnreadConversation = {
    key,
    stream_id: isChannel ? where.stream_id : null,
    topic: isChannel ? where.topic : "",
    user_ids: isChannel ? [] : where.user_ids,
    ids: [],
    mentions: 0,
    isMuted: isChannel && isTopicMuted(topics, channels, where.stream_id, where.topic),
  };
  unread.places.set(key, place);
  if (isChannel) {
    let channel = unread.channels.get(where.stream_id);
    if (!channel) {
      channel = { ...emptyCount(), places: new Set() };
      unread.channels.set(where.stream_id, channel);
    }
    channel.places.add(place);
  }
  return place;
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

export function removeUnread(unread: Unread, gone: readonly number[], changed: Changed): void {
  const byPlace = Map.groupBy(
    gone.filter((id) => unread.placeOf.has(id)),
    (id) => unread.placeOf.get(id)!,
  );
  for (const [place, ids] of byPlace) {
    const out = new Set(ids);
    countConversation(unread, place, -1);
    place.mentions -= ids.filter((id) => unread.mentions.has(id)).length;
    place.ids = place.ids.filter((id) => !out.has(id));
    countConversation(unread, place, 1);
    for (const id of ids) unread.placeOf.delete(id);
    if (place.ids.length === 0) drop(unread, place);
    markConversationChanged(place, changed);
  }
  for (const id of gone) unread.mentions.delete(id);
}

function drop(unread: Unread, place: UnreadConversation): void {
  unread.places.delete(place.key);
  if (place.stream_id === null) return;
  const channel = unread.channels.get(place.stream_id);
  channel?.places.delete(place);
  if (channel?.places.size === 0) unread.channels.delete(place.stream_id);
}

/** Adds the conversation's unread messages to the counts, or with -1 subtracts them. */
export function countConversation(unread: Unread, place: UnreadConversation, sign: 1 | -1): void {
  const { stream_id, ids, mentions, isMuted } = place;
  const part = stream_id === null ? unread.directs : unread.channels.get(stream_id)!;
  for (const sum of [part, unread.all]) {
    sum[isMuted ? "muted" : "shown"] += sign * ids.length;
    sum.mentions += sign * mentions;
  }
}

export function markConversationChanged(
  { key, stream_id }: UnreadConversation,
  changed: Changed,
): void {
  changed.add("unread:all").add(`unread:${key}`);
  changed.add(stream_id === null ? "unread:directs" : `unread:channel/${stream_id}`);
}

const keyOf = (where: UnreadLocation): string =>
  "stream_id" in where ? topicKey(where.stream_id, where.topic) : conversationKey(where.user_ids);
