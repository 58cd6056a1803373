// The commit log: no crash, copy or damage loses an acknowledged commit silently.
import { expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ascending } from "../../src/store/bitmap/bitmap.ts";
import { decodeChunk } from "../../src/store/bitmap/encodings.ts";
import { LogDamaged } from "../../src/store/journal/log-file.ts";
import { mergeLogOf } from "../../src/store/journal/merge-log.ts";
import { openReading } from "../../src/store/copy/read-only.ts";
import { bitmap, table } from "../../src/store/declare.ts";
import { openStore } from "../../src/store/open.ts";
import { countOf } from "../repetitions.ts";
import { SEED } from "../random.ts";
import { until } from "../wait-until.ts";
import { type RandomChance, chanceOf, scratch } from "./sample-schema.ts";

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
    /** Its rows are not in the journal. */
    plain: table<Note>()({ prefix: 11, key: ["id"], fields: ["id", "text"], indexes: {} }),
  },
  bitmaps: { marks: bitmap(20) },
};

const DATA = "data.mdb";
const LOG = "data.mdb-log";
const NOTES = 50;
/** More than one fold, and many restarts of the log. */
const COMMITS = countOf("logged_commits");
/** Older states are not compared. */
const STATES_KEPT = 100;

const open = (directory: string) => openStore(directory, schema, []);
type Opened = Awaited<ReturnType<typeof open>>;
type Contents = Opened["store"]["reading"];

/** The last commit, all notes and a set, after each commit of a random series. */
class Series {
  private readonly notes = new Map<number, string>();
  private readonly marks = new Set<number>();
  private count = 0;
  /** The state after each number of commits. */
  readonly states: string[] = [this.state()];

  constructor(private readonly random: RandomChance) {}

  /** `isPlain`: the commit also changes a row that is not in the journal. */
  async commit({ store }: Opened, isPlain = this.random.once(100)): Promise<void> {
    const { notes, marks, random } = this;
    this.count++;
    const id = random.below(NOTES);
    const text = "x".repeat(random.below(random.once(50) ? 40_000 : 40)) + this.count;
    const isDeleted = random.once(10);
    await store.write((tx) => {
      if (isDeleted) tx.notes.delete(id);
      else tx.notes.put({ id, text });
      if (isDeleted) tx.marks.remove([1], id);
      else tx.marks.add([1], id);
      if (isPlain) tx.plain.put({ id: 1, text: `${this.count}` });
      store.next("commits");
    });
    if (isDeleted) notes.delete(id);
    else notes.set(id, text);
    if (isDeleted) marks.delete(id);
    else marks.add(id);
    this.states.push(this.state());
    if (this.count >= STATES_KEPT) this.states[this.count - STATES_KEPT] = "";
  }

  private state(): string {
    const notes = [...this.notes].sort(([a], [b]) => a - b);
    return JSON.stringify([this.count, notes, [...this.marks].sort((a, b) => a - b)]);
  }
}

function stateOf({ notes, marks }: Contents, count: number): string {
  const rows = [...notes.range()].map(({ id, text }) => [id, text]);
  return JSON.stringify([count, rows, ascending(decodeChunk(marks.chunk([1], 0)), 0)]);
}

/** Opens a copy of the files, as after a crash, and returns its state. */
async function stateAfterCrash(files: string): Promise<string> {
  const opened = await open(files);
  const state = stateOf(opened.store.reading, opened.store.last("commits"));
  await opened.close();
  return state;
}

/** Copies the files of a directory that is in use, as a crash would leave them. */
function copyFiles(directory: string, to = scratch()): string {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(directory).filter((file) => file !== "lock")) {
    cpSync(join(directory, name), join(to, name), { recursive: true });
  }
  return to;
}

const logOf = (directory: string) => readFileSync(join(directory, LOG));

/** A directory with commits that only its log contains, and the series of its commits. */
async function withLog(
  commits = 20,
): Promise<{ directory: string; series: Series; opened: Opened }> {
  const directory = scratch();
  const series = new Series(chanceOf(SEED));
  const opened = await open(directory);
  await useLog(directory, series, opened);
  // The log restarts after it.
  await series.commit(opened, true);
  for (let n = 0; n < commits; n++) await series.commit(opened, false);
  return { directory, series, opened };
}

