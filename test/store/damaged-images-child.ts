/** Opens database images one after another, and reports the results. */
import { openStore } from "../../src/store/open.ts";
import { type Reader, schema } from "./sample-schema.ts";

export interface OpenResult {
  /** Why it was not opened. */
  readonly refused?: string;
  /** Damage found at startup. */
  readonly damage?: readonly string[];
  /** Digest of all readable rows; or why some could not be read. */
  readonly read?: string;
  /** The same after writes, and another start. */
  readonly again?: string;
}

function digest(tables: Reader): string {
  const hash = new Bun.CryptoHasher("sha256");
  try {
    for (const name of ["people", "seats", "notes", "words"] as const) {
      for (const row of tables[name].range()) hash.update(JSON.stringify(row));
    }
    for (const rank of [0, 1, 2, 3, 4])
      hash.update(JSON.stringify(tables.notes.listBy("rank", rank)));
    for (let user_id = 0; user_id < 8; user_id++) {
      hash.update(
        JSON.stringify([...tables.seen.one([user_id]).walk()].map(([at, bits]) => [at, ...bits])),
      );
    }
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return hash.digest("hex");
}

async function inspect(directory: string): Promise<OpenResult> {
  try {
    const { store, close, examined } = await openStore(directory, schema, []);
    const read = digest(store.reading);
    // Uses about thirty free pages, and frees them again.
    for (const text of ["x".repeat(4_000), null]) {
      for (let first = 900_000; first < 900_030; first += 15) {
        await store.write((tx) => {
          for (let id = first; id < first + 15; id++) {
            if (text === null) tx.notes.delete(id);
            else tx.notes.put({ id, author: 99, title: "", rank: null, tags: [], text });
          }
        });
      }
    }
    await close();
    const second = await openStore(directory, schema, []);
    const repeated = digest(second.store.reading);
    await second.close();
    return { damage: examined?.damage ?? [], read, again: repeated };
  } catch (error) {
    const { name, message } = error as Error;
    return { refused: `${name}: ${message}` };
  }
}

for await (const directory of console) console.log(JSON.stringify(await inspect(directory)));
