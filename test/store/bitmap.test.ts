// Bitmaps of message ids, compared with a plain Set, also at the limits of every format.

import { describe, expect, test } from "bun:test";
import {
  and,
  andNot,
  ascending,
  type Chunk,
  CHUNK_IDS,
  chunkOf,
  clearRange,
  count,
  countRuns,
  descending,
  eachOffset,
  eachRun,
  emptyChunk,
  highest,
  idOf,
  isEmpty,
  lowest,
  offsetOf,
  or,
  setRange,
} from "../../src/store/bitmap/bitmap.ts";
import {
  countOf,
  decodeChunk,
  encodeChunk,
  hasOffset,
  RECORD_BYTES_MAX,
  takeOut,
  withOffset,
  withoutOffset,
} from "../../src/store/bitmap/encodings.ts";

const SPARSE = 1;
const RUNS = 2;
const BITS = 3;
const all = every(1);

describe("an id", () => {
  test("is a chunk and an offset, also beyond 32 bits", () => {
    for (const id of [0, 1, 4095, 4096, 2 ** 31, 2 ** 32 + 5, 2 ** 45 + 4095]) {
      expect(idOf(chunkOf(id), offsetOf(id))).toBe(id);
      expect(offsetOf(id)).toBe(id % CHUNK_IDS);
    }
    expect([chunkOf(4095), chunkOf(4096), offsetOf(4096)]).toEqual([0, 1, 0]);
  });
});

describe("a record takes the smallest form", () => {
  const cases: [name: string, offsets: number[], form: number, bytes: number][] = [
    ["the first offset", [0], SPARSE, 3],
    ["the last offset", [4095], SPARSE, 3],
    ["both ends", [0, 4095], SPARSE, 5],
    ["two neighbours", [31, 32], SPARSE, 5],
    ["three neighbours", [31, 32, 33], RUNS, 5],
    ["three at the start", [0, 1, 2], RUNS, 5],
    ["three at the end", [4093, 4094, 4095], RUNS, 5],
    ["all", all, RUNS, 5],
    ["all but one in the middle", all.filter((o) => o !== 2000), RUNS, 9],
    ["all but the first", all.slice(1), RUNS, 5],
    ["all but the last", all.slice(0, -1), RUNS, 5],
    ["every second", every(2), BITS, 513],
    ["every second, from 1", every(2, 1), BITS, 513],
    ["every 16th: 256", every(16), BITS, 513],
    ["every 16th but one: 255", every(16).slice(1), SPARSE, 511],
    ["128 runs of 3", runsOf(3, 128), BITS, 513],
    ["127 runs of 3", runsOf(3, 127), RUNS, 509],
    ["127 runs of 2", runsOf(2, 127), SPARSE, 509],
  ];
  test.each(cases)("%s", (_, offsets, form, size) => {
    const bytes = encodeChunk(chunkWith(offsets))!;
    expect([bytes[0], bytes.length]).toEqual([form, size]);
    expect(ascending(decodeChunk(bytes), 0)).toEqual(offsets);
    expect(countOf(bytes)).toBe(offsets.length);
    const set = new Set(offsets);
    for (const offset of all) expect(hasOffset(bytes, offset)).toBe(set.has(offset));
  });

  test("an empty set has no record", () => {
    expect(encodeChunk(emptyChunk())).toBeUndefined();
    expect(isEmpty(decodeChunk(undefined))).toBe(true);
    expect(countOf(undefined)).toBe(0);
    expect(hasOffset(undefined, 0)).toBe(false);
    expect(withoutOffset(undefined, 0)).toBeUndefined();
    expect(withoutOffset(withOffset(undefined, 4095), 4095)).toBeUndefined();
  });

  test("bytes on disk keep their meaning", () => {
    expect(encodeChunk(chunkWith([5, 4095]))).toEqual(Uint8Array.of(1, 5, 0, 255, 15));
    expect(encodeChunk(setRange(emptyChunk(), 0, 4095))).toEqual(Uint8Array.of(2, 0, 0, 0, 16));
    const bits = encodeChunk(chunkWith([...every(2), 4095]))!;
    expect([bits[0], bits[1], bits[512]]).toEqual([BITS, 0x55, 0xd5]);
  });

  test("an unknown form is an error, not an empty set", () => {
    const bytes = Uint8Array.of(9, 0, 0);
    for (const read of [decodeChunk, countOf, (b: Uint8Array) => hasOffset(b, 0)]) {
      expect(() => read(bytes)).toThrow("byte 9");
    }
  });
});

