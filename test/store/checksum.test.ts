/** Checksums detect damage wherever it is read, and other rows stay readable. */
import { expect, test } from "bun:test";
import { chunkPart, keyOf, partOf } from "../../src/store/key.ts";
import { openStore } from "../../src/store/open.ts";
import { sealRows } from "../../src/store/checksums/add-checksums.ts";
import { RowDamaged, sealed, unsealed } from "../../src/store/checksums/checksum.ts";
import { schema, scratch } from "./sample-schema.ts";
import { writeOldFormat, rawDatabase, rowsUnder } from "./without-checksums.ts";

const { tables, bitmaps } = schema;

test("reads a value back, and rejects flipped bits and short values", () => {
  for (const length of [0, 1, 5, 300, 70_000]) {
    const value = Buffer.alloc(length, "some text");
    const row = sealed(value);
    expect(Buffer.compare(unsealed(row)!, value)).toBe(0);
    for (let bit = 0; bit < row.length * 8; bit += length > 1_000 ? 9_973 : 1) {
      row[bit >>> 3]! ^= 1 << (bit & 7);
      expect(unsealed(row)).toBe(undefined);
      row[bit >>> 3]! ^= 1 << (bit & 7);
    }
    expect(unsealed(row.subarray(0, row.length - 1))).toBe(undefined);
  }
  expect(unsealed(Buffer.alloc(3))).toBe(undefined);
});

const note = (id: number) => ({ id, author: 1, title: `n${id}`, rank: id, tags: [], text: "t" });
const person = (id: number) => ({ id, name: `p${id}`, team: 1, boss: null });

/** Creates a closed store with people and notes 1 to 3, and a set that contains 7. */
async function fillStore(): Promise<string> {
  const directory = scratch();
  const { store, close } = await openStore(directory, schema, []);
  await store.write((tx) => {
    for (const id of [1, 2, 3]) {
      tx.people.put(person(id));
      tx.notes.put(note(id));
    }
    tx.seen.add([1], 7);
  });
  await close();
  return directory;
}

/** Flips a bit of the rows with these keys. */
async function damageRows(directory: string, ...keys: string[]): Promise<void> {
  const db = rawDatabase(directory);
  await db.transaction(() => {
    for (const key of keys) {
      const row = db.getBinary(key)!;
      row[row.length >>> 1]! ^= 4;
      void db.put(key, row);
    }
  });
  await db.close();
}

test("names a damaged record, and reads and writes all others", async () => {
  const directory = await fillStore();
  await damageRows(directory, keyOf(tables.notes.prefix, [2]));
  const { store, close } = await openStore(directory, schema, []);
  const { notes } = store.reading;
  expect(() => notes.get(2)).toThrow(new RowDamaged("notes 2"));
  expect(() => notes.readFields(2)).toThrow(RowDamaged);
  expect(() => [...notes.range()]).toThrow(RowDamaged);
  expect(() => notes.listBy("rank", 2)).toThrow(RowDamaged);
  expect(notes.get(3)).toEqual(note(3));
  const problems: string[] = [];
  const intactRows = [...notes.sound(({ message }) => problems.push(message))];
  expect(intactRows.map(({ id }) => id)).toEqual([1, 3]);
  expect(problems).toEqual(["notes 2 is damaged on the disk"]);
  const writing = store.write((tx) => tx.notes.put({ ...note(2), text: "over it" }));
  await expect(writing).rejects.toThrow(RowDamaged);
  await store.write((tx) => tx.notes.put({ ...note(3), text: "new" }));
  expect(notes.get(3)?.text).toBe("new");
  await close();
});

test("omits a damaged record of a table in memory, and rejects its key", async () => {
  const directory = await fillStore();
  await damageRows(directory, keyOf(tables.people.prefix, [2]));
  const { store, close } = await openStore(directory, schema, []);
  const received: string[] = [];
  store.onDamage = ({ message }) => received.push(message);
  const { people } = store.reading;
  expect([...people.range()].map(({ id }) => id)).toEqual([1, 3]);
  expect(received).toEqual(["people 2 is damaged on the disk"]);
  expect(() => people.get(2)).toThrow(RowDamaged);
  expect(people.get(3)).toEqual(person(3));
  expect(people.get(4)).toBe(undefined);
  await store.write((tx) => tx.people.put(person(2)));
  expect(people.get(2)).toEqual(person(2));
  await close();
});

test("checks pointers and chunks of bitmaps too", async () => {
  const directory = await fillStore();
  const pointer = keyOf(tables.notes.indexes.rank.prefix!, [2]) + partOf(2);
  const chunk = keyOf(bitmaps.seen.prefix, [1]) + chunkPart(0);
  await damageRows(directory, pointer, chunk);
  const { store, close } = await openStore(directory, schema, []);
  expect(() => store.reading.notes.listBy("rank", 2)).toThrow("notes by rank 2 2 is damaged");
  for (const look of [
    () => store.reading.seen.has([1], 7),
    () => store.reading.seen.one([1]).has(7),
    () => store.reading.seen.chunk([1], 0),
    () => [...store.reading.seen.chunks([1])],
  ]) {
    expect(look).toThrow(new RowDamaged("seen 1, chunk 0"));
  }
  await close();
});

test("a damaged row of the journal, or a sequence, prevents opening", async () => {
  const directory = await fillStore();
  const sequence = scratch();
  const { store, close } = await openStore(sequence, schema, []);
  await store.write((tx) => (store.next("words"), tx.people.put(person(1))));
  await close();
  await damageRows(sequence, keyOf(1, ["words"]));
  const opening = openStore(sequence, schema, []);
  await expect(opening).rejects.toThrow('the sequence "words" is damaged on the disk');

  const db = rawDatabase(directory);
  await db.put(keyOf(254, [0]), Buffer.from("nothing like it"));
  await db.close();
  await expect(openStore(directory, schema, [])).rejects.toThrow("row 0 of the journal is damaged");
});

test("adds checksums to all rows of a format without them, once", async () => {
  const directory = await fillStore();
  await writeOldFormat(directory, 3, () => {});
  for (let round = 0; round < 2; round++) {
    const { store, close } = await openStore(directory, schema, [sealRows]);
    expect([...store.reading.notes.range()]).toEqual([1, 2, 3].map(note));
    expect(store.reading.notes.listBy("rank")).toHaveLength(3);
    expect(store.reading.people.count()).toBe(3);
    expect(store.reading.seen.has([1], 7)).toBe(true);
    await close();
  }
});

test("does so for more rows than a batch", async () => {
  const directory = scratch();
  const { store, close } = await openStore(directory, schema, []);
  const words = Array.from({ length: 2_500 }, (_, user_id) => ({
    author: user_id,
    word: "w",
    times: 1,
    code: 0,
  }));
  await store.write((tx) => words.forEach((word) => tx.words.put(word)));
  await close();
  await writeOldFormat(directory, 3, () => {});
  const reopened = await openStore(directory, schema, [sealRows]);
  expect(reopened.store.reading.words.count()).toBe(2_500);
  await reopened.close();
  const db = rawDatabase(directory);
  for (const { value } of rowsUnder(db, tables.words.prefix)) expect(unsealed(value)).toBeDefined();
  await db.close();
});
