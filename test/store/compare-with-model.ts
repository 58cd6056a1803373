/** Compares a store's results, and the raw rows on its disk, with the model. */
import { expect } from "bun:test";
import { open } from "lmdb";
import { ascending } from "../../src/store/bitmap/bitmap.ts";
import { decodeChunk } from "../../src/store/bitmap/encodings.ts";
import type { BitmapReader, Key, KeyPart, Range, TableReader } from "../../src/store/declare.ts";
import { chunkPart, keyEncoder, keyOf, partOf } from "../../src/store/key.ts";
import {
  type BitmapName,
  bitmapNames,
  keysOf,
  type Model,
  primaryOf,
  type Row,
  specOf,
  type TableName,
  tableNames,
} from "./model.ts";
import { type RandomChance, schema } from "./sample-schema.ts";

/** Tables or bitmaps of a reader or a writer, by name. */
export type StoreContents = Record<string, unknown>;
const tableOf = (contents: StoreContents, name: TableName) => contents[name] as TableReader<Row>;
const bitmapOf = (contents: StoreContents, name: BitmapName) => contents[name] as BitmapReader;

const CHUNKS = [0, 1, 2, 300];

/** Compares everything: each row by key, each group of each index, each set. */
export function compareAll(
  contents: StoreContents,
  model: Model,
  sets: Record<BitmapName, Key[]>,
): void {
  for (const name of tableNames) {
    const rows = [...tableOf(contents, name).range()];
    expect(inKeyOrder(name, rows)).toEqual(model.range(name));
    for (const row of rows)
      expect(tableOf(contents, name).get(...primaryOf(name, row))).toEqual(row);
    for (const [index, spec] of Object.entries(specOf(name).indexes)) {
      for (const row of rows) {
        for (const key of keysOf(spec, row))
          compareAlongIndex(contents, model, name, index, key, {});
      }
    }
  }
  for (const name of bitmapNames)
    for (const key of sets[name]) compareBitmap(contents, model, name, key);
}

/** Compares one random kind of query. */
export function compareSample(
  contents: StoreContents,
  model: Model,
  random: RandomChance,
  key: (of: TableName) => Key,
) {
  const name = random.pick(tableNames);
  const table = tableOf(contents, name);
  const at = key(name);
  expect(table.get(...at)).toEqual(model.get(name, at));
  expect(table.has(...at)).toBe(model.get(name, at) !== undefined);
  if (!specOf(name).cached) expect(table.readFields(...at)?.record()).toEqual(model.get(name, at));
  expect(table.count()).toBe(model.range(name).length);

  const range = {
    ...(random.once(2) ? { from: key(name).slice(0, 1) } : {}),
    ...(random.once(2) ? { to: key(name).slice(0, 1) } : {}),
    ...(random.once(2) ? { limit: random.below(4) } : {}),
    reverse: random.once(2),
  };
  if (!specOf(name).cached) expect([...table.range(range)]).toEqual(model.range(name, range));
  const [index, spec] = random.pick(Object.entries(specOf(name).indexes).concat([["", {}]]));
  const rows = model.range(name);
  if (index === "" || rows.length === 0) return;
  const indexKey = keysOf(spec, random.pick(rows))[0] ?? [];
  const isPart = !specOf(name).cached && random.once(2);
  compareAlongIndex(contents, model, name, index, isPart ? indexKey.slice(0, 1) : indexKey, {
    reverse: range.reverse,
    ...(range.limit === undefined ? {} : { limit: range.limit }),
  });
}

