// Prepares older data, in whatever format, to replace newer data: clients must register again.
import type { RootDatabase } from "lmdb";
import { msgpack } from "../codec.ts";
import { environment } from "../environment.ts";
import { formatOf } from "../format/number.ts";
import { JOURNAL_PREFIX } from "../journal/entries.ts";
import { AFTER, keyOf, lastNumber } from "../key.ts";
import { RowDamaged, sealed, unsealed } from "../checksums/checksum.ts";
import { SEQUENCES_PREFIX } from "../sequences.ts";
import { syncNow } from "../system/durable.ts";
import { closeRaw, openRaw } from "./read-only.ts";

type Db = RootDatabase<Buffer, string>;

/** Before this format, rows had no checksums. */
const SEALED_FORMAT = 4;

interface Superseding {
  /** The prefix of the table of event queues, whose rows are deleted. */
  readonly queues: number;
  /** The highest numbers that the newer data has used, by sequence, if known. */
  readonly sequences: ReadonlyMap<string, number>;
  /** Number of further values of a sequence to skip. */
  skipped(sequence: string): number;
}

/**
 * Deletes the event queues and advances every sequence, so that no number is used twice. The file
 * must be closed; changes are durable when this resolves.
 */
export async function supersede(path: string, options: Superseding): Promise<void> {
  const db = environment(path);
  try {
    db.transactionSync(() => rewrite(db, options));
  } finally {
    await closeRaw(db, path);
  }
  syncNow(path);
}

function rewrite(db: Db, { queues, sequences: input, skipped }: Superseding): void {
  const start = String.fromCharCode(queues);
  const endedRows = [...db.getRange({ start, end: start + AFTER })];
  for (const { key } of endedRows) void db.remove(key);
  const ownSequences = sequencesOf(db);
  const isSealed = hasSeals(db);
  const encodedValue = (value: Uint8Array) => (isSealed ? sealed(value) : Buffer.from(value));
  const entry: (string | Uint8Array)[] = [];
  for (const name of new Set([...ownSequences.keys(), ...input.keys()])) {
    const last = Math.max(ownSequences.get(name) ?? 0, input.get(name) ?? 0);
    if (last === 0) continue;
    const value = msgpack.encode(last + skipped(name));
    void db.put(keyOf(SEQUENCES_PREFIX, [name]), encodedValue(value));
    entry.push(keyOf(SEQUENCES_PREFIX, [name]), value);
  }
  // Rows of the journal are read after other rows and would override them.
  const last = journal(db).at(-1);
  if (last)
    void db.put(keyOf(JOURNAL_PREFIX, [last.number + 1]), encodedValue(msgpack.encode(entry)));
}

/** The highest number of each sequence in a closed file, in whatever format. */
export async function sequencesIn(path: string): Promise<Map<string, number>> {
  const db = openRaw(path);
  try {
    return sequencesOf(db);
  } finally {
    await closeRaw(db, path);
  }
}

function sequencesOf(db: Db): Map<string, number> {
  const newest = new Map<string, number>();
  const isSealed = hasSeals(db);
  const start = keyOf(SEQUENCES_PREFIX, []);
  const keep = (key: string, value: Uint8Array) => {
    newest.set(key.slice(start.length, -1), msgpack.decode(value) as number);
  };
  for (const { key, value } of db.getRange({ start, end: start + AFTER })) {
    keep(key, valueOf(value, isSealed, "a counter"));
  }
  for (const { value } of journal(db)) {
    const entry = msgpack.decode(valueOf(value, isSealed, "the journal")) as (
      string | Uint8Array
    )[];
    for (let offset = 0; offset < entry.length; offset += 2) {
      const key = entry[offset] as string;
      if (key.startsWith(start)) keep(key, entry[offset + 1] as Uint8Array);
    }
  }
  return newest;
}

function journal(db: Db): { number: number; value: Buffer }[] {
  const start = keyOf(JOURNAL_PREFIX, []);
  const rows = [...db.getRange({ start, end: start + AFTER })];
  return rows.map(({ key, value }) => ({ number: lastNumber(key, start.length), value }));
}

const hasSeals = (db: Db) => (formatOf(db) ?? 0) >= SEALED_FORMAT;

function valueOf(row: Uint8Array, isSealed: boolean, key: string): Uint8Array {
  const value = isSealed ? unsealed(row) : row;
  if (!value) throw new RowDamaged(key);
  return value;
}
