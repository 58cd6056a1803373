// Groups a user's unread messages by conversation: topics and direct conversations.
import type { Reader } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import {
  and,
  andNot,
  ascending,
  type Chunk,
  chunkOf,
  clearRange,
  count,
  descending,
  emptyChunk,
  idOf,
  isEmpty,
  offsetOf,
  or,
  setRange,
} from "../../../store/bitmap/bitmap.ts";
import { takeOut } from "../../../store/bitmap/encodings.ts";
import type { BitmapReader } from "../../../store/declare.ts";
import { movedIn } from "../moved-access.ts";
import { FLAG_HISTORICAL } from "../rules.ts";
import { type KnownTopics, knownTopics } from "../sets/known-topics.ts";
import { mentionSets } from "../sets/mention-sets.ts";
import { Muting } from "../sets/muted.ts";
import { directsSet, type Lookup, cachedMessages } from "../sets/received.ts";
import { COST, StoredSet } from "../sets/sets.ts";
import { addWithin, type Intervals, intervalsOf } from "../sets/subscription-intervals.ts";
import { ReadMarks } from "./read-marks.ts";
import { floorOf, isChunkRead } from "./unread.ts";

/** Older unread messages are left out. */
const UNREAD_MAX = 50_000;
/** Known topics are tried as long as that is cheaper than reading each message. */
const TOPICS_TRIED_PER_MESSAGE = 2;

export type UnreadConversation =
  { ids: number[]; stream_id: number; topic: string } | { ids: number[]; user_ids: number[] };

interface UnreadOfConversation {
  places: UnreadConversation[];
  mentions: number[];
  /** Muted messages are not counted. */
  count: number;
  /** True if there are too many to list them all. */
  isCut: boolean;
}

/** Sets by chunk, oldest first. */
type Chunks = Map<number, Chunk>;

/** Unread messages by channel; 0 for direct messages. */
type ChunksByChannel = Map<number, Chunks>;

export function unreadByConversation(reader: Reader, user: User): UnreadOfConversation {
  const messageOf = cachedMessages(reader);
  const { found: unreadByChannel, isCut } = newestUnread(reader, user.user_id, messageOf);
  const muting = new Muting(reader, user.user_id);
  const all: Chunks = new Map();
  const muted: Chunks = new Map();
  for (const chunks of unreadByChannel.values())
    for (const [n, chunk] of chunks) addChunk(all, n, chunk);
  const places: UnreadConversation[] = [];
  const known = knownTopics(reader);
  let total = 0;
  for (const [stream_id, chunks] of unreadByChannel) {
    const namedTopics =
      stream_id === 0
        ? conversations(reader, user.user_id, chunks, messageOf)
        : topics(reader, stream_id, chunks, messageOf, known);
    for (const conversation of namedTopics) {
      places.push(conversation);
      if ("topic" in conversation && muting.isMuted(stream_id, conversation.topic)) {
        for (const id of conversation.ids) addId(muted, chunkOf(id), id);
      } else total += conversation.ids.length;
    }
  }
  return { places, mentions: mentionsIn(reader, user, all, muted), count: total, isCut };
}

/** Collects the newest unread messages, chunk by chunk over all channels. */
function newestUnread(reader: Reader, user_id: number, messageOf: Lookup) {
  const subs = reader.subscriptions.listBy("user", user_id).filter((sub) => sub.active);
  const channels = new Map<number, Intervals>(subs.map((sub) => [sub.stream_id, intervalsOf(sub)]));
  const directs = directsSet(reader, user_id);
  const read = new ReadMarks(reader, user_id);
  const historical = new StoredSet("", COST.few, reader.flags, [user_id, FLAG_HISTORICAL]);
  const newest = chunkOf(reader.last("messages"));
  const oldest = Math.max(
    floorOf(reader, user_id),
    Math.min(oldestOf(channels, directs, newest), oldestHistorical(reader, historical, newest)),
  );

  const result: ChunksByChannel = new Map();
  let total = 0;
  for (let n = newest; n >= oldest && total < UNREAD_MAX; n--) {
    if (isChunkRead(reader, user_id, n)) continue;
    const isRead = read.at(n);
    const parts: Chunks = new Map();
    const direct = andNot(directs.at(n), isRead);
    if (!isEmpty(direct)) parts.set(0, direct.slice());
    const part = emptyChunk();
    const movedInChunk = movedIn(reader, user_id, n);
    for (const [stream_id, intervals] of channels) {
      addWithin(reader, part.fill(0), stream_id, intervals, n, movedInChunk);
      if (!isEmpty(andNot(part, isRead))) parts.set(stream_id, part.slice());
    }
    for (const id of ascending(andNot(historical.at(n), isRead), idOf(n, 0))) {
      const { stream_id = 0 } = messageOf(id) ?? {};
      if (channels.has(stream_id)) addId(parts, stream_id, id);
    }
    total += addPart(result, n, parts, UNREAD_MAX - total);
  }
  for (const [stream_id, chunks] of result) result.set(stream_id, new Map([...chunks].reverse()));
  return { found: result, isCut: total >= UNREAD_MAX };
}

