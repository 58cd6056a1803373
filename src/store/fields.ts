// Reads a stored record field by field, in their order: what is not asked for is not decoded.
import type { Codec } from "./codec.ts";

/** Good until the next look at any row. */
export class Fields<R> {
  private at: number;
  /** Which field begins there. */
  private place = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly names: readonly (keyof R & string)[],
    private readonly codec: Codec<R>,
  ) {
    this.at = lengthOfHead(bytes);
  }

  /** All of the record. */
  record(): R {
    return this.codec.decode(this.bytes);
  }

  /** A whole number from 0 on. */
  number(name: keyof R & string): number {
    const { bytes } = this;
    const at = this.seek(name);
    const head = bytes[at]!;
    if (head < 0x80) return head;
    if (head === 0xcc) return bytes[at + 1]!;
    if (head === 0xcd) return bytes[at + 1]! * 2 ** 8 + bytes[at + 2]!;
    if (head === 0xce) return numberAt(bytes, at + 1);
    if (head === 0xcf) return numberAt(bytes, at + 1) * 2 ** 32 + numberAt(bytes, at + 5);
    if (head !== 0xcb) throw unreadable(head);
    return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(at + 1);
  }

  /** Bytes, or text as UTF-8; no copy. */
  span(name: keyof R & string): Uint8Array {
    const at = this.seek(name);
    const sizes = SPAN_SIZES[this.bytes[at]!]!;
    if (sizes === OTHER) throw unreadable(this.bytes[at]!);
    return this.bytes.subarray(at + 1 + sizes, endOf(this.bytes, at));
  }

  /** Passes fields that hold numbers or text. */
  private seek(name: keyof R & string): number {
    for (; this.names[this.place] !== name; this.place++) this.at = endOf(this.bytes, this.at);
    return this.at;
  }
}

/** Where the number, text or bytes end that begin at `at`. */
function endOf(bytes: Uint8Array, at: number): number {
  const head = bytes[at]!;
  const size = NUMBER_SIZES[head]!;
  if (size !== OTHER) return at + size;
  const sizes = SPAN_SIZES[head]!;
  if (sizes === OTHER) throw unreadable(head);
  let length = sizes === 0 ? head - 0xa0 : 0;
  for (let i = 1; i <= sizes; i++) length = length * 256 + bytes[at + i]!;
  return at + 1 + sizes + length;
}

const OTHER = 255;

/** By the first byte of a number: how many bytes it takes. */
const NUMBER_SIZES = sizes(
  [0x00, 0x7f, 1],
  [0xcb, 0xcb, 9],
  [0xcc, 0xcc, 2],
  [0xcd, 0xcd, 3],
  [0xce, 0xce, 5],
  [0xcf, 0xcf, 9],
);

/** By the first byte of text or bytes: how many bytes say how long it is. */
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

/** A record is a list: up to 15 fields, or more. */
function lengthOfHead(bytes: Uint8Array): number {
  const head = bytes[0]!;
  if (head >= 0x90 && head <= 0x9f) return 1;
  if (head === 0xdc) return 3;
  throw unreadable(head);
}

function numberAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! * 256 + bytes[at + 1]!) * 256 + bytes[at + 2]!) * 256 + bytes[at + 3]!;
}

const unreadable = (head: number) => new Error(`a field begins with byte ${head}`);
