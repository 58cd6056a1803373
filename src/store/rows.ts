// Keys and bytes: the committed snapshot, and for a writer the layers over it.
import type { RootDatabase, Transaction } from "lmdb";
import type { Schema } from "./declare.ts";
import type { Journal } from "./journal/journal.ts";
import { KEY_BYTES_MAX } from "./key.ts";
import type { Layer, Layers, Value } from "./layers.ts";
import { RowDamaged, unsealed } from "./checksums/checksum.ts";

export interface RowReader {
  get(key: string): Uint8Array | undefined;
  /** Like `get` without a copy: valid until the next read of any row. */
  peek(key: string): Uint8Array | undefined;
  /** Rows with start <= key < end, ascending or (reverse) descending. */
  range(
    start: string,
    end: string,
    reverse?: boolean,
    onDamage?: OnDamage,
  ): Iterable<[string, Uint8Array]>;
  /** Keys of rows with start <= key < end, also of damaged rows, in no order. */
  keys(start: string, end: string): Iterable<string>;
}

/** Called for damaged rows of a range, which are then skipped. Without it, the first one throws. */
export type OnDamage = (key: string, error: RowDamaged) => void;

/** Methods that the published types omit: reading at a given snapshot, and renewing it. */
interface SnapshotReader {
  getBinary(key: string, at: { transaction: Transaction }): Uint8Array | undefined;
  /** Returns one shared buffer, with the length of the value that was read last. */
  getBinaryFast(key: string, at: { transaction: Transaction }): Uint8Array | undefined;
  readonly lastSize: number;
  resetReadTxn(): void;
  /** Forgets the transaction of earlier reads; it ends when nothing uses it any more. */
  _commitReadTxn(): void;
}

const POINTERS_KEPT_MAX = 4_096;

/** The rows of the latest published commit. Each commit replaces the snapshot as a whole. */
export class SnapshotRows implements RowReader {
  private snapshot: { readonly transaction: Transaction };
  private readonly pointers = new Map<string, Uint8Array>();

  /** `pointing`: prefixes of unique indexes, whose rows are cached. */
  constructor(
    private readonly db: RootDatabase<Buffer, string>,
    private readonly pointing: readonly number[],
    /** Formats a key for error messages. */
    private readonly placeOf: (key: string) => string,
  ) {
    this.snapshot = { transaction: db.useReadTransaction() };
  }

  get(key: string): Uint8Array | undefined {
    if (key.length > KEY_BYTES_MAX) return undefined;
    const pointer = this.pointers.get(key);
    if (pointer) return pointer;
    let row: Uint8Array | undefined;
    try {
      row = (this.db as unknown as SnapshotReader).getBinary(key, this.snapshot);
    } catch (error) {
      this.replaceAfter(error);
    }
    const value = row && (unsealed(row) ?? this.refuse(key));
    if (value && this.pointing.includes(key.charCodeAt(0))) this.addPointer(key, value);
    return value;
  }

  peek(key: string): Uint8Array | undefined {
    if (key.length > KEY_BYTES_MAX) return undefined;
    const db = this.db as unknown as SnapshotReader;
    let row: Uint8Array | undefined;
    try {
      row = db.getBinaryFast(key, this.snapshot);
    } catch (error) {
      this.replaceAfter(error);
    }
    return row && (unsealed(row, db.lastSize) ?? this.refuse(key));
  }

  *range(
    start: string,
    end: string,
    reverse = false,
    onDamage?: OnDamage,
  ): Iterable<[string, Uint8Array]> {
    if (start.length > KEY_BYTES_MAX || end.length > KEY_BYTES_MAX) return;
    const bounds = reverse
      ? { start: end, end: start, reverse, exclusiveStart: true, inclusiveEnd: true }
      : { start, end };
    for (const row of this.each(this.db.getRange({ ...bounds, ...this.snapshot } as object))) {
      const value = unsealed(row.value);
      if (value) yield [row.key, value];
      else this.refuse(row.key, onDamage);
    }
  }

  keys(start: string, end: string): Iterable<string> {
    if (start.length > KEY_BYTES_MAX || end.length > KEY_BYTES_MAX) return [];
    return this.each(this.db.getKeys({ start, end, ...this.snapshot } as object));
  }

  private each<T>(items: Iterable<T>): IterableIterator<T> {
    const iterator = items[Symbol.iterator]();
    const next = () => {
      try {
        return iterator.next();
      } catch (error) {
        // Releases the transaction. The library does so only at the end of the range.
        iterator.return?.();
        this.replaceAfter(error);
      }
    };
    const end = () => iterator.return!();
    const all = { next, return: end, [Symbol.iterator]: () => all };
    return all;
  }

  /**
   * A damaged page makes the transaction that reads it invalid, which would fail all later reads.
   * Ranges and copies may still use it, so the library must be told not to use it for others.
   */
  private replaceAfter(error: unknown): never {
    const { transaction } = this.snapshot;
    const db = this.db as unknown as SnapshotReader;
    db.resetReadTxn();
    db._commitReadTxn();
    this.snapshot = { transaction: this.db.useReadTransaction() };
    transaction.done();
    throw error;
  }

  private refuse(key: string, onDamage?: OnDamage): undefined {
    const error = new RowDamaged(this.placeOf(key));
    if (!onDamage) throw error;
    onDamage(key, error);
  }

