/** Single fields of records, compared with the decoded records. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { codecOf, msgpack } from "../../src/store/codec.ts";
import { Fields, numberOfWhole } from "../../src/store/fields.ts";

interface Row {
  a: number;
  b: string;
  c: Uint8Array;
  d: number;
}

const names = ["a", "b", "c", "d"] as const;
const codec = codecOf<Row>(names);
const rowOf = (row: Row) => new Fields(codec.encode(row), names, codec);

const NUMBERS = [0, 1, 127, 128, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1];
const LENGTHS = [0, 1, 31, 32, 255, 256, 65_535, 65_536];

test("reads numbers of all sizes, before and after other fields", () => {
  for (const a of NUMBERS) {
    for (const d of NUMBERS) {
      const fields = rowOf({ a, b: "word", c: Uint8Array.of(1, 2), d });
      expect(fields.number("a")).toBe(a);
      expect(fields.number("d")).toBe(d);
    }
  }
});

test("reads and skips text and bytes of all lengths", () => {
  for (const length of LENGTHS) {
    const row = { a: 7, b: "é".repeat(length), c: new Uint8Array(length).fill(9), d: length };
    const fields = rowOf(row);
    expect(Buffer.from(fields.span("b")).toString()).toBe(row.b);
    expect(Buffer.compare(fields.span("c"), row.c)).toBe(0);
    expect(rowOf(row).number("d")).toBe(length);
  }
});

test("reading some fields keeps the whole record available", () => {
  const row = { a: 300, b: "word", c: Uint8Array.of(1, 2), d: 4 };
  const fields = rowOf(row);
  fields.number("a");
  expect({ ...fields.record(), c: [...fields.record().c] }).toEqual({ ...row, c: [1, 2] } as never);
});

test("reads a record of many fields too", () => {
  const fieldNames = Array.from({ length: 20 }, (_, index) => `field${index}`);
  const wide = codecOf<Record<string, number>>(fieldNames);
  const row = Object.fromEntries(fieldNames.map((name, index) => [name, index * 50]));
  expect(new Fields(wide.encode(row), fieldNames, wide).number("field19")).toBe(950);
});

test("rejects a field of another type", () => {
  const row = { a: 300, b: "word", c: Uint8Array.of(1, 2), d: 4 };
  expect(() => rowOf(row).span("a")).toThrow("a field begins with byte");
  expect(() => rowOf(row).number("b")).toThrow("a field begins with byte");
  expect(() => rowOf({ ...row, a: -3 }).number("a")).toThrow("a field begins with byte");
  const nested = { ...row, a: [1] } as unknown as Row;
  expect(() => rowOf(nested).number("d")).toThrow("a field begins with byte");
});

test("reads a list that starts with a number to its last byte", () => {
  const simple = fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger(), fc.boolean());
  const bytes = fc.uint8Array({ maxLength: 300 });
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      simple,
      fc.constant(null),
      fc.string(),
      bytes,
      tie("in"),
    ),
    in: fc.oneof(fc.array(tie("tree")), fc.dictionary(fc.string(), tie("tree"))),
  }));
  const list = fc.tuple(fc.maxSafeNat(), fc.array(tree, { maxLength: 20 }));
  fc.assert(
    fc.property(list, fc.nat(), ([number, rest], index) => {
      const intact = msgpack.encode([number, ...rest, undefined]);
      expect(numberOfWhole(intact)).toBe(number);
      expect(numberOfWhole(intact.subarray(0, index % intact.length))).toBe(undefined);
      expect(numberOfWhole(Buffer.concat([intact, intact]))).toBe(undefined);
    }),
  );
  for (const other of [-3, "word", null, [1]]) {
    expect(numberOfWhole(msgpack.encode([other]))).toBe(undefined);
  }
  expect(numberOfWhole(msgpack.encode({ a: 1 }))).toBe(undefined);
});