/** Commits until the log is in use. */
async function useLog(directory: string, series: Series, opened: Opened): Promise<void> {
  const isUsed = async () => {
    const before = existsSync(join(directory, LOG)) ? logOf(directory) : undefined;
    await series.commit(opened, false);
    return before !== undefined && !before.equals(logOf(directory));
  };
  await until(isUsed);
}

/** Offsets of the records since the log restarted, and of the end. */
function offsetsIn(log: Buffer): number[] {
  const offsets = [16];
  for (let number = log.readUIntLE(36, 6); ; number++) {
    const offset = offsets.at(-1)!;
    const length = log.readUInt32LE(offset);
    if (length === 0 || log.readUIntLE(offset + 20, 6) !== number) return offsets;
    offsets.push(offset + 4 + length);
  }
}

test("a crash at any moment loses no commit", async () => {
  const directory = scratch();
  const random = chanceOf(SEED);
  const series = new Series(random);
  const opened = await open(directory);
  let withCommits = 0;
  for (let n = 0; n < COMMITS; n++) {
    await series.commit(opened);
    if (!random.once(60)) continue;
    const files = copyFiles(directory);
    const without = copyFiles(directory);
    rmSync(join(without, LOG), { force: true });
    expect(await stateAfterCrash(files)).toBe(series.states.at(-1)!);
    const reading = openReading(join(without, DATA), schema);
    if (reading.last("commits") < series.states.length - 1) withCommits++;
    await reading.close();
    rmSync(files, { recursive: true });
    rmSync(without, { recursive: true });
  }
  expect(withCommits).toBeGreaterThan(COMMITS / 60 / 4);
  await opened.close();
  expect(existsSync(join(directory, LOG))).toBe(false);
  expect(await stateAfterCrash(directory)).toBe(series.states.at(-1)!);
});

test("a log that ends within a record has the commits before it", async () => {
  const { directory, series, opened } = await withLog();
  const files = copyFiles(directory);
  await opened.close();
  const log = logOf(files);
  const offsets = offsetsIn(log);
  const first = series.states.length - offsets.length;
  expect(offsets.length).toBeGreaterThan(20);
  const end = offsets.at(-1)!;
  const random = chanceOf(SEED);
  const sizes = [
    ...offsets.flatMap((offset) => [offset - 1, offset, offset + 1]),
    ...Array.from({ length: 100 }, () => 16 + random.below(end - 16)),
    ...Array.from({ length: 200 }, (_, index) => end - index),
  ].filter((size) => size >= 16 && size <= end);
  for (const size of new Set(sizes)) {
    const copy = copyFiles(files);
    // The bytes that were not written are zero, or belong to an older record.
    const rest = Buffer.alloc(log.length - size, size % 2 === 0 ? 0 : "older");
    const cut = Buffer.concat([log.subarray(0, size), rest]);
    writeFileSync(join(copy, LOG), cut);
    // The replaced bytes of a checksum may equal the original ones, since the log's id is random.
    const isWhole = (offset: number) => cut.subarray(0, offset).equals(log.subarray(0, offset));
    const whole = offsets.filter(isWhole).length;
    expect(await stateAfterCrash(copy)).toBe(series.states[first + whole - 1]!);
    rmSync(copy, { recursive: true });
  }
});

test("a last record that is partly written, in any order, is not read", async () => {
  const { directory, series, opened } = await withLog();
  const random = chanceOf(SEED);
  const before = copyFiles(directory);
  await series.commit(opened, false);
  const after = copyFiles(directory);
  await opened.close();
  const [from, to] = offsetsIn(logOf(after)).slice(-2);
  for (let round = 0; round < 40; round++) {
    const copy = copyFiles(after);
    const log = logOf(copy);
    // Not all of its bytes have reached the disk.
    const missing = from! + random.below(to! - from!);
    for (let at = from!; at < to!; at++) {
      if (at === missing || random.once(3)) log[at] = logOf(before)[at]! ^ (at === missing ? 1 : 0);
    }
    writeFileSync(join(copy, LOG), log);
    expect(await stateAfterCrash(copy)).toBe(series.states.at(-2)!);
    rmSync(copy, { recursive: true });
  }
});

