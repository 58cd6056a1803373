// The journal: collects frequently changed rows, one row per commit, until they are folded.
import type { RootDatabase } from "lmdb";
import { changesBetween, isChanges, withChanges } from "../bitmap/changes.ts";
import { msgpack } from "../codec.ts";
import { AFTER, CHUNK_PART_BYTES, keyOf, lastNumber } from "../key.ts";
import type { Layer, Value } from "../layers.ts";
import { EntryEncoder, JOURNAL_PREFIX, type JournalEntry, putEntry } from "./entries.ts";
import type { Kind } from "./journaled.ts";
import { RowDamaged, sealed, unsealed } from "../checksums/checksum.ts";

/** At any of these limits the journal is folded, in steps between commits. */
const COMMITS_MAX = 2_048;
const ROWS_MAX = 16_384;
const VALUE_BYTES_MAX = 8 << 20;
export const FOLD_ROWS = 256;

type RowsByKey = Map<string, Value>;
type Entry = readonly [key: string, value: Value];

/** A transaction, and what to do when it is durable. */
export interface Step {
  run(): void;
  done(): void;
}

export interface Fold {
  /** Returns the next step with at most `limit` rows; undefined when the fold is complete. */
  step(limit: number): Step | undefined;
}

/**
 * Lets a small commit touch few pages of the disk: rows in the journal are committed, read before
 * those in their own place, and moved there later. After a crash the journal is read again from its
 * first row. It contains whole rows, and for sets that it already contains only the ids that were
 * added or removed since; applying either to rows that a fold has already moved does no harm.
 */
export class Journal {
  /** Rows that have not been folded into their tables yet, by prefix. */
  private readonly pending = new Map<number, RowsByKey>();
  /** For bitmaps: keys by set. */
  private readonly sets = new Map<string, Set<string>>();
  /** For other prefixes: their entries in key order. Built by a range, dropped by a change. */
  private readonly sorted = new Map<number, readonly Entry[]>();
  private readonly encoder = new EntryEncoder();
  private size = 0;
  private bytes = 0;
  private first = 0;
  private next = 0;

  constructor(
    private readonly db: RootDatabase<Buffer, string>,
    private readonly kinds: ReadonlyMap<number, Kind>,
    /** The entries after those of the database. */
    logged: readonly JournalEntry[] = [],
  ) {
    const start = keyOf(JOURNAL_PREFIX, []);
    for (const { key, value } of db.getRange({ start, end: start + AFTER })) {
      const number = lastNumber(key, start.length);
      if (this.next === 0) this.first = number;
      const isInTurn = this.next === 0 || this.next === number;
      this.next = number + 1;
      const bytes = unsealed(value);
      // Each row is an acknowledged commit, so none may be missing between two others.
      if (!bytes || !isInTurn || key !== keyOf(JOURNAL_PREFIX, [number]))
        throw new RowDamaged(`row ${number} of the journal`);
      this.add(bytes);
    }
    if (this.next === 0) this.first = logged[0]?.number ?? 0;
    for (const { number, bytes } of logged) {
      this.next = number + 1;
      this.add(bytes);
    }
  }

  private add(bytes: Uint8Array): void {
    const entry = msgpack.decode(bytes) as Value[] | string[];
    for (let index = 0; index < entry.length; index += 2) {
      const [key, value] = [entry[index] as string, entry[index + 1] as Value];
      this.placeAll(key.charCodeAt(0), [[key, this.materialize(key, value)]]);
    }
  }

  /**
   * Returns the row of an entry. Changes of a set apply to its row before them, which a fold may
   * have moved to its own place.
   */
  private materialize(key: string, value: Value): Value {
    if (value === null || !this.isOfSet(key) || !isChanges(value)) return value;
    const before = this.row(key);
    if (before !== undefined) return withChanges(before, value);
    const settledValue = this.db.get(key);
    const bytes = settledValue === undefined ? null : unsealed(settledValue);
    if (bytes === undefined) throw new RowDamaged("a row that the journal changes");
    return withChanges(bytes, value);
  }

  takes(prefix: number): boolean {
    return this.kinds.has(prefix);
  }

  row(key: string): Value | undefined {
    return this.pending.get(key.charCodeAt(0))?.get(key);
  }

  ofPrefix(prefix: number): Iterable<Entry> {
    return this.pending.get(prefix) ?? NO_ENTRIES;
  }

  /** Entries with start <= key < end, ascending or (reverse) descending. */
  *within(start: string, end: string, reverse: boolean): Iterable<Entry> {
    const entries = this.isOfSet(start) ? this.entriesOfSet(start) : this.entriesOf(start);
    const [from, to] = [placeIn(entries, start), placeIn(entries, end)];
    if (reverse) for (let index = to - 1; index >= from; index--) yield entries[index]!;
    else for (let index = from; index < to; index++) yield entries[index]!;
  }

  private entriesOf(key: string): readonly Entry[] {
    const prefix = key.charCodeAt(0);
    const sortedKeys = this.sorted.get(prefix);
    if (sortedKeys) return sortedKeys;
    const rows = this.pending.get(prefix);
    if (!rows) return NO_ENTRIES;
    const entries = [...rows].sort(byKey);
    this.sorted.set(prefix, entries);
    return entries;
  }

