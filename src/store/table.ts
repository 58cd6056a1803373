// A table that is read from its rows: encoded records, and index rows that point to them.
import type { Codec } from "./codec.ts";
import type { IndexSpec, Key, KeyPart, Range, TableSpec, TableWriter } from "./declare.ts";
import { Fields } from "./fields.ts";
import { AFTER, KeyCache, keyOf, partOf } from "./key.ts";
import type { LayeredRows, OnDamage, RowReader } from "./rows.ts";

/** Writes if its rows belong to a writer. Readers receive it only as a TableReader. */
export class RowTable<R> implements TableWriter<R> {
  readonly revision = NaN;
  private readonly indexed: boolean;
  private readonly keyCache = new KeyCache((n) => keyOf(this.spec.prefix, [n]));

  constructor(
    private readonly spec: TableSpec<R>,
    private readonly codec: Codec<R>,
    private readonly rows: RowReader & Partial<Pick<LayeredRows, "put">>,
    /** Called for each record that is put or deleted. */
    private readonly onChange?: (was?: R, is?: R) => void,
  ) {
    this.indexed = Object.keys(spec.indexes).length > 0;
  }

  get(...key: KeyPart[]): R | undefined {
    return this.decoded(this.keyAt(key));
  }

  has(...key: KeyPart[]): boolean {
    return this.rows.peek(this.keyAt(key)) !== undefined;
  }

  readFields(...key: KeyPart[]): Fields<R> | undefined {
    const bytes = this.rows.peek(this.keyAt(key));
    return bytes && new Fields(bytes, this.spec.fields, this.codec);
  }

  listBy(index: string, ...key: KeyPart[]): R[] {
    return [...this.scanIndex(index, key)];
  }

  findBy(index: string, ...key: KeyPart[]): R | undefined {
    const spec = this.indexSpec(index);
    if (spec.unique) return this.rowKeyAt(this.rows.get(keyOf(spec.prefix!, key)));
    for (const record of this.scanIndex(index, key, { limit: 1 })) return record;
    return undefined;
  }

  *range(range: Range = {}): Iterable<R> {
    for (const [, bytes] of this.walk(this.spec.prefix, [], range)) yield this.codec.decode(bytes);
  }

  *sound(onDamage: (error: Error) => void, range: Range = {}): Iterable<R> {
    const reportDamage = (_key: string, error: Error) => onDamage(error);
    for (const [, bytes] of this.walk(this.spec.prefix, [], range, reportDamage)) {
      yield this.codec.decode(bytes);
    }
  }

  *scanIndex(index: string, key: Key, range: Range = {}): Iterable<R> {
    const prefix = this.indexSpec(index).prefix!;
    for (const [, pointer] of this.walk(prefix, key, range)) {
      const record = this.rowKeyAt(pointer);
      if (record) yield record;
    }
  }

  count(): number {
    let count = 0;
    for (const _ of this.walk(this.spec.prefix, [], {})) count++;
    return count;
  }

  countBy(index: string, ...key: KeyPart[]): number {
    let count = 0;
    for (const _ of this.walk(this.indexSpec(index).prefix!, key, {})) count++;
    return count;
  }

  put(record: R, stored?: R): void {
    const key = this.keyAt(this.spec.key.map((name) => record[name] as KeyPart));
    this.onChange?.(stored ?? this.decoded(key), this.codec.copy(record));
    if (this.indexed) this.reindex(key.slice(1), stored ?? this.decoded(key), record);
    this.rows.put!(key, this.codec.encode(record));
  }

  delete(...key: KeyPart[]): void {
    const rowKey = this.keyAt(key);
    if (this.indexed || this.onChange) {
      const before = this.decoded(rowKey);
      if (before === undefined) return;
      this.onChange?.(before);
      this.reindex(rowKey.slice(1), before, undefined);
    } else if (this.rows.peek(rowKey) === undefined) return;
    this.rows.put!(rowKey, null);
  }

  clear(range: Omit<Range, "reverse">): number {
    if (this.indexed) throw new Error(`prefix ${this.spec.prefix} has indexes`);
    const { start, end } = boundsOf(keyOf(this.spec.prefix, []), range);
    const keys: string[] = [];
    for (const key of this.rows.keys(start, end)) {
      if (keys.length === range.limit) break;
      keys.push(key);
    }
    for (const key of keys) this.rows.put!(key, null);
    return keys.length;
  }

