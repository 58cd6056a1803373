// Declarations of tables, indexes and bitmaps, as schema.ts uses them.
import type { Fields } from "./fields.ts";

export type KeyPart = number | string;
export type Key = readonly KeyPart[];

/**
 * A secondary index. `of` returns the single key of a record (undefined: not indexed), `each`
 * several. A key of one part may be that part itself. Cached tables keep their indexes in memory
 * and need no prefix.
 */
export interface IndexSpec<R> {
  readonly prefix?: number;
  readonly of?: (record: R) => Key | KeyPart | undefined;
  readonly each?: (record: R) => readonly Key[];
  /** At most one record has a key, so `one` with a complete key is a single lookup. */
  readonly unique?: boolean;
}

export interface TableSpec<R, I extends string = string> {
  readonly prefix: number;
  readonly key: readonly (keyof R & string)[];
  /** Append-only. A record is stored as the list of these fields' values. */
  readonly fields: readonly (keyof R & string)[];
  /**
   * For records that most commits write: they go through the journal. Does not apply to
   * indexes.
   */
  readonly journaled?: boolean;
  /** The whole table is kept decoded in memory. */
  readonly cached?: boolean;
  /** For a cached table that is computed from others when it is first read, and never stored. */
  readonly derived?: boolean;
  /** For a cached table: where its rows are stored, if not under its prefix in key order. */
  readonly rows?: { readonly prefix: number; readonly key: readonly (keyof R & string)[] };
  readonly indexes: Readonly<Record<I, IndexSpec<R>>>;
}

export interface BitmapSpec {
  readonly prefix: number;
  readonly kind: "bitmap";
}

export function table<R>() {
  return <const I extends string>(spec: TableSpec<R, I>): TableSpec<R, I> => spec;
}

export function bitmap(prefix: number): BitmapSpec {
  return { prefix, kind: "bitmap" };
}

/** Read access to a table. */
export interface TableReader<R, I extends string = string> {
  get(...key: KeyPart[]): R | undefined;
  has(...key: KeyPart[]): boolean;
  /** Reads single fields of a record. Not for cached tables. */
  readFields(...key: KeyPart[]): Fields<R> | undefined;
  /** Records whose index key is `key` or starts with it (cached tables: equals it). */
  listBy(index: I, ...key: KeyPart[]): R[];
  /** The first record of `listBy`, or undefined. */
  findBy(index: I, ...key: KeyPart[]): R | undefined;
  /** Records in key order. Cached tables: all records, in no order. */
  range(range?: Range): Iterable<R>;
  /** Like `range`, but reports and skips damaged records. Not for cached tables. */
  sound(onDamage: (error: Error) => void, range?: Range): Iterable<R>;
  /** Records under `key`, in the order of an index. */
  scanIndex(index: I, key: Key, range?: Range): Iterable<R>;
  count(): number;
  /** Number of records that `listBy` returns; cheap for cached tables. */
  countBy(index: I, ...key: KeyPart[]): number;
  /**
   * For the committed records of a cached table: a number that grows with each commit that changes
   * one. NaN otherwise, which never equals itself.
   */
  readonly revision: number;
}

export interface TableWriter<R, I extends string = string> extends TableReader<R, I> {
  /** `stored`: the record before, if it was read in this transaction. It need not be read again. */
  put(record: R, stored?: R): void;
  delete(...key: KeyPart[]): void;
  /**
   * Deletes a range, or any of it up to the limit, and returns the number of records. Only for
   * tables without indexes that are not cached.
   */
  clear(range: Omit<Range, "reverse">): number;
}

/** Bounds are key prefixes; `from` is inclusive, `to` exclusive. `reverse` starts at the end. */
export interface Range {
  readonly from?: Key;
  readonly to?: Key;
  readonly reverse?: boolean;
  readonly limit?: number;
}

export interface BitmapReader {
  /** A single set, for repeated access. */
  one(key: Key): SetReader;
  has(key: Key, id: number): boolean;
  /** The stored bytes of a chunk (see bitmap.ts); undefined if empty. */
  chunk(key: Key, chunk: number): Uint8Array | undefined;
  /** Like `chunk` without a copy: valid until the next read of any row. */
  peek(key: Key, chunk: number): Uint8Array | undefined;
  /** Non-empty chunks within [from, to], ascending or (reverse) descending. */
  chunks(key: Key, range?: ChunkRange): Iterable<number>;
}

export interface SetReader {
  has(id: number): boolean;
  peek(chunk: number): Uint8Array | undefined;
  /** Like `chunks`, with the bytes of each. */
  walk(range?: ChunkRange): Iterable<[number, Uint8Array]>;
}

export interface ChunkRange {
  from?: number;
  to?: number;
  reverse?: boolean;
}

export interface BitmapWriter extends BitmapReader {
  add(key: Key, id: number): void;
  remove(key: Key, id: number): void;
  /** Replaces a chunk by these bytes; undefined removes it. */
  set(key: Key, chunk: number, bytes: Uint8Array | undefined): void;
}

export interface Schema {
  // oxlint-disable-next-line no-explicit-any -- records of many types, each known by its own spec
  readonly tables: Readonly<Record<string, TableSpec<any, any>>>;
  readonly bitmaps: Readonly<Record<string, BitmapSpec>>;
}

export type Readers<S extends Schema> = {
  readonly [T in keyof S["tables"]]: S["tables"][T] extends TableSpec<infer R, infer I>
    ? TableReader<R, I>
    : never;
} & { readonly [B in keyof S["bitmaps"]]: BitmapReader };

export type Writers<S extends Schema> = {
  readonly [T in keyof S["tables"]]: S["tables"][T] extends TableSpec<infer R, infer I>
    ? TableWriter<R, I>
    : never;
} & { readonly [B in keyof S["bitmaps"]]: BitmapWriter };