describe("one offset at a time", () => {
  const orders: [name: string, offsets: number[]][] = [
    ["ascending", all],
    ["descending", all.toReversed()],
    ["every second, then the gaps", [...every(2), ...every(2, 1)]],
    ["pairs, then the gaps", [...runsOf(2, 1024), ...every(4, 2), ...every(4, 3)]],
    ["threes, then the gaps", [...runsOf(3, 1024), ...every(4, 3)]],
    ["a long run, then every second", [...all.slice(0, 600), ...every(2, 600), ...every(2, 601)]],
    ["shuffled", shuffled(all, randomBelow(7))],
  ];
  test.each(orders)("%s: each step is the record of the whole set", (_, offsets) => {
    const chunk = emptyChunk();
    let bytes: Uint8Array | undefined;
    for (const offset of offsets) {
      bytes = withOffset(bytes, offset);
      expect(areEqual(bytes, encodeChunk(setRange(chunk, offset, offset)))).toBe(true);
      expect(withOffset(bytes, offset)).toBe(bytes);
    }
    for (const offset of offsets) {
      bytes = withoutOffset(bytes, offset);
      expect(areEqual(bytes, encodeChunk(clearRange(chunk, offset, offset)))).toBe(true);
      expect(withoutOffset(bytes, offset)).toBe(bytes);
    }
    expect(bytes).toBeUndefined();
  });

  test("never changes a record in place, even a view", () => {
    for (const offsets of [[1, 9], [1, 2, 3], [...every(2)]]) {
      const bytes = Buffer.from(encodeChunk(chunkWith(offsets))!);
      const before = bytes.toString("hex");
      for (const offset of [4, 4091, 4095]) withOffset(bytes, offset);
      withoutOffset(bytes, offsets[0]!);
      expect(bytes.toString("hex")).toBe(before);
    }
  });
});

describe("against a plain set", () => {
  test.each([1, 2, 3, 4, 5, 6])("random changes, seed %d", (seed) => {
    const next = randomBelow(seed);
    const model = new Set<number>();
    let chunk = emptyChunk();
    for (let step = 0; step < 400; step++) {
      chunk = change(chunk, model, next);
      if (step % 4 === 0) expectSame(chunk, model);
      const bytes = encodeChunk(chunk);
      expect(bytes?.length ?? 0).toBe(smallestSize(model));
      expect(bytes?.length ?? 0).toBeLessThanOrEqual(RECORD_BYTES_MAX);
      expect(countOf(bytes)).toBe(model.size);
      const offset = next(CHUNK_IDS);
      expect(hasOffset(bytes, offset)).toBe(model.has(offset));
      chunk = decodeChunk(bytes, step % 2 === 0 ? setRange(emptyChunk(), 7, 99) : undefined);
    }
  });

  test("a range can be within a word, end at its edges, or be empty", () => {
    const edges = [0, 1, 30, 31, 32, 33, 63, 64, 2047, 4063, 4064, 4094, 4095];
    for (const first of edges) {
      for (const last of edges) {
        const range = all.filter((offset) => offset >= first && offset <= last);
        const rest = all.filter((offset) => offset < first || offset > last);
        expect(ascending(setRange(emptyChunk(), first, last), 0)).toEqual(range);
        expect(ascending(clearRange(chunkWith(all), first, last), 0)).toEqual(rest);
      }
    }
  });

  test.each([
    ["few", [4, 5, 99, 100, 2048, 3000, 3001]],
    ["runs", all.slice(50, 2500)],
    ["bits", every(2)],
  ])("what a record of %s has is taken out, and named", (_, offsets) => {
    const chunk = setRange(chunkWith([5, 2048]), 100, 3000);
    const [inside, rest] = [
      ascending(chunk, 0).filter((item) => offsets.includes(item)),
      new Set(offsets),
    ];
    const remainingItems = ascending(chunk, 0).filter((item) => !rest.has(item));
    const takenIds: number[] = [];
    takeOut(chunk, encodeChunk(chunkWith(offsets))!, (offset) => takenIds.push(offset));
    expect(takenIds).toEqual(inside);
    expect(ascending(chunk, 0)).toEqual(remainingItems);
  });

  test("iteration stops at its limit", () => {
    const chunk = chunkWith([0, 31, 32, 4095]);
    expect(ascending(chunk, 8192, 2)).toEqual([8192, 8223]);
    expect(descending(chunk, 8192, 3)).toEqual([12287, 8224, 8223]);
    expect([ascending(chunk, 0, 0), descending(chunk, 0, 0)]).toEqual([[], []]);
  });
});

