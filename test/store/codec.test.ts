/** Records are decoded to what was encoded. */
import { describe, expect, test } from "bun:test";
import { codecOf, msgpack } from "../../src/store/codec.ts";
import { partOf } from "../../src/store/key.ts";

interface SampleRecord {
  id: number;
  text: string;
  more: unknown;
}

const items = codecOf<SampleRecord>(["id", "text", "more"]);
const roundTrip = (value: SampleRecord) => items.decode(items.encode(value));

describe("a record", () => {
  const values: [name: string, value: unknown][] = [
    ["nothing", null],
    ["a missing value", undefined],
    ["truth", [true, false]],
    ["numbers", [0, -1, 127, 128, 65536, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 1.5, -0.25]],
    ["text", ["", "a\0\u0001", "é\uffff", "😀".repeat(50), "x".repeat(70_000)]],
    ["nesting", { a: [{ b: { c: [] } }], "a key": {}, "7": 7 }],
    ["many keys", Object.fromEntries([...Array(300).keys()].map((n) => [`k${n}`, n]))],
    ["bytes", Buffer.from([0, 255, 1])],
  ];
  test.each(values)("keeps %s", (_, extra) => {
    expect(roundTrip({ id: 5, text: "t", more: extra })).toEqual({ id: 5, text: "t", more: extra });
  });

  const oddValues: [name: string, value: unknown][] = [
    ...values,
    ["a zero below zero", [-0, { a: -0 }]],
    ["what is no number", [NaN, Infinity]],
    ["half characters inside", [["a\ud800"], { "\udc00": "\udc00" }]],
    ["a key of the language", JSON.parse('{"__proto__":{"a":1},"constructor":2}')],
    ["a missing value inside", [undefined, { a: undefined }]],
    ["a date", new Date(0)],
  ];
  test.each(oddValues)("is copied as if decoded from its bytes: %s", (_, extra) => {
    const value = { id: -0, text: "t\ud800", more: extra, other: 1 };
    expect(items.copy(value)).toStrictEqual(roundTrip(value));
  });

  test("shares nothing with its copy", () => {
    const value = { id: 1, text: "t", more: { list: [[1]] } };
    const copy = items.copy(value);
    value.more.list[0]!.push(2);
    expect(copy.more).toEqual({ list: [[1]] });
  });

  test("has only its fields, in the schema's order", () => {
    const wide = { other: 1, more: 2, text: "t", id: 3 };
    expect(Object.entries(roundTrip(wide))).toEqual([
      ["id", 3],
      ["text", "t"],
      ["more", 2],
    ]);
  });

  test("written before a field existed has it undefined", () => {
    const bytes = codecOf<SampleRecord>(["id", "text"]).encode({ id: 1, text: "t", more: 5 });
    expect(items.decode(bytes)).toEqual({ id: 1, text: "t", more: undefined });
  });

  test("keeps text that has its own key, whatever the text", () => {
    for (const text of ["\ud800", "a\udc00b", "\ud800".repeat(80), `${"x".repeat(99)}\udfff`]) {
      const { text: stored } = roundTrip({ id: 1, text, more: null });
      expect(stored).toBe(text.toWellFormed());
      expect(partOf(stored)).toBe(partOf(text));
    }
  });

  test("has its own bytes, which later ones do not overwrite", () => {
    const all = [...Array(2000).keys()].map((id) => items.encode({ id, text: "t", more: [id] }));
    for (const [id, bytes] of all.entries()) expect(items.decode(bytes).more).toEqual([id]);
  });
});

test("a field can have any name", () => {
  const codec = codecOf<Record<string, number>>(['"', "a b", "\\", "of", "o"]);
  const record = { '"': 1, "a b": 2, "\\": 3, of: 4, o: 5 };
  expect(codec.decode(codec.encode(record))).toEqual(record);
});

test("a plain value is encoded without fields", () => {
  for (const value of [0, 7, 2 ** 53, "text", [1, [2]], { a: 1 }]) {
    expect(msgpack.decode(msgpack.encode(value))).toEqual(value);
  }
});
