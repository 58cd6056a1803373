// Reads a stored record field by field, in order, without decoding the other fields.
import type { Codec } from "./codec.ts";

/** Valid until the next read of any row. */
export class Fields<R> {
  private position: number;
  /** The field that starts at the current position. */
  private place = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly names: readonly (keyof R & string)[],
    private readonly codec: Codec<R>,
  ) {
    this.position = lengthOfHead(bytes);
  }

  /** Decodes the complete record. */
  record(): R {
    return this.codec.decode(this.bytes);
  }

  /** A non-negative integer. */
  number(name: keyof R & string): number {
    const offset = this.seek(name);
    const number = numberAt(this.bytes, offset);
    if (number === undefined) throw unreadable(this.bytes[offset]!);
    return number;
  }

  /** Bytes, or text as UTF-8, without a copy. */
  span(name: keyof R & string): Uint8Array {
    const offset = this.seek(name);
    const sizes = SPAN_SIZES[this.bytes[offset]!]!;
    if (sizes === OTHER) throw unreadable(this.bytes[offset]!);
    return this.bytes.subarray(offset + 1 + sizes, endOf(this.bytes, offset));
  }

  /** Skips fields, none of which may be a list or map. */
  private seek(name: keyof R & string): number {
    for (; this.names[this.place] !== name; this.place++)
      this.position = endOf(this.bytes, this.position);
    return this.position;
  }
}

/**
 * Returns the non-negative integer at the start of a list, if the list is complete and nothing
 * follows it; undefined otherwise.
 */
export function numberOfWhole(bytes: Uint8Array): number | undefined {
  const isRecord = isList(bytes[0]!) && isComplete(bytes);
  return isRecord ? numberAt(bytes, lengthOfHead(bytes)) : undefined;
}

/** Whether the bytes are exactly one value of any type and depth. */
function isComplete(bytes: Uint8Array): boolean {
  let offset = 0;
  for (let remaining = 1; remaining > 0; remaining--) {
    if (offset >= bytes.length) return false;
    const head = bytes[offset]!;
    const inner = INNER_SIZES[head]!;
    if (inner !== OTHER) {
      const count = inner === 0 ? head & 0x0f : countAt(bytes, offset + 1, inner);
      remaining += isDictionary(head) ? count * 2 : count;
      offset += 1 + inner;
    } else if (FIXED_SIZES[head] !== OTHER || SPAN_SIZES[head] !== OTHER)
      offset = endOf(bytes, offset);
    else return false;
  }
  return offset === bytes.length;
}

/** Returns the end of the value at `offset`, which must not be a list or map. */
function endOf(bytes: Uint8Array, offset: number): number {
  const head = bytes[offset]!;
  const size = FIXED_SIZES[head]!;
  if (size !== OTHER) return offset + size;
  const sizes = SPAN_SIZES[head]!;
  if (sizes === OTHER) throw unreadable(head);
  const length = sizes === 0 ? head - 0xa0 : countAt(bytes, offset + 1, sizes);
  return offset + 1 + sizes + length;
}

function countAt(bytes: Uint8Array, offset: number, sizes: number): number {
  let count = 0;
  for (let i = 0; i < sizes; i++) count = count * 256 + bytes[offset + i]!;
  return count;
}

const OTHER = 255;

/** Number of bytes by first byte, for types of constant size. */
const FIXED_SIZES = sizes(
  [0x00, 0x7f, 1],
  [0xc0, 0xc0, 1],
  [0xc2, 0xc3, 1],
  [0xca, 0xca, 5],
  [0xcb, 0xcb, 9],
  [0xcc, 0xcc, 2],
  [0xcd, 0xcd, 3],
  [0xce, 0xce, 5],
  [0xcf, 0xcf, 9],
  [0xd0, 0xd0, 2],
  [0xd1, 0xd1, 3],
  [0xd2, 0xd2, 5],
  [0xd3, 0xd3, 9],
  [0xd4, 0xd4, 3],
  [0xd5, 0xd5, 4],
  [0xd6, 0xd6, 6],
  [0xd7, 0xd7, 10],
  [0xd8, 0xd8, 18],
  [0xe0, 0xff, 1],
);

/** Size of the length field, by first byte of a list or map. */
const INNER_SIZES = sizes(
  [0x80, 0x9f, 0],
  [0xdc, 0xdc, 2],
  [0xdd, 0xdd, 4],
  [0xde, 0xde, 2],
  [0xdf, 0xdf, 4],
);

/** Size of the length field, by first byte of text or bytes. */
const SPAN_SIZES = sizes(
  [0xa0, 0xbf, 0],
  [0xc4, 0xc4, 1],
  [0xc5, 0xc5, 2],
  [0xc6, 0xc6, 4],
  [0xd9, 0xd9, 1],
  [0xda, 0xda, 2],
  [0xdb, 0xdb, 4],
);

function sizes(...ranges: [from: number, to: number, size: number][]): Uint8Array {
  const sizes = new Uint8Array(256).fill(OTHER);
  for (const [from, to, size] of ranges) sizes.fill(size, from, to + 1);
  return sizes;
}

const isDictionary = (head: number) => head < 0x90 || head >= 0xde;

/** A record is a list of up to 15 fields, or a longer one. */
const isList = (head: number) => (head >= 0x90 && head <= 0x9f) || head === 0xdc;

function lengthOfHead(bytes: Uint8Array): number {
  const head = bytes[0]!;
  if (!isList(head)) throw unreadable(head);
  return head === 0xdc ? 3 : 1;
}

/** Returns undefined if the value is not a non-negative integer. */
function numberAt(bytes: Uint8Array, offset: number): number | undefined {
  const head = bytes[offset]!;
  if (head < 0x80) return head;
  if (head >= 0xcc && head <= 0xcf) return countAt(bytes, offset + 1, 2 ** (head - 0xcc));
  if (head !== 0xcb) return undefined;
  return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(offset + 1);
}

const unreadable = (head: number) => new Error(`a field begins with byte ${head}`);
