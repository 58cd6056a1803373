// Caches the topics of recent messages between requests, until a message moves.
import type { Reader } from "../../../realm.ts";
import { CHUNK_IDS, chunkOf, offsetOf } from "../../../store/bitmap/bitmap.ts";

/** Each takes 16 KiB. */
const CHUNKS_MAX = 64;

export class KnownTopics {
  /** Keyed by chunk of message ids; 0 if unknown. The most recently used chunk is last. */
  private readonly chunks = new Map<number, Uint32Array>();
  private moves = -1;

  /** Drops entries that a move may have changed. */
  asOf(moves: number): this {
    if (moves !== this.moves) this.chunks.clear();
    this.moves = moves;
    return this;
  }

  /** The topic ids of a chunk's messages, for reading and adding. */
  at(n: number): Uint32Array {
    const topicIds = this.chunks.get(n) ?? new Uint32Array(CHUNK_IDS);
    this.chunks.delete(n);
    this.chunks.set(n, topicIds);
    const [oldest = n] = this.chunks.keys();
    if (this.chunks.size > CHUNKS_MAX) this.chunks.delete(oldest);
    return topicIds;
  }

  addMessages(ids: readonly number[], topic_id: number): void {
    for (const id of ids) this.at(chunkOf(id))[offsetOf(id)] = topic_id;
  }
}

const topicCaches = new WeakMap<Reader, KnownTopics>();

/** Returns the cache for the reader's state. */
export function knownTopics(reader: Reader): KnownTopics {
  let topics = topicCaches.get(reader);
  if (topics === undefined) topicCaches.set(reader, (topics = new KnownTopics()));
  return topics.asOf(reader.last("moved_messages"));
}
