// Stored rows: each value is followed by a checksum, so that damage is detected.

/** CRC-32, least significant byte first. */
const SUM_BYTES = 4;

/** A row whose stored bytes do not match their checksum. */
export class RowDamaged extends Error {
  override name = "RowDamaged";

  constructor(key: string) {
    super(`${key} is damaged on the disk`);
  }
}

/** Returns the value with its checksum. */
export function sealed(value: Uint8Array): Buffer {
  const { length } = value;
  const row = Buffer.allocUnsafe(length + SUM_BYTES);
  row.set(value);
  row.writeUInt32LE(Bun.hash.crc32(value), length);
  return row;
}

/**
 * Returns the value of a stored row without a copy; undefined if it is damaged. `length`: of the
 * row, if its buffer is longer.
 */
export function unsealed(row: Uint8Array, length = row.length): Uint8Array | undefined {
  const end = length - SUM_BYTES;
  if (end < 0) return undefined;
  // A plain view is much cheaper than a slice of a buffer.
  const value = new Uint8Array(row.buffer, row.byteOffset, end);
  return Bun.hash.crc32(value) === sumAt(row, end) ? value : undefined;
}

/** A row in shared memory, valid until the next read of any row. */
export interface Lent {
  bytes: Uint8Array;
  length: number;
}

function sumAt(row: Uint8Array, offset: number): number {
  return (
    row[offset]! +
    row[offset + 1]! * 2 ** 8 +
    row[offset + 2]! * 2 ** 16 +
    row[offset + 3]! * 2 ** 24
  );
}
