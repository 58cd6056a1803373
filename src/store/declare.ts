// How a table, an index and a bitmap are declared; schema.ts is written with these.
import type { Fields } from "./fields.ts";

export type KeyPart = number | string;
export type Key = readonly KeyPart[];

/**
 * A secondary index. `of` gives the one key of a record (undefined: not indexed), `each` several;
 * a key of one part may be that part. A cached table keeps its indexes in memory and needs no
 * prefix.
 */
export interface IndexSpec<R> {
  readonly prefix?: number;
  readonly of?: (record: R) => Key | KeyPart | undefined;
  readonly each?: (record: R) => readonly Key[];
  /** No two records have the same key; `one`, given the whole key, is a single look. */
  readonly unique?: boolean;
}

export interface TableSpec<R, I extends string = string> {
  readonly prefix: number;
  readonly key: readonly (keyof R & string)[];
  /** Append-only: a record is stored as the list of these fields' values. */
  readonly fields: readonly (keyof R & string)[];
  /** Its records (not its indexes) change often and are small: they go through the journal. */
  readonly journaled?: boolean;
  /** Kept decoded in memory as a whole. */
  readonly cached?: boolean;
  /** Of a cached table: where its rows lie, if not under its prefix in the order of its key. */
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

/** What a reader may ask of a table. */
export interface TableReader<R, I extends string = string> {
  get(...key: KeyPart[]): R | undefined;
  has(...key: KeyPart[]): boolean;
  /** For a look at some fields of a record, of a table that is not cached. */
  readFields(...key: KeyPart[]): Fields<R> | undefined;
  /** The records whose index key is, or begins with, `key` (cached tables: is). */
  by(index: I, ...key: KeyPart[]): R[];
  /** The first of `by`, undefined when there is none. */
  one(index: I, ...key: KeyPart[]): R | undefined;
  /** Records in key order; of a cached table, in no order, and only the whole. */
  range(range?: Range): Iterable<R>;
  /** As `range`, of a table that is not cached; what is damaged is told of and passed over. */
  sound(onDamage: (error: Error) => void, range?: Range): Iterable<R>;
  /** Records in the order of an index, under `key`. */
  scanIndex(index: I, key: Key, range?: Range): Iterable<R>;
  count(): number;
  /** How many records `by` would give; of a cached table, without listing them. */
  countBy(index: I, ...key: KeyPart[]): number;
  /**
   * Of the committed records of a cached table: a greater number after every commit that changed
   * one. Anything else has NaN, which is never the same.
   */
  readonly revision: number;
}

export interface TableWriter<R, I extends string = string> extends TableReader<R, I> {
  put(record: R): void;
  delete(...key: KeyPart[]): void;
  /** Deletes a range, and says how many; of a table that has no indexes and is not cached. */
  clear(range: Range): number;
}

/** Bounds are key beginnings, `from` inclusive and `to` exclusive; `reverse` runs from the end. */
export interface Range {
  readonly from?: Key;
  readonly to?: Key;
  readonly reverse?: boolean;
  readonly limit?: number;
}

export interface BitmapReader {
  /** One of the sets, for many looks at it. */
  one(key: Key): SetReader;
  has(key: Key, id: number): boolean;
  /** The stored bytes of a chunk (see bitmap.ts), undefined when empty. */
  chunk(key: Key, chunk: number): Uint8Array | undefined;
  /** The same without a copy: good until the next look at anything. */
  peek(key: Key, chunk: number): Uint8Array | undefined;
  /** The chunks that hold anything, ascending or (reverse) descending, within [from, to]. */
  chunks(key: Key, range?: ChunkRange): Iterable<number>;
}

export interface SetReader {
  has(id: number): boolean;
  peek(chunk: number): Uint8Array | undefined;
  /** As `chunks`, with the bytes of each. */
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
