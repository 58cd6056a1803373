// Caches the topics of recent messages and the names of topics between requests.
import type { Reader } from "../../../realm.ts";
import { CHUNK_IDS, chunkOf, offsetOf } from "../../../store/bitmap/bitmap.ts";

/** Each takes 16 KiB. */
const CHUNKS_MAX = 64;
const NAMES_MAX = 16_384;

export class KnownTopics {
  /** Keyed by chunk of message ids; 0 if unknown. The most recently used chunk is last. */
  private readonly chunks = new Map<number, Uint32Array>();
  private moves = -1;
  private readonly names = new Map<number, string>();
  private namings = -1;

  /** Clears the caches that moves of messages or renames of topics since then have outdated. */
  asOf(reader: Reader): this {
    const [moves, namings] = [reader.last("moved_messages"), reader.last("topic_names")];
    if (moves !== this.moves) this.chunks.clear();
    if (namings !== this.namings) this.names.clear();
    this.moves = moves;
    this.namings = namings;
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

  /** The name of a topic; empty if it does not exist. */
  nameOf(reader: Reader, topic_id: number): string {
    const known = this.names.get(topic_id);
    if (known !== undefined) return known;
    const name = reader.topics.get(topic_id)?.name;
    if (this.names.size >= NAMES_MAX) this.names.clear();
    if (name !== undefined) this.names.set(topic_id, name);
    return name ?? "";
  }
}

const topicCaches = new WeakMap<Reader, KnownTopics>();

/** Returns the cache for the reader's state. */
export function knownTopics(reader: Reader): KnownTopics {
  let topics = topicCaches.get(reader);
  if (topics === undefined) topicCaches.set(reader, (topics = new KnownTopics()));
  return topics.asOf(reader);
}
