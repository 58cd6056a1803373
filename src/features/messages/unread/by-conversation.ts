// Groups a user's unread messages by conversation: topics and direct conversations.
import type { Reader } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import {
  and,
  andNot,
  ascending,
  chunkOf,
  count,
  idOf,
  offsetOf,
  or,
} from "../../../store/bitmap/bitmap.ts";
import { takeOut } from "../../../store/bitmap/encodings.ts";
import type { BitmapReader } from "../../../store/declare.ts";
import { type KnownTopics, knownTopics } from "../sets/known-topics.ts";
import { mentionSets } from "../sets/mention-sets.ts";
import { Muting } from "../sets/muted.ts";
import { type Lookup, cachedMessages } from "../sets/received.ts";
import {
  addId,
  type Chunks,
  newestUnread,
  type Sources,
  sourcesOf,
  splitByChannel,
} from "./collect.ts";

/** Known topics are tried as long as that is cheaper than reading each message. */
const TOPICS_TRIED_PER_MESSAGE = 2;

export type UnreadConversation =
  { ids: number[]; stream_id: number; topic: string } | { ids: number[]; user_ids: number[] };

interface UnreadOfConversation {
  places: UnreadConversation[];
  mentions: number[];
  /** Muted messages are not counted. */
  count: number;
  /** Whether there are too many unread messages to list them all. */
  isCut: boolean;
}

export function unreadByConversation(reader: Reader, user: User): UnreadOfConversation {
  const messageOf = cachedMessages(reader);
  const sources = sourcesOf(reader, user.user_id);
  const { unread, isCut } = newestUnread(reader, user.user_id, sources, messageOf);
  const muting = new Muting(reader, user.user_id);
  const muted: Chunks = new Map();
  const places = conversationsOf(reader, user.user_id, sources, unread, messageOf);
  let total = 0;
  for (const conversation of places) {
    const { ids } = conversation;
    if ("topic" in conversation && muting.isMuted(conversation.stream_id, conversation.topic)) {
      for (const id of ids) addId(muted, chunkOf(id), id);
    } else total += ids.length;
  }
  return { places, mentions: mentionsIn(reader, user, unread, muted), count: total, isCut };
}

/** Most messages have a known topic. The others are looked up channel by channel. */
function conversationsOf(
  reader: Reader,
  user_id: number,
  sources: Sources,
  unread: Chunks,
  messageOf: Lookup,
): UnreadConversation[] {
  const places: UnreadConversation[] = [];
  const known = knownTopics(reader);
  const { byTopic, others } = splitByKnownTopic(unread, known);
  for (const [stream_id, chunks] of splitByChannel(reader, user_id, sources, others, messageOf)) {
    if (stream_id === 0) {
      places.push(...conversations(reader, user_id, chunks, messageOf));
      continue;
    }
    for (const [topic_id, ids] of topics(reader, stream_id, chunks, messageOf)) {
      known.addMessages(ids, topic_id);
      const before = byTopic.get(topic_id);
      byTopic.set(topic_id, before ? [...before, ...ids].sort((a, b) => a - b) : ids);
    }
  }
  for (const [topic_id, ids] of byTopic) {
    const { stream_id, name } = known.topicOf(reader, topic_id) ?? { stream_id: 0, name: "" };
    places.push({ ids, stream_id: stream_id || messageOf(ids[0]!)!.stream_id, topic: name });
  }
  return places;
}

/** Groups the messages with a known topic by topic, and returns the others by chunk. */
function splitByKnownTopic(unread: Chunks, known: KnownTopics) {
  const byTopic = new Map<number, number[]>();
  const others: Chunks = new Map();
  for (const [n, chunk] of unread) {
    const topics = known.at(n);
    for (const id of ascending(chunk, idOf(n, 0))) {
      const topic_id = topics[offsetOf(id)]!;
      if (topic_id > 0) addTo(byTopic, topic_id, id);
      else addId(others, n, id);
    }
  }
  return { byTopic, others };
}

