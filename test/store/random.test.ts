/** Random sequences of transactions, compared with a plain model, in memory and on disk. */
import { describe, expect, test } from "bun:test";
import { openStore } from "../../src/store/open.ts";
import type { Key, KeyPart } from "../../src/store/declare.ts";
import { seedsOf } from "../repetitions.ts";
import {
  compareAll,
  compareOnDisk,
  compareSample,
  type StoreContents,
} from "./compare-with-model.ts";
import { type BitmapName, Model, type Row, type TableName } from "./model.ts";
import {
  type RandomChance,
  chanceOf,
  type Reader,
  schema,
  scratch,
  type Writer,
} from "./sample-schema.ts";

const SEEDS = seedsOf("transactions");
const BODIES = 250;
const TEXTS = ["", "a", "A", "a\0", "\u0001", "ab", "é", "\uffff", "😀", "a\u{10ffff}"];
const SETS = {
  seen: [[1], [2]],
  starred: [
    [1, 2],
    [1, 300],
    [2, 300],
  ],
};

class TestError extends Error {}

/** Runs random transactions on a store and a model, and compares the two. */
class RandomRun {
  readonly random: RandomChance;
  /** State before the next body, and after each body that did not throw. */
  private now = new Model();
  private readonly history = [new Model()];
  private committed = 0;
  private readonly announced: number[] = [];
  private issued = 0;

  constructor(
    readonly store: Awaited<ReturnType<typeof openStore<typeof schema>>>["store"],
    seed: number,
  ) {
    this.random = chanceOf(seed);
    store.onCommit = (announcements) => {
      for (const body of announcements as number[]) this.announced.push(body);
      this.committed = this.announced.at(-1)!;
      this.compareOutsideTransaction();
    };
  }

  get newestModel(): Model {
    return this.history.at(-1)!;
  }

  async bodies(): Promise<void> {
    const all: Promise<void>[] = [];
    for (let n = 0; n < BODIES; n++) {
      all.push(this.body());
      this.compareSample(this.store.reading, this.history[this.committed]!);
      if (this.random.once(3)) await Promise.resolve();
      if (this.random.once(12)) await Bun.sleep(0);
      if (this.random.once(30)) await this.store.settled();
    }
    await Promise.all(all);
    await this.store.settled();
    expect(this.announced).toEqual(
      Array.from({ length: this.history.length - 1 }, (_, n) => n + 1),
    );
    this.compareOutsideTransaction();
  }

  private async body(): Promise<void> {
    const number = this.history.length;
    const fails = this.random.once(4);
    const before = this.now.copy();
    const result = this.store.write((tx) => {
      this.store.announce(number);
      for (let step = this.random.below(6); step >= 0; step--) this.step(tx);
      if (this.random.once(5)) compareAll(tx as unknown as StoreContents, this.now, SETS);
      if (fails) throw new TestError();
      return number;
    });
    if (fails) {
      this.now = before;
      return expect(result).rejects.toBeInstanceOf(TestError);
    }
    this.history.push(this.now.copy());
    expect(await result).toBe(number);
    expect(this.committed).toBeGreaterThanOrEqual(number);
  }

  private step(tx: Writer): void {
    const { random } = this;
    const kind = random.below(8);
    if (kind === 0) {
      const id = this.store.next("numbers");
      expect(id).toBe(++this.issued);
    } else if (kind <= 2) this.mark(tx);
    else if (kind <= 4) {
      const name = this.tableName();
      const key = this.key(name);
      (tx[name] as { delete(...key: Key): void }).delete(...key);
      this.now.delete(name, key);
    } else {
      const name = this.tableName();
      const row = this.row(name);
      (tx[name] as unknown as { put(row: Row): void }).put(row);
      this.now.put(name, row);
    }
    this.compareSample(tx, this.now);
  }

  private mark(tx: Writer): void {
    const { random } = this;
    const name = random.pick<BitmapName>(["seen", "starred"]);
    const key = random.pick<Key>(SETS[name]);
    const id = random.pick([0, 1, 2, 300]) * 4096 + random.pick([0, 1, 2, 76, 77, 78, 4095]);
    if (random.once(3)) {
      tx[name].remove(key, id);
      this.now.remove(name, key, id);
    } else {
      tx[name].add(key, id);
      this.now.add(name, key, id);
    }
    expect(tx[name].has(key, id)).toBe(this.now.ids(name, key).has(id));
  }

  private tableName(): TableName {
    return this.random.pick(["people", "seats", "notes", "words"]);
  }

  private key(name: TableName): Key {
    const { random } = this;
    const id = random.pick([1, 2, 3, 255, 256, 65_536, 2 ** 40]);
    if (name === "seats") return [id, random.pick([1, 2, 2 ** 30])];
    return name === "words" ? [id, random.pick(TEXTS)] : [id];
  }

  private row(name: TableName): Row {
    const { random } = this;
    const [a, b] = this.key(name);
    const text = random.pick(TEXTS);
    const rank = random.once(3) ? null : random.below(4);
    if (name === "people") return { id: a, name: text, team: random.below(3), boss: rank };
    if (name === "seats") return { room: a, seat: b, holder: text };
    if (name === "words")
      return { author: a, word: b, times: random.below(1000), code: this.code(a!) };
    const tags = TEXTS.filter(() => random.once(4));
    return { id: a, author: random.below(3), title: text, rank, tags, text };
  }

  private code(keyPart: KeyPart): number {
    const code = this.random.below(5);
    return this.now.rowsAlongIndex("words", "code", [keyPart, code]).length > 0 ? 0 : code;
  }

  private compareSample(contents: Reader, model: Model): void {
    compareSample(contents as unknown as StoreContents, model, this.random, (name) =>
      this.key(name),
    );
  }

  private compareOutsideTransaction(): void {
    compareAll(this.store.reading as unknown as StoreContents, this.history[this.committed]!, SETS);
  }
}

describe("random transactions", () => {
  test.each(SEEDS)("match the model, in memory and on disk (seed %d)", async (seed) => {
    const directory = scratch();
    let model = new Model();
    const { store, close } = await openStore(directory, schema, []);
    const run = new RandomRun(store, seed);
    await run.bodies();
    model = run.newestModel;
    const input = store.last("numbers");
    const counted = store.lastCommitted("numbers");
    expect(counted).toBeGreaterThan(0);
    expect(counted).toBeLessThanOrEqual(input);
    await close();
    await compareOnDisk(directory, model, ["numbers"]);

    const reopened = await openStore(directory, schema, []);
    compareAll(reopened.store.reading as unknown as StoreContents, model, SETS);
    expect(reopened.store.last("numbers")).toBe(counted);
    await reopened.close();
  });
});
