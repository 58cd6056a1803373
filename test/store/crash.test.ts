/** Kills and full disks lose no acknowledged write, and leave none half done. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { ascending } from "../../src/store/bitmap/bitmap.ts";
import { decodeChunk } from "../../src/store/bitmap/encodings.ts";
import type { BitmapReader, Key } from "../../src/store/declare.ts";
import { openStore } from "../../src/store/open.ts";
import type { Store } from "../../src/store/store.ts";
import { countOf } from "../repetitions.ts";
import { ProcessOutput } from "../process-output.ts";
import { SEED } from "../random.ts";
import { compareOnDisk } from "./compare-with-model.ts";
import { Model, type Row } from "./model.ts";
import { chanceOf, type Sample, schema, scratch } from "./sample-schema.ts";

const ROUNDS = countOf("store_kills");
const AUTHORS = [0, 1, 2, 3, 4, 5, 6];
const FILE_LIMIT_KIB = 400;
const CHILD = [process.execPath, join(import.meta.dir, "crash-child.ts")];

const children: Bun.Subprocess[] = [];
afterAll(() => children.forEach((child) => child.kill("SIGKILL")));

test(`${ROUNDS} kills at random moments`, async () => {
  const directory = scratch();
  const random = chanceOf(SEED);
  const acknowledged = new Set<number>();
  let checked = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const child = Bun.spawn([...CHILD, "hammer", directory], { stdout: "pipe" });
    children.push(child);
    const ids = ProcessOutput.from(child.stdout).lines();
    const first = await ids.next();
    expect(first.done).toBe(false);
    await Bun.sleep(random.below(60));
    child.kill("SIGKILL");
    const before = acknowledged.size;
    acknowledged.add(Number(first.value));
    for await (const line of ids) acknowledged.add(Number(line));
    expect(acknowledged.size).toBeGreaterThan(before);

    const { store, close, examined } = await openStore(directory, schema, []);
    expect(examined).toEqual({ damage: [], skipped: undefined });
    for (const id of acknowledged) if (id > checked) expect(store.reading.notes.has(id)).toBe(true);
    checked = comparePrefix(store, checked);
    await close();
  }
  await compareWholeStore(directory, acknowledged);
});

test.skipIf(process.platform !== "linux")(
  "a full disk rejects writes until there is space",
  async () => {
    const directory = scratch();
    const script = `trap "" XFSZ; ulimit -S -f ${FILE_LIMIT_KIB}; exec "$@"`;
    const child = Bun.spawn(["bash", "-c", script, "-", ...CHILD, "fill", directory], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
    children.push(child);
    const lines = ProcessOutput.from(child.stdout).lines();
    const acknowledged = new Set<number>();
    const nextOutcome = async () => {
      for (;;) {
        const { value: line, done } = await lines.next();
        if (done) throw new Error("the process died of the full disk");
        if (!/^\d+$/.test(line)) return line.split(" ");
        acknowledged.add(Number(line));
      }
    };
    const repeat = () => {
      void child.stdin.write("again\n");
      return nextOutcome();
    };

    // Reads continue, the state persists, and a number that could not be reserved is not durable.
    expect(await nextOutcome()).toEqual(["CommitFailed", "5", `${acknowledged.size}`, "7", "true"]);
    expect(await repeat()).toEqual(["CommitFailed", "5", `${acknowledged.size}`, "7", "true"]);
    const before = acknowledged.size;

    Bun.spawnSync(["prlimit", `--pid=${child.pid}`, "--fsize=unlimited"]);
    expect(await repeat()).toEqual(["room", "0", `${acknowledged.size}`, "7", "true"]);
    expect(acknowledged.size).toBe(before + 155);
    child.kill("SIGKILL");
    await child.exited;

    const { store, close } = await openStore(directory, schema, []);
    comparePrefix(store, 0);
    expect(store.last("raised")).toBe(3);
    await close();
    await compareWholeStore(directory, acknowledged, ["raised"]);
  },
);

/**
 * Checks that each write after the note `checked` is complete or absent; returns the newest note.
 */
function comparePrefix(store: Store<Sample>, checked: number): number {
  const { notes, words, people, seen, starred } = store.reading;
  const ids: number[] = [];
  for (const { id, author, tags } of notes.range({ from: [checked + 1] })) {
    ids.push(id);
    expect(notes.listBy("title", author, `t${id}`).map((note) => note.id)).toEqual([id]);
    expect([...notes.scanIndex("rank", [id % 5], { from: [id], limit: 1 })][0]?.id).toBe(id);
    for (const tag of tags) {
      expect([...notes.scanIndex("tag", [tag, author], { from: [id], limit: 1 })][0]?.id).toBe(id);
    }
  }
  const newest = ids.at(-1) ?? checked;
  const bits = AUTHORS.flatMap((author) => idsOf(seen, [author], checked));
  expect(bits.sort((a, b) => a - b)).toEqual(ids);
  expect(AUTHORS.flatMap((author) => idsOf(starred, [author, 1], checked)).length).toBe(ids.length);
  const counts = AUTHORS.map((author) => words.get(author, "written")?.times ?? 0);
  expect(counts.reduce((sum, times) => sum + times)).toBe(notes.count());
  const last = Math.max(...[...people.range()].map(({ name }) => Number(name.split(" ")[1])));
  expect(last).toBe(newest);
  expect(store.last("notes")).toBe(newest);
  return newest;
}

function idsOf(bitmap: BitmapReader, key: Key, above: number): number[] {
  const chunks = [...bitmap.chunks(key, { from: Math.floor(above / 4096) })];
  const ids = chunks.flatMap((n) => ascending(decodeChunk(bitmap.chunk(key, n)), n * 4096));
  return ids.filter((id) => id > above);
}

/** Checks that all data on disk follows from the notes, and that all acknowledged notes exist. */
async function compareWholeStore(
  directory: string,
  acknowledged: Set<number>,
  raised: string[] = [],
) {
  const { store, close } = await openStore(directory, schema, []);
  const model = new Model();
  for (const note of store.reading.notes.range()) {
    model.put("notes", note as unknown as Row);
    model.add("seen", [note.author], note.id);
    model.add("starred", [note.author, 1], note.id);
  }
  for (const word of store.reading.words.range()) model.put("words", word as unknown as Row);
  for (const person of store.reading.people.range()) model.put("people", person as unknown as Row);
  await close();
  for (const id of acknowledged) expect(model.get("notes", [id])).toBeDefined();
  await compareOnDisk(directory, model, ["notes", ...raised]);
}
