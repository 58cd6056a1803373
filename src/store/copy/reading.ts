// Opens a database that nobody else writes, such as a copy, to read it and change nothing.
import { rmSync } from "node:fs";
import { open, type RootDatabase } from "lmdb";
import type { Readers, Schema } from "../declare.ts";
import { plain } from "../codec.ts";
import { formatOf } from "../format/number.ts";
import { JOURNAL_PREFIX } from "../journal.ts";
import { AFTER, keyEncoder, keyOf } from "../key.ts";
import { type Lent, unsealed } from "../seal/seal.ts";
import { checkIsWhole } from "../seal/whole.ts";
import { SEQUENCES_PREFIX } from "../sequences.ts";
import { Store } from "../store.ts";

export interface Reading<S extends Schema> {
  readonly tables: Readers<S>;
  last(sequence: string): number;
  close(): Promise<void>;
}

export function openRaw(path: string): RootDatabase<Buffer, string> {
  return opened(path, { encoding: "binary" }) as RootDatabase<Buffer, string>;
}

/** Of its rows none is copied. */
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

/** The newest number of a sequence, in whatever format the data is. */
export async function lastBefore(path: string, sequence: string): Promise<number> {
  const db = openRaw(path);
  try {
    return lastIn(db, sequence);
  } finally {
    await closeRaw(db, path);
  }
}

/** Rows had no checksum before the format that gave them one; the journal comes after the rows. */
function lastIn(db: RootDatabase<Buffer, string>, sequence: string): number {
  const isSealed = (formatOf(db) ?? 0) >= SEALED_FORMAT;
  const valueOf = (row: Uint8Array) => (isSealed ? unsealed(row) : row);
  const key = keyOf(SEQUENCES_PREFIX, [sequence]);
  const row = db.getBinary(key);
  let bytes = row && valueOf(row);
  const start = keyOf(JOURNAL_PREFIX, []);
  for (const { value } of db.getRange({ start, end: start + AFTER })) {
    const entry = plain.decode(valueOf(value)!) as (string | Uint8Array)[];
    for (let at = 0; at < entry.length; at += 2) {
      if (entry[at] === key) bytes = entry[at + 1] as Uint8Array;
    }
  }
  return bytes ? (plain.decode(bytes) as number) : 0;
}

const SEALED_FORMAT = 4;