/** The first chunk that may contain messages the user received. */
function oldestOf(
  channels: ReadonlyMap<number, Intervals>,
  directs: StoredSet,
  newest: number,
): number {
  let oldest = newest;
  for (const n of directs.chunks(0, newest, false)) {
    oldest = n;
    break;
  }
  for (const intervals of channels.values()) {
    if (intervals.length > 0) oldest = Math.min(oldest, chunkOf(intervals[0]![0]));
  }
  return oldest;
}

/** The first chunk that may contain messages the user has without a subscription. */
function oldestHistorical(reader: Reader, historical: StoredSet, newest: number): number {
  const [first = newest] = historical.chunks(0, newest, false);
  const [firstMoved = first] = reader.moved.chunks([0], { to: first });
  return Math.min(first, firstMoved);
}

/**
 * Adds the parts of one chunk, preferring the newest ids if there is not enough room. Returns the
 * number of added ids.
 */
function addPart(result: ChunksByChannel, n: number, parts: Chunks, space: number): number {
  const all = emptyChunk();
  for (const part of parts.values()) or(all, part);
  const unread = count(all);
  const size = Math.min(unread, space);
  const min = size < unread ? offsetOf(descending(all, 0, space).at(-1)!) : 0;
  for (const [stream_id, part] of parts) {
    if (min > 0) clearRange(part, 0, min - 1);
    if (isEmpty(part)) continue;
    let chunks = result.get(stream_id);
    if (!chunks) result.set(stream_id, (chunks = new Map()));
    chunks.set(n, part);
  }
  return size;
}

function* topics(
  reader: Reader,
  stream_id: number,
  chunks: Chunks,
  messageOf: Lookup,
  known: KnownTopics,
): Iterable<UnreadConversation> {
  const result = assignKnownTopics(chunks, known);
  const add = (topic_id: number, ids: number[]) => {
    known.addMessages(ids, topic_id);
    result.set(
      topic_id,
      [...(result.get(topic_id) ?? []), ...ids].sort((a, b) => a - b),
    );
  };
  const range = { from: [oldestChunk(chunks)], reverse: true };
  const latest = reader.topics.scanIndex("latest", [stream_id], range);
  const places = extractIds(chunks, latest, reader.topic_messages, (topic) => topic.topic_id);
  for (const [topic, ids] of places) add(topic.topic_id, ids);
  for (const [topic_id, ids] of assignRemaining(chunks, (id) => messageOf(id)?.topic_id))
    add(topic_id, ids);
  for (const [topic_id, ids] of result) {
    yield { ids, stream_id, topic: known.nameOf(reader, topic_id) };
  }
}

/** Removes messages with known topics from the chunks, and returns them by topic. */
function assignKnownTopics(chunks: Chunks, known: KnownTopics): Map<number, number[]> {
  const result = new Map<number, number[]>();
  for (const [n, chunk] of chunks) {
    const topics = known.at(n);
    const rest = emptyChunk();
    for (const id of ascending(chunk, idOf(n, 0))) {
      const topic_id = topics[offsetOf(id)]!;
      if (topic_id > 0) addTo(result, topic_id, id);
      else setRange(rest, offsetOf(id), offsetOf(id));
    }
    chunk.set(rest);
    if (isEmpty(chunk)) chunks.delete(n);
  }
  return result;
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
  for (const [n, chunk] of [...all].sort(([a], [b]) => a - b)) {
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

function addChunk(chunks: Chunks, n: number, chunk: Chunk): void {
  const there = chunks.get(n);
  if (there) or(there, chunk);
  else chunks.set(n, chunk.slice());
}

function addId(chunks: Chunks, key: number, id: number): void {
  let chunk = chunks.get(key);
  if (!chunk) chunks.set(key, (chunk = emptyChunk()));
  setRange(chunk, offsetOf(id), offsetOf(id));
}

function oldestChunk(chunks: Chunks): number {
  const [oldest = 0] = chunks.keys();
  return oldest;
}

function sizeOf(chunks: Chunks): number {
  return chunks.values().reduce((size, chunk) => size + count(chunk), 0);
}