  /** Called after a commit. `layer`: its changes, without journaled rows. */
  renew(layer?: Layer): void {
    for (const prefix of this.pointing) {
      for (const key of layer?.rows.get(prefix)?.keys() ?? []) this.pointers.delete(key);
    }
    const transaction = this.snapshot.transaction;
    (this.db as unknown as SnapshotReader).resetReadTxn();
    this.snapshot = { transaction: this.db.useReadTransaction() };
    transaction.done();
  }

  private addPointer(key: string, pointer: Uint8Array): void {
    if (this.pointers.size >= POINTERS_KEPT_MAX) this.pointers.clear();
    this.pointers.set(key, pointer);
  }

  close(): void {
    this.snapshot.transaction.done();
    this.snapshot = {
      get transaction(): Transaction {
        throw new Error("the store is closed");
      },
    };
  }
}

/** Rows over others, in the order of the range; null hides the row below. */
type UncommittedRows = Iterable<readonly [string, Value]>;

/** Newer rows, which take precedence. */
interface NewerRows {
  /** Undefined if there is no newer row; null if it was deleted. */
  row(key: string): Value | undefined;
  /** The rows of a prefix, in no order. */
  ofPrefix(prefix: number): UncommittedRows;
}

abstract class OverlaidRows<Over extends NewerRows> implements RowReader {
  constructor(
    private readonly below: RowReader,
    protected readonly newerRows: Over,
  ) {}

  get(key: string): Uint8Array | undefined {
    const value = this.newerRows.row(key);
    return value === undefined ? this.below.get(key) : (value ?? undefined);
  }

  peek(key: string): Uint8Array | undefined {
    const value = this.newerRows.row(key);
    return value === undefined ? this.below.peek(key) : (value ?? undefined);
  }

  range(
    start: string,
    end: string,
    reverse = false,
    onDamage?: OnDamage,
  ): Iterable<[string, Uint8Array]> {
    const above = this.within(start, end, reverse)[Symbol.iterator]();
    const first = above.next();
    if (first.done) return this.below.range(start, end, reverse, onDamage);
    const below = this.below.range(start, end, reverse, damageReporter(this.newerRows, onDamage));
    return mergeRows(below, first, above, reverse);
  }

  *keys(start: string, end: string): Iterable<string> {
    for (const key of this.below.keys(start, end)) {
      if (this.newerRows.row(key) === undefined) yield key;
    }
    for (const [key, value] of this.newerRows.ofPrefix(start.charCodeAt(0))) {
      if (value && key >= start && key < end) yield key;
    }
  }

  protected abstract within(start: string, end: string, reverse: boolean): UncommittedRows;
}

/** All committed rows: the snapshot and the journal over it. */
export class CommittedRows extends OverlaidRows<Journal> {
  protected within(start: string, end: string, reverse: boolean): UncommittedRows {
    return this.newerRows.within(start, end, reverse);
  }
}

/** The committed rows and the layers over them: what a transaction sees. A range has one prefix. */
export class LayeredRows extends OverlaidRows<Layers> {
  protected within(start: string, end: string, reverse: boolean): UncommittedRows {
    const above: [string, Value][] = [];
    for (const [key, value] of this.newerRows.ofPrefix(start.charCodeAt(0))) {
      if (key >= start && key < end) above.push([key, value]);
    }
    return above.sort((a, b) => (a[0] < b[0] === reverse ? 1 : -1));
  }

  put(key: string, value: Value): void {
    // The store would notice only at the commit, when a single write can no longer be rejected.
    if (key.length > KEY_BYTES_MAX) throw new RangeError(`a key of ${key.length} bytes`);
    this.newerRows.putRow(key, value);
  }
}

/** Ignores a damaged row that a newer write replaces. */
function damageReporter(newerRows: NewerRows, onDamage?: OnDamage): OnDamage {
  return (key, error) => {
    if (newerRows.row(key) !== undefined) return;
    if (!onDamage) throw error;
    onDamage(key, error);
  };
}

/** Merges the rows below and above in key order; those above replace those below. */
function* mergeRows(
  below: Iterable<[string, Uint8Array]>,
  first: IteratorResult<readonly [string, Value], unknown>,
  above: Iterator<readonly [string, Value], unknown>,
  reverse: boolean,
): Iterable<[string, Uint8Array]> {
  let next = first;
  for (const row of below) {
    for (; !next.done && before(next.value[0], row[0], reverse); next = above.next()) {
      const [key, value] = next.value;
      if (value) yield [key, value];
    }
    if (!next.done && next.value[0] === row[0]) {
      const [key, value] = next.value;
      next = above.next();
      if (value) yield [key, value];
    } else yield row;
  }
  for (; !next.done; next = above.next()) {
    const [key, value] = next.value;
    if (value) yield [key, value];
  }
}

const before = (a: string, b: string, reverse: boolean) => (reverse ? a > b : a < b);

/** Returns the prefixes of unique indexes. */
export function uniqueIn({ tables }: Schema): number[] {
  const indexes = Object.values(tables).flatMap((spec) => Object.values(spec.indexes));
  return indexes.flatMap(({ unique, prefix }) => (unique && prefix !== undefined ? [prefix] : []));
}