/** Removes the messages of the chunks and yields them by topic. */
function* topics(
  reader: Reader,
  stream_id: number,
  chunks: Chunks,
  messageOf: Lookup,
): Iterable<[topic_id: number, ids: number[]]> {
  const range = { from: [oldestChunk(chunks)], reverse: true };
  const latest = reader.topics.scanIndex("latest", [stream_id], range);
  const found = extractIds(chunks, latest, reader.topic_messages, (topic) => topic.topic_id);
  for (const [topic, ids] of found) yield [topic.topic_id, ids];
  yield* assignRemaining(chunks, (id) => messageOf(id)?.topic_id);
}

function* conversations(
  reader: Reader,
  user_id: number,
  chunks: Chunks,
  messageOf: Lookup,
): Iterable<UnreadConversation> {
  const range = { from: [oldestChunk(chunks)], reverse: true };
  const recent = reader.conversations.scanIndex("recent", [user_id], range);
  const bitmap = reader.conversation_messages;
  for (const [{ user_ids }, ids] of extractIds(chunks, recent, bitmap, (to) => to.recipient_id)) {
    yield { ids, user_ids };
  }
  for (const [recipient_id, ids] of assignRemaining(chunks, (id) => messageOf(id)?.recipient_id)) {
    yield { ids, user_ids: reader.conversations.get(recipient_id)?.user_ids ?? [] };
  }
}

/** Yields the messages of each conversation and removes them from the chunks. */
function* extractIds<P extends { first_id?: number; last_id: number }>(
  chunks: Chunks,
  places: Iterable<P>,
  bitmap: BitmapReader,
  keyOf: (position: P) => number,
): Iterable<[P, number[]]> {
  let size = sizeOf(chunks);
  if (size === 0) return;
  let triesLeft = TOPICS_TRIED_PER_MESSAGE * size;
  for (const position of places) {
    const [from, to] = [chunkOf(position.first_id ?? 0), chunkOf(position.last_id)];
    const key = [keyOf(position)];
    const ids: number[] = [];
    for (const [n, chunk] of chunks) {
      if (n < from || n > to) continue;
      triesLeft--;
      const bytes = bitmap.chunk(key, n);
      if (bytes) takeOut(chunk, bytes, (offset) => ids.push(idOf(n, offset)));
    }
    if (ids.length > 0) yield [position, ids];
    size -= ids.length;
    if (size === 0 || --triesLeft <= 0) return;
  }
}

/** Assigns the remaining messages by reading each one. */
function assignRemaining(chunks: Chunks, placeOf: (id: number) => number | undefined) {
  const result = new Map<number, number[]>();
  for (const [n, chunk] of chunks) {
    for (const id of ascending(chunk, idOf(n, 0))) {
      const location = placeOf(id);
      if (location !== undefined) addTo(result, location, id);
    }
  }
  return result;
}

/** Mentions of the user, and wildcard mentions where not muted. */
function mentionsIn(reader: Reader, user: User, all: Chunks, muted: Chunks): number[] {
  const { byName, byWildcard } = mentionSets(reader, user);
  const ids: number[] = [];
  for (const [n, chunk] of all) {
    const wildcardMentions = byWildcard.at(n);
    const mutedChunk = muted.get(n);
    if (mutedChunk) andNot(wildcardMentions, mutedChunk);
    const mentions = and(or(wildcardMentions, byName.at(n)), chunk);
    for (const id of ascending(mentions, idOf(n, 0))) ids.push(id);
  }
  return ids;
}

function addTo(lists: Map<number, number[]>, key: number, id: number): void {
  const ids = lists.get(key);
  if (ids) ids.push(id);
  else lists.set(key, [id]);
}

function oldestChunk(chunks: Chunks): number {
  const [oldest = 0] = chunks.keys();
  return oldest;
}

function sizeOf(chunks: Chunks): number {
  return chunks.values().reduce((size, chunk) => size + count(chunk), 0);
}
