// The entries of the journal, as rows of the database.
import type { RootDatabase } from "lmdb";
import { sealed } from "../checksums/checksum.ts";
import { AFTER, keyOf, lastNumber } from "../key.ts";

/** The prefix is above those of all tables and bitmaps. */
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

const BYTES_AT_FIRST = 64 * 1_024;
/** A larger buffer is not kept for the next entry. */
const BYTES_KEPT_MAX = 1 << 20;
/** Space for the header of the list: its type, and a length of 4 bytes. */
const HEAD_BYTES = 5;
/** The type and the length of a key or a value. */
const LENGTH_BYTES_MAX = 5;
const [NIL, BYTES_8, BYTES_16, BYTES_32] = [0xc0, 0xc4, 0xc5, 0xc6];
const [TEXT_SHORT, TEXT_16, LIST_16, LIST_32] = [0xa0, 0xda, 0xdc, 0xdd];
const TEXT_SHORT_MAX = 31;
/** Copying fewer bytes one by one is faster. */
const COPIED_SINGLY_MAX = 24;

/** Encodes an entry as a MessagePack list: a key, its value, the next key, and so on. */
export class EntryEncoder {
  private bytes = Buffer.allocUnsafeSlow(BYTES_AT_FIRST);
  private length = HEAD_BYTES;
  private rows = 0;

  /** Begins an entry. Rows of an earlier one that was not finished are dropped. */
  begin(): void {
    this.length = HEAD_BYTES;
    this.rows = 0;
  }

  /** Adds a row. A key has one character per byte; null is the value of a deleted row. */
  add(key: string, value: Uint8Array | null): void {
    this.rows++;
    this.reserve(2 * key.length + (value?.length ?? 0) + 2 * LENGTH_BYTES_MAX);
    this.addKey(key);
    if (value === null) this.bytes[this.length++] = NIL;
    else this.addBytes(value);
  }

  /** Returns the entry; undefined without rows. */
  finish(): Uint8Array | undefined {
    const { bytes, rows, length } = this;
    if (bytes.length > BYTES_KEPT_MAX) this.bytes = Buffer.allocUnsafeSlow(BYTES_AT_FIRST);
    if (rows === 0) return undefined;
    const isShort = rows * 2 < 2 ** 16;
    const start = isShort ? 2 : 0;
    bytes[start] = isShort ? LIST_16 : LIST_32;
    if (isShort) bytes.writeUInt16BE(rows * 2, start + 1);
    else bytes.writeUInt32BE(rows * 2, start + 1);
    return Uint8Array.prototype.slice.call(bytes, start, length);
  }

  /** Encodes the key as UTF-8: a character above 127 takes two bytes. */
  private addKey(key: string): void {
    const { bytes } = this;
    const isShort = 2 * key.length <= TEXT_SHORT_MAX;
    const start = this.length + (isShort ? 1 : 3);
    let end = start;
    for (let index = 0; index < key.length; index++) {
      const code = key.charCodeAt(index);
      if (code < 128) bytes[end++] = code;
      else {
        bytes[end++] = 0xc0 | (code >>> 6);
        bytes[end++] = 0x80 | (code & 63);
      }
    }
    if (isShort) bytes[this.length] = TEXT_SHORT | (end - start);
    else {
      bytes[this.length] = TEXT_16;
      bytes.writeUInt16BE(end - start, this.length + 1);
    }
    this.length = end;
  }

  private addBytes(value: Uint8Array): void {
    const { bytes } = this;
    const { length } = value;
    if (length < 2 ** 8) {
      bytes[this.length++] = BYTES_8;
      bytes[this.length++] = length;
    } else if (length < 2 ** 16) {
      bytes[this.length++] = BYTES_16;
      this.length = bytes.writeUInt16BE(length, this.length);
    } else {
      bytes[this.length++] = BYTES_32;
      this.length = bytes.writeUInt32BE(length, this.length);
    }
    if (length > COPIED_SINGLY_MAX) bytes.set(value, this.length);
    else for (let index = 0; index < length; index++) bytes[this.length + index] = value[index]!;
    this.length += length;
  }

  private reserve(more: number): void {
    const size = this.length + more;
    if (size <= this.bytes.length) return;
    const { bytes } = this;
    this.bytes = Buffer.allocUnsafeSlow(size * 2);
    this.bytes.set(bytes.subarray(0, this.length));
  }
}
