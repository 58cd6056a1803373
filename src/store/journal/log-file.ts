// The file of the commit log: its records, and reading them after a crash.
import { constants, existsSync, openSync, readFileSync, write } from "node:fs";
import { dirname } from "node:path";
import type { RootDatabase } from "lmdb";
import { unsealed } from "../checksums/checksum.ts";
import { NOT_OPENED_HINT } from "../checksums/complete-file.ts";
import { keyOf } from "../key.ts";
import { syncFolder, writeDurably } from "../system/durable.ts";
import { type JournalEntry, nextEntry } from "./entries.ts";

// The file begins with the id of the log (16 bytes). A record: its length without these bytes (4);
// the id of the log, the number of the commit in the journal (6) and its entry; their checksum (4).
// After the last record there may be older ones, with smaller numbers.

/** A row of the database: the id of the log that continues it. */
export const LOG_KEY = keyOf(0, ["log"]);
/** Allocated in advance, because it costs more to extend a file. */
export const FILE_BYTES = 512 * 1_024;
export const ID_BYTES = 16;
export const LENGTH_BYTES = 4;
const NUMBER_BYTES = 6;
const CHECKSUM_BYTES = 4;
/** Bytes of a record without its entry. */
export const EXTRA_BYTES = LENGTH_BYTES + ID_BYTES + NUMBER_BYTES + CHECKSUM_BYTES;

/** The log that continues the database is missing or damaged. */
export class LogDamaged extends Error {
  override name = "LogDamaged";

  constructor(path: string, fault: string) {
    super(
      `${path} ${fault}. It contains the last writes before the server stopped. ${NOT_OPENED_HINT}`,
    );
  }
}

/** Creates an empty log. Resolves with its descriptor; a write is durable when it returns. */
export async function createLogFile(path: string, id: Uint8Array): Promise<number> {
  const content = Buffer.alloc(FILE_BYTES);
  content.set(id);
  await writeDurably(path, "w", [content]);
  await syncFolder(dirname(path));
  return openLogFile(path);
}

export const openLogFile = (path: string) => openSync(path, constants.O_WRONLY | constants.O_DSYNC);

/** Resolves with the number of bytes written, which may be smaller. */
export function writeAt(
  file: number,
  bytes: Uint8Array,
  from: number,
  length: number,
  position: number,
) {
  return new Promise<number>((resolve, reject) => {
    write(file, bytes, from, length, position, (error, written) => {
      if (error) reject(error);
      else resolve(written);
    });
  });
}

/** Writes a record to the start of a buffer, and returns that part of it. */
export function putRecord(
  into: Buffer,
  id: Uint8Array,
  { number, bytes: { length }, bytes }: JournalEntry,
): Buffer {
  const record = into.subarray(0, length + EXTRA_BYTES);
  const end = record.length - CHECKSUM_BYTES;
  record.writeUInt32LE(record.length - LENGTH_BYTES);
  record.set(id, LENGTH_BYTES);
  record.writeUIntLE(number, LENGTH_BYTES + ID_BYTES, NUMBER_BYTES);
  record.set(bytes, end - length);
  record.writeUInt32LE(Bun.hash.crc32(record.subarray(LENGTH_BYTES, end)), end);
  return record;
}

/** The record of this log at an offset, and the offset behind it; undefined if there is none. */
function recordAt(bytes: Buffer, offset: number, id: Uint8Array) {
  const start = offset + LENGTH_BYTES;
  if (start > bytes.length) return undefined;
  const end = start + bytes.readUInt32LE(offset);
  const value = end > bytes.length ? undefined : unsealed(bytes.subarray(start, end));
  if (!value || value.length < ID_BYTES + NUMBER_BYTES) return undefined;
  const row = Buffer.from(value.buffer, value.byteOffset, value.length);
  if (!row.subarray(0, ID_BYTES).equals(id)) return undefined;
  const number = row.readUIntLE(ID_BYTES, NUMBER_BYTES);
  return { commit: { number, bytes: row.subarray(ID_BYTES + NUMBER_BYTES) }, end };
}

/** The commits of a log that the database does not contain, and where they end in the file. */
interface Tail {
  readonly commits: readonly JournalEntry[];
  readonly end: number;
}

/**
 * Returns the commits of a log from a number on. The process may have ended while it wrote the last
 * one, which is then missing. Returns undefined if one is missing before others.
 */
function tailOf(bytes: Buffer, id: Uint8Array, from: number): Tail | undefined {
  const commits: JournalEntry[] = [];
  let end = ID_BYTES;
  let next: number | undefined;
  for (;;) {
    const record = recordAt(bytes, end, id);
    if (!record || record.commit.number !== (next ?? record.commit.number)) break;
    next = record.commit.number + 1;
    end = record.end;
    if (record.commit.number >= from) commits.push(record.commit);
  }
  const [first] = commits;
  const missing = !first ? from : first.number === from ? next! : undefined;
  if (missing === undefined || hasCommit(bytes, id, end, missing)) return undefined;
  return first ? { commits, end } : { commits, end: ID_BYTES };
}

/** Whether there is a commit with this or a higher number at or after the offset. */
function hasCommit(bytes: Buffer, id: Uint8Array, offset: number, number: number): boolean {
  for (let at = bytes.indexOf(id, offset); at !== -1; at = bytes.indexOf(id, at + 1)) {
    const record = recordAt(bytes, at - LENGTH_BYTES, id);
    if (record && record.commit.number >= number) return true;
  }
  return false;
}

/** Undefined if the database is complete without a log. */
export function readLog(
  db: RootDatabase<Buffer, string>,
  path: string,
): (Tail & { id: Buffer }) | undefined {
  const id = db.getBinary(LOG_KEY);
  if (!id) return undefined;
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  if (!bytes.subarray(0, ID_BYTES).equals(id))
    throw new LogDamaged(path, "is missing, or belongs to other data");
  const tail = tailOf(bytes, id, nextEntry(db));
  if (!tail) throw new LogDamaged(path, "is damaged");
  return { id, ...tail };
}
