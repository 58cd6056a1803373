/** Files that are no complete database are rejected before they are mapped. */
import { expect, test } from "bun:test";
import { copyFileSync, mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { DataMissing, openStore } from "../../src/store/open.ts";
import {
  checkIsWhole,
  DatabaseCut,
  NotADatabase,
} from "../../src/store/checksums/complete-file.ts";
import { checkStructure } from "../../src/store/structure/check.ts";
import { chanceOf, schema, scratch } from "./sample-schema.ts";

const PAGE_BYTES = 4_096;

/** Creates a database with long texts on pages of their own, and free pages from deletions. */
async function fillStore(rounds: number): Promise<string> {
  const directory = scratch();
  const random = chanceOf(rounds);
  const { store, close } = await openStore(directory, schema, []);
  for (let round = 0; round < rounds; round++) {
    await store.write((tx) => {
      for (let index = 0; index < 40; index++) {
        const id = random.below(400);
        const text = "t".repeat(random.below(3) * random.below(12_000));
        tx.notes.put({ id, author: 1, title: `n${id}`, rank: id, tags: [], text });
        tx.notes.delete(random.below(400));
      }
    });
  }
  await close();
  return directory;
}

test("an intact database passes at every point of its life", async () => {
  const directory = scratch();
  const random = chanceOf(7);
  const { store, close } = await openStore(directory, schema, []);
  for (let round = 0; round < 300; round++) {
    await store.write((tx) => {
      for (let index = 0; index < 10; index++) {
        const id = random.below(60);
        const text = "t".repeat(random.below(2) * random.below(40_000));
        tx.notes.put({ id, author: 1, title: `n${id}`, rank: id, tags: [], text });
        tx.notes.delete(random.below(60));
      }
    });
    checkIsWhole(`${directory}/data.mdb`);
    expect(checkStructure(`${directory}/data.mdb`).faults).toEqual([]);
  }
  await close();
  checkIsWhole(`${directory}/data.mdb`);
  expect(checkStructure(`${directory}/data.mdb`).faults).toEqual([]);
});

test.each([0.999, 0.9, 0.5, 0.1])(
  "a file truncated to %p of its pages is rejected",
  async (part) => {
    const directory = await fillStore(20);
    const path = `${directory}/data.mdb`;
    const pages = statSync(path).size / PAGE_BYTES;
    const copyPath = `${directory}/whole`;
    copyFileSync(path, copyPath);
    // The last pages may be free, so a file without them may still be complete.
    for (let pageCount = Math.floor(pages * part); pageCount > pages * part - 5; pageCount--) {
      copyFileSync(copyPath, path);
      truncateSync(path, pageCount * PAGE_BYTES);
      const result = await openStore(directory, schema, []).catch((error: unknown) => error);
      if (result instanceof DatabaseCut) return;
      const { store, close } = result as Awaited<ReturnType<typeof openStore<typeof schema>>>;
      expect([...store.reading.notes.range()].length).toBeGreaterThan(0);
      await close();
    }
    throw new Error("no cut was noticed");
  },
);

test.each([1, 100, 5_000])("a file of %p bytes is rejected", async (bytes) => {
  const directory = await fillStore(1);
  truncateSync(`${directory}/data.mdb`, bytes);
  const kinds = [DatabaseCut, NotADatabase];
  const opening = await openStore(directory, schema, []).catch((error: unknown) => error);
  expect(kinds.some((kind) => opening instanceof kind)).toBe(true);
});

test("rejects an empty or missing file where there was an organization", async () => {
  const directory = await fillStore(1);
  truncateSync(`${directory}/data.mdb`, 0);
  await expect(openStore(directory, schema, [])).rejects.toThrow(DataMissing);
  rmSync(`${directory}/data.mdb`);
  await expect(openStore(directory, schema, [])).rejects.toThrow(DataMissing);
  const other = scratch();
  mkdirSync(`${other}/uploads/files`, { recursive: true });
  await expect(openStore(other, schema, [])).rejects.toThrow("contains files of an organization");
});

test("accepts a new directory with an uploads disk, and an interrupted start", async () => {
  const directory = scratch();
  mkdirSync(`${directory}/uploads/lost+found`, { recursive: true });
  writeFileSync(`${directory}/data.mdb`, "");
  writeFileSync(`${directory}/lock`, "");
  const { close } = await openStore(directory, schema, []);
  await close();
});
