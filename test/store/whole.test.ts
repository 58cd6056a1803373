/** Files that are no database, or only a part of one, are refused before they are mapped. */
import { expect, test } from "bun:test";
import { copyFileSync, mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { DataMissing, openStore } from "../../src/store/open.ts";
import { checkIsWhole, DatabaseCut, NotADatabase } from "../../src/store/seal/whole.ts";
import { checkStructure } from "../../src/store/structure/check.ts";
import { chanceOf, schema, scratch } from "./sample.ts";

const PAGE_BYTES = 4_096;

/** Long texts lie on pages of their own; what is deleted leaves pages that are free. */
async function filled(rounds: number): Promise<string> {
  const directory = scratch();
  const chance = chanceOf(rounds);
  const { store, close } = await openStore(directory, schema, []);
  for (let round = 0; round < rounds; round++) {
    await store.write((tx) => {
      for (let nth = 0; nth < 40; nth++) {
        const id = chance.below(400);
        const text = "t".repeat(chance.below(3) * chance.below(12_000));
        tx.notes.put({ id, author: 1, title: `n${id}`, rank: id, tags: [], text });
        tx.notes.delete(chance.below(400));
      }
    });
  }
  await close();
  return directory;
}

test("a database that is whole passes at every point of its life", async () => {
  const directory = scratch();
  const chance = chanceOf(7);
  const { store, close } = await openStore(directory, schema, []);
  for (let round = 0; round < 300; round++) {
    await store.write((tx) => {
      for (let nth = 0; nth < 10; nth++) {
        const id = chance.below(60);
        const text = "t".repeat(chance.below(2) * chance.below(40_000));
        tx.notes.put({ id, author: 1, title: `n${id}`, rank: id, tags: [], text });
        tx.notes.delete(chance.below(60));
      }
    });
    checkIsWhole(`${directory}/data.mdb`);
    expect(checkStructure(`${directory}/data.mdb`).faults).toEqual([]);
  }
  await close();
  checkIsWhole(`${directory}/data.mdb`);
  expect(checkStructure(`${directory}/data.mdb`).faults).toEqual([]);
});

test.each([0.999, 0.9, 0.5, 0.1])("a file cut to %p of its pages is refused", async (part) => {
  const directory = await filled(20);
  const path = `${directory}/data.mdb`;
  const pages = statSync(path).size / PAGE_BYTES;
  const whole = `${directory}/whole`;
  copyFileSync(path, whole);
  // The last pages may be free: what is cut off then is missed by nobody.
  for (let kept = Math.floor(pages * part); kept > pages * part - 5; kept--) {
    copyFileSync(whole, path);
    truncateSync(path, kept * PAGE_BYTES);
    const result = await openStore(directory, schema, []).catch((error: unknown) => error);
    if (result instanceof DatabaseCut) return;
    const { store, close } = result as Awaited<ReturnType<typeof openStore<typeof schema>>>;
    expect([...store.reading.notes.range()].length).toBeGreaterThan(0);
    await close();
  }
  throw new Error("no cut was noticed");
});

test.each([1, 100, 5_000])("so is a file of %p bytes", async (bytes) => {
  const directory = await filled(1);
  truncateSync(`${directory}/data.mdb`, bytes);
  const kinds = [DatabaseCut, NotADatabase];
  const refused = await openStore(directory, schema, []).catch((error: unknown) => error);
  expect(kinds.some((kind) => refused instanceof kind)).toBe(true);
});

test("an empty file, or none, is refused where there was an organization", async () => {
  const directory = await filled(1);
  truncateSync(`${directory}/data.mdb`, 0);
  await expect(openStore(directory, schema, [])).rejects.toThrow(DataMissing);
  rmSync(`${directory}/data.mdb`);
  await expect(openStore(directory, schema, [])).rejects.toThrow(DataMissing);
  const other = scratch();
  mkdirSync(`${other}/uploads/files`, { recursive: true });
  await expect(openStore(other, schema, [])).rejects.toThrow("has files of an organization");
});

test("a new directory may have an empty disk for uploads, and a start cut short", async () => {
  const directory = scratch();
  mkdirSync(`${directory}/uploads/lost+found`, { recursive: true });
  writeFileSync(`${directory}/data.mdb`, "");
  writeFileSync(`${directory}/lock`, "");
  const { close } = await openStore(directory, schema, []);
  await close();
});
