// Errors of the disk in the commit log: no commit is lost, and no rejected one exists.
import { afterEach, expect, mock, test } from "bun:test";
import * as fs from "node:fs";
import { join } from "node:path";
import { scratch } from "./sample-schema.ts";

type Written = (error: Error | null, bytes?: number) => void;

/** The next writes to the log fail after half of the bytes, or after all of them. */
let failing: "half" | "whole" = "half";
let failures = 0;
const realWrite = fs.write as (...args: unknown[]) => void;

function write(
  file: number,
  bytes: Uint8Array,
  from: number,
  length: number,
  at: number,
  done: Written,
) {
  if (failures === 0) return realWrite(file, bytes, from, length, at, done);
  failures--;
  const written = failing === "half" ? length >> 1 : length;
  const error = Object.assign(new Error("EIO: i/o error, write"), { code: "EIO" });
  realWrite(file, bytes, from, written, at, () => done(error));
}

await mock.module("node:fs", () => ({ ...fs, write }));
afterEach(() => (failures = 0));

function failWrites(kind: typeof failing, count: number): void {
  failing = kind;
  failures = count;
}

const { bitmap, table } = await import("../../src/store/declare.ts");
const { CommitFailed, StoreLost } = await import("../../src/store/commits.ts");
const { openStore } = await import("../../src/store/open.ts");

interface Note {
  id: number;
  text: string;
}

const schema = {
  tables: {
    notes: table<Note>()({
      prefix: 10,
      journaled: true,
      key: ["id"],
      fields: ["id", "text"],
      indexes: {},
    }),
  },
  bitmaps: { marks: bitmap(20) },
};
const LOG = "data.mdb-log";

const open = (directory: string) => openStore(directory, schema, []);
type Opened = Awaited<ReturnType<typeof open>>;

const put = ({ store }: Opened, id: number) =>
  store.write((tx) => tx.notes.put({ id, text: `note ${id}` }));
const isInLog = (directory: string, id: number) => {
  const path = join(directory, LOG);
  return fs.existsSync(path) && fs.readFileSync(path).includes(`note ${id}`);
};

/** A store with a log in use, and the number of its notes. */
async function withLog(): Promise<{ directory: string; opened: Opened; count: number }> {
  const directory = scratch();
  const opened = await open(directory);
  for (let count = 1; ; count++) {
    await put(opened, count);
    if (isInLog(directory, count)) return { directory, opened, count };
  }
}

/** The notes in a copy of the files, as after a crash. */
async function notesAfterCrash(directory: string): Promise<number[]> {
  const copy = scratch();
  for (const name of fs.readdirSync(directory).filter((file) => file !== "lock")) {
    fs.cpSync(join(directory, name), join(copy, name), { recursive: true });
  }
  const opened = await open(copy);
  const notes = [...opened.store.reading.notes.range()].map(({ id }) => id);
  await opened.close();
  return notes;
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test.each(["half", "whole"] as const)(
  "the database stores a commit whose record was written %s",
  async (kind) => {
    const { directory, opened, count } = await withLog();
    failWrites(kind, 1);
    await put(opened, count + 1);
    expect(failures).toBe(0);
    expect(await notesAfterCrash(directory)).toEqual(numbersTo(count + 1));
    // The log is used again after a pause.
    await put(opened, count + 2);
    expect(isInLog(directory, count + 2)).toBe(false);
    for (let seconds = 0; seconds < 60; seconds++) opened.store.tick();
    await put(opened, count + 3);
    expect(isInLog(directory, count + 3)).toBe(true);
    expect(await notesAfterCrash(directory)).toEqual(numbersTo(count + 3));
    await opened.close();
  },
);

/** Lets transactions of the database fail. Returns the function that ends this. */
function failTransactions({ store }: Opened): () => void {
  const commits = store.commits as unknown as { transact: (puts: () => void) => Promise<void> };
  const { transact } = commits;
  commits.transact = () => Promise.reject(new Error("no transaction"));
  return () => (commits.transact = transact);
}

test.each(["half", "whole"] as const)(
  "a rejected commit whose record was written %s does not exist after a crash",
  async (kind) => {
    const { directory, opened, count } = await withLog();
    const restore = failTransactions(opened);
    failWrites(kind, 1);
    await expect(put(opened, count + 1)).rejects.toThrow(CommitFailed);
    expect(await notesAfterCrash(directory)).toEqual(numbersTo(count));
    restore();
    await put(opened, count + 2);
    expect(await notesAfterCrash(directory)).toEqual([...numbersTo(count), count + 2]);
    await opened.close();
  },
);

test("no write is possible if a record cannot be removed", async () => {
  const { opened, count } = await withLog();
  failTransactions(opened);
  failWrites("whole", Infinity);
  await expect(put(opened, count + 1)).rejects.toThrow(StoreLost);
  await expect(put(opened, count + 2)).rejects.toThrow(StoreLost);
  await opened.store.leave();
});
