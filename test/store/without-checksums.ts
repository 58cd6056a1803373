// Data of versions without checksums, for tests of its migration.
import { open } from "lmdb";
import { msgpack } from "../../src/store/codec.ts";
import { AFTER, keyEncoder, keyOf } from "../../src/store/key.ts";
import { unsealed } from "../../src/store/checksums/checksum.ts";

const VERSION_KEY = keyOf(0, ["version"]);

type RawDatabase = ReturnType<typeof rawDatabase>;

/** Raw rows of a directory that no server uses. */
export function rawDatabase(directory: string) {
  const options = { path: `${directory}/data.mdb`, noSubdir: true, keyEncoder, encoding: "binary" };
  return open<Buffer, string>(options as Parameters<typeof open>[0] & { path: string });
}

export function rowsUnder(db: RawDatabase, prefix: number) {
  const start = keyOf(prefix, []);
  return [...db.getRange({ start, end: start + AFTER })];
}

/** Converts all rows to an earlier format, and applies its other differences with `change`. */
export async function writeOldFormat(
  directory: string,
  format: number,
  change: (db: RawDatabase) => void,
) {
  const db = rawDatabase(directory);
  db.transactionSync(() => {
    for (const { key, value } of [...db.getRange({ start: keyOf(1, []), end: AFTER })]) {
      void db.put(key, Buffer.from(unsealed(value)!));
    }
    change(db);
    void db.put(VERSION_KEY, msgpack.encode(format) as Buffer);
  });
  await db.close();
}