test("damage before the last record prevents opening", async () => {
  const { directory, series, opened } = await withLog();
  const random = chanceOf(SEED);
  const files = copyFiles(directory);
  await opened.close();
  const offsets = offsetsIn(logOf(files));
  for (let round = 0; round < 60; round++) {
    const copy = copyFiles(files);
    const log = logOf(copy);
    const at = 16 + random.below(offsets.at(-2)! - 16);
    log[at]! ^= 1 << random.below(8);
    writeFileSync(join(copy, LOG), log);
    await expect(open(copy)).rejects.toThrow(/data\.mdb-log is damaged\. /);
    // Opening has changed nothing, so the data opens with the right log.
    cpSync(join(files, LOG), join(copy, LOG));
    expect(await stateAfterCrash(copy)).toBe(series.states.at(-1)!);
    rmSync(copy, { recursive: true });
  }
});

test("data without its log, or with that of other data, does not open", async () => {
  const [one, other] = [await withLog(), await withLog()];
  const [files, others] = [copyFiles(one.directory), copyFiles(other.directory)];
  await one.opened.close();
  await other.opened.close();
  renameSync(join(files, LOG), join(files, "kept"));
  await expect(open(files)).rejects.toThrow(LogDamaged);
  cpSync(join(others, LOG), join(files, LOG));
  await expect(open(files)).rejects.toThrow(LogDamaged);
  renameSync(join(files, "kept"), join(files, LOG));
  expect(await stateAfterCrash(files)).toBe(one.series.states.at(-1)!);
});

test("a copy is complete without the log, and commits continue in it", async () => {
  const { directory, series, opened } = await withLog();
  const copies = scratch();
  for (let n = 0; n < 10; n++) {
    const path = join(copies, `${n}.mdb`);
    const copied = opened.copyTo(path);
    await series.commit(opened, false);
    await copied;
    const reading = openReading(path, schema);
    const count = reading.last("commits");
    expect(count).toBeGreaterThanOrEqual(series.states.length - 2);
    expect(stateOf(reading.tables, count)).toBe(series.states[count]!);
    await reading.close();
    const restored = scratch();
    cpSync(path, join(restored, DATA));
    expect(await stateAfterCrash(restored)).toBe(series.states[count]!);
    for (let more = 0; more < 5; more++) await series.commit(opened, false);
    expect(await stateAfterCrash(copyFiles(directory))).toBe(series.states.at(-1)!);
  }
  await opened.close();
});

test("merging the log of a closed database completes it", async () => {
  const { directory, series, opened } = await withLog();
  const files = copyFiles(directory);
  await opened.close();
  const log = logOf(files);
  await mergeLogOf(join(files, DATA));
  expect(existsSync(join(files, LOG))).toBe(false);
  const reading = openReading(join(files, DATA), schema);
  expect(stateOf(reading.tables, reading.last("commits"))).toBe(series.states.at(-1)!);
  await reading.close();
  // A log that was merged is not read again.
  writeFileSync(join(files, LOG), log);
  expect(await stateAfterCrash(files)).toBe(series.states.at(-1)!);
});

test("a log that is deleted or replaced while it is in use is given up", async () => {
  const { directory, series, opened } = await withLog();
  for (const isReplaced of [false, true]) {
    rmSync(join(directory, LOG));
    if (isReplaced) writeFileSync(join(directory, LOG), "another file");
    opened.store.tick();
    await opened.store.settled();
    expect(await stateAfterCrash(copyFiles(directory))).toBe(series.states.at(-1)!);
    await series.commit(opened, false);
    expect(await stateAfterCrash(copyFiles(directory))).toBe(series.states.at(-1)!);
    await useLog(directory, series, opened);
  }
  await opened.close();
});
