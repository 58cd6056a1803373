// The entries of the journal, as rows of the database.
import type { RootDatabase } from "lmdb";
import { sealed } from "../checksums/checksum.ts";
import { AFTER, keyOf, lastNumber } from "../key.ts";

/** Above every table's and bitmap's prefix. */
export const JOURNAL_PREFIX = 254;

/** The changes of a commit. */
export interface JournalEntry {
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** Within a transaction of the database. */
export function putEntry(db: RootDatabase<Buffer, string>, { number, bytes }: JournalEntry): void {
  void db.put(keyOf(JOURNAL_PREFIX, [number]), sealed(bytes));
}

/** The number after the last entry in a database. */
export function nextEntry(db: RootDatabase<Buffer, string>): number {
  const start = keyOf(JOURNAL_PREFIX, []);
  const bounds = { start: start + AFTER, end: start, reverse: true, limit: 1 };
  for (const key of db.getKeys(bounds)) return lastNumber(key, start.length) + 1;
  return 0;
}
