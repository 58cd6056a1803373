/** A range of rows is deleted without reading their values. */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { table } from "../../src/store/declare.ts";
import { type OpenStore, openStore } from "../../src/store/open.ts";
import { schema as sample, scratch } from "./sample-schema.ts";

interface Line {
  id: number;
  text: string;
}

const { people, notes } = sample.tables;
const lines = table<Line>()({ prefix: 30, key: ["id"], fields: ["id", "text"], indexes: {} });
const schema = { tables: { people, notes, lines }, bitmaps: {} };

let opened: OpenStore<typeof schema>;
const directory = scratch();
const put = (...ids: number[]) =>
  opened.store.write((tx) => {
    for (const id of ids) tx.lines.put({ id, text: `line ${id}` });
  });
const remainingIds = () => [...opened.store.reading.lines.range()].map(({ id }) => id);

beforeAll(async () => {
  opened = await openStore(directory, schema, []);
});
beforeEach(() => opened.store.write((tx) => void tx.lines.clear({})));
afterAll(() => opened.close());

test("deletes the requested part of a range, including new rows", async () => {
  await put(1, 2, 3, 300, 70_000);
  const cleared = await opened.store.write((tx) => {
    tx.lines.put({ id: 0, text: "new" });
    tx.lines.delete(2);
    return tx.lines.clear({ to: [300] });
  });
  expect(cleared).toBe(3);
  expect(remainingIds()).toEqual([300, 70_000]);
  expect(await opened.store.write((tx) => tx.lines.clear({ from: [301] }))).toBe(1);
  expect(await opened.store.write((tx) => tx.lines.clear({ from: [301] }))).toBe(0);
  expect(remainingIds()).toEqual([300]);
});

test("deletes no more rows than the limit", async () => {
  await put(1, 2, 3);
  const clear = () => opened.store.write((tx) => tx.lines.clear({ limit: 2 }));
  expect([await clear(), await clear(), await clear()]).toEqual([2, 1, 0]);
});

test("a body that throws deletes nothing", async () => {
  await put(1, 2, 3);
  const thrown = opened.store.write((tx) => {
    expect(tx.lines.clear({})).toBe(3);
    expect(tx.lines.has(3)).toBe(false);
    throw new Error("half-way");
  });
  await expect(thrown).rejects.toThrow("half-way");
  expect(remainingIds()).toEqual([1, 2, 3]);
});

test("rejects range deletion in tables with indexes or a cache", async () => {
  const { store } = opened;
  await expect(store.write((tx) => tx.notes.clear({}))).rejects.toThrow("has indexes");
  await expect(store.write((tx) => tx.people.clear({}))).rejects.toThrow("is kept decoded");
});
