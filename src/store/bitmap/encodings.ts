// Encodes a chunk of ids as a record, always in the smallest of three forms: sparse, runs or bits.

import {
  and,
  andNot,
  bitsIn,
  type Chunk,
  CHUNK_IDS,
  clearRange,
  count,
  countRuns,
  eachOffset,
  eachRun,
  emptyChunk,
  isEmpty,
  setRange,
} from "./bitmap.ts";

// The first byte of a record. All numbers are little-endian. Part of the disk format: never
// renumber a form.
const SPARSE = 1; // ascending 16-bit offsets
const RUNS = 2; // pairs of 16 bits: first offset, length
const BITS = 3; // one bit per offset

/** The longest record: the form byte and one bit per id. */
export const RECORD_BYTES_MAX = 1 + CHUNK_IDS / 8;
// With more offsets or runs than these, bits are smaller. On a tie, bits are preferred, then
// sparse.
const SPARSE_MAX = (RECORD_BYTES_MAX - 1) / 2 - 1;
const RUNS_MAX = (RECORD_BYTES_MAX - 1) / 4 - 1;

/** Decodes a record into a new chunk, or into `into`, which is cleared first. */
export function decodeChunk(bytes: Uint8Array | undefined, into?: Chunk): Chunk {
  const chunk = into === undefined ? emptyChunk() : into.fill(0);
  return bytes === undefined ? chunk : addRecord(chunk, bytes);
}

/** Adds the offsets of a record to a chunk and returns the chunk. */
export function addRecord(chunk: Chunk, bytes: Uint8Array): Chunk {
  switch (bytes[0]) {
    case SPARSE:
      for (let position = 1; position < bytes.length; position += 2) {
        const offset = numberAt(bytes, position);
        chunk[offset >>> 5]! |= 1 << (offset & 31);
      }
      return chunk;
    case RUNS:
      for (let offset = 1; offset < bytes.length; offset += 4) {
        setRange(chunk, numberAt(bytes, offset), endAt(bytes, offset) - 1);
      }
      return chunk;
    case BITS:
      for (let i = 0; i < chunk.length; i++) chunk[i]! |= wordAt(bytes, i);
      return chunk;
    default:
      throw unknownForm(bytes);
  }
}

/** Encodes a set. Returns undefined for an empty set, which has no record. */
export function encodeChunk(chunk: Chunk): Uint8Array | undefined {
  return isEmpty(chunk) ? undefined : smallest(chunk);
}

/** Whether a record contains an offset, without decoding the rest. */
export function hasOffset(bytes: Uint8Array | undefined, offset: number): boolean {
  if (bytes === undefined) return false;
  switch (bytes[0]) {
    case SPARSE:
      return inSparse(bytes, offset);
    case RUNS:
      for (
        let position = 1;
        position < bytes.length && numberAt(bytes, position) <= offset;
        position += 4
      ) {
        if (offset < endAt(bytes, position)) return true;
      }
      return false;
    case BITS:
      return ((bytes[1 + (offset >>> 3)]! >>> (offset & 7)) & 1) === 1;
    default:
      throw unknownForm(bytes);
  }
}

/** Returns the record with an offset added; the same object if it was present. */
export function withOffset(bytes: Uint8Array | undefined, offset: number): Uint8Array {
  if (bytes === undefined) return Uint8Array.of(SPARSE, offset & 255, offset >>> 8);
  if (hasOffset(bytes, offset)) return bytes;
  return grown(bytes, offset) ?? smallest(setRange(decodeChunk(bytes), offset, offset));
}

/** Returns the record with an offset removed; the same object if it was absent. */
export function withoutOffset(
  bytes: Uint8Array | undefined,
  offset: number,
): Uint8Array | undefined {
  if (!hasOffset(bytes, offset)) return bytes;
  return encodeChunk(clearRange(decodeChunk(bytes), offset, offset));
}

/**
 * Removes the offsets of a record from a chunk, and calls `fn` with each removed offset, ascending.
 */
export function takeOut(chunk: Chunk, bytes: Uint8Array, fn: (offset: number) => void): void {
  if (bytes[0] !== SPARSE) {
    const both = and(decodeChunk(bytes), chunk);
    eachOffset(both, fn);
    andNot(chunk, both);
    return;
  }
  for (let position = 1; position < bytes.length; position += 2) {
    const offset = numberAt(bytes, position);
    const bit = 1 << (offset & 31);
    if ((chunk[offset >>> 5]! & bit) === 0) continue;
    chunk[offset >>> 5]! ^= bit;
    fn(offset);
  }
}

/** Returns the number of offsets of a record. */
export function countOf(bytes: Uint8Array | undefined): number {
  if (bytes === undefined) return 0;
  let sum = 0;
  switch (bytes[0]) {
    case SPARSE:
      return (bytes.length - 1) / 2;
    case RUNS:
      for (let offset = 1; offset < bytes.length; offset += 4) sum += numberAt(bytes, offset + 2);
      return sum;
    case BITS:
      for (let i = 0; i < CHUNK_IDS / 32; i++) sum += bitsIn(wordAt(bytes, i));
      return sum;
    default:
      throw unknownForm(bytes);
  }
}

/** Returns the offset that was appended to a sparse record; undefined if more has changed. */
export function appendedOffset(before: Uint8Array, after: Uint8Array): number | undefined {
  const { length } = before;
  if (before[0] !== SPARSE || after.length !== length + 2) return undefined;
  for (let index = 0; index < length; index++) if (before[index] !== after[index]) return undefined;
  return numberAt(after, length);
}

