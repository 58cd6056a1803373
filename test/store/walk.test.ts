/** The database check finds wrong rows even if their checksums match. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { codecOf } from "../../src/store/codec.ts";
import { walkDatabase } from "../../src/store/copy/walk.ts";
import { keyOf } from "../../src/store/key.ts";
import { openStore } from "../../src/store/open.ts";
import { sealed } from "../../src/store/checksums/checksum.ts";
import { schema, scratch } from "./sample-schema.ts";
import { rawDatabase } from "./without-checksums.ts";

const { people, notes } = schema.tables;
const person = (id: number) => ({ id, name: `p${id}`, team: 1, boss: null });
const note = (id: number) => ({ id, author: 1, title: `n${id}`, rank: id, tags: [], text: "t" });

test("finds misplaced, truncated and duplicated records, and counts the rest", async () => {
  const directory = scratch();
  const { store, close } = await openStore(directory, schema, []);
  await store.write((tx) => {
    for (const id of [1, 2, 3]) tx.people.put(person(id));
    for (const id of [1, 2]) tx.notes.put(note(id));
  });
  await close();
  const path = join(directory, "data.mdb");
  expect(await walkDatabase(path, schema)).toMatchObject({
    counts: { people: 3, notes: 2 },
    damage: [],
  });

  const codec = codecOf<object>(people.fields);
  const full = codec.encode(person(5));
  const db = rawDatabase(directory);
  await db.transaction(() => {
    const put = (offset: number, bytes: Uint8Array) =>
      void db.put(keyOf(people.prefix, [offset]), sealed(bytes));
    put(4, codec.encode(person(2)));
    put(5, full.subarray(0, full.length - 1));
    put(6, Buffer.concat([codec.encode(person(6)), codec.encode(person(6))]));
    put(7, codec.encode({ ...person(7), id: "seven" }));
    void db.remove(keyOf(notes.indexes.rank.prefix!, [2]) + keyOf(notes.prefix, [2]).slice(1));
  });
  await db.close();
  const { counts, damage } = await walkDatabase(path, schema);
  expect(counts).toEqual({ people: 3, notes: 2 });
  expect(damage).toHaveLength(5);
  expect(damage[0]).toBe("people 4 is in the place of another record");
  expect(damage[1]).toStartWith("people 5 ");
  expect(damage[2]).toStartWith("people 6 ");
  expect(damage[3]).toBe("people 7 is in the place of another record");
  expect(damage[4]).toBe("notes 2 is not found by rank");
});
