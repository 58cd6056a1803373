// Keys as binary strings, one character per byte, so that string order is the store's key order.
import type { Key, KeyPart } from "./declare.ts";

/** Limit of the store. */
export const KEY_BYTES_MAX = 1978;

/**
 * Sorts after every key that starts with the preceding parts, because no part starts with this
 * byte.
 */
export const AFTER = "\xff";

/** Returns the key of these parts under a table's prefix. */
export function keyOf(prefix: number, parts: Key): string {
  if (parts.length === 1 && typeof parts[0] === "number") return numberKey(prefix, parts[0]);
  let key = String.fromCharCode(prefix);
  for (const part of parts) key += partOf(part);
  return key;
}

export function partOf(part: KeyPart): string {
  return typeof part === "number" ? numberPart(part) : textPart(part);
}

/** Same result as the general way, with fewer strings. */
function numberKey(prefix: number, n: number): string {
  if (n >= 0 && Number.isInteger(n)) {
    if (n < 0x100) return String.fromCharCode(prefix, 1, n);
    if (n < 0x10000) return String.fromCharCode(prefix, 2, n >>> 8, n & 255);
    if (n < 0x1000000) {
      return String.fromCharCode(prefix, 3, n >>> 16, (n >>> 8) & 255, n & 255);
    }
  }
  return String.fromCharCode(prefix) + numberPart(n);
}

/**
 * The length in bytes, then the bytes, most significant first: integers up to 2^53 sort in order.
 */
function numberPart(n: number): string {
  if (n < 0) return negativePart(n);
  if (!Number.isInteger(n) || n > 2 ** 53) throw new RangeError(`${n} is no key`);
  if (n < 0x100) return String.fromCharCode(1, n);
  if (n < 0x10000) return String.fromCharCode(2, n >>> 8, n & 255);
  if (n < 0x1000000) return String.fromCharCode(3, n >>> 16, (n >>> 8) & 255, n & 255);
  let bytes = "";
  let rest = n;
  while (rest > 0) {
    bytes = String.fromCharCode(rest % 256) + bytes;
    rest = Math.floor(rest / 256);
  }
  return String.fromCharCode(bytes.length) + bytes;
}

/**
 * Sorts before non-negative numbers: a zero, then length and bytes of the absolute value,
 * complemented.
 */
function negativePart(n: number): string {
  let bytes = "\0";
  for (const byte of Buffer.from(numberPart(-n), "latin1")) {
    bytes += String.fromCharCode(255 - byte);
  }
  return bytes;
}

const PLAIN = /^[\x02-\x7f]*$/;

/**
 * UTF-8 terminated by a zero byte. Bytes 0 and 1 are escaped to preserve the order. Unpaired
 * surrogates have no UTF-8 form and become U+FFFD.
 */
function textPart(text: string): string {
  if (PLAIN.test(text)) return text + "\0";
  let bytes = "";
  for (const byte of Buffer.from(text, "utf8")) {
    bytes += byte > 1 ? String.fromCharCode(byte) : String.fromCharCode(1, byte + 1);
  }
  return bytes + "\0";
}

/** Length of the last part of a bitmap's key. It is constant, so that it can be cut off. */
export const CHUNK_PART_BYTES = 4;

/** Encodes a chunk number as the last part of a bitmap's key. */
export function chunkPart(chunk: number): string {
  if (chunk === lastChunk) return lastPart;
  const [high, low] = [chunk >>> 16, chunk & 0xffff];
  lastChunk = chunk;
  lastPart = String.fromCharCode(high >>> 8, high & 255, low >>> 8, low & 255);
  return lastPart;
}

/** The same chunk is often requested of many sets in a row. */
let lastChunk = -1;
let lastPart = "";

/** Decodes the chunk number at the end of a key. */
export function chunkIn(key: string): number {
  return lastNumber(key, key.length - CHUNK_PART_BYTES - 1);
}

/** Decodes the number in the last part of a key. */
export function lastNumber(key: string, offset: number): number {
  let n = 0;
  for (let i = offset + 1; i < key.length; i++) n = n * 256 + key.charCodeAt(i);
  return n;
}

const CACHED_KEYS_MAX = 256;

/** Caches recent keys of one number each, because their string hashes are computed already. */
export class KeyCache {
  private readonly numbers: number[] = [];
  private readonly keys: string[] = [];

  constructor(private readonly make: (n: number) => string) {}

  of(n: number): string {
    const slot = n & (CACHED_KEYS_MAX - 1);
    if (this.numbers[slot] === n) return this.keys[slot]!;
    const key = this.make(n);
    this.numbers[slot] = n;
    this.keys[slot] = key;
    return key;
  }
}

/** Latin-1 methods of Buffer that its published types omit. */
interface Latin1 {
  latin1Write(text: string, offset: number): number;
  latin1Slice(start: number, end: number): string;
}

export const keyEncoder = {
  writeKey(key: string, target: Buffer, position: number): number {
    return position + (target as unknown as Latin1).latin1Write(key, position);
  },
  readKey(source: Buffer, start: number, end: number): string {
    return (source as unknown as Latin1).latin1Slice(start, end);
  },
};
