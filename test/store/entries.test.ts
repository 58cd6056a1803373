// The journal's entries are MessagePack, with only the rows of their own commit.
import { expect, test } from "bun:test";
import { msgpack } from "../../src/store/codec.ts";
import { EntryEncoder } from "../../src/store/journal/entries.ts";
import { KEY_BYTES_MAX } from "../../src/store/key.ts";

type Row = readonly [key: string, value: Uint8Array | null];

function encoded(encoder: EntryEncoder, rows: readonly Row[]): Uint8Array | undefined {
  encoder.begin();
  for (const [key, value] of rows) encoder.add(key, value);
  return encoder.finish();
}

function decoded(bytes: Uint8Array | undefined): Row[] {
  const entry = msgpack.decode(bytes!) as (string | Uint8Array | null)[];
  return Array.from({ length: entry.length / 2 }, (_, index) => {
    const value = entry[2 * index + 1] as Uint8Array | null;
    return [entry[2 * index] as string, value && Uint8Array.from(value)];
  });
}

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, index) => index % 251);
const everyByte = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join("");

test("decode to their rows, whatever the lengths of keys and values", () => {
  const encoder = new EntryEncoder();
  const keys = ["\x07", "k".repeat(15), "\xff".repeat(16), everyByte, "x".repeat(KEY_BYTES_MAX)];
  const lengths = [0, 1, 24, 25, 255, 256, 65_535, 65_536, 3_000_000];
  const rows = keys.flatMap((key): Row[] => [
    [key, null],
    ...lengths.map((length): Row => [key, bytesOf(length)]),
  ]);
  expect(decoded(encoded(encoder, rows))).toEqual(rows);
  const many = Array.from({ length: 40_000 }, (_, index): Row => [`${index}`, bytesOf(index % 3)]);
  expect(decoded(encoded(encoder, many))).toEqual(many);
  expect(decoded(encoded(encoder, rows.slice(0, 3)))).toEqual(rows.slice(0, 3));
});

test("contain nothing of a commit that failed before", () => {
  const encoder = new EntryEncoder();
  encoder.begin();
  encoder.add("failed", bytesOf(3));
  expect(decoded(encoded(encoder, [["next", null]]))).toEqual([["next", null]]);
  expect(encoded(encoder, [])).toBeUndefined();
});
