// Selects the messages of a topic that a move affects, by chunk.
import type { Reader } from "../../../realm.ts";
import type { Topic, User } from "../../../schema/records.ts";
import {
  ascending,
  type Chunk,
  chunkOf,
  clearRange,
  CHUNK_IDS,
  count,
  highest,
  idOf,
  isEmpty,
  lowest,
  offsetOf,
} from "../../../store/bitmap/bitmap.ts";
import { isProtected } from "../../channels/rules.ts";
import { topicSet } from "./muted.ts";
import { ownSet, cachedMessages } from "./received.ts";

/** Non-empty chunks, ascending. */
export type TopicSlice = ReadonlyMap<number, Chunk>;

/**
 * Messages of the topic between two ids, at most `limit`. With `reader_user`, only those that this
 * user can read.
 */
export function topicSlice(
  reader: Reader,
  topic: Topic,
  { from, to, limit = Infinity }: { from: number; to: number; limit?: number },
  reader_user?: User,
): TopicSlice {
  const chunks = new Map<number, Chunk>();
  const readable = reader_user && readableIn(reader, reader_user, topic);
  const messages = topicSet(reader, topic.topic_id);
  let space = limit;
  for (const n of messages.chunks(chunkOf(from), chunkOf(to), false)) {
    const chunk = messages.at(n).slice();
    if (from > idOf(n, 0)) clearRange(chunk, 0, offsetOf(from) - 1);
    if (to < idOf(n, CHUNK_IDS - 1)) clearRange(chunk, offsetOf(to) + 1, CHUNK_IDS - 1);
    readable?.intersect(chunk, n);
    truncate(chunk, space);
    if (isEmpty(chunk)) continue;
    chunks.set(n, chunk);
    space -= count(chunk);
    if (space <= 0) break;
  }
  return chunks;
}

export function idsIn(slice: TopicSlice): number[] {
  const ids: number[] = [];
  for (const [n, chunk] of slice) for (const id of ascending(chunk, idOf(n, 0))) ids.push(id);
  return ids;
}

export function countIn(slice: TopicSlice): number {
  let sum = 0;
  for (const chunk of slice.values()) sum += count(chunk);
  return sum;
}

/** The lowest and highest id of a non-empty slice. */
export function endsOf(slice: TopicSlice): { first: number; last: number } {
  const chunks = [...slice];
  const [[low, lowChunk], [high, highChunk]] = [chunks[0]!, chunks.at(-1)!];
  return { first: idOf(low, lowest(lowChunk)), last: idOf(high, highest(highChunk)) };
}

/** Keeps the lowest `space` offsets. */
function truncate(chunk: Chunk, space: number): void {
  if (count(chunk) <= space) return;
  const last = ascending(chunk, 0, space).at(-1)!;
  clearRange(chunk, last + 1, CHUNK_IDS - 1);
}

/** Returns undefined if the user can read the channel's whole history. */
function readableIn(reader: Reader, user: User, { stream_id }: Topic) {
  if (!isProtected(reader.channels.get(stream_id)!)) return undefined;
  const part = { streams: [stream_id], directs: false };
  return ownSet(reader, user, cachedMessages(reader), part);
}
