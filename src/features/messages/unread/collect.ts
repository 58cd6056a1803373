// Collects a user's unread messages: from the subscribed channels, direct messages, and others.
import type { Reader } from "../../../realm.ts";
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
import { movedIn } from "../moved-access.ts";
import { FLAG_HISTORICAL } from "../rules.ts";
import { directsSet, type Lookup } from "../sets/received.ts";
import { COST, StoredSet } from "../sets/sets.ts";
import { addWithin, type Intervals, intervalsOf } from "../sets/subscription-intervals.ts";
import { ReadMarks } from "./read-marks.ts";
import { floorOf, isChunkRead } from "./unread.ts";

/** Older unread messages are left out. */
const UNREAD_MAX = 50_000;

/** Sets by chunk, oldest first. */
export type Chunks = Map<number, Chunk>;

/** The sets that can contain a user's unread messages. */
export interface Sources {
  channels: ReadonlyMap<number, Intervals>;
  directs: StoredSet;
  historical: StoredSet;
}

export function sourcesOf(reader: Reader, user_id: number): Sources {
  const subs = reader.subscriptions.listBy("user", user_id).filter((sub) => sub.active);
  return {
    channels: new Map<number, Intervals>(subs.map((sub) => [sub.stream_id, intervalsOf(sub)])),
    directs: directsSet(reader, user_id),
    historical: new StoredSet("", COST.few, reader.flags, [user_id, FLAG_HISTORICAL]),
  };
}

/** Collects the newest unread messages of all channels, chunk by chunk. */
export function newestUnread(
  reader: Reader,
  user_id: number,
  { channels, directs, historical }: Sources,
  messageOf: Lookup,
): { unread: Chunks; isCut: boolean } {
  const read = new ReadMarks(reader, user_id);
  const newest = chunkOf(reader.last("messages"));
  const oldest = Math.max(
    floorOf(reader, user_id),
    Math.min(oldestOf(channels, directs, newest), oldestHistorical(reader, historical, newest)),
  );

  const result: [number, Chunk][] = [];
  let total = 0;
  for (let n = newest; n >= oldest && total < UNREAD_MAX; n--) {
    if (isChunkRead(reader, user_id, n)) continue;
    const isRead = read.at(n);
    const chunk = emptyChunk();
    directs.union(chunk, n);
    const movedInChunk = movedIn(reader, user_id, n);
    for (const [stream_id, intervals] of channels) {
      addWithin(reader, chunk, stream_id, intervals, n, movedInChunk);
    }
    for (const id of ascending(andNot(historical.at(n), isRead), idOf(n, 0))) {
      const { stream_id = 0 } = messageOf(id) ?? {};
      if (channels.has(stream_id)) setRange(chunk, offsetOf(id), offsetOf(id));
    }
    const found = keepNewest(andNot(chunk, isRead), UNREAD_MAX - total);
    if (found > 0) result.push([n, chunk]);
    total += found;
  }
  return { unread: new Map(result.reverse()), isCut: total >= UNREAD_MAX };
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

/** Removes the oldest ids of a chunk that has more than `space`. Returns how many it has then. */
function keepNewest(chunk: Chunk, space: number): number {
  const size = count(chunk);
  if (size <= space) return size;
  const oldest = descending(chunk, 0, space).at(-1)!;
  if (oldest > 0) clearRange(chunk, 0, oldest - 1);
  return space;
}

/** Groups messages by channel, 0 for direct messages, and by chunk, oldest first. */
export function splitByChannel(
  reader: Reader,
  user_id: number,
  { channels, directs }: Sources,
  unread: Chunks,
  messageOf: Lookup,
): Map<number, Chunks> {
  const result = new Map<number, Chunks>();
  const add = (stream_id: number, n: number, part: Chunk) => {
    if (isEmpty(part)) return;
    let chunks = result.get(stream_id);
    if (!chunks) result.set(stream_id, (chunks = new Map()));
    const there = chunks.get(n);
    if (there) or(there, part);
    else chunks.set(n, part.slice());
  };
  const part = emptyChunk();
  for (const [n, chunk] of unread) {
    add(0, n, and(directs.at(n), chunk));
    andNot(chunk, directs.at(n));
    const movedInChunk = movedIn(reader, user_id, n);
    for (const [stream_id, intervals] of channels) {
      if (isEmpty(chunk)) break;
      addWithin(reader, part.fill(0), stream_id, intervals, n, movedInChunk);
      add(stream_id, n, and(part, chunk));
      andNot(chunk, part);
    }
    // The rest are messages that the user has without a subscription at that time.
    for (const id of ascending(chunk, idOf(n, 0))) {
      const { stream_id = 0 } = messageOf(id) ?? {};
      add(stream_id, n, setRange(part.fill(0), offsetOf(id), offsetOf(id)));
    }
  }
  return result;
}

export function addId(chunks: Chunks, key: number, id: number): void {
  let chunk = chunks.get(key);
  if (!chunk) chunks.set(key, (chunk = emptyChunk()));
  setRange(chunk, offsetOf(id), offsetOf(id));
}
