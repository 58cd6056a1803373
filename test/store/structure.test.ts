/** Damaged database files are rejected with an error or served completely, without a crash. */
import { afterAll, expect, test } from "bun:test";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compactDatabase } from "../../src/store/copy/compact.ts";
import { openStore } from "../../src/store/open.ts";
import { checkStructure } from "../../src/store/structure/check.ts";
import { countOf } from "../repetitions.ts";
import { ProcessOutput } from "../process-output.ts";
import { SEED } from "../random.ts";
import { imageOf, PAGE_BYTES } from "./damaged-images.ts";
import type { OpenResult } from "./damaged-images-child.ts";
import { chanceOf, schema, scratch } from "./sample-schema.ts";

const CHILD = [process.execPath, join(import.meta.dir, "damaged-images-child.ts")];
const IMAGES = countOf("damaged_images");

/** Creates trees of several levels, long values and free pages; also returns an earlier file. */
async function fillStore(): Promise<{ directory: string; bytes: Buffer; earlier: Buffer }> {
  const directory = scratch();
  const random = chanceOf(SEED);
  let earlier = Buffer.alloc(0);
  for (let round = 0; round < 2; round++) {
    const { store, close } = await openStore(directory, schema, []);
    for (let index = 0; index < 40; index++) {
      await store.write((tx) => {
        for (let n = 0; n < 30; n++) {
          const id = random.below(1_500);
          const text = "t".repeat(random.once(9) ? random.below(9_000) : random.below(200));
          const author = id % 7;
          tx.notes.put({ id, author, title: `n${id}`, rank: id % 5, tags: ["a"], text });
          tx.seen.add([author], id);
          tx.words.put({ author, word: `w${id % 90}`, times: id, code: 0 });
        }
        for (let n = 0; n < 8; n++) tx.notes.delete(random.below(1_500));
        tx.people.put({ id: index, name: `p${index}`, team: round, boss: null });
      });
    }
    await close();
    if (round === 0) earlier = readFileSync(`${directory}/data.mdb`);
  }
  return { directory, bytes: readFileSync(`${directory}/data.mdb`), earlier };
}

const children: Bun.Subprocess[] = [];
afterAll(() => children.forEach((child) => child.kill("SIGKILL")));

/** A process that opens directories; it is replaced if it dies. */
class OpenerProcess {
  private child = this.spawnChild();
  private readonly readLines = () => ProcessOutput.from(this.child.stdout).lines();
  private printed = this.readLines();

  async open(directory: string): Promise<OpenResult | { died: string }> {
    void this.child.stdin.write(`${directory}\n`);
    await this.child.stdin.flush();
    const { value, done } = await this.printed.next();
    if (!done) return JSON.parse(value) as OpenResult;
    await this.child.exited;
    const died = `exit ${this.child.exitCode}, signal ${this.child.signalCode}`;
    this.child = this.spawnChild();
    this.printed = this.readLines();
    return { died };
  }

  private spawnChild() {
    const child = Bun.spawn(CHILD, { stdin: "pipe", stdout: "pipe", stderr: "ignore" });
    children.push(child);
    return child;
  }
}

test(`${IMAGES} damaged images are rejected, reported, or served completely`, async () => {
  const { directory, bytes: full, earlier } = await fillStore();
  const opener = new OpenerProcess();
  const sound = (await opener.open(directory)) as OpenResult;
  expect(sound).toMatchObject({ damage: [], read: sound.again });
  const copy = scratch();
  copyFileSync(`${directory}/secrets`, `${copy}/secrets`);
  writeFileSync(`${copy}/data.mdb`, earlier);
  const soundEarlier = (await opener.open(copy)) as OpenResult;
  expect(soundEarlier).toMatchObject({ damage: [], read: soundEarlier.again });
  // A copy that began earlier may have all pages of that time.
  const complete = [sound.read, soundEarlier.read];
  const random = chanceOf(SEED + 1);
  const faults: string[] = [];
  const outcomes = { refused: 0, told: 0, whole: 0 };
  for (let index = 0; index < IMAGES; index++) {
    const { what, bytes } = imageOf(full, earlier, index, random);
    rmSync(`${copy}/data.mdb-lock`, { force: true });
    copyFileSync(`${directory}/secrets`, `${copy}/secrets`);
    writeFileSync(`${copy}/data.mdb`, bytes);
    const opened = await opener.open(copy);
    if ("died" in opened) faults.push(`${what}: ${opened.died}`);
    else if (opened.refused !== undefined) {
      outcomes.refused++;
      if (!SENTENCES.test(opened.refused)) faults.push(`${what}: ${opened.refused}`);
    } else if (opened.damage!.length > 0) outcomes.told++;
    else if (complete.includes(opened.read) && opened.again === opened.read) outcomes.whole++;
    else faults.push(`${what}: silently ${opened.read} then ${opened.again}`);
  }
  expect(faults).toEqual([]);
  expect(outcomes.refused).toBeGreaterThan(IMAGES / 4);
  expect(outcomes.whole).toBeGreaterThan(0);
});

const SENTENCES =
  /^(DatabaseDamaged|Error|RowDamaged): .*(is damaged|is truncated|not a database|but no database)/;

async function examinedAt(directory: string) {
  const { close, examined } = await openStore(directory, schema, []);
  await close();
  return examined;
}

test("checks the data after a copy or a foreign write, not after a clean stop", async () => {
  const { directory, bytes: full } = await fillStore();
  const path = `${directory}/data.mdb`;
  const checked = { damage: [], skipped: undefined };
  expect(await examinedAt(directory)).toBeUndefined();
  writeFileSync(path, full);
  expect(await examinedAt(directory)).toEqual(checked);
  expect(await examinedAt(directory)).toBeUndefined();
  rmSync(path);
  writeFileSync(path, full);
  expect(await examinedAt(directory)).toEqual(checked);
  rmSync(`${directory}/data.mdb-clean`);
  expect(await examinedAt(directory)).toEqual(checked);
});

test("finds a compacted file intact, before and after the next commits", async () => {
  const { directory } = await fillStore();
  await compactDatabase(`${directory}/data.mdb`, schema);
  for (let index = 0; index < 3; index++) {
    rmSync(`${directory}/data.mdb-clean`, { force: true });
    const { store, close, examined } = await openStore(directory, schema, []);
    expect(examined).toEqual({ damage: [], skipped: undefined });
    if (index > 0) await store.write((tx) => tx.notes.delete(index));
    await close();
  }
});

test("checks branches of a large file first, and reports skipped pages", async () => {
  const { directory, bytes: full } = await fillStore();
  const path = `${directory}/data.mdb`;
  const limits = (pages_max: number) => ({ pages_max, ms_max: 1_000, now: () => 0 });
  const { faults, skipped_pages } = checkStructure(path, limits(10));
  expect(faults).toEqual([]);
  expect(skipped_pages).toBeGreaterThan(10);
  expect(checkStructure(path, limits(10_000)).skipped_pages).toBe(0);
  let time = 0;
  const lateOptions = { pages_max: 10_000, ms_max: 5, now: () => time++ };
  expect(checkStructure(path, lateOptions).skipped_pages).toBeGreaterThan(10);
  const BRANCH = 1;
  for (let offset = 2 * PAGE_BYTES; offset < full.length; offset += PAGE_BYTES) {
    if (full.readUInt16LE(offset + 18) === BRANCH) full.fill(0, offset, offset + PAGE_BYTES);
  }
  writeFileSync(path, full);
  expect(checkStructure(path, limits(0)).faults.length).toBeGreaterThan(0);
});
