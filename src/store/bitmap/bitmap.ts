// Sets of message ids in chunks of 4096, with one bit per id in memory.

/** Ids per chunk. Part of the disk format: a change requires a migration. */
export const CHUNK_IDS = 4096;
const WORDS = CHUNK_IDS / 32;

/** A set of offsets from 0 to 4095: bit `offset & 31` of word `offset >>> 5`. */
export type Chunk = Uint32Array;

export function emptyChunk(): Chunk {
  return new Uint32Array(WORDS);
}

/** Returns the chunk of an id. */
export function chunkOf(id: number): number {
  return Math.floor(id / CHUNK_IDS);
}

/** Returns the offset of an id in its chunk. */
export function offsetOf(id: number): number {
  return id & (CHUNK_IDS - 1);
}

/** Returns the id at an offset of a chunk. */
export function idOf(chunk: number, offset: number): number {
  return chunk * CHUNK_IDS + offset;
}

/** Intersects `a` with `b` in place and returns `a`. */
export function and(a: Chunk, b: Chunk): Chunk {
  for (let i = 0; i < WORDS; i++) a[i]! &= b[i]!;
  return a;
}

/** Removes the offsets of `b` from `a` in place and returns `a`. */
export function andNot(a: Chunk, b: Chunk): Chunk {
  for (let i = 0; i < WORDS; i++) a[i]! &= ~b[i]!;
  return a;
}

/** Adds the offsets of `b` to `a` in place and returns `a`. */
export function or(a: Chunk, b: Chunk): Chunk {
  for (let i = 0; i < WORDS; i++) a[i]! |= b[i]!;
  return a;
}

export function isEmpty(chunk: Chunk): boolean {
  for (let i = 0; i < WORDS; i++) if (chunk[i] !== 0) return false;
  return true;
}

/** Returns the number of offsets. */
export function count(chunk: Chunk): number {
  let sum = 0;
  // Most words of most chunks are empty.
  for (let i = 0; i < WORDS; i++) if (chunk[i] !== 0) sum += bitsIn(chunk[i]!);
  return sum;
}

/** Adds the offsets first..last, both included; none if first > last. */
export function setRange(chunk: Chunk, first: number, last: number): Chunk {
  for (let i = first >>> 5; i <= last >>> 5; i++) chunk[i]! |= rangeMask(i, first, last);
  return chunk;
}

/** Removes the offsets first..last, both included; none if first > last. */
export function clearRange(chunk: Chunk, first: number, last: number): Chunk {
  for (let i = first >>> 5; i <= last >>> 5; i++) chunk[i]! &= ~rangeMask(i, first, last);
  return chunk;
}

/** Returns the ids, oldest first. `base` is the id at offset 0. */
export function ascending(chunk: Chunk, base: number, limit = CHUNK_IDS): number[] {
  const ids: number[] = [];
  for (let i = 0; i < WORDS && ids.length < limit; i++) {
    for (let word = chunk[i]!; word !== 0 && ids.length < limit; word &= word - 1) {
      ids.push(base + i * 32 + lowestBit(word));
    }
  }
  return ids;
}

/** Returns the ids, newest first. `base` is the id at offset 0. */
export function descending(chunk: Chunk, base: number, limit = CHUNK_IDS): number[] {
  const ids: number[] = [];
  for (let i = WORDS - 1; i >= 0 && ids.length < limit; i--) {
    let word = chunk[i]!;
    while (word !== 0 && ids.length < limit) {
      const bit = highestBit(word);
      ids.push(base + i * 32 + bit);
      word ^= 1 << bit;
    }
  }
  return ids;
}

/** Calls `fn` with each offset, in ascending order. */
export function eachOffset(chunk: Chunk, fn: (offset: number) => void): void {
  for (let i = 0; i < WORDS; i++) {
    for (let word = chunk[i]!; word !== 0; word &= word - 1) fn(i * 32 + lowestBit(word));
  }
}

/**
 * Calls `fn` with the first and last offset of each run of consecutive offsets, in ascending order.
 */
export function eachRun(chunk: Chunk, fn: (first: number, last: number) => void): void {
  for (let first = nextIn(chunk, 0, 0); first < CHUNK_IDS;) {
    const end = nextIn(chunk, first, -1);
    fn(first, end - 1);
    first = nextIn(chunk, end, 0);
  }
}

/** Returns the number of runs of consecutive offsets. */
export function countRuns(chunk: Chunk): number {
  let sum = 0;
  let carry = 0;
  for (let i = 0; i < WORDS; i++) {
    const word = chunk[i]!;
    sum += bitsIn(word & ~((word << 1) | carry));
    carry = word >>> 31;
  }
  return sum;
}

/** Returns the lowest offset; -1 for an empty set. */
export function lowest(chunk: Chunk): number {
  for (let i = 0; i < WORDS; i++) if (chunk[i] !== 0) return i * 32 + lowestBit(chunk[i]!);
  return -1;
}

/** Returns the highest offset; -1 for an empty set. */
export function highest(chunk: Chunk): number {
  for (let i = WORDS - 1; i >= 0; i--) if (chunk[i] !== 0) return i * 32 + highestBit(chunk[i]!);
  return -1;
}

/** Returns the number of bits set in a 32-bit word. */
export function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

function highestBit(word: number): number {
  return 31 - Math.clz32(word);
}

/** Returns a mask of the bits of word `i` in first..last. The range must touch word `i`. */
function rangeMask(i: number, first: number, last: number): number {
  const from = i === first >>> 5 ? -1 << (first & 31) : -1;
  const to = i === last >>> 5 ? -1 >>> (31 - (last & 31)) : -1;
  return from & to;
}

/** Returns the first offset from `from` on that is set (`flip` 0) or clear (-1), or CHUNK_IDS. */
function nextIn(chunk: Chunk, from: number, flip: 0 | -1): number {
  let mask = -1 << (from & 31);
  for (let i = from >>> 5; i < WORDS; i++) {
    const word = (chunk[i]! ^ flip) & mask;
    if (word !== 0) return i * 32 + lowestBit(word);
    mask = -1;
  }
  return CHUNK_IDS;
}