  private keyAt(parts: Key): string {
    const [first] = parts;
    if (parts.length === 1 && typeof first === "number") return this.keyCache.of(first);
    return keyOf(this.spec.prefix, parts);
  }

  /** Returns the record that an index row points to. */
  private rowKeyAt(pointer: Uint8Array | undefined): R | undefined {
    return pointer && this.decoded(String.fromCharCode(this.spec.prefix) + textOf(pointer));
  }

  private decoded(key: string): R | undefined {
    const bytes = this.rows.peek(key);
    return bytes && this.codec.decode(bytes);
  }

  private indexSpec(index: string): IndexSpec<R> {
    const spec = this.spec.indexes[index];
    if (spec?.prefix === undefined)
      throw new Error(`no index ${index} on prefix ${this.spec.prefix}`);
    return spec;
  }

  private reindex(primary: string, before: R | undefined, after: R | undefined): void {
    for (const index in this.spec.indexes) {
      const spec = this.spec.indexes[index]!;
      const [keysBefore, keysAfter] = [partsOf(spec, before), partsOf(spec, after)];
      if (areSame(keysBefore, keysAfter)) continue;
      const oldKeys = keysBefore.map((key) => keyOf(spec.prefix!, key));
      const now = keysAfter.map((key) => keyOf(spec.prefix!, key));
      for (const key of oldKeys) if (!now.includes(key)) this.unpoint(spec, key, primary);
      for (const key of now) {
        if (oldKeys.includes(key)) continue;
        this.rows.put!(spec.unique ? key : key + primary, Buffer.from(primary, "latin1"));
      }
    }
  }

  /** A unique key that another record has taken over is left to that record. */
  private unpoint(spec: IndexSpec<R>, key: string, primary: string): void {
    if (!spec.unique) return this.rows.put!(key + primary, null);
    const pointer = this.rows.get(key);
    if (pointer && textOf(pointer) === primary) this.rows.put!(key, null);
  }

  private *walk(
    prefix: number,
    under: Key,
    range: Range,
    onDamage?: OnDamage,
  ): Iterable<[string, Uint8Array]> {
    const { start, end } = boundsOf(keyOf(prefix, under), range);
    let remaining = range.limit ?? Infinity;
    if (remaining <= 0) return;
    for (const row of this.rows.range(start, end, range.reverse, onDamage)) {
      yield row;
      if (--remaining <= 0) return;
    }
  }
}

function boundsOf(base: string, { from = [], to }: Range): { start: string; end: string } {
  const start = base + from.map(partOf).join("");
  return { start, end: to ? base + to.map(partOf).join("") : base + AFTER };
}

/** Returns the index keys of a record, with the names of the indexes. */
export function indexKeys<R>(spec: TableSpec<R>, record: R, primary: string): [string, string[]][] {
  return Object.entries(spec.indexes as Record<string, IndexSpec<R>>).map(([name, index]) => {
    const keys = partsOf(index, record).map((parts) => keyOf(index.prefix!, parts));
    return [name, index.unique ? keys : keys.map((key) => key + primary)];
  });
}

/** Returns the keys of a record in an index. */
function partsOf<R>(spec: IndexSpec<R>, record: R | undefined): readonly Key[] {
  if (record === undefined) return NO_KEYS;
  if (spec.each) return spec.each(record);
  const key = spec.of!(record);
  if (key === undefined) return NO_KEYS;
  return [typeof key === "object" ? key : [key]];
}

const NO_KEYS: readonly Key[] = [];

/** Most changes of a record do not affect an index. */
function areSame(keys: readonly Key[], otherKeys: readonly Key[]): boolean {
  if (keys === otherKeys) return true;
  if (keys.length !== otherKeys.length) return false;
  return keys.every((key, index) => {
    const other = otherKeys[index]!;
    return key.length === other.length && key.every((part, i) => part === other[i]);
  });
}

/** Converts bytes to a key: one character per byte. */
function textOf(bytes: Uint8Array): string {
  let text = "";
  for (let offset = 0; offset < bytes.length; offset++) text += String.fromCharCode(bytes[offset]!);
  return text;
}