function smallest(chunk: Chunk): Uint8Array {
  const offsets = count(chunk);
  const runs = countRuns(chunk);
  if (offsets > SPARSE_MAX && runs > RUNS_MAX) return asBits(chunk);
  return offsets <= 2 * runs ? asSparse(chunk, offsets) : asRuns(chunk, runs);
}

function asSparse(chunk: Chunk, offsets: number): Uint8Array {
  const bytes = new Uint8Array(1 + offsets * 2);
  bytes[0] = SPARSE;
  let position = 1;
  eachOffset(chunk, (offset) => {
    putNumber(bytes, position, offset);
    position += 2;
  });
  return bytes;
}

function asRuns(chunk: Chunk, runs: number): Uint8Array {
  const bytes = new Uint8Array(1 + runs * 4);
  bytes[0] = RUNS;
  let offset = 1;
  eachRun(chunk, (first, last) => {
    putNumber(bytes, offset, first);
    putNumber(bytes, offset + 2, last - first + 1);
    offset += 4;
  });
  return bytes;
}

function asBits(chunk: Chunk): Uint8Array {
  const bytes = new Uint8Array(RECORD_BYTES_MAX);
  bytes[0] = BITS;
  for (let i = 0; i < chunk.length; i++) {
    const word = chunk[i]!;
    bytes[1 + i * 4] = word;
    bytes[2 + i * 4] = word >>> 8;
    bytes[3 + i * 4] = word >>> 16;
    bytes[4 + i * 4] = word >>> 24;
  }
  return bytes;
}

/**
 * Adds a missing offset without changing the form; returns undefined if the record must be
 * re-encoded.
 */
function grown(bytes: Uint8Array, offset: number): Uint8Array | undefined {
  if (bytes[0] === SPARSE) return grownSparse(bytes, offset);
  if (bytes[0] === RUNS) return grownRuns(bytes, offset);
  return grownBits(bytes, offset);
}

function grownSparse(bytes: Uint8Array, offset: number): Uint8Array | undefined {
  const last = numberAt(bytes, bytes.length - 2);
  const offsets = countOf(bytes) + 1;
  if (offset < last || offsets > SPARSE_MAX) return undefined;
  // An offset that starts a new run cannot make runs the smaller form.
  if (offset === last + 1 && offsets > 2 * runsInSparse(bytes)) return undefined;

  const extended = copied(bytes, bytes.length + 2);
  putNumber(extended, bytes.length, offset);
  return extended;
}

function grownRuns(bytes: Uint8Array, offset: number): Uint8Array | undefined {
  const position = bytes.length - 4;
  const end = endAt(bytes, position);
  if (offset < end) return undefined;
  if (offset === end) {
    const shrunk = copied(bytes, bytes.length);
    putNumber(shrunk, position + 2, end + 1 - numberAt(bytes, position));
    return shrunk;
  }
  const runs = (bytes.length - 1) / 4 + 1;
  if (runs > RUNS_MAX || countOf(bytes) + 1 <= 2 * runs) return undefined;

  const extended = copied(bytes, bytes.length + 4);
  putNumber(extended, bytes.length, offset);
  putNumber(extended, bytes.length + 2, 1);
  return extended;
}

function grownBits(bytes: Uint8Array, offset: number): Uint8Array | undefined {
  const inside = offset > 0 && offset < CHUNK_IDS - 1;
  // Only joining two runs reduces their number.
  if (inside && hasOffset(bytes, offset - 1) && hasOffset(bytes, offset + 1)) return undefined;

  const fuller = copied(bytes, bytes.length);
  fuller[1 + (offset >>> 3)]! |= 1 << (offset & 7);
  return fuller;
}

/** A record may be a Buffer over the store's memory, and `slice` of a Buffer does not copy. */
function copied(bytes: Uint8Array, length: number): Uint8Array {
  const copy = new Uint8Array(length);
  copy.set(bytes);
  return copy;
}

function inSparse(bytes: Uint8Array, offset: number): boolean {
  let low = 0;
  let high = (bytes.length - 1) / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numberAt(bytes, 1 + middle * 2) < offset) low = middle + 1;
    else high = middle;
  }
  return 1 + low * 2 < bytes.length && numberAt(bytes, 1 + low * 2) === offset;
}

function runsInSparse(bytes: Uint8Array): number {
  let runs = 0;
  let expected = -1;
  for (let position = 1; position < bytes.length; position += 2) {
    const offset = numberAt(bytes, position);
    if (offset !== expected) runs++;
    expected = offset + 1;
  }
  return runs;
}

/** Returns the offset after the run at `offset`. */
function endAt(bytes: Uint8Array, offset: number): number {
  return numberAt(bytes, offset) + numberAt(bytes, offset + 2);
}

function numberAt(bytes: Uint8Array, offset: number): number {
  return bytes[offset]! | (bytes[offset + 1]! << 8);
}

function putNumber(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value;
  bytes[offset + 1] = value >>> 8;
}

function wordAt(bytes: Uint8Array, i: number): number {
  return numberAt(bytes, 1 + i * 4) | (numberAt(bytes, 3 + i * 4) << 16);
}

function unknownForm(bytes: Uint8Array): Error {
  return new Error(`A bitmap record begins with byte ${bytes[0]}, which is not a known form.`);
}
