// Data as versions had it before their rows had checksums, for tests of what takes it over.
import { open } from "lmdb";
import { plain } from "../../src/store/codec.ts";
import { AFTER, keyEncoder, keyOf } from "../../src/store/key.ts";
import { unsealed } from "../../src/store/seal/seal.ts";

const VERSION_KEY = keyOf(0, ["version"]);

export type Raw = ReturnType<typeof rawDatabase>;

/** Of a directory that nobody serves: rows as they lie there. */
export function rawDatabase(directory: string) {
  const options = { path: `${directory}/data.mdb`, noSubdir: true, keyEncoder, encoding: "binary" };
  return open<Buffer, string>(options as Parameters<typeof open>[0] & { path: string });
}

export function rowsUnder(db: Raw, prefix: number) {
  const start = keyOf(prefix, []);
  return [...db.getRange({ start, end: start + AFTER })];
}

/** All of it as in an earlier format, and what else was different then. */
export async function layBack(directory: string, format: number, change: (db: Raw) => void) {
  const db = rawDatabase(directory);
  db.transactionSync(() => {
    for (const { key, value } of [...db.getRange({ start: keyOf(1, []), end: AFTER })]) {
      void db.put(key, Buffer.from(unsealed(value)!));
    }
    change(db);
    void db.put(VERSION_KEY, plain.encode(format) as Buffer);
  });
  await db.close();
}
