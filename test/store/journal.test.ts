/** Journal entries are read like other rows, and later moved to their own place. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ascending } from "../../src/store/bitmap/bitmap.ts";
import { decodeChunk } from "../../src/store/bitmap/encodings.ts";
import { bitmap, table } from "../../src/store/declare.ts";
import { openStore } from "../../src/store/open.ts";
import { countOf } from "../repetitions.ts";

interface Note {
  id: number;
  words: string;
}

const schema = {
  tables: {
    notes: table<Note>()({
      prefix: 10,
      journaled: true,
      key: ["id"],
      fields: ["id", "words"],
      indexes: { words: { prefix: 11, of: (note) => [note.words] } },
    }),
  },
  bitmaps: { marks: bitmap(20), tags: bitmap(21) },
};

const directory = mkdtempSync(join(tmpdir(), "skein-journal-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
/** More than the journal holds before it folds. */
const COMMITS = countOf("commits");

test("reads thousands of small commits during a fold, and after reopening", async () => {
  const model = new Map<number, string>();
  const marked = new Set<number>();
  let { store, close } = await openStore(directory, schema, []);
  for (let n = 0; n < COMMITS; n++) {
    const id = (n * 7919) % 700;
    const text = `words ${n % 13}`;
    await store.write((tx) => {
      if (n % 11 === 0) {
        tx.notes.delete(id);
        tx.marks.remove([id % 5], id * 50);
      } else {
        tx.notes.put({ id, words: text });
        tx.marks.add([id % 5], id * 50);
      }
      tx.tags.add([n % 3, n % 4], n);
      store.next("counter");
    });
    if (n % 11 === 0) model.delete(id);
    else model.set(id, text);
    if (n % 11 === 0) marked.delete(id);
    else marked.add(id);
    if (n % 97 === 0) expect(store.reading.notes.get(id)?.words).toBe(model.get(id));
    if (n % 499 === 0) expectEqualToModel(store.reading, model, marked);
  }
  expectEqualToModel(store.reading, model, marked);
  await close();
  ({ store, close } = await openStore(directory, schema, []));
  expectEqualToModel(store.reading, model, marked);
  expect(store.last("counter")).toBe(COMMITS);
  await close();
});

type Reading = Awaited<ReturnType<typeof openStore<typeof schema>>>["store"]["reading"];

function expectEqualToModel(reading: Reading, model: Map<number, string>, marked: Set<number>) {
  const notes = [...reading.notes.range()].map(({ id, words: text }): [number, string] => [
    id,
    text,
  ]);
  expect(notes).toEqual([...model].sort(([a], [b]) => a - b));
  const rows: number[] = [];
  for (let key = 0; key < 5; key++) {
    for (const chunk of reading.marks.chunks([key], { reverse: true })) {
      const ids = ascending(decodeChunk(reading.marks.chunk([key], chunk)), chunk * 4096);
      rows.push(...ids.map((id) => id / 50));
    }
  }
  expect(rows.sort((a, b) => a - b)).toEqual([...marked].sort((a, b) => a - b));
  const value = [...model.values()][0]!;
  const ids = reading.notes.listBy("words", value).map((note) => note.id);
  expect(ids).toEqual(
    [...model]
      .filter(([, w]) => w === value)
      .map(([id]) => id)
      .sort((a, b) => a - b),
  );
}
