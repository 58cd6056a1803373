/** The process that the crash tests kill: it writes continuously, or fills the disk. */
import { writeSync } from "node:fs";
import { openStore } from "../../src/store/open.ts";
import { type Note, schema, type Writer } from "./sample-schema.ts";

const WRITERS = 24;
const TEXT_BYTES = 3000;
const LONG_TEXT_BYTES = 1_000_000;

const [mode = "", directory = ""] = process.argv.slice(2);
const { store } = await openStore(directory, schema, []);
const post = (text: string) => writeSync(1, `${text}\n`);

/** Writes rows in four tables, at least three index entries, two bits and a number, atomically. */
function writeOne(tx: Writer, text: string): number {
  const id = store.next("notes");
  const author = id % 7;
  const note: Note = { id, author, title: `T${id}`, rank: id % 5, tags: ["a", `b${id % 3}`], text };
  tx.notes.put(note);
  tx.seen.add([author], id);
  const before = tx.words.get(author, "written");
  tx.words.put({ author, word: "written", times: (before?.times ?? 0) + 1, code: 1 });
  tx.people.put({ id: author, name: `last ${id}`, team: id % 3, boss: null });
  tx.starred.add([author, 1], id);
  return id;
}

async function hammer(): Promise<void> {
  for (let round = 0; ; round++) {
    const id = await store.write((tx) => writeOne(tx, ""));
    post(`${id}`);
    if (round % 5 > 0) continue;
    const thrown = new Error("half-way");
    await store
      .write((tx) => {
        writeOne(tx, "");
        throw thrown;
      })
      .catch((error) => {
        if (error !== thrown) throw error;
      });
  }
}

/** Writes until a write is refused and prints the outcome; repeats for each line of input. */
async function fill(): Promise<void> {
  process.on("unhandledRejection", () => process.exit(1));
  for (let iteration = 1; ; iteration++) {
    store.raise("raised", iteration);
    const errors: Error[] = [];
    const write = (text: string) =>
      store
        .write((tx) => writeOne(tx, text))
        .then(
          (id) => post(`${id}`),
          (error) => void errors.push(error),
        );
    for (let round = 0; round < 50 && errors.length === 0; round++) {
      await Promise.all([1, 2, 3].map(() => write("x".repeat(TEXT_BYTES))));
    }
    const name = errors[0]?.name ?? "room";

    // Two small writes arrive while the commit of two large ones is in progress.
    errors.length = 0;
    const great = [1, 2].map(() => write("x".repeat(LONG_TEXT_BYTES)));
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([...great, write(""), write("")]);
    // This write has its own commit.
    await write("x".repeat(LONG_TEXT_BYTES));

    const rows = store.reading.notes.count();
    const isKnown = store.busy === store.lastCommitted("raised") < iteration;
    post(`${name} ${errors.length} ${rows} ${store.reading.people.count()} ${isKnown}`);
    for await (const _ of console) break;
  }
}

await Promise.all(mode === "fill" ? [fill()] : Array.from({ length: WRITERS }, hammer));
