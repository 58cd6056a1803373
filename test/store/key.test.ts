/** Keys keep the order of their parts, and different parts give different keys. */
import { describe, expect, test } from "bun:test";
import { AFTER, KeyCache, keyEncoder, keyOf, lastNumber, partOf } from "../../src/store/key.ts";
import { chanceOf } from "./sample-schema.ts";

const numbers = [
  ...[...Array(53).keys()].flatMap((power) => [2 ** power - 1, 2 ** power, 2 ** power + 1]),
  2 ** 53 - 1,
  2 ** 53,
];
const integers = [...new Set(numbers.flatMap((n) => [n, n === 0 ? 0 : -n]))];

const texts = [
  "",
  "\0",
  "\0\0",
  "\0\u0001",
  "\u0001",
  "\u0001\0",
  "\u0001\u0001",
  "\u0002",
  "a",
  "a\0",
  "a\0b",
  "a\u0001",
  "a\u0001b",
  "a\u0002",
  "a ",
  "aa",
  "ab",
  "b",
  "~",
  "\u007f",
  "\u0080",
  "é",
  "\u07ff",
  "\u0800",
  "\ud7ff",
  "\ue000",
  "\ufffd",
  "\uffff",
  "\u{10000}",
  "😀",
  "\u{10ffff}",
  "a\nb\n",
  "\n",
];

test("a key of one number is its prefix and its part, new or cached", () => {
  const retained = new KeyCache((n) => keyOf(200, [n]));
  for (const n of [...integers, ...integers.toReversed()]) {
    expect(keyOf(200, [n])).toBe(String.fromCharCode(200) + partOf(n));
    expect([retained.of(n), retained.of(n)]).toEqual([keyOf(200, [n]), keyOf(200, [n])]);
  }
  for (const none of [0.5, NaN, Infinity, 2 ** 53 + 2]) {
    expect(() => keyOf(200, [none])).toThrow("is no key");
    expect(() => retained.of(none)).toThrow("is no key");
  }
});

describe("the order of keys", () => {
  test("is that of whole numbers, from -2^53 to 2^53", () => {
    const sorted = integers.toSorted((a, b) => a - b);
    expect(sorted.map(partOf)).toEqual(sorted.map(partOf).toSorted());
    expect(new Set(sorted.map(partOf)).size).toBe(sorted.length);
  });

  test("is that of the code points of texts", () => {
    const sorted = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(sorted.map(partOf)).toEqual(sorted.map(partOf).toSorted());
    expect(new Set(sorted.map(partOf)).size).toBe(texts.length);
  });

  test("is that of the parts, the first one first", () => {
    const random = chanceOf(1);
    for (let round = 0; round < 20_000; round++) {
      const a: [number, string, number] = [random.pick(numbers), random.pick(texts), round % 300];
      const b: [number, string, number] = [random.pick(numbers), random.pick(texts), round % 7];
      if (random.once(2)) b[0] = a[0];
      if (random.once(2)) b[1] = a[1];
      const order =
        a[0] - b[0] || Buffer.compare(Buffer.from(a[1]), Buffer.from(b[1])) || a[2] - b[2];
      const [left, right] = [keyOf(9, a), keyOf(9, b)];
      expect(left < right ? -1 : left > right ? 1 : 0).toBe(Math.sign(order));
    }
  });

  test("has everything under a key before its end, and nothing else", () => {
    for (const under of [...texts, ...numbers]) {
      const [start, end] = [keyOf(9, [under]), keyOf(9, [under]) + AFTER];
      for (const part of [...texts, ...numbers]) {
        const key = keyOf(9, [under, part]);
        expect(key >= start && key < end).toBe(true);
        const other = keyOf(9, [part, under]);
        expect(other >= start && other < end).toBe(other.startsWith(start));
      }
    }
  });
});

test("treats unpaired surrogates as the same character, as UTF-8 does", () => {
  expect(partOf("a\ud800")).toBe(partOf("a\ufffd"));
  expect(partOf("\udc00b")).toBe(partOf("\ud800b"));
});

test("rejects fractions and other values", () => {
  for (const n of [0.5, -0.5, NaN, Infinity, -Infinity, 2 ** 54]) {
    expect(() => partOf(n)).toThrow("is no key");
  }
});

test("finds the last number of a key", () => {
  const base = keyOf(9, ["a", 7]);
  for (const n of numbers) expect(lastNumber(base + partOf(n), base.length)).toBe(n);
});

test("formats a key as its bytes, and parses it", () => {
  const target = Buffer.alloc(300);
  const key = String.fromCharCode(...Array(256).keys());
  const end = keyEncoder.writeKey(key, target, 20);
  expect(end).toBe(276);
  expect([...target.subarray(20, end)]).toEqual([...Array(256).keys()]);
  expect(keyEncoder.readKey(target, 20, end)).toBe(key);
});
