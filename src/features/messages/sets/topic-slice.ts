// Which messages of a topic a move takes, a chunk at a time.
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
import { ownSet, rememberedMessages } from "./received.ts";

/** The chunks that hold any, ascending. */
export type TopicSlice = ReadonlyMap<number, Chunk>;

/**
 * The messages of the topic from one id to another, `limit` of them at most. With a `reader_user`
 * those that this person may read.
 */
export function topicSlice(
  reader: Reader,
  topic: Topic,
  { from, to, limit = Infinity }: { from: number; to: number; limit?: number },
  reader_user?: User,
): TopicSlice {
  const found = new Map<number, Chunk>();
  const readable = reader_user && readableIn(reader, reader_user, topic);
  const messages = topicSet(reader, topic.topic_id);
  let room = limit;
  for (const n of messages.chunks(chunkOf(from), chunkOf(to), false)) {
    const chunk = messages.at(n).slice();
    if (from > idOf(n, 0)) clearRange(chunk, 0, offsetOf(from) - 1);
    if (to < idOf(n, CHUNK_IDS - 1)) clearRange(chunk, offsetOf(to) + 1, CHUNK_IDS - 1);
    readable?.intersect(chunk, n);
    cut(chunk, room);
    if (isEmpty(chunk)) continue;
    found.set(n, chunk);
    room -= count(chunk);
    if (room <= 0) break;
  }
  return found;
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

/** The lowest id and the highest; of one with any. */
export function endsOf(slice: TopicSlice): { first: number; last: number } {
  const chunks = [...slice];
  const [[low, lowChunk], [high, highChunk]] = [chunks[0]!, chunks.at(-1)!];
  return { first: idOf(low, lowest(lowChunk)), last: idOf(high, highest(highChunk)) };
}

/** Keeps the lowest `room` offsets. */
function cut(chunk: Chunk, room: number): void {
  if (count(chunk) <= room) return;
  const last = ascending(chunk, 0, room).at(-1)!;
  clearRange(chunk, last + 1, CHUNK_IDS - 1);
}

/** undefined: whoever reads the channel reads all of it. */
function readableIn(reader: Reader, user: User, { stream_id }: Topic) {
  if (!isProtected(reader.channels.get(stream_id)!)) return undefined;
  const part = { streams: [stream_id], directs: false };
  return ownSet(reader, user, rememberedMessages(reader), part);
}
