// Sets of message ids that are evaluated lazily, one chunk at a time.
import {
  and,
  andNot,
  ascending,
  type Chunk,
  chunkOf,
  clearRange,
  CHUNK_IDS,
  descending,
  emptyChunk,
  idOf,
  isEmpty,
  offsetOf,
  or,
  setRange,
} from "../../../store/bitmap/bitmap.ts";
import { addRecord, decodeChunk } from "../../../store/bitmap/encodings.ts";
import type { BitmapReader, Key, SetReader } from "../../../store/declare.ts";

/**
 * Estimated fraction of the history that a set contains. The cheapest set of an intersection is
 * iterated.
 */
export const COST = {
  few: 1,
  place: 2,
  marks: 3,
  person: 4,
  several: 5,
  channel: 6,
  unread: 7,
  wide: 8,
  all: 9,
};

/** More sets than this are not merged; every chunk is checked instead. */
const MERGED_SETS_MAX = 16;

export abstract class IdSet {
  /** A description for the log. */
  abstract readonly text: string;
  abstract readonly cost: number;
  /** All lower chunks are empty. */
  readonly least: number = 0;
  /** All higher chunks are empty. */
  readonly sizeMax: number = Infinity;
  private scratchChunk: Chunk | undefined;

  /** Chunks within from..to that may be non-empty. */
  abstract chunks(from: number, to: number, reverse: boolean): Iterable<number>;
  /** Adds the ids of chunk `n` to `chunk`. */
  abstract union(chunk: Chunk, n: number): void;

  /** Removes ids from `chunk` (of chunk `n`) that are not in the set. */
  intersect(chunk: Chunk, n: number): void {
    and(chunk, this.at(n));
  }

  /** Removes ids from `chunk` that are in the set. */
  subtract(chunk: Chunk, n: number): void {
    andNot(chunk, this.at(n));
  }

  /** Chunk `n` of the set; valid until the next call. */
  at(n: number): Chunk {
    const chunk = this.scratch.fill(0);
    this.union(chunk, n);
    return chunk;
  }

  /** The buffer that `at` returns. */
  protected get scratch(): Chunk {
    return (this.scratchChunk ??= emptyChunk());
  }
}

/** A stored bitmap. */
export class StoredSet extends IdSet {
  private readonly bits: SetReader;
  /** The current chunk of an iteration with its bytes, which the iteration has read anyway. */
  private currentChunk: readonly [number, Uint8Array] | undefined;

  constructor(
    readonly text: string,
    readonly cost: number,
    bitmap: BitmapReader,
    key: Key,
  ) {
    super();
    this.bits = bitmap.one(key);
  }

  *chunks(from: number, to: number, reverse: boolean): Iterable<number> {
    for (const currentChunk of this.bits.walk({ from, to, reverse })) {
      this.currentChunk = currentChunk;
      yield currentChunk[0];
    }
  }

  union(chunk: Chunk, n: number): void {
    const bytes = this.currentChunk?.[0] === n ? this.currentChunk[1] : this.bits.peek(n);
    // A writer may change the chunk before the next access.
    this.currentChunk = undefined;
    if (bytes) addRecord(chunk, bytes);
  }

  override intersect(chunk: Chunk, n: number): void {
    const bytes = this.bits.peek(n);
    if (bytes) and(chunk, decodeChunk(bytes, decoded));
    else chunk.fill(0);
  }

  override subtract(chunk: Chunk, n: number): void {
    const bytes = this.bits.peek(n);
    if (bytes) andNot(chunk, decodeChunk(bytes, decoded));
  }
}

/** Temporary buffer for decoding a record. */
const decoded = emptyChunk();

/** A fixed list of ids. */
export class ListedSet extends IdSet {
  readonly cost = COST.few;
  readonly text: string;
  private readonly byChunk: ReadonlyMap<number, readonly number[]>;

  constructor(ids: readonly number[]) {
    super();
    this.text = ids.length === 0 ? "nothing" : `${ids.length} listed`;
    this.byChunk = Map.groupBy(ids, chunkOf);
  }

  chunks(from: number, to: number, reverse: boolean): Iterable<number> {
    const within = [...this.byChunk.keys()].filter((n) => n >= from && n <= to);
    return within.sort((a, b) => (reverse ? b - a : a - b));
  }

  union(chunk: Chunk, n: number): void {
    for (const id of this.byChunk.get(n) ?? []) setRange(chunk, offsetOf(id), offsetOf(id));
  }
}

/** The union of several sets. */
export class Union extends IdSet {
  readonly cost: number;
  readonly text: string;

  constructor(
    private readonly sets: readonly IdSet[],
    cost: number,
    text?: string,
  ) {
    super();
    this.cost = sets.length === 0 ? COST.few : cost;
    this.text = text ?? `(${sets.map((set) => set.text).join(" or ")})`;
  }

