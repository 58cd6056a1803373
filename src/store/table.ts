// A table that is read from its rows: encoded records, with index rows that point at them.
import type { Codec } from "./codec.ts";
import type { IndexSpec, Key, KeyPart, Range, TableSpec, TableWriter } from "./declare.ts";
import { AFTER, keyOf, partOf } from "./key.ts";
import type { LayeredRows, RowReader } from "./rows.ts";

/** Over a writer's rows it writes; over a snapshot it is handed out as a TableReader only. */
export class RowTable<R> implements TableWriter<R> {
  readonly revision = NaN;

  constructor(
    private readonly spec: TableSpec<R>,
    private readonly codec: Codec<R>,
    private readonly rows: RowReader & Partial<Pick<LayeredRows, "put">>,
  ) {}

  get(...key: KeyPart[]): R | undefined {
    return this.decoded(keyOf(this.spec.prefix, key));
  }

  has(...key: KeyPart[]): boolean {
    return this.rows.peek(keyOf(this.spec.prefix, key)) !== undefined;
  }

  by(index: string, ...key: KeyPart[]): R[] {
    return [...this.along(index, key)];
  }

  one(index: string, ...key: KeyPart[]): R | undefined {
    const spec = this.indexSpec(index);
    if (spec.unique) return this.pointedAt(this.rows.get(keyOf(spec.prefix!, key)));
    for (const record of this.along(index, key, { limit: 1 })) return record;
    return undefined;
  }

  *range(range: Range = {}): Iterable<R> {
    for (const [, bytes] of this.walk(this.spec.prefix, [], range)) yield this.codec.decode(bytes);
  }

  *along(index: string, key: Key, range: Range = {}): Iterable<R> {
    const prefix = this.indexSpec(index).prefix!;
    for (const [, pointer] of this.walk(prefix, key, range)) {
      const record = this.pointedAt(pointer);
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

  put(record: R): void {
    const primary = this.primaryOf(record);
    const key = String.fromCharCode(this.spec.prefix) + primary;
    if (this.indexed) this.reindex(primary, this.decoded(key), record);
    this.rows.put!(key, this.codec.encode(record));
  }

  delete(...key: KeyPart[]): void {
    const at = keyOf(this.spec.prefix, key);
    const before = this.decoded(at);
    if (before === undefined) return;
    this.reindex(at.slice(1), before, undefined);
    this.rows.put!(at, null);
  }

  private get indexed(): boolean {
    for (const _ in this.spec.indexes) return true;
    return false;
  }

  /** The record that an index row leads to. */
  private pointedAt(pointer: Uint8Array | undefined): R | undefined {
    if (!pointer) return undefined;
    return this.decoded(String.fromCharCode(this.spec.prefix, ...pointer));
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

  private primaryOf(record: R): string {
    let key = "";
    for (const name of this.spec.key) key += partOf(record[name] as KeyPart);
    return key;
  }

  private reindex(primary: string, before: R | undefined, after: R | undefined): void {
    for (const index in this.spec.indexes) {
      const spec = this.spec.indexes[index]!;
      const old = before === undefined ? [] : indexKeys(spec, before);
      const now = after === undefined ? [] : indexKeys(spec, after);
      for (const key of old) if (!now.includes(key)) this.unpoint(spec, key, primary);
      for (const key of now) {
        if (old.includes(key)) continue;
        this.rows.put!(spec.unique ? key : key + primary, Buffer.from(primary, "latin1"));
      }
    }
  }

  /** A unique key that another record took over in the meantime stays with that. */
  private unpoint(spec: IndexSpec<R>, key: string, primary: string): void {
    if (!spec.unique) return this.rows.put!(key + primary, null);
    const pointer = this.rows.get(key);
    if (pointer && String.fromCharCode(...pointer) === primary) this.rows.put!(key, null);
  }

  private *walk(prefix: number, under: Key, range: Range): Iterable<[string, Uint8Array]> {
    const base = keyOf(prefix, under);
    const start = base + (range.from ?? []).map(partOf).join("");
    const end = range.to ? base + range.to.map(partOf).join("") : base + AFTER;
    let left = range.limit ?? Infinity;
    if (left <= 0) return;
    for (const row of this.rows.range(start, end, range.reverse)) {
      yield row;
      if (--left <= 0) return;
    }
  }
}

function indexKeys<R>(spec: IndexSpec<R>, record: R): string[] {
  if (spec.each) return spec.each(record).map((key) => keyOf(spec.prefix!, key));
  const key = spec.of!(record);
  return key ? [keyOf(spec.prefix!, key)] : [];
}
