/** Directories of older versions are migrated, those of newer ones rejected. */
import { expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { keyOf } from "../../src/store/key.ts";
import { DirectoryTooNew, type Migration } from "../../src/store/format/migrate.ts";
import { openStore } from "../../src/store/open.ts";
import { schema, scratch } from "./sample-schema.ts";
import { writeOldFormat } from "./without-checksums.ts";

const word = (user_id: number) => ({ author: user_id, word: "w", times: user_id, code: 0 });
const keyOfWord = (user_id: number) => keyOf(schema.tables.words.prefix, [user_id, "w"]);

/** Moves the row of one word to another user. */
const moveMigration = (to: number, from: number, addend: number): Migration => ({
  to,
  run(db) {
    const bytes = db.getBinary(keyOfWord(from));
    if (!bytes) throw new Error(`nothing at ${from}`);
    void db.remove(keyOfWord(from));
    void db.put(keyOfWord(addend), bytes);
  },
});

async function openMigrated(directory: string, migrations: Migration[]) {
  const { store, close } = await openStore(directory, schema, migrations);
  const counts = [...store.reading.words.range()].map(({ times }) => times);
  const at = [1, 2, 3, 4].filter((user_id) => store.reading.words.has(user_id, "w"));
  await close();
  return { found: counts, at };
}

async function createFirstVersion(): Promise<string> {
  const directory = scratch();
  const { store, close } = await openStore(directory, schema, []);
  await store.write((tx) => tx.words.put(word(1)));
  await close();
  return directory;
}

test("an older directory runs missing migrations, once, in order of versions", async () => {
  const directory = await createFirstVersion();
  const steps = [moveMigration(3, 2, 3), moveMigration(2, 1, 2)];
  expect(await openMigrated(directory, steps)).toEqual({ found: [1], at: [3] });
  expect(await openMigrated(directory, steps)).toEqual({ found: [1], at: [3] });
  expect(await openMigrated(directory, [...steps, moveMigration(4, 3, 4)])).toEqual({
    found: [1],
    at: [4],
  });
});

test("a new directory needs none", async () => {
  const directory = scratch();
  expect(await openMigrated(directory, [moveMigration(2, 1, 2)])).toEqual({ found: [], at: [] });
  expect(await openMigrated(directory, [moveMigration(2, 1, 2)])).toEqual({ found: [], at: [] });
});

test("a migration that throws leaves the directory in the old version", async () => {
  const directory = await createFirstVersion();
  const failing = [moveMigration(2, 1, 2), moveMigration(3, 9, 4)];
  await expect(openMigrated(directory, failing)).rejects.toThrow("nothing at 9");
  expect(await openMigrated(directory, [])).toEqual({ found: [1], at: [1] });
  expect(await openMigrated(directory, [moveMigration(2, 1, 2)])).toEqual({ found: [1], at: [2] });
});

test("rejects a newer directory untouched, with a message, and unlocks it", async () => {
  const directory = await createFirstVersion();
  await openMigrated(directory, [moveMigration(2, 1, 2)]);
  const opening = await openMigrated(directory, []).catch((error) => error);
  expect(opening).toBeInstanceOf(DirectoryTooNew);
  expect(opening.message).toContain("written by a newer version of Skein (format 2)");
  expect(opening.message).toContain("formats up to 1");
  expect(await openMigrated(directory, [moveMigration(2, 1, 2)])).toEqual({ found: [1], at: [2] });
});

test("creates the directory and its files readable only for their owner", async () => {
  const directory = `${scratch()}/a/b`;
  await openMigrated(directory, []);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  const files = readdirSync(directory).sort();
  expect(files).toEqual(["data.mdb", "data.mdb-clean", "data.mdb-lock", "lock", "secrets"]);
  for (const file of files) expect(statSync(`${directory}/${file}`).mode & 0o777).toBe(0o600);
});

test("an invalid format number is damage, and nothing is migrated", async () => {
  const directory = await createFirstVersion();
  await writeOldFormat(directory, 0, () => {});
  const opening = openMigrated(directory, [moveMigration(2, 1, 2)]);
  await expect(opening).rejects.toThrow("the number of the data's format is damaged on the disk");
});