  chunks(from: number, to: number, reverse: boolean): Iterable<number> {
    if (this.sets.length > MERGED_SETS_MAX) return everyChunk(from, to, reverse);
    return mergeWalks(
      this.sets.map((set) => set.chunks(from, to, reverse)),
      reverse,
    );
  }

  union(chunk: Chunk, n: number): void {
    for (const set of this.sets) set.union(chunk, n);
  }
}

/** The intersection of all `within` (at least one) minus all `without`. */
export class NarrowedSet extends IdSet {
  readonly cost: number;
  override readonly least: number;
  override readonly sizeMax: number;
  private readonly leader: IdSet;
  private readonly others: readonly IdSet[];

  constructor(
    within: readonly IdSet[],
    private readonly without: readonly IdSet[],
  ) {
    super();
    const [leader, ...others] = within.toSorted((a, b) => a.cost - b.cost);
    this.leader = leader!;
    this.others = others;
    this.cost = this.leader.cost;
    this.least = Math.max(...within.map((set) => set.least));
    this.sizeMax = Math.min(...within.map((set) => set.sizeMax));
  }

  get text(): string {
    const also = this.others.map((set) => ` and ${set.text}`).join("");
    return `(${this.leader.text}${also}${this.without.map((set) => ` not ${set.text}`).join("")})`;
  }

  chunks(from: number, to: number, reverse: boolean): Iterable<number> {
    return this.leader.chunks(Math.max(from, this.least), Math.min(to, this.sizeMax), reverse);
  }

  union(chunk: Chunk, n: number): void {
    or(chunk, this.at(n));
  }

  override at(n: number): Chunk {
    const result = this.scratch;
    this.leader.union(result.fill(0), n);
    for (const set of this.without) {
      if (isEmpty(result)) return result;
      set.subtract(result, n);
    }
    for (const set of this.others) {
      if (isEmpty(result)) return result;
      set.intersect(result, n);
    }
    return result;
  }
}

/** The smallest ids from `first` to `last`, ascending, at most `limit`. */
export function idsFrom(set: IdSet, first: number, last: number, limit: number): number[] {
  const ids: number[] = [];
  if (first > last || limit <= 0) return ids;
  for (const n of set.chunks(chunkOf(first), chunkOf(last), false)) {
    const chunk = chunkBetween(set, n, first, last);
    for (const id of ascending(chunk, idOf(n, 0), limit - ids.length)) ids.push(id);
    if (ids.length >= limit) break;
  }
  return ids;
}

/** The largest ids from `last` down to `first`, descending, at most `limit`. */
export function idsBack(set: IdSet, first: number, last: number, limit: number): number[] {
  const ids: number[] = [];
  if (first > last || limit <= 0) return ids;
  for (const n of set.chunks(chunkOf(first), chunkOf(last), true)) {
    const chunk = chunkBetween(set, n, first, last);
    for (const id of descending(chunk, idOf(n, 0), limit - ids.length)) ids.push(id);
    if (ids.length >= limit) break;
  }
  return ids;
}

/** All ids from `first` to `last` by chunk, ascending. */
export function chunksOf(set: IdSet, first: number, last: number): Map<number, Chunk> {
  const chunks = new Map<number, Chunk>();
  for (const n of set.chunks(chunkOf(first), chunkOf(last), false)) {
    const chunk = chunkBetween(set, n, first, last);
    if (!isEmpty(chunk)) chunks.set(n, chunk.slice());
  }
  return chunks;
}

function chunkBetween(set: IdSet, n: number, first: number, last: number): Chunk {
  const chunk = set.at(n);
  if (n === chunkOf(first) && offsetOf(first) > 0) clearRange(chunk, 0, offsetOf(first) - 1);
  if (n === chunkOf(last)) clearRange(chunk, offsetOf(last) + 1, CHUNK_IDS - 1);
  return chunk;
}

export function* everyChunk(from: number, to: number, reverse: boolean): Iterable<number> {
  if (reverse) for (let n = to; n >= from; n--) yield n;
  else for (let n = from; n <= to; n++) yield n;
}

/** Merges sorted iterations; each number appears once. */
export function* mergeWalks(
  walks: readonly Iterable<number>[],
  reverse: boolean,
): Iterable<number> {
  const open = walks.map((walk) => walk[Symbol.iterator]());
  const heads = open.map((walk) => walk.next());
  try {
    for (;;) {
      let next: number | undefined;
      for (const head of heads) {
        if (head.done) continue;
        if (next === undefined || (reverse ? head.value > next : head.value < next)) {
          next = head.value;
        }
      }
      if (next === undefined) return;
      yield next;
      for (let i = 0; i < open.length; i++) {
        const head = heads[i]!;
        if (!head.done && head.value === next) heads[i] = open[i]!.next();
      }
    }
  } finally {
    // An unfinished iteration keeps a cursor of the store open.
    for (const walk of open) walk.return?.();
  }
}