function compareAlongIndex(
  contents: StoreContents,
  model: Model,
  name: TableName,
  index: string,
  key: Key,
  range: Range,
): void {
  const table = tableOf(contents, name);
  const all = model.rowsAlongIndex(name, index, key);
  expect(table.countBy(index, ...key)).toBe(all.length);
  if (specOf(name).cached) {
    expect(inKeyOrder(name, table.listBy(index, ...key))).toEqual(inKeyOrder(name, all));
    return;
  }
  expect(table.listBy(index, ...key)).toEqual(all);
  const spec = specOf(name).indexes[index]!;
  const isComplete = model.range(name).some((row) => keysOf(spec, row)[0]?.length === key.length);
  if (isComplete || !spec.unique) expect(table.findBy(index, ...key)).toEqual(all[0]);
  expect([...table.scanIndex(index, key, range)]).toEqual(
    model.rowsAlongIndex(name, index, key, range),
  );
}

function compareBitmap(contents: StoreContents, model: Model, name: BitmapName, key: Key): void {
  const bitmap = bitmapOf(contents, name);
  const ids = [...model.ids(name, key)].sort((a, b) => a - b);
  const chunks = [...bitmap.chunks(key)];
  expect(chunks.flatMap((n) => ascending(decodeChunk(bitmap.chunk(key, n)), n * 4096))).toEqual(
    ids,
  );
  expect([...bitmap.chunks(key, { reverse: true })]).toEqual(chunks.toReversed());
  const inner = chunks.filter((n) => n >= 1 && n <= 2);
  expect([...bitmap.chunks(key, { from: 1, to: 2 })]).toEqual(inner);
  const setReader = bitmap.one(key);
  const walked = [...setReader.walk()];
  expect(walked.map(([n]) => n)).toEqual(chunks);
  for (const [n, bytes] of walked) {
    expect(Buffer.compare(bytes, bitmap.chunk(key, n)!)).toBe(0);
    expect(decodeChunk(setReader.peek(n))).toEqual(decodeChunk(bytes));
  }
  expect([...setReader.walk({ from: 1, to: 2, reverse: true })].map(([n]) => n)).toEqual(
    inner.toReversed(),
  );
  for (const id of ids) expect(bitmap.has(key, id) && setReader.has(id)).toBe(true);
  for (const n of CHUNKS) expect(bitmap.has(key, n * 4096 + 77)).toBe(ids.includes(n * 4096 + 77));
}

/** Checks that the disk of a closed store contains exactly the rows of the model. */
export async function compareOnDisk(directory: string, model: Model, sequences: string[]) {
  const expected = [keyOf(0, ["version"]), ...sequences.map((name) => keyOf(1, [name]))];
  for (const name of tableNames) {
    for (const row of model.range(name)) {
      const primary = primaryOf(name, row).map(partOf).join("");
      const { prefix, key: order } = specOf(name).rows ?? specOf(name);
      expected.push(
        keyOf(
          prefix,
          order.map((field) => row[field] as KeyPart),
        ),
      );
      for (const spec of Object.values(specOf(name).indexes)) {
        if (spec.prefix === undefined) continue;
        const end = spec.unique ? "" : primary;
        for (const key of keysOf(spec, row)) expected.push(keyOf(spec.prefix, key) + end);
      }
    }
  }
  for (const [path, ids] of model.sets) {
    const [name, ...key] = JSON.parse(path) as [BitmapName, ...number[]];
    const base = keyOf(schema.bitmaps[name].prefix, key);
    const chunks = new Set([...ids].map((id) => Math.floor(id / 4096)));
    for (const chunk of chunks) expected.push(base + chunkPart(chunk));
  }
  expect(await keysOnDisk(directory)).toEqual(expected.toSorted());
}

async function keysOnDisk(directory: string): Promise<string[]> {
  const options = { path: `${directory}/data.mdb`, noSubdir: true, keyEncoder, encoding: "binary" };
  const db = open<Buffer, string>(options as Parameters<typeof open>[0] & { path: string });
  const keys = [...db.getKeys({ start: "\0", end: "\xff" })];
  await db.close();
  return keys;
}

/** Sorts the rows of cached tables, which have no order. */
function inKeyOrder(name: TableName, rows: Row[]): Row[] {
  if (!specOf(name).cached) return rows;
  const key = (row: Row) => keyOf(1, primaryOf(name, row));
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
