// Encodes what changed between two records of a chunk, for the journal.
import { CHUNK_IDS, clearRange, emptyChunk, setRange } from "./bitmap.ts";
import type { Migration } from "../format/migrate.ts";
import { appendedOffset, decodeChunk, encodeChunk } from "./encodings.ts";

/**
 * The first byte; records of chunks in their own rows begin with others. Then 2 bytes for each
 * change, little-endian: the offset, plus 4,096 if it was removed. Part of the disk format.
 */
const CHANGES = 4;
const REMOVED = CHUNK_IDS;
/** With more changes, or a record that is no longer than this, the record itself is stored. */
const CHANGES_MAX = 16;
const RECORD_BYTES_MIN = 1 + 2 * CHANGES_MAX;

const [older, newer] = [emptyChunk(), emptyChunk()];

/** Returns the changes from `before` to `after`; undefined if the record is no longer than that. */
export function changesBetween(before: Uint8Array, after: Uint8Array): Uint8Array | undefined {
  if (after.length <= RECORD_BYTES_MIN) return undefined;
  // Most writes append the id of a new message.
  const appended = appendedOffset(before, after);
  if (appended !== undefined) return encoded([appended]);
  decodeChunk(before, older);
  decodeChunk(after, newer);
  const changes: number[] = [];
  for (let i = 0; i < newer.length; i++) {
    for (let bits = older[i]! ^ newer[i]!; bits !== 0; bits &= bits - 1) {
      if (changes.length === CHANGES_MAX) return undefined;
      const bit = bits & -bits;
      const offset = i * 32 + 31 - Math.clz32(bit);
      changes.push((newer[i]! & bit) === 0 ? offset + REMOVED : offset);
    }
  }
  return encoded(changes);
}

function encoded(changes: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(1 + changes.length * 2);
  bytes[0] = CHANGES;
  for (const [index, change] of changes.entries()) {
    bytes[1 + index * 2] = change;
    bytes[2 + index * 2] = change >>> 8;
  }
  return bytes;
}

/** Whether a journal entry lists changes, and not the record itself. */
export const isChanges = (value: Uint8Array) => value[0] === CHANGES;

/**
 * Returns the record after the changes; null if it is empty then. It does no harm if the record
 * already has them, and also later ones that are applied next.
 */
export function withChanges(before: Uint8Array | null, changes: Uint8Array): Uint8Array | null {
  const chunk = decodeChunk(before ?? undefined, older);
  for (let position = 1; position < changes.length; position += 2) {
    const change = changes[position]! | (changes[position + 1]! << 8);
    const offset = change % REMOVED;
    if (change < REMOVED) setRange(chunk, offset, offset);
    else clearRange(chunk, offset, offset);
  }
  return encodeChunk(chunk) ?? null;
}

/** No row changes. An earlier version must refuse the data: it cannot read such a journal. */
export const changesInJournal: Migration = { to: 6, run() {} };
