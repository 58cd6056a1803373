/** The index of what is unread: ids by place, places by id, and sums that follow each change. */
import type { Changed } from "../../snapshot.ts";
import type { Channels } from "../channels/state.ts";
import { conversationKey } from "../conversations/state.ts";
import { isTopicMuted, topicKey, type Topics } from "../topics/state.ts";

/** A topic of a channel or a direct conversation with something unread in it. */
export interface UnreadPlace {
  key: string;
  /** null: a direct conversation. */
  stream_id: number | null;
  topic: string;
  /** The others of a direct conversation, ascending. */
  user_ids: number[];
  /** The ids of the unread messages, ascending. */
  ids: number[];
  mentions: number;
  isMuted: boolean;
}

export interface Count {
  /** Number of messages in topics and channels that are not muted. */
  shown: number;
  muted: number;
  mentions: number;
}

export interface Unread {
  places: Map<string, UnreadPlace>;
  placeOf: Map<number, UnreadPlace>;
  mentions: Set<number>;
  channels: Map<number, Count & { places: Set<UnreadPlace> }>;
  directs: Count;
  all: Count;
  /** There are more than the newest 50,000, which the server reports. */
  isCut: boolean;
}

/** State that decides where a message belongs and whether it is muted. */
export interface Surroundings {
  me: number;
  channels: Channels;
  topics: Topics;
}

export type Where = { stream_id: number; topic: string } | { user_ids: number[] };

export const none = (): Count => ({ shown: 0, muted: 0, mentions: 0 });

/** Whether places are muted is asked again. */
export function judgePlaces(
  unread: Unread,
  places: Iterable<UnreadPlace>,
  around: Surroundings,
  changed: Changed,
): void {
  for (const place of places) {
    if (place.stream_id === null) continue;
    countPlace(unread, place, -1);
    place.isMuted = isTopicMuted(around.topics, around.channels, place.stream_id, place.topic);
    countPlace(unread, place, 1);
    tellPlace(place, changed);
  }
}

export function addUnread(
  unread: Unread,
  where: Where,
  ids: readonly number[],
  around: Surroundings,
  changed: Changed,
): void {
  const fresh = ids.filter((id) => !unread.placeOf.has(id));
  if (fresh.length === 0) return;
  const place = placeAt(unread, where, around);
  countPlace(unread, place, -1);
  for (const id of fresh) {
    unread.placeOf.set(id, place);
    if (unread.mentions.has(id)) place.mentions++;
  }
  insert(place.ids, fresh);
  countPlace(unread, place, 1);
  tellPlace(place, changed);
}

function placeAt(unread: Unread, where: Where, around: Surroundings): UnreadPlace {
  const isChannel = "stream_id" in where;
  const key = keyOf(where);
  const known = unread.places.get(key);
  if (known) return known;
  const { channels, topics } = around;
  const place: UnreadPlace = {
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
      channel = { ...none(), places: new Set() };
      unread.channels.set(where.stream_id, channel);
    }
    channel.places.add(place);
  }
  return place;
}

/** Ids mostly come in order. */
function insert(ids: number[], fresh: readonly number[]): void {
  const isSorted = fresh.every((id, at) => id > (at === 0 ? (ids.at(-1) ?? 0) : fresh[at - 1]!));
  for (const id of fresh) ids.push(id);
  if (!isSorted) ids.sort((a, b) => a - b);
}

export function removeUnread(unread: Unread, gone: readonly number[], changed: Changed): void {
  const byPlace = Map.groupBy(
    gone.filter((id) => unread.placeOf.has(id)),
    (id) => unread.placeOf.get(id)!,
  );
  for (const [place, ids] of byPlace) {
    const out = new Set(ids);
    countPlace(unread, place, -1);
    place.mentions -= ids.filter((id) => unread.mentions.has(id)).length;
    place.ids = place.ids.filter((id) => !out.has(id));
    countPlace(unread, place, 1);
    for (const id of ids) unread.placeOf.delete(id);
    if (place.ids.length === 0) drop(unread, place);
    tellPlace(place, changed);
  }
  for (const id of gone) unread.mentions.delete(id);
}

function drop(unread: Unread, place: UnreadPlace): void {
  unread.places.delete(place.key);
  if (place.stream_id === null) return;
  const channel = unread.channels.get(place.stream_id);
  channel?.places.delete(place);
  if (channel?.places.size === 0) unread.channels.delete(place.stream_id);
}

/** Adds what a place holds to the sums that it is part of, or with -1 takes it out of them. */
export function countPlace(unread: Unread, place: UnreadPlace, sign: 1 | -1): void {
  const { stream_id, ids, mentions, isMuted } = place;
  const part = stream_id === null ? unread.directs : unread.channels.get(stream_id)!;
  for (const sum of [part, unread.all]) {
    sum[isMuted ? "muted" : "shown"] += sign * ids.length;
    sum.mentions += sign * mentions;
  }
}

export function tellPlace({ key, stream_id }: UnreadPlace, changed: Changed): void {
  changed.add("unread:all").add(`unread:${key}`);
  changed.add(stream_id === null ? "unread:directs" : `unread:channel/${stream_id}`);
}

/** The unread messages of a topic or conversation. */
export function unreadAt(unread: Unread, where: Where): UnreadPlace | undefined {
  return unread.places.get(keyOf(where));
}

const keyOf = (where: Where): string =>
  "stream_id" in where ? topicKey(where.stream_id, where.topic) : conversationKey(where.user_ids);
