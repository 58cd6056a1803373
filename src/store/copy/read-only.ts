// Opens a database that no process writes, such as a copy, for reading only.
import { rmSync, statSync } from "node:fs";
import { open, type RootDatabase } from "lmdb";
import type { Readers, Schema } from "../declare.ts";
import { keyEncoder } from "../key.ts";
import type { Lent } from "../checksums/checksum.ts";
import { checkIsWhole, DatabaseCut } from "../checksums/complete-file.ts";
import { Store } from "../store.ts";

export interface Reading<S extends Schema> {
  readonly tables: Readers<S>;
  last(sequence: string): number;
  close(): Promise<void>;
}

export function openRaw(path: string): RootDatabase<Buffer, string> {
  return openReadOnly(path, { encoding: "binary" }) as RootDatabase<Buffer, string>;
}

/** Returns rows without copying them. */
export function openLending(path: string): RootDatabase<Lent, string> {
  const buffer: Lent = { bytes: Buffer.alloc(0), length: 0 };
  const decode = (bytes: Uint8Array, length = bytes.length) => {
    buffer.bytes = bytes;
    buffer.length = length;
    return buffer;
  };
  const encode = () => {
    throw new Error("the database is read-only");
  };
  return openReadOnly(path, { encoder: { encode, decode } }) as RootDatabase<Lent, string>;
}

function openReadOnly(path: string, rows: object): RootDatabase {
  checkIsWhole(path);
  // The library would create a database in an empty file, and crashes when it only reads one.
  if (statSync(path).size === 0) throw new DatabaseCut(path);
  return open({
    path,
    noSubdir: true,
    readOnly: true,
    keyEncoder,
    ...rows,
    // The file is read sequentially, so the system may read ahead.
    noReadAhead: false,
  } as object as Parameters<typeof open>[0] & { path: string });
}

export async function closeRaw(db: RootDatabase, path: string): Promise<void> {
  await db.close();
  rmSync(`${path}-lock`, { force: true });
}

export function openReading<S extends Schema>(path: string, schema: S): Reading<S> {
  const db = openRaw(path);
  const store = new Store(db, schema);
  return {
    tables: store.reading,
    last: (sequence) => store.lastCommitted(sequence),
    async close() {
      await store.leave();
      rmSync(`${path}-lock`, { force: true });
    },
  };
}
