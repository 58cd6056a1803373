// A table that is kept decoded in memory and changes only after a commit is durable.
import type { Codec } from "./codec.ts";
import type { Key, KeyPart, Range, TableSpec, TableWriter } from "./declare.ts";
import { AFTER, partOf } from "./key.ts";
import type { Layer, Layers, RecordLayer } from "./layers.ts";
import type { RowReader } from "./rows.ts";

type Primary = string | number;

interface CachedIndex<R> {
  readonly name: string;
  /** Identifies the index among those of all tables. */
  readonly path: string;
  readonly of: (record: R) => Key | KeyPart | undefined;
  readonly groups: Map<Primary, Map<Primary, R>>;
}

/**
 * The committed records of a table and its indexes. Loaded on first use, to keep the start fast.
 */
export class CachedRecords<R> {
  /** Grows with each commit that changes a record. */
  revision = 0;
  private readonly loaded = new Map<Primary, R>();
  private readonly indexes: readonly CachedIndex<R>[];
  private isLoaded = false;
  /** Damaged rows by key. Lists omit them; reading one directly throws. */
  private readonly damaged = new Map<string, Error>();

  constructor(
    readonly name: string,
    readonly spec: TableSpec<R>,
    readonly codec: Codec<R>,
    private readonly rows: RowReader,
    private readonly onDamage: (error: Error) => void,
    /** Computes the committed records of a derived table. */
    private readonly derive: () => Iterable<R>,
  ) {
    this.indexes = Object.entries(spec.indexes).map(([index, { of }]) => {
      return { name: index, path: `${name}/${index}`, of: of!, groups: new Map() };
    });
  }

  get records(): Map<Primary, R> {
    if (!this.isLoaded) this.load();
    return this.loaded;
  }

  index(name: string): CachedIndex<R> {
    if (!this.isLoaded) this.load();
    const { indexes } = this;
    for (let index = 0; index < indexes.length; index++)
      if (indexes[index]!.name === name) return indexes[index]!;
    throw new Error(`no index ${name} of ${this.name}`);
  }

  /** Records in a layer in which index groups the record is found. */
  trace(layer: Layer, primary: Primary, record: R): void {
    for (const index of this.indexes) {
      const group = groupOf(index, record);
      if (group !== undefined) layer.trace(index.path, group, primary);
    }
  }

  /** Applies a durable commit. Must be called before the rows show it. */
  commit(layer: RecordLayer): void {
    this.revision += 1;
    if (!this.isLoaded) return;
    for (const [primary, record] of layer) this.apply(primary, record as R | null);
  }

  /** After an error, the next access loads the table again. */
  private load(): void {
    this.loaded.clear();
    for (const { groups } of this.indexes) groups.clear();
    if (this.spec.derived) {
      for (const record of this.derive()) this.apply(this.primaryOf(record), record);
    } else this.loadRows();
    this.isLoaded = true;
  }

  private loadRows(): void {
    const start = String.fromCharCode((this.spec.rows ?? this.spec).prefix);
    const onDamage = (key: string, error: Error) => {
      this.damaged.set(key, error);
      this.onDamage(error);
    };
    for (const [, bytes] of this.rows.range(start, start + AFTER, false, onDamage)) {
      const record = this.codec.decode(bytes);
      this.apply(this.primaryOf(record), record);
    }
  }

  get hasDamage(): boolean {
    return this.damaged.size > 0;
  }

  /** Call for a key without a record. @throws if its row is damaged */
  refuseDamaged(key: Key): void {
    const record = Object.fromEntries(this.spec.key.map((name, index) => [name, key[index]]));
    const error = this.damaged.get(this.rowKeyOf(record as R));
    if (error) throw error;
  }

  primaryOf(record: R): Primary {
    const [firstPart, secondPart, ...rest] = this.spec.key;
    const first = record[firstPart!] as KeyPart;
    const second = secondPart && (record[secondPart] as KeyPart);
    const more = rest.length === 0 ? NO_KEY : rest.map((name) => record[name] as KeyPart);
    return primaryOf(first, second, more);
  }

  rowKeyOf(record: R): string {
    const { prefix, key } = this.spec.rows ?? this.spec;
    let location = String.fromCharCode(prefix);
    for (const name of key) location += partOf(record[name] as KeyPart);
    return location;
  }

  private apply(primary: Primary, after: R | null): void {
    const before = this.loaded.get(primary);
    if (after === null) this.loaded.delete(primary);
    else this.loaded.set(primary, after);
    if (this.hasDamage && after !== null) this.damaged.delete(this.rowKeyOf(after));
    for (const index of this.indexes) {
      const { groups } = index;
      const groupBefore = before && groupOf(index, before);
      const groupAfter = after ? groupOf(index, after) : undefined;
      if (groupBefore !== undefined && groupBefore !== groupAfter) {
        const group = groups.get(groupBefore);
        group?.delete(primary);
        if (group?.size === 0) groups.delete(groupBefore);
      }
      if (groupAfter === undefined) continue;
      let group = groups.get(groupAfter);
      if (!group) groups.set(groupAfter, (group = new Map()));
      group.set(primary, after!);
    }
  }
}

/** A view of the records: the committed ones, or with layers those that a transaction sees. */
export class CachedTable<R> implements TableWriter<R> {
  constructor(
    private readonly committed: CachedRecords<R>,
    private readonly layers?: Layers,
    private readonly rows?: { put(key: string, value: Uint8Array | null): void },
    /** Called for each record that is put or deleted. */
    private readonly onChange?: (before?: R, after?: R) => void,
  ) {}

