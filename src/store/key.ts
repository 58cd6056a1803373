// Keys as binary strings: one character a byte, so that string order is the store's key order.
import type { Key, KeyPart } from "./declare.ts";

/** No key is longer: what the store can hold. */
export const KEY_BYTES_MAX = 1978;

/** Sorts after every key that begins with what stands before it: no part begins with this byte. */
export const AFTER = "\xff";

/** The key of these parts under a table's prefix. */
export function keyOf(prefix: number, parts: Key): string {
  if (parts.length === 1 && typeof parts[0] === "number") return numberKey(prefix, parts[0]);
  let key = String.fromCharCode(prefix);
  for (const part of parts) key += partOf(part);
  return key;
}

export function partOf(part: KeyPart): string {
  return typeof part === "number" ? numberPart(part) : textPart(part);
}

/** As the general way makes it, which puts it together from more strings. */
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

/** Its length in bytes, then its bytes, highest first: whole numbers up to 2^53 in order. */
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

/** Before all others: a zero, then length and bytes of the opposite number, all complemented. */
function negativePart(n: number): string {
  let bytes = "\0";
  for (const byte of Buffer.from(numberPart(-n), "latin1")) {
    bytes += String.fromCharCode(255 - byte);
  }
  return bytes;
}

const PLAIN = /^[\x02-\x7f]*$/;

/**
 * UTF-8 ended by a zero byte; the bytes 0 and 1 inside it are escaped, so that order holds.
 * Unpaired surrogates have no UTF-8: they all become U+FFFD.
 */
function textPart(text: string): string {
  if (PLAIN.test(text)) return text + "\0";
  let bytes = "";
  for (const byte of Buffer.from(text, "utf8")) {
    bytes += byte > 1 ? String.fromCharCode(byte) : String.fromCharCode(1, byte + 1);
  }
  return bytes + "\0";
}

/** How long the last part of a bitmap's key is: always the same, so that it can be cut off. */
export const CHUNK_PART_BYTES = 4;

/** A chunk's number as the last part of a bitmap's key. */
export function chunkPart(chunk: number): string {
  if (chunk === lastChunk) return lastPart;
  const [high, low] = [chunk >>> 16, chunk & 0xffff];
  lastChunk = chunk;
  lastPart = String.fromCharCode(high >>> 8, high & 255, low >>> 8, low & 255);
  return lastPart;
}

/** Many sets are asked for the same chunk, one after the other. */
let lastChunk = -1;
let lastPart = "";

/** The number that `chunkPart` put at the end of a key. */
export function chunkIn(key: string): number {
  return lastNumber(key, key.length - CHUNK_PART_BYTES - 1);
}

/** The number that the last part of a key holds. */
export function lastNumber(key: string, at: number): number {
  let n = 0;
  for (let i = at + 1; i < key.length; i++) n = n * 256 + key.charCodeAt(i);
  return n;
}

const KEPT_KEYS = 256;

/** Keeps the keys that were made last, of one number each: they are hashed already. */
export class KeptKeys {
  private readonly numbers: number[] = [];
  private readonly keys: string[] = [];

  constructor(private readonly make: (n: number) => string) {}

  of(n: number): string {
    const slot = n & (KEPT_KEYS - 1);
    if (this.numbers[slot] === n) return this.keys[slot]!;
    const key = this.make(n);
    this.numbers[slot] = n;
    this.keys[slot] = key;
    return key;
  }
}

/** A Buffer's Latin-1 methods, which its published types leave out. */
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
