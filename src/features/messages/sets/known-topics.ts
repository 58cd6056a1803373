// Caches the topics of recent messages, their channels and names between requests.
import type { Reader } from "../../../realm.ts";
import type { Topic } from "../../../schema/records.ts";
import { CHUNK_IDS, chunkOf, offsetOf } from "../../../store/bitmap/bitmap.ts";

/** Each takes 16 KiB. */
const CHUNKS_MAX = 64;
const TOPICS_MAX = 16_384;

type KnownTopic = Pick<Topic, "stream_id" | "name">;

export class KnownTopics {
  /** Keyed by chunk of message ids; 0 if unknown. The most recently used chunk is last. */
  private readonly chunks = new Map<number, Uint32Array>();
  private moves = -1;
  private readonly topics = new Map<number, KnownTopic>();
  private namings = -1;

  /** Clears the caches that moves of messages or renames of topics since then have outdated. */
  asOf(reader: Reader): this {
    const [moves, namings] = [reader.last("moved_messages"), reader.last("topic_names")];
    if (moves !== this.moves) this.chunks.clear();
    if (moves !== this.moves || namings !== this.namings) this.topics.clear();
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

  /** undefined if the topic does not exist. */
  topicOf(reader: Reader, topic_id: number): KnownTopic | undefined {
    const known = this.topics.get(topic_id);
    if (known !== undefined) return known;
    const topic = reader.topics.get(topic_id);
    if (topic === undefined) return undefined;
    if (this.topics.size >= TOPICS_MAX) this.topics.clear();
    const { stream_id, name } = topic;
    this.topics.set(topic_id, { stream_id, name });
    return topic;
  }
}

const topicCaches = new WeakMap<Reader, KnownTopics>();

/** Returns the cache for the reader's state. */
export function knownTopics(reader: Reader): KnownTopics {
  let topics = topicCaches.get(reader);
  if (topics === undefined) topicCaches.set(reader, (topics = new KnownTopics()));
  return topics.asOf(reader);
}