  get(first: KeyPart, second?: KeyPart, ...more: KeyPart[]): R | undefined {
    const primary = primaryOf(first, second, more);
    const above = this.layers?.record(this.committed.name, primary);
    if (above !== undefined) return (above as R | null) ?? undefined;
    const { committed } = this;
    const record = committed.records.get(primary);
    if (record === undefined && committed.hasDamage) {
      committed.refuseDamaged(second === undefined ? [first] : [first, second, ...more]);
    }
    return record;
  }

  has(first: KeyPart, second?: KeyPart, ...more: KeyPart[]): boolean {
    return this.get(first, second, ...more) !== undefined;
  }

  readFields(): never {
    throw new Error(`${this.committed.name} is kept decoded`);
  }

  sound(): never {
    throw new Error(`${this.committed.name} is kept decoded`);
  }

  clear(): never {
    throw new Error(`${this.committed.name} is kept decoded`);
  }

  listBy(index: string, first: KeyPart, second?: KeyPart, ...more: KeyPart[]): R[] {
    const primaryKey = primaryOf(first, second, more);
    const { name } = this.committed;
    const requested = this.committed.index(index);
    const group = requested.groups.get(primaryKey);
    if (!this.layers?.hasRecords(name)) return group ? [...group.values()] : [];
    const records: R[] = [];
    for (const [primary, record] of group ?? []) {
      if (this.layers.record(name, primary) === undefined) records.push(record);
    }
    for (const primary of this.layers.traced(requested.path, primaryKey)) {
      const record = this.layers.record(name, primary) as R | null | undefined;
      if (record && groupOf(requested, record) === primaryKey) records.push(record);
    }
    return records;
  }

  findBy(index: string, first: KeyPart, second?: KeyPart, ...more: KeyPart[]): R | undefined {
    return this.listBy(index, first, second, ...more)[0];
  }

  countBy(index: string, first: KeyPart, second?: KeyPart, ...more: KeyPart[]): number {
    if (this.layers?.hasRecords(this.committed.name)) {
      return this.listBy(index, first, second, ...more).length;
    }
    const { groups } = this.committed.index(index);
    return groups.get(primaryOf(first, second, more))?.size ?? 0;
  }

  get revision(): number {
    return this.layers ? NaN : this.committed.revision;
  }

  /** A snapshot of now: records that are put during the iteration do not appear. */
  range(_range?: Range): Iterable<R> {
    const above = this.layers?.recordsOf(this.committed.name);
    if (!above?.size) return [...this.committed.records.values()];
    const records: R[] = [];
    for (const [primary, record] of this.committed.records) {
      if (!above.has(primary)) records.push(record);
    }
    for (const record of above.values()) if (record !== null) records.push(record as R);
    return records;
  }

  scanIndex(index: string, key: Key): Iterable<R> {
    const { committed, layers } = this;
    if (!layers?.hasRecords(committed.name)) {
      return committed.index(index).groups.get(primaryOfKey(key))?.values() ?? [];
    }
    const [first, ...more] = key;
    return this.listBy(index, first!, ...more);
  }

  count(): number {
    if (!this.layers?.hasRecords(this.committed.name)) return this.committed.records.size;
    let count = 0;
    for (const _ of this.range()) count++;
    return count;
  }

  put(record: R): void {
    const { name, codec, spec } = this.committed;
    if (!spec.derived) this.rows!.put(this.committed.rowKeyOf(record), codec.encode(record));
    // Matches what is stored: the caller may change its object later, and it may have more fields.
    const retained = spec.derived ? record : codec.copy(record);
    const primary = this.committed.primaryOf(record);
    this.onChange?.(this.before(primary), retained);
    this.layers!.putRecord(name, primary, retained);
    this.committed.trace(this.layers!.filling, primary, retained);
  }

  delete(...key: KeyPart[]): void {
    const [first, ...more] = key;
    const before = this.get(first!, ...more);
    if (before === undefined) return;
    this.onChange?.(before);
    this.layers!.putRecord(this.committed.name, primaryOfKey(key), null);
    if (!this.committed.spec.derived) this.rows!.put(this.committed.rowKeyOf(before), null);
  }

  private before(primary: Primary): R | undefined {
    const above = this.layers!.record(this.committed.name, primary) as R | null | undefined;
    return above === undefined ? this.committed.records.get(primary) : (above ?? undefined);
  }
}

/**
 * Returns a compact map key: one part as it is, two small numbers as one number, anything else as
 * text.
 */
function primaryOf(first: KeyPart, second: KeyPart | undefined, more: Key): Primary {
  if (second === undefined) return typeof first === "string" ? first.toWellFormed() : first;
  if (more.length === 0 && isSmall(first) && isSmall(second)) return first * SMALL + second;
  return [first, second, ...more].map(partOf).join("");
}

const NO_KEY: Key = [];

function primaryOfKey(key: Key): Primary {
  return primaryOf(key[0]!, key[1], key.length > 2 ? key.slice(2) : NO_KEY);
}

const SMALL = 0x4000000;
const isSmall = (part: KeyPart): part is number =>
  typeof part === "number" && part >= 0 && part < SMALL;

function groupOf<R>({ of }: CachedIndex<R>, record: R): Primary | undefined {
  const key = of(record);
  if (key === undefined) return undefined;
  return typeof key === "object" ? primaryOfKey(key) : primaryOf(key, undefined, NO_KEY);
}
