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
  const sum =
    row[end]! + row[end + 1]! * 2 ** 8 + row[end + 2]! * 2 ** 16 + row[end + 3]! * 2 ** 24;
  return Bun.hash.crc32(value) === sum ? value : undefined;
}
