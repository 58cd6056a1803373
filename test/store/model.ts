/** The expected content of a store, as plain maps with slow, simple queries. */
import type { IndexSpec, Key, KeyPart, Range, TableSpec } from "../../src/store/declare.ts";
import { schema } from "./sample-schema.ts";

export type Row = Record<string, unknown>;
export type TableName = keyof typeof schema.tables;
export type BitmapName = keyof typeof schema.bitmaps;
type Spec = TableSpec<Row>;

export const specOf = (name: TableName) => schema.tables[name] as unknown as Spec;
export const tableNames = Object.keys(schema.tables) as TableName[];
export const bitmapNames = Object.keys(schema.bitmaps) as BitmapName[];

export class Model {
  readonly rows = new Map<TableName, Map<string, Row>>(tableNames.map((name) => [name, new Map()]));
  /** Ids by bitmap and key. */
  readonly sets = new Map<string, Set<number>>();

  copy(): Model {
    const copy = new Model();
    for (const [name, rows] of this.rows) copy.rows.set(name, new Map(rows));
    for (const [path, ids] of this.sets) copy.sets.set(path, new Set(ids));
    return copy;
  }

  put(name: TableName, row: Row): void {
    this.rows.get(name)!.set(JSON.stringify(primaryOf(name, row)), row);
  }

  delete(name: TableName, key: Key): void {
    this.rows.get(name)!.delete(JSON.stringify(key));
  }

  get(name: TableName, key: Key): Row | undefined {
    return this.rows.get(name)!.get(JSON.stringify(key));
  }

  /** All rows, in the order of their keys. */
  range(name: TableName, range: Range = {}): Row[] {
    const entries = [...this.rows.get(name)!.values()].map((row) => ({
      key: primaryOf(name, row),
      row,
    }));
    return entriesInRange(entries, range);
  }

  /**
   * Returns the rows under an index key, in order. An index of a cached table needs the whole key.
   */
  rowsAlongIndex(name: TableName, index: string, under: Key, range: Range = {}): Row[] {
    const spec = specOf(name).indexes[index]!;
    const isUnder = (key: Key) =>
      specOf(name).cached ? compare(key, under) === 0 : startsWith(key, under);
    const entries = [...this.rows.get(name)!.values()].flatMap((row) =>
      keysOf(spec, row)
        .filter(isUnder)
        .map((key) => ({ key: [...key, ...primaryOf(name, row)].slice(under.length), row })),
    );
    return entriesInRange(entries, range);
  }

  add(name: BitmapName, key: Key, id: number): void {
    const path = JSON.stringify([name, ...key]);
    this.sets.set(path, (this.sets.get(path) ?? new Set()).add(id));
  }

  remove(name: BitmapName, key: Key, id: number): void {
    this.sets.get(JSON.stringify([name, ...key]))?.delete(id);
  }

  ids(name: BitmapName, key: Key): Set<number> {
    return this.sets.get(JSON.stringify([name, ...key])) ?? new Set();
  }
}

export function primaryOf(name: TableName, row: Row): Key {
  return specOf(name).key.map((field) => row[field] as KeyPart);
}

export function keysOf(spec: IndexSpec<Row>, row: Row): readonly Key[] {
  if (spec.each) return spec.each(row);
  const key = spec.of!(row);
  if (key === undefined) return [];
  return [typeof key === "object" ? key : [key]];
}

function entriesInRange(
  entries: { key: Key; row: Row }[],
  { from, to, reverse, limit }: Range,
): Row[] {
  const matches = entries
    .filter(({ key }) => !from || compare(key.slice(0, from.length), from) >= 0)
    .filter(({ key }) => !to || compare(key.slice(0, to.length), to) < 0)
    .sort((a, b) => compare(a.key, b.key))
    .map(({ row }) => row);
  return (reverse ? matches.reverse() : matches).slice(0, limit);
}

const startsWith = (key: Key, under: Key) => compare(key.slice(0, under.length), under) === 0;

/** Compares part by part: numbers by size, texts by code point, and prefixes first. */
function compare(a: Key, b: Key): number {
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order =
      typeof part === "number"
        ? part - (other as number)
        : Buffer.compare(Buffer.from(part), Buffer.from(other as string));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
