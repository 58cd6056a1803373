// The messages that a user has read: marked as read, or read from the start.
import type { Reader } from "../../../realm.ts";
import { andNot, type Chunk, chunkOf, offsetOf, or } from "../../../store/bitmap/bitmap.ts";
import { decodeChunk, hasOffset } from "../../../store/bitmap/encodings.ts";
import { FLAG_UNREAD_HERE, FLAG_READ } from "../rules.ts";
import { COST, everyChunk, IdSet, StoredSet } from "../sets/sets.ts";

// Some notices are unread for only a few users; for everyone else they count as read without a
// flag.

export class ReadMarks extends IdSet {
  readonly cost = COST.wide;
  readonly text = "read";
  private readonly marked: StoredSet;

  constructor(
    private readonly reader: Reader,
    private readonly user_id: number,
  ) {
    super();
    this.marked = new StoredSet("", COST.wide, reader.flags, [user_id, FLAG_READ]);
  }

  chunks(from: number, to: number, reverse: boolean): Iterable<number> {
    return everyChunk(from, to, reverse);
  }

  union(chunk: Chunk, n: number): void {
    this.marked.union(chunk, n);
    const readAtArrival = readOnArrival(this.reader, this.user_id, n);
    if (readAtArrival) or(chunk, readAtArrival);
  }

  override subtract(chunk: Chunk, n: number): void {
    this.marked.subtract(chunk, n);
    const readAtArrival = readOnArrival(this.reader, this.user_id, n);
    if (readAtArrival) andNot(chunk, readAtArrival);
  }
}

export function isReadOnArrival(reader: Reader, user_id: number, message_id: number): boolean {
  if (!hasOffset(reader.quiet.chunk([0], chunkOf(message_id)), offsetOf(message_id))) return false;
  return !reader.flags.has([user_id, FLAG_UNREAD_HERE], message_id);
}

function readOnArrival(reader: Reader, user_id: number, n: number): Chunk | undefined {
  const bytes = reader.quiet.chunk([0], n);
  if (!bytes) return undefined;
  const unreadFlags = reader.flags.chunk([user_id, FLAG_UNREAD_HERE], n);
  return andNot(decodeChunk(bytes), decodeChunk(unreadFlags));
}
