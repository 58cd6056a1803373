// The journal: small rows that commits change often, together in one row a commit until they fold.
import type { RootDatabase } from "lmdb";
import { plain } from "./codec.ts";
import { AFTER, CHUNK_PART_BYTES, keyOf, lastNumber } from "./key.ts";
import type { Layer, Value } from "./layers.ts";
import { RowDamaged, sealed, unsealed } from "./seal/seal.ts";

/** Above every table's and bitmap's prefix. */
export const JOURNAL_PREFIX = 254;
/** At any of these the journal is folded, in steps between commits. */
const COMMITS_MAX = 2_048;
const ROWS_MAX = 16_384;
const VALUE_BYTES_MAX = 8 << 20;
export const FOLD_ROWS = 256;

type Rows = Map<string, Value>;

/** A transaction, and what to do when it is durable. */
export interface Step {
  run(): void;
  done(): void;
}

export interface Fold {
  /** The next step, of so many rows at the most; none when the fold is done. */
  step(limit: number): Step | undefined;
}

/** How the rows of a prefix are looked for in a range: bitmaps by the set that they belong to. */
export type Kind = "rows" | "bitmap";

interface Declared {
  readonly tables: Readonly<Record<string, { prefix: number; journaled?: boolean }>>;
  readonly bitmaps: Readonly<Record<string, { prefix: number }>>;
}

/** The prefixes whose rows go through the journal: sequences, bitmaps, tables that say so. */
export function journaledIn(
  { tables, bitmaps }: Declared,
  sequences: number,
): ReadonlyMap<number, Kind> {
  const kinds = new Map<number, Kind>([[sequences, "rows"]]);
  for (const spec of Object.values(tables)) if (spec.journaled) kinds.set(spec.prefix, "rows");
  for (const spec of Object.values(bitmaps)) kinds.set(spec.prefix, "bitmap");
  return kinds;
}

/**
 * So that a small commit touches few pages of the disk: what the journal holds is committed, read
 * before what lies in its own place, and moved there later. After a crash the journal is read again
 * from its first row; it holds whole rows, so that twice does no harm.
 */
export class Journal {
  /** By prefix: what is not in its own place yet. */
  private readonly pending = new Map<number, Rows>();
  /** For bitmaps: keys by set. */
  private readonly sets = new Map<string, Set<string>>();
  private size = 0;
  private bytes = 0;
  private first = 0;
  private next = 0;

  constructor(
    private readonly db: RootDatabase<Buffer, string>,
    private readonly kinds: ReadonlyMap<number, Kind>,
  ) {
    const start = keyOf(JOURNAL_PREFIX, []);
    for (const { key, value } of db.getRange({ start, end: start + AFTER })) {
      const number = lastNumber(key, start.length);
      if (this.next === 0) this.first = number;
      const isInTurn = this.next === 0 || this.next === number;
      this.next = number + 1;
      const bytes = unsealed(value);
      // Each row is a commit that was acknowledged: none may be missing between two others.
      if (!bytes || !isInTurn || key !== keyOf(JOURNAL_PREFIX, [number]))
        throw new RowDamaged(`row ${number} of the journal`);
      const entry = plain.decode(bytes) as Value[] | string[];
      for (let at = 0; at < entry.length; at += 2) {
        this.place(entry[at] as string, entry[at + 1] as Value);
      }
    }
  }

  takes(prefix: number): boolean {
    return this.kinds.has(prefix);
  }

  row(key: string): Value | undefined {
    return this.pending.get(key.charCodeAt(0))?.get(key);
  }

  /** Entries of a prefix (for bitmaps, of a set), in no order. */
  *within(start: string, end: string): Iterable<[string, Value]> {
    const rows = this.pending.get(start.charCodeAt(0));
    if (!rows) return;
    if (!this.isOfSet(start)) {
      for (const row of rows) if (row[0] >= start && row[0] < end) yield row;
      return;
    }
    for (const key of this.sets.get(setOf(start)) ?? []) {
      if (key >= start && key < end) yield [key, rows.get(key)!];
    }
  }

  /** Inside the store's transaction: writes a layer's rows into the next row of the journal. */
  write(layer: Layer): void {
    const entry: (string | Value)[] = [];
    for (const [prefix, rows] of layer.rows) {
      if (!this.takes(prefix)) continue;
      for (const [key, value] of rows) entry.push(key, value);
    }
    if (entry.length === 0) return;
    void this.db.put(keyOf(JOURNAL_PREFIX, [this.next]), sealed(plain.encode(entry)));
  }

  /** After the commit: the layer's rows are what readers find. */
  take(layer: Layer): void {
    let any = false;
    for (const [prefix, rows] of layer.rows) {
      if (!this.takes(prefix)) continue;
      for (const [key, value] of rows) this.place(key, value);
      any ||= rows.size > 0;
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

  /**
   * Begins a fold: each step is a transaction and what to do when it is durable. The last ones
   * delete the journal's rows up to where it began; what was written since stays in it.
   */
  fold(): Fold {
    const upTo = this.next;
    const rows = [...this.pending.values()].flatMap((ofPrefix) => [...ofPrefix]);
    let at = 0;
    return {
      step: (limit) => {
        if (at === rows.length) return this.deleting(Math.min(upTo, this.first + limit));
        const step = rows.slice(at, (at += Math.min(limit, rows.length - at)));
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

  private place(key: string, value: Value): void {
    const prefix = key.charCodeAt(0);
    let rows = this.pending.get(prefix);
    if (!rows) this.pending.set(prefix, (rows = new Map()));
    const before = rows.get(key);
    if (before === undefined) {
      this.size++;
      if (this.isOfSet(key)) this.enlist(key);
    }
    this.bytes += (value?.length ?? 0) - (before?.length ?? 0);
    rows.set(key, value);
  }

  private enlist(key: string): void {
    const name = setOf(key);
    const keys = this.sets.get(name);
    if (keys) keys.add(key);
    else this.sets.set(name, new Set([key]));
  }

  /** A row that was written again since stays. */
  private forget(key: string, value: Value): void {
    const rows = this.pending.get(key.charCodeAt(0));
    if (rows?.get(key) !== value) return;
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
