// Opens a database that nobody else writes, such as a copy, to read it and change nothing.
import { rmSync, statSync } from "node:fs";
import { open, type RootDatabase } from "lmdb";
import type { Readers, Schema } from "../declare.ts";
import { keyEncoder } from "../key.ts";
import type { Lent } from "../seal/seal.ts";
import { checkIsWhole, DatabaseCut } from "../seal/whole.ts";
import { Store } from "../store.ts";

export interface Reading<S extends Schema> {
  readonly tables: Readers<S>;
  last(sequence: string): number;
  close(): Promise<void>;
}

export function openRaw(path: string): RootDatabase<Buffer, string> {
  return opened(path, { encoding: "binary" }) as RootDatabase<Buffer, string>;
}

/** Returns rows without copying them. */
export function openLending(path: string): RootDatabase<Lent, string> {
  const lent: Lent = { bytes: Buffer.alloc(0), length: 0 };
  const decode = (bytes: Uint8Array, length = bytes.length) => {
    lent.bytes = bytes;
    lent.length = length;
    return lent;
  };
  const encode = () => {
    throw new Error("it is only read");
  };
  return opened(path, { encoder: { encode, decode } }) as RootDatabase<Lent, string>;
}

function opened(path: string, rows: object): RootDatabase {
  checkIsWhole(path);
  // An empty file is a new database only to who writes it; the library dies of reading one.
  if (statSync(path).size === 0) throw new DatabaseCut(path);
  return open({
    path,
    noSubdir: true,
    readOnly: true,
    keyEncoder,
    ...rows,
    // It is read from end to end: the system may bring many pages at once.
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
