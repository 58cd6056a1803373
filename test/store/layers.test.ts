/** Uncommitted layers above committed rows: shadowing and rollback. */
import { describe, expect, test } from "bun:test";
import { KEY_BYTES_MAX } from "../../src/store/key.ts";
import { Layer, Layers, type Value } from "../../src/store/layers.ts";
import { LayeredRows, type RowReader } from "../../src/store/rows.ts";
import { seedsOf } from "../repetitions.ts";
import { chanceOf } from "./sample-schema.ts";

/** A minimal implementation of committed rows. */
class PlainRows implements RowReader {
  readonly rows = new Map<string, Uint8Array>();

  get(key: string): Uint8Array | undefined {
    return this.rows.get(key);
  }

  peek(key: string): Uint8Array | undefined {
    return this.rows.get(key);
  }

  *range(start: string, end: string, reverse = false): Iterable<[string, Uint8Array]> {
    const rows = [...this.rows].filter(([key]) => key >= start && key < end);
    rows.sort(([a], [b]) => (a < b ? -1 : 1));
    yield* reverse ? rows.reverse() : rows;
  }

  keys(start: string, end: string): Iterable<string> {
    return [...this.rows.keys()].filter((key) => key >= start && key < end);
  }

  apply(layer: Layer): void {
    for (const rows of layer.rows.values()) {
      for (const [key, value] of rows) this.set(key, value);
    }
  }

  set(key: string, value: Value): void {
    if (value === null) this.rows.delete(key);
    else this.rows.set(key, value);
  }

  copy(): PlainRows {
    const copy = new PlainRows();
    for (const [key, value] of this.rows) copy.rows.set(key, value);
    return copy;
  }
}

const bytes = (n: number) => Uint8Array.of(n & 255, n >>> 8);

describe("rows in layers", () => {
  test.each(seedsOf("layers"))("read as if all were one map (seed %d)", (seed) => {
    const random = chanceOf(seed);
    const below = new PlainRows();
    const layers = new Layers();
    const layered = new LayeredRows(below, layers);
    let rows = new PlainRows();
    let committed = new PlainRows();
    const key = () => `${random.pick("abc".split(""))}${random.pick("mnopqrst".split(""))}`;

    for (let round = 0; round < 2000; round++) {
      const before = rows.copy();
      layers.begin();
      for (let step = random.below(5); step > 0; step--) {
        const [path, value] = [key(), random.once(3) ? null : bytes(round)];
        layered.put(path, value);
        rows.set(path, value);
      }
      if (random.once(4)) {
        layers.undo();
        rows = before;
      } else layers.end();

      const [prefix, from, to] = [random.pick(["a", "b", "c"]), key()[1]!, key()[1]!];
      const [start, end] = [prefix + from, prefix + to];
      for (const reverse of [false, true]) {
        expect([...layered.range(start, end, reverse)]).toEqual([
          ...rows.range(start, end, reverse),
        ]);
      }
      expect([...layered.keys(start, end)].sort()).toEqual([...rows.keys(start, end)].sort());
      const url = key();
      expect(layered.get(url)).toEqual(rows.get(url));

      if (layers.committing === undefined && random.once(3)) {
        committed = rows.copy();
        layers.committing = layers.filling;
        layers.filling = new Layer();
      } else if (layers.committing && random.once(3)) {
        below.apply(layers.committing);
        layers.committing = undefined;
        expect(below.rows).toEqual(committed.rows);
      } else if (layers.committing && random.once(6)) {
        layers.abandon();
        rows = below.copy();
      }
    }
  });

  test("are rejected outside of a transaction, or under an invalid key", () => {
    const layers = new Layers();
    const layered = new LayeredRows(new PlainRows(), layers);
    expect(() => layered.put("a", bytes(1))).toThrow("outside of a transaction");
    layers.begin();
    layered.put("a".repeat(KEY_BYTES_MAX), bytes(1));
    expect(() => layered.put("a".repeat(KEY_BYTES_MAX + 1), bytes(1))).toThrow("a key of 1979");
    layers.undo();
    expect(layers.filling.isEmpty).toBe(true);
    expect(() => layered.put("a", bytes(1))).toThrow("outside of a transaction");
  });
});

test("of the filling layer hide the committing one, including deleted ones", () => {
  const layers = new Layers();
  layers.begin();
  layers.putRecord("t", 1, "one");
  layers.putRecord("t", 2, "two");
  layers.end();
  layers.committing = layers.filling;
  layers.filling = new Layer();
  expect(layers.recordsOf("t")).toEqual(
    new Map([
      [1, "one"],
      [2, "two"],
    ]),
  );

  layers.begin();
  layers.putRecord("t", 1, null);
  layers.putRecord("t", 3, "three");
  expect(layers.record("t", 1)).toBeNull();
  expect(layers.recordsOf("t")).toEqual(
    new Map([
      [1, null],
      [2, "two"],
      [3, "three"],
    ]),
  );
  layers.undo();
  expect(layers.record("t", 1)).toBe("one");
  expect(layers.record("t", 3)).toBeUndefined();
});

test("keeps cached rows after a body that throws and a failed commit", () => {
  const layers = new Layers();
  layers.begin();
  layers.filling.add("a", bytes(1));
  layers.putRow("b", bytes(1));
  layers.undo();
  expect([layers.row("a"), layers.row("b")]).toEqual([bytes(1), undefined]);

  layers.committing = layers.filling;
  layers.filling = new Layer();
  layers.filling.add("c", bytes(2));
  layers.abandon();
  expect([layers.row("a"), layers.row("c")]).toEqual([bytes(1), bytes(2)]);
  expect(layers.committing).toBeUndefined();

  layers.committing = layers.filling;
  layers.filling = new Layer();
  layers.filling.add("a", bytes(3));
  layers.abandon();
  expect([layers.row("a"), layers.row("c")]).toEqual([bytes(3), bytes(2)]);
});