/** Applies a random change to the chunk and the model. */
function change(chunk: Chunk, model: Set<number>, next: (below: number) => number): Chunk {
  const first = next(CHUNK_IDS);
  const last = Math.min(CHUNK_IDS - 1, first + next(next(4) === 0 ? 2000 : 40));
  const kind = next(7);
  if (kind <= 1) {
    for (let offset = first; offset <= last; offset++) model.add(offset);
    return setRange(chunk, first, last);
  }
  if (kind === 2) {
    for (let offset = first; offset <= last; offset++) model.delete(offset);
    return clearRange(chunk, first, last);
  }
  const other = new Set(Array.from({ length: next(300) }, () => next(CHUNK_IDS)));
  const bits = chunkWith([...other]);
  if (kind <= 4) {
    for (const offset of other) model.add(offset);
    return or(chunk, bits);
  }
  if (kind === 5) {
    for (const offset of other) model.delete(offset);
    return andNot(chunk, bits);
  }
  const retained = setRange(bits, first, last);
  for (const offset of model) {
    if (!other.has(offset) && (offset < first || offset > last)) model.delete(offset);
  }
  return and(chunk, retained);
}

function expectSame(chunk: Chunk, model: Set<number>): void {
  const offsets = sorted(model);
  const seen: number[] = [];
  eachOffset(chunk, (offset) => seen.push(offset));
  expect(seen).toEqual(offsets);
  expect(ascending(chunk, 4096)).toEqual(offsets.map((offset) => offset + 4096));
  expect(descending(chunk, 4096)).toEqual(offsets.toReversed().map((offset) => offset + 4096));
  expect([lowest(chunk), highest(chunk)]).toEqual([offsets[0] ?? -1, offsets.at(-1) ?? -1]);
  expect([count(chunk), isEmpty(chunk)]).toEqual([offsets.length, offsets.length === 0]);
  const runs: [number, number][] = [];
  eachRun(chunk, (first, last) => runs.push([first, last]));
  expect(runs).toEqual(runsIn(model));
  expect(countRuns(chunk)).toBe(runs.length);
}

function smallestSize(model: Set<number>): number {
  if (model.size === 0) return 0;
  return 1 + Math.min(2 * model.size, 4 * runsIn(model).length, 512);
}

function runsIn(model: Set<number>): [number, number][] {
  const firsts = sorted(model).filter((offset) => !model.has(offset - 1));
  const lasts = sorted(model).filter((offset) => !model.has(offset + 1));
  return firsts.map((first, i) => [first, lasts[i]!]);
}

function sorted(model: Set<number>): number[] {
  return [...model].sort((a, b) => a - b);
}

function chunkWith(offsets: number[]): Chunk {
  const chunk = emptyChunk();
  for (const offset of offsets) setRange(chunk, offset, offset);
  return chunk;
}

function every(step: number, from = 0): number[] {
  return Array.from({ length: Math.ceil((4096 - from) / step) }, (_, i) => from + i * step);
}

/** Runs of `length` offsets, each at a multiple of four. */
function runsOf(length: number, runs: number): number[] {
  return every(4)
    .slice(0, runs)
    .flatMap((first) => Array.from({ length }, (_, i) => first + i));
}

function areEqual(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && Buffer.compare(a, b) === 0);
}

function shuffled(offsets: number[], next: (below: number) => number): number[] {
  const mixed = [...offsets];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = next(i + 1);
    [mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!];
  }
  return mixed;
}

/** Numbers below a bound, the same ones for the same seed. */
function randomBelow(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
