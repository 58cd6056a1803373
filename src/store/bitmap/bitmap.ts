// Sets of message ids, cut into chunks of 4096; in memory a chunk is 128 words, one bit per id.

/** Ids per chunk. It is on disk: changing it means a migration. */
export const CHUNK_IDS = 4096;
const WORDS = CHUNK_IDS / 32;

/** A set of offsets 0..4095: bit `offset & 31` of word `offset >>> 5`. */
export type Chunk = Uint32Array;

export function emptyChunk(): Chunk {
  return new Uint32Array(WORDS);
}

/** Which chunk an id is in. */
export function chunkOf(id: number): number {
  return Math.floor(id / CHUNK_IDS);
}

/** An id's place in its chunk. */
export function offsetOf(id: number): number {
  return id & (CHUNK_IDS - 1);
}

/** The id at an offset of a chunk. */
export function idOf(chunk: number, offset: number): number {
  return chunk * CHUNK_IDS + offset;
}

/** Keeps in `a` what is also in `b`; returns `a`. */
export function and(a: Chunk, b: Chunk): Chunk {
  for (let i = 0; i < WORDS; i++) a[i]! &= b[i]!;
  return a;
}

/** Takes out of `a` what is in `b`; returns `a`. */
export function andNot(a: Chunk, b: Chunk): Chunk {
  for (let i = 0; i < WORDS; i++) a[i]! &= ~b[i]!;
  return a;
}

/** Adds to `a` what is in `b`; returns `a`. */
export function or(a: Chunk, b: Chunk): Chunk {
  for (let i = 0; i < WORDS; i++) a[i]! |= b[i]!;
  return a;
}

export function isEmpty(chunk: Chunk): boolean {
  for (let i = 0; i < WORDS; i++) if (chunk[i] !== 0) return false;
  return true;
}

/** How many offsets the set has. */
export function count(chunk: Chunk): number {
  let sum = 0;
  // Most words of most chunks are empty.
  for (let i = 0; i < WORDS; i++) if (chunk[i] !== 0) sum += bitsIn(chunk[i]!);
  return sum;
}

/** Adds the offsets first..last, both included; nothing when first > last. */
export function setRange(chunk: Chunk, first: number, last: number): Chunk {
  for (let i = first >>> 5; i <= last >>> 5; i++) chunk[i]! |= rangeMask(i, first, last);
  return chunk;
}

/** Takes out the offsets first..last, both included; nothing when first > last. */
export function clearRange(chunk: Chunk, first: number, last: number): Chunk {
  for (let i = first >>> 5; i <= last >>> 5; i++) chunk[i]! &= ~rangeMask(i, first, last);
  return chunk;
}

/** The ids, oldest first; `base` is the id at offset 0. */
export function ascending(chunk: Chunk, base: number, limit = CHUNK_IDS): number[] {
  const ids: number[] = [];
  for (let i = 0; i < WORDS && ids.length < limit; i++) {
    for (let word = chunk[i]!; word !== 0 && ids.length < limit; word &= word - 1) {
      ids.push(base + i * 32 + lowestBit(word));
    }
  }
  return ids;
}

/** The ids, newest first; `base` is the id at offset 0. */
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

/** Calls `fn` with the first and last offset of each unbroken run, in ascending order. */
export function eachRun(chunk: Chunk, fn: (first: number, last: number) => void): void {
  for (let first = nextIn(chunk, 0, 0); first < CHUNK_IDS;) {
    const end = nextIn(chunk, first, -1);
    fn(first, end - 1);
    first = nextIn(chunk, end, 0);
  }
}

/** How many unbroken runs the set has. */
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

/** The lowest offset, or -1 of an empty set. */
export function lowest(chunk: Chunk): number {
  for (let i = 0; i < WORDS; i++) if (chunk[i] !== 0) return i * 32 + lowestBit(chunk[i]!);
  return -1;
}

/** The highest offset, or -1 of an empty set. */
export function highest(chunk: Chunk): number {
  for (let i = WORDS - 1; i >= 0; i--) if (chunk[i] !== 0) return i * 32 + highestBit(chunk[i]!);
  return -1;
}

/** How many bits of a 32-bit word are set. */
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

/** The bits of word `i` that lie in first..last, where `i` is a word that the range touches. */
function rangeMask(i: number, first: number, last: number): number {
  const from = i === first >>> 5 ? -1 << (first & 31) : -1;
  const to = i === last >>> 5 ? -1 >>> (31 - (last & 31)) : -1;
  return from & to;
}

/** The first offset from `from` on that is set (`flip` 0) or clear (-1), or CHUNK_IDS. */
function nextIn(chunk: Chunk, from: number, flip: 0 | -1): number {
  let mask = -1 << (from & 31);
  for (let i = from >>> 5; i < WORDS; i++) {
    const word = (chunk[i]! ^ flip) & mask;
    if (word !== 0) return i * 32 + lowestBit(word);
    mask = -1;
  }
  return CHUNK_IDS;
}
