/** A damaged page of an open database fails only the reads that need it. */
import { expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { table } from "../../src/store/declare.ts";
import { openStore } from "../../src/store/open.ts";
import { scratch } from "./sample-schema.ts";

interface Line {
  id: number;
  text: string;
}

const PAGE_BYTES = 4_096;
const ROWS = 2_000;
const TEXT = "x".repeat(200);
const MARKER = "damaged";

const lines = table<Line>()({ prefix: 30, key: ["id"], fields: ["id", "text"], indexes: {} });
const schema = { tables: { lines }, bitmaps: {} };

/** Opens a store in which the pages of the last rows are zero. */
async function openDamaged() {
  const directory = scratch();
  const { store, close } = await openStore(directory, schema, []);
  await store.write((tx) => {
    for (let id = 1; id <= ROWS; id++) {
      tx.lines.put({ id, text: id > ROWS - 100 ? MARKER + TEXT : TEXT });
    }
  });
  const path = `${directory}/data.mdb`;
  const bytes = readFileSync(path);
  const file = openSync(path, "r+");
  const zeros = Buffer.alloc(PAGE_BYTES);
  for (let at = bytes.indexOf(MARKER); at !== -1; at = bytes.indexOf(MARKER, at + 1)) {
    writeSync(file, zeros, 0, PAGE_BYTES, at - (at % PAGE_BYTES));
  }
  closeSync(file);
  return { store, close };
}

test("a read of a damaged page fails, and later ones of others succeed", async () => {
  const { store, close } = await openDamaged();
  const { lines: read } = store.reading;
  for (let round = 0; round < 3; round++) {
    expect(() => read.get(ROWS)).toThrow();
    expect(read.get(1)?.text).toBe(TEXT);
    expect(() => [...read.range({ from: [ROWS] })]).toThrow();
    expect([...read.range({ limit: 3 })]).toHaveLength(3);
  }
  await close();
});

test("so do those after a read within a range, and while another range is open", async () => {
  const { store, close } = await openDamaged();
  const { lines: read } = store.reading;
  const open = read.range()[Symbol.iterator]();
  expect(open.next().value.id).toBe(1);
  const readWithin = () => {
    for (const { id } of read.range()) if (id === 2) read.get(ROWS);
  };
  for (let round = 0; round < 3; round++) {
    expect(readWithin).toThrow();
    expect(read.get(3)?.text).toBe(TEXT);
  }
  open.return?.();
  expect(read.get(4)?.text).toBe(TEXT);
  await store.write((tx) => tx.lines.put({ id: 5, text: "written" }));
  expect(read.get(5)?.text).toBe("written");
  await close();
  expect(() => read.get(1)).toThrow("the store is closed");
});
