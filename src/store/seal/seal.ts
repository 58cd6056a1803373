// Rows as they lie on the disk: each value with a checksum behind it, so that damage is noticed.

/** CRC-32, lowest byte first. */
const SUM_BYTES = 4;

/** A row of the disk whose bytes are not those that were written. */
export class RowDamaged extends Error {
  override name = "RowDamaged";

  constructor(place: string) {
    super(`${place} is damaged on the disk`);
  }
}

/** The value as it is stored. */
export function sealed(value: Uint8Array): Buffer {
  const { length } = value;
  const row = Buffer.allocUnsafe(length + SUM_BYTES);
  row.set(value);
  row.writeUInt32LE(Bun.hash.crc32(value), length);
  return row;
}

/**
 * The value in what is stored, without a copy; undefined when it is damaged. `length`: of a buffer
 * that is longer.
 */
export function unsealed(row: Uint8Array, length = row.length): Uint8Array | undefined {
  const end = length - SUM_BYTES;
  if (end < 0) return undefined;
  const value = row.subarray(0, end);
  return Bun.hash.crc32(value) === sumAt(row, end) ? value : undefined;
}

/** A row in memory that is used again at the next look at any row. */
export interface Lent {
  bytes: Uint8Array;
  length: number;
}

/** As above; a plain view costs a fraction of a part of a buffer, which tells in millions. */
export function unsealedLent({ bytes, length }: Lent): Uint8Array | undefined {
  const end = length - SUM_BYTES;
  if (end < 0) return undefined;
  const value = new Uint8Array(bytes.buffer, bytes.byteOffset, end);
  return Bun.hash.crc32(value) === sumAt(bytes, end) ? value : undefined;
}

function sumAt(row: Uint8Array, at: number): number {
  return row[at]! + row[at + 1]! * 2 ** 8 + row[at + 2]! * 2 ** 16 + row[at + 3]! * 2 ** 24;
}
