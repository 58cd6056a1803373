// Messages of resolved topics, searched from the newest topics back as far as needed.
import type { Reader } from "../../../realm.ts";
import type { Topic } from "../../../schema/records.ts";
import {
  type Chunk,
  CHUNK_IDS,
  chunkOf,
  clearRange,
  count,
  eachOffset,
  idOf,
} from "../../../store/bitmap/bitmap.ts";
import { RESOLVED_PREFIX } from "../rules.ts";
import { topicSet } from "./muted.ts";
import type { Lookup } from "./received.ts";
import { COST, everyChunk, IdSet } from "./sets.ts";

/**
 * From this number of chunks on, searching back costs more than checking the messages of a chunk.
 */
const DISTANT_CHUNKS = 16;
const CHUNK_LOOKUPS_MAX = 2;

export class ResolvedTopics extends IdSet {
  readonly cost = COST.all;
  readonly text = "resolved";
  private readonly topics: Topic[] = [];
  /** All topics with a message of this id or a newer one were checked. */
  private since = Infinity;
  private readonly hasResolved = new Map<number, boolean>();
  private lookups = 0;

  constructor(
    private readonly reader: Reader,
    private readonly streams: readonly number[],
    private readonly messageOf: Lookup,
  ) {
    super();
  }

  chunks(from: number, to: number, reverse: boolean): Iterable<number> {
    return everyChunk(from, to, reverse);
  }

  union(chunk: Chunk, n: number): void {
    for (const { topic_id } of this.topicsIn(n)) topicSet(this.reader, topic_id).union(chunk, n);
  }

  /** Checks few ids one by one, and also the first chunks that are far back. */
  override intersect(chunk: Chunk, n: number): void {
    if (this.isDistant(n) && this.lookups++ < CHUNK_LOOKUPS_MAX) return this.refresh(chunk, n);
    if (count(chunk) > this.topicsIn(n).length) return super.intersect(chunk, n);
    this.refresh(chunk, n);
  }

  private refresh(chunk: Chunk, n: number): void {
    const copy = chunk.slice();
    eachOffset(chunk, (offset) => {
      const topic_id = this.messageOf(idOf(n, offset))?.topic_id ?? 0;
      if (!this.isResolved(topic_id)) clearRange(copy, offset, offset);
    });
    chunk.set(copy);
  }

  private isResolved(topic_id: number): boolean {
    let response = this.hasResolved.get(topic_id);
    if (response === undefined) {
      const name = topic_id === 0 ? "" : this.reader.topics.get(topic_id)?.name;
      response = name?.startsWith(RESOLVED_PREFIX) ?? false;
      this.hasResolved.set(topic_id, response);
    }
    return response;
  }

  private isDistant(n: number): boolean {
    const checkedUntil = Math.min(this.since, this.reader.last("messages"));
    return chunkOf(checkedUntil) - n > DISTANT_CHUNKS;
  }

  private topicsIn(n: number): Topic[] {
    const [first, last] = [idOf(n, 0), idOf(n, CHUNK_IDS - 1)];
    if (first < this.since) this.loadOlderTopics(first);
    return this.topics.filter((topic) => topic.last_id >= first && topic.first_id <= last);
  }

  private loadOlderTopics(first: number): void {
    const to = this.since === Infinity ? {} : { to: [chunkOf(this.since)] };
    for (const stream_id of this.streams) {
      for (const topic of this.reader.topics.scanIndex("latest", [stream_id], {
        from: [chunkOf(first)],
        ...to,
      })) {
        if (topic.name.startsWith(RESOLVED_PREFIX)) this.topics.push(topic);
      }
    }
    this.since = first;
  }
}
