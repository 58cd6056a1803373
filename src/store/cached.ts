// A table kept decoded in memory: it changes only when a commit is durable.
import type { Codec } from "./codec.ts";
import type { IndexSpec, Key, KeyPart, Range, TableSpec, TableWriter } from "./declare.ts";
import { AFTER, keyOf, partOf } from "./key.ts";
import type { Layers, RecordLayer } from "./layers.ts";
import type { RowReader } from "./rows.ts";

type Primary = string | number;

/** The committed records of one table and its indexes. */
export class CachedRecords<R> {
  readonly records = new Map<Primary, R>();
  readonly groups = new Map<string, Map<Primary, Map<Primary, R>>>();

  constructor(
    readonly name: string,
    readonly spec: TableSpec<R>,
    readonly codec: Codec<R>,
  ) {
    for (const index of Object.keys(spec.indexes)) this.groups.set(index, new Map());
  }

  load(rows: RowReader): void {
    const start = String.fromCharCode(this.spec.prefix);
    for (const [, bytes] of rows.range(start, start + AFTER)) {
      const record = this.codec.decode(bytes);
      this.apply(this.primaryOf(record), record);
    }
  }

  /** Takes over what a commit made durable. */
  commit(layer: RecordLayer): void {
    for (const [primary, record] of layer) this.apply(primary, record as R | null);
  }

  primaryOf(record: R): Primary {
    return primaryOf(this.spec.key.map((name) => record[name] as KeyPart));
  }

  private apply(primary: Primary, after: R | null): void {
    const before = this.records.get(primary);
    if (after === null) this.records.delete(primary);
    else this.records.set(primary, after);
    for (const [index, groups] of this.groups) {
      const spec = this.spec.indexes[index]!;
      const was = before && groupOf(spec, before);
      const is = after ? groupOf(spec, after) : undefined;
      if (was !== undefined && was !== is) {
        const group = groups.get(was);
        group?.delete(primary);
        if (group?.size === 0) groups.delete(was);
      }
      if (is === undefined) continue;
      let group = groups.get(is);
      if (!group) groups.set(is, (group = new Map()));
      group.set(primary, after!);
    }
  }
}

/** A view of the records: the committed ones, or (with layers) what a transaction sees. */
export class CachedTable<R> implements TableWriter<R> {
  constructor(
    private readonly committed: CachedRecords<R>,
    private readonly layers?: Layers,
    private readonly rows?: { put(key: string, value: Uint8Array | null): void },
  ) {}

  get(...key: KeyPart[]): R | undefined {
    const primary = primaryOf(key);
    const above = this.layers?.record(this.committed.name, primary);
    return above === undefined
      ? this.committed.records.get(primary)
      : ((above as R | null) ?? undefined);
  }

  has(...key: KeyPart[]): boolean {
    return this.get(...key) !== undefined;
  }

  by(index: string, ...key: KeyPart[]): R[] {
    const wanted = primaryOf(key);
    const { name, groups, spec } = this.committed;
    const group = groups.get(index)!.get(wanted);
    if (!this.layers?.hasRecords(name)) return group ? [...group.values()] : [];
    const found: R[] = [];
    for (const [primary, record] of group ?? []) {
      if (this.layers.record(name, primary) === undefined) found.push(record);
    }
    for (const primary of this.layers.traced(`${name}/${index}`, wanted)) {
      const record = this.layers.record(name, primary) as R | null | undefined;
      if (record && groupOf(spec.indexes[index]!, record) === wanted) found.push(record);
    }
    return found;
  }

  one(index: string, ...key: KeyPart[]): R | undefined {
    return this.by(index, ...key)[0];
  }

  countBy(index: string, ...key: KeyPart[]): number {
    if (this.layers?.hasRecords(this.committed.name)) return this.by(index, ...key).length;
    return this.committed.groups.get(index)!.get(primaryOf(key))?.size ?? 0;
  }

  /** As of now: what is put while the caller walks along does not come by. */
  range(_range?: Range): Iterable<R> {
    const above = this.layers?.recordsOf(this.committed.name);
    if (!above?.size) return [...this.committed.records.values()];
    const found: R[] = [];
    for (const [primary, record] of this.committed.records) {
      if (!above.has(primary)) found.push(record);
    }
    for (const record of above.values()) if (record !== null) found.push(record as R);
    return found;
  }

  along(index: string, key: Key): Iterable<R> {
    return this.by(index, ...key);
  }

  count(): number {
    if (!this.layers?.hasRecords(this.committed.name)) return this.committed.records.size;
    let count = 0;
    for (const _ of this.range()) count++;
    return count;
  }

  put(record: R): void {
    const { name, spec, codec } = this.committed;
    const parts = spec.key.map((field) => record[field] as KeyPart);
    const bytes = codec.encode(record);
    this.rows!.put(keyOf(spec.prefix, parts), bytes);
    // What the disk has: the caller's own object may yet change, or hold more than the fields.
    const kept = codec.decode(bytes);
    const primary = primaryOf(parts);
    this.layers!.putRecord(name, primary, kept);
    for (const index in spec.indexes) {
      const group = groupOf(spec.indexes[index]!, kept);
      if (group !== undefined) this.layers!.filling.trace(`${name}/${index}`, group, primary);
    }
  }

  delete(...key: KeyPart[]): void {
    if (!this.has(...key)) return;
    this.layers!.putRecord(this.committed.name, primaryOf(key), null);
    this.rows!.put(keyOf(this.committed.spec.prefix, key), null);
  }
}

/** One part as it is, two small numbers in one number, anything else as a key. */
function primaryOf(parts: Key): Primary {
  const [first, second] = parts;
  if (parts.length === 1) return typeof first === "string" ? first.toWellFormed() : first!;
  if (parts.length === 2 && isSmall(first!) && isSmall(second!)) return first * SMALL + second;
  return parts.map(partOf).join("");
}

const SMALL = 0x4000000;
const isSmall = (part: KeyPart): part is number =>
  typeof part === "number" && part >= 0 && part < SMALL;

function groupOf<R>(spec: IndexSpec<R>, record: R): Primary | undefined {
  const key = spec.of!(record);
  return key && primaryOf(key);
}
