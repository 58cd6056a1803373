// Sets with changes in the journal are complete after a crash at any step of a fold.
import { expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ascending } from "../../src/store/bitmap/bitmap.ts";
import { changesBetween, isChanges, withChanges } from "../../src/store/bitmap/changes.ts";
import { decodeChunk, withOffset, withoutOffset } from "../../src/store/bitmap/encodings.ts";
import { mergeLog } from "../../src/store/journal/merge-log.ts";
import { openReading } from "../../src/store/copy/read-only.ts";
import { walkDatabase } from "../../src/store/copy/walk.ts";
import { bitmap } from "../../src/store/declare.ts";
import { environment } from "../../src/store/environment.ts";
import { openStore } from "../../src/store/open.ts";
import { SEED } from "../random.ts";
import { chanceOf, scratch } from "./sample-schema.ts";

const schema = { tables: {}, bitmaps: { marks: bitmap(20) } };
const DATA = "data.mdb";
const CHUNK = 4_096;
/** The journal folds from 2,048 commits on, in one step after each of the following commits. */
const FOLDING = { from: 2_040, to: 2_075 };
const SETS = 700;

type RandomSource = ReturnType<typeof chanceOf>;

/** Adds or removes some ids of some sets; half of the sets rarely change. */
function change(random: RandomSource, model: Map<number, Set<number>>) {
  const steps = Array.from({ length: 1 + random.below(4) }, () => {
    const set = random.below(random.below(2) === 0 ? SETS : 5);
    const ids = model.get(set) ?? new Set();
    model.set(set, ids);
    const memberId = [...ids][random.below(ids.size + 1)];
    const isRemoved = memberId !== undefined && random.below(3) === 0;
    const id = isRemoved ? memberId : random.below(CHUNK);
    if (isRemoved) ids.delete(id);
    else ids.add(id);
    return { set, id, isRemoved };
  });
  return steps;
}

test("holds each set as it was committed, at each moment of a fold", async () => {
  const random = chanceOf(SEED);
  const [directory, copies] = [scratch(), scratch()];
  const { store, close } = await openStore(directory, schema, []);
  const model = new Map<number, Set<number>>();
  // Sets are so large that the journal contains only their changes.
  await store.write((tx) => {
    for (let set = 0; set < SETS; set++) {
      const ids = Array.from({ length: 30 }, () => random.below(CHUNK));
      model.set(set, new Set(ids));
      for (const id of ids) tx.marks.add([set], id);
    }
  });
  for (let commit = 1; commit < FOLDING.to; commit++) {
    const steps = change(random, model);
    await store.write((tx) => {
      for (const { set, id, isRemoved } of steps) {
        if (isRemoved) tx.marks.remove([set], id);
        else tx.marks.add([set], id);
      }
    });
    if (commit < FOLDING.from) continue;
    await store.settled();
    // Copies the directory in the state that a crash would leave.
    const copy = join(copies, `${commit}`);
    mkdirSync(copy);
    await copyCrashed(directory, copy);
    const { damage } = await walkDatabase(join(copy, DATA), schema);
    expect(damage).toEqual([]);
    const read = openReading(join(copy, DATA), schema);
    for (const [set, ids] of model) {
      const offsets = ascending(decodeChunk(read.tables.marks.chunk([set], 0)), 0);
      if (ids.isSubsetOf(new Set(offsets)) && offsets.length === ids.size) continue;
      expect(offsets, `set ${set} after commit ${commit}`).toEqual([...ids].sort((a, b) => a - b));
    }
    await read.close();
  }
  await close();
});

/** Copies what a crash would leave, as a start would read it. */
async function copyCrashed(directory: string, copy: string): Promise<void> {
  for (const name of readdirSync(directory).filter((file) => file.startsWith(DATA)))
    cpSync(join(directory, name), join(copy, name));
  const db = environment(join(copy, DATA));
  mergeLog(db, join(copy, `${DATA}-log`));
  await db.close();
}

test("lists few changes, and stores the record where that is as short", () => {
  let record: Uint8Array | undefined;
  for (let id = 0; id < 100; id++) record = withOffset(record, id * 3);
  const longRecord = withOffset(withoutOffset(record, 30), 4_095);
  const changes = changesBetween(record!, longRecord)!;
  expect([...changes]).toEqual([4, 30, 16, 255, 15]);
  expect(isChanges(changes)).toBe(true);
  expect([...changesBetween(record!, withOffset(record, 4_000))!]).toEqual([4, 160, 15]);
  expect(withChanges(record!, changes)).toEqual(longRecord);
  // A fold may have moved the row already, and a later row may have been moved.
  expect(withChanges(longRecord, changes)).toEqual(longRecord);
  expect(changesBetween(withOffset(undefined, 1), withOffset(undefined, 2))).toBeUndefined();
  let longestRecord = record!;
  for (let id = 0; id < 17; id++) longestRecord = withOffset(longestRecord, 1_000 + id * 2);
  expect(changesBetween(record!, longestRecord)).toBeUndefined();
});
