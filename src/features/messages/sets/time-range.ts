// The messages of a time range: a range of ids, and backdated messages.
import type { Reader } from "../../../realm.ts";
import {
  andNot,
  ascending,
  type Chunk,
  CHUNK_IDS,
  chunkOf,
  clearRange,
  idOf,
  isEmpty,
  offsetOf,
  or,
  setRange,
} from "../../../store/bitmap/bitmap.ts";
import { isInRange, type TimeRange } from "../../../text/search/dates.ts";
import { idSince } from "../../channels/id-since-wire.ts";
import type { Lookup } from "./received.ts";
import { COST, everyChunk, IdSet, mergeWalks, StoredSet } from "./sets.ts";

/** A set with fewer chunks than this is the best one to iterate first. */
const FEW_CHUNKS = 4;

export class Dated extends IdSet {
  readonly text: string;
  readonly cost: number;
  override readonly least: number;
  override readonly sizeMax: number;
  /** The ids in order: the first, and the one after the last. */
  private readonly first: number;
  private readonly end: number;
  private readonly backdated: StoredSet;

  constructor(
    private readonly reader: Reader,
    private readonly range: TimeRange,
    private readonly messageOf: Lookup,
  ) {
    super();
    const { from, to } = range;
    this.text = `from ${from} to ${to}`;
    this.backdated = new StoredSet("backdated", COST.few, reader.backdated_messages, [0]);
    const last = reader.last("messages");
    this.first = from === -Infinity ? 0 : idSince(reader, from);
    this.end = to === Infinity ? Infinity : idSince(reader, to);
    const [min, max] = [chunkOf(this.first), chunkOf(Math.min(Math.max(this.end - 1, 0), last))];
    const [lowest] = this.backdatedChunks(0, chunkOf(last), false);
    const [highest] = this.backdatedChunks(0, chunkOf(last), true);
    this.least = Math.min(min, lowest ?? min);
    this.sizeMax = this.end === Infinity ? Infinity : Math.max(max, highest ?? max);
    // Backdated messages are read one by one, so other sets go first.
    this.cost = lowest === undefined && max - min < FEW_CHUNKS ? COST.few : COST.all;
  }

  override chunks(from: number, to: number, reverse: boolean): Iterable<number> {
    const [low, high] = [Math.max(from, chunkOf(this.first)), Math.min(to, this.lastChunk)];
    const inOrder = everyChunk(low, high, reverse);
    return mergeWalks([inOrder, this.backdatedChunks(from, to, reverse)], reverse);
  }

  union(chunk: Chunk, n: number): void {
    or(chunk, this.at(n));
  }

  override at(n: number): Chunk {
    const chunk = this.scratch.fill(0);
    setRange(chunk, 0, CHUNK_IDS - 1);
    this.intersect(chunk, n);
    return chunk;
  }

  override intersect(chunk: Chunk, n: number): void {
    const backdated = chunk.slice();
    this.backdated.intersect(backdated, n);
    andNot(chunk, backdated);
    this.clip(chunk, n);
    if (isEmpty(backdated) || !this.hasBackdated(n)) return;
    for (const id of ascending(backdated, idOf(n, 0))) {
      const message = this.messageOf(id);
      if (!message || !isInRange(message.timestamp, this.range)) continue;
      setRange(chunk, offsetOf(id), offsetOf(id));
    }
  }

  override subtract(chunk: Chunk, n: number): void {
    const inRange = chunk.slice();
    this.intersect(inRange, n);
    andNot(chunk, inRange);
  }

  /** Removes ids that are not in the range of ids. */
  private clip(chunk: Chunk, n: number): void {
    const [start, end] = [idOf(n, 0), idOf(n + 1, 0)];
    if (this.first >= end || this.end <= start) chunk.fill(0);
    else {
      if (this.first > start) clearRange(chunk, 0, offsetOf(this.first) - 1);
      if (this.end < end) clearRange(chunk, offsetOf(this.end), CHUNK_IDS - 1);
    }
  }

  private get lastChunk(): number {
    return this.end === Infinity ? Infinity : chunkOf(Math.max(this.end - 1, 0));
  }

  /** Chunks whose backdated messages are not all too old. */
  private *backdatedChunks(from: number, to: number, reverse: boolean): Iterable<number> {
    for (const n of this.backdated.chunks(from, to, reverse)) if (this.hasBackdated(n)) yield n;
  }

  private hasBackdated(n: number): boolean {
    return (this.reader.backdated_times.get(n)?.latest ?? 0) >= this.range.from;
  }
}