  private entriesOfSet(key: string): readonly Entry[] {
    const keys = this.sets.get(setOf(key));
    if (!keys) return NO_ENTRIES;
    const rows = this.pending.get(key.charCodeAt(0))!;
    return Array.from(keys, (item): Entry => [item, rows.get(item)!]).sort(byKey);
  }

  /** Returns the layer's rows as the next entry of the journal; undefined if it has none. */
  entryOf(layer: Layer): JournalEntry | undefined {
    const { encoder } = this;
    encoder.begin();
    for (const [prefix, rows] of layer.rows) {
      if (!this.takes(prefix)) continue;
      const pendingRows =
        this.kinds.get(prefix) === "bitmap" ? this.pending.get(prefix) : undefined;
      for (const [key, value] of rows) {
        const before = value && pendingRows?.get(key);
        encoder.add(key, before ? (changesBetween(before, value) ?? value) : value);
      }
    }
    const bytes = encoder.finish();
    return bytes && { number: this.next, bytes };
  }

  /** Within a transaction of the database. */
  readonly put = (entry: JournalEntry): void => putEntry(this.db, entry);

  /** Called after the commit: makes the layer's rows visible to readers. */
  take(layer: Layer): void {
    let any = false;
    for (const [prefix, rows] of layer.rows) {
      if (rows.size === 0 || !this.takes(prefix)) continue;
      this.placeAll(prefix, rows);
      any = true;
    }
    if (any) this.next++;
  }

  get isFull(): boolean {
    const { size, bytes, next, first } = this;
    return next - first >= COMMITS_MAX || size >= ROWS_MAX || bytes >= VALUE_BYTES_MAX;
  }

  get isEmpty(): boolean {
    return this.next === this.first;
  }

  /** Maximum size that a commit would add now. */
  sizeOf(layer: Layer): number {
    let size = 0;
    for (const [prefix, rows] of layer.rows) if (this.takes(prefix)) size += rows.size;
    return size;
  }

  /** Forgets rows of the key's prefix that nobody reads any more. */
  dropBefore(end: string): void {
    for (const [key, value] of this.ofPrefix(end.charCodeAt(0))) {
      if (value && key < end) this.forget(key, value);
    }
  }

  /**
   * Starts a fold: each step is a transaction, and a callback when it is durable. The last steps
   * delete the journal's rows up to the start of the fold; later rows stay. So does the last one,
   * whose number the commit log continues, except at the end (`isLast`).
   */
  fold(isLast = false): Fold {
    const upTo = isLast ? this.next : this.next - 1;
    const rows = [...this.pending.values()].flatMap((ofPrefix) => [...ofPrefix]);
    let index = 0;
    return {
      step: (limit) => {
        if (index === rows.length) return this.deleting(Math.min(upTo, this.first + limit));
        const step = rows.slice(index, (index += Math.min(limit, rows.length - index)));
        return {
          run: () => {
            for (const [key, value] of step) this.settle(key, value);
          },
          done: () => {
            for (const [key, value] of step) this.forget(key, value);
          },
        };
      },
    };
  }

  private deleting(end: number): Step | undefined {
    const from = this.first;
    if (from >= end) return undefined;
    return {
      run: () => {
        for (let n = from; n < end; n++) void this.db.remove(keyOf(JOURNAL_PREFIX, [n]));
      },
      done: () => (this.first = end),
    };
  }

  private settle(key: string, value: Value): void {
    if (value === null) void this.db.remove(key);
    else void this.db.put(key, sealed(value));
  }

  private isOfSet(key: string): boolean {
    return this.kinds.get(key.charCodeAt(0)) === "bitmap";
  }

  private placeAll(prefix: number, entries: Iterable<Entry>): void {
    let rows = this.pending.get(prefix);
    if (!rows) this.pending.set(prefix, (rows = new Map()));
    const areOfSets = this.kinds.get(prefix) === "bitmap";
    if (!areOfSets) this.sorted.delete(prefix);
    for (const [key, value] of entries) {
      const before = rows.get(key);
      rows.set(key, value);
      this.bytes += (value?.length ?? 0) - (before?.length ?? 0);
      if (before !== undefined) continue;
      this.size++;
      if (areOfSets) this.addToSet(key);
    }
  }

  private addToSet(key: string): void {
    const name = setOf(key);
    const keys = this.sets.get(name);
    if (keys) keys.add(key);
    else this.sets.set(name, new Set([key]));
  }

  /** A row that was written again meanwhile stays in the journal. */
  private forget(key: string, value: Value): void {
    const rows = this.pending.get(key.charCodeAt(0));
    if (rows?.get(key) !== value) return;
    this.sorted.delete(key.charCodeAt(0));
    rows.delete(key);
    this.size--;
    this.bytes -= value?.length ?? 0;
    if (!this.isOfSet(key)) return;
    const keys = this.sets.get(setOf(key))!;
    keys.delete(key);
    if (keys.size === 0) this.sets.delete(setOf(key));
  }
}

const setOf = (key: string) => key.slice(0, -CHUNK_PART_BYTES);

const NO_ENTRIES: readonly Entry[] = [];
const byKey = ([a]: Entry, [b]: Entry) => (a < b ? -1 : 1);

/** The index of the first entry whose key is not before `key`. */
function placeIn(entries: readonly Entry[], key: string): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (entries[middle]![0] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
