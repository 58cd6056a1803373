/** Rows cached in the store's memory are never older than the stored rows. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { walkDatabase } from "../../src/store/copy/walk.ts";
import { table } from "../../src/store/declare.ts";
import { type OpenStore, openStore } from "../../src/store/open.ts";
import { type Sample, schema, scratch } from "./sample-schema.ts";

let opened: OpenStore<Sample>;
const directory = scratch();

beforeAll(async () => {
  opened = await openStore(directory, schema, []);
});
afterAll(() => opened.close());

describe("a unique key", () => {
  const word = (user_id: number, text: string, code: number) => ({
    author: user_id,
    word: text,
    times: 1,
    code,
  });

  test("leads to its current record after a lookup", async () => {
    const { store } = opened;
    const read = () => store.reading.words.findBy("code", 9, 1)?.word;
    expect(read()).toBeUndefined();
    await store.write((tx) => tx.words.put(word(9, "first", 1)));
    expect([read(), read()]).toEqual(["first", "first"]);

    const moving = store.write((tx) => {
      tx.words.put(word(9, "first", 2));
      tx.words.put(word(9, "second", 1));
      return tx.words.findBy("code", 9, 1)?.word;
    });
    expect(read()).toBe("first");
    expect(await moving).toBe("second");
    expect([read(), read()]).toEqual(["second", "second"]);

    await store.write((tx) => tx.words.delete(9, "second"));
    expect([read(), read()]).toEqual([undefined, undefined]);
  });
});

test("a body that only takes a number is durable when acknowledged", async () => {
  const own = scratch();
  let { store, close } = await openStore(own, schema, []);
  expect(await store.write(() => store.next("tickets", 3))).toBe(3);
  expect(store.lastCommitted("tickets")).toBe(3);
  const thrown = store.write(() => {
    store.next("tickets");
    throw new Error("half-way");
  });
  await expect(thrown).rejects.toThrow("half-way");
  expect(await store.write(() => store.next("tickets"))).toBe(5);
  expect(() => store.next("tickets")).toThrow("outside of a transaction");
  await close();
  ({ store, close } = await openStore(own, schema, []));
  expect(store.last("tickets")).toBe(5);
  await close();
});

describe("a derived table", () => {
  interface Line {
    id: number;
    text: string;
  }
  interface Length {
    id: number;
    length: number;
  }
  const lines = table<Line>()({ prefix: 30, key: ["id"], fields: ["id", "text"], indexes: {} });
  const lengths = table<Length>()({
    prefix: 31,
    derived: true,
    cached: true,
    key: ["id"],
    fields: ["id", "length"],
    indexes: { length: { of: ({ length }) => length } },
  });
  const derivedSchema = { tables: { lines, lengths }, bitmaps: {} };

  async function openDerived(path: string) {
    const { store, close } = await openStore(path, derivedSchema, []);
    const failures: Error[] = [];
    store.derive = function* () {
      for (const { id, text } of store.reading.lines.range()) {
        yield { id, length: text.length };
        const failure = failures.pop();
        if (failure) throw failure;
      }
    };
    const put = (id: number, text: string) =>
      store.write((tx) => {
        tx.lines.put({ id, text });
        tx.lengths.put({ id, length: text.length });
      });
    const read = () => [...store.reading.lengths.range()].map(({ id, length }) => [id, length]);
    return { store, close, failures, put, read };
  }

  test("is computed at first, changes with each commit, and is not stored", async () => {
    const path = scratch();
    let { store, close, put, read } = await openDerived(path);
    await put(1, "one");
    await put(2, "two");
    const writing = store.write((tx) => {
      tx.lengths.put({ id: 1, length: 9 });
      expect([tx.lengths.get(1)?.length, tx.lengths.countBy("length", 9)]).toEqual([9, 1]);
      throw new Error("half-way");
    });
    await expect(writing).rejects.toThrow("half-way");
    expect(read()).toEqual([
      [1, 3],
      [2, 3],
    ]);
    const adding = put(3, "three");
    expect(store.reading.lengths.get(3)).toBeUndefined();
    await adding;
    expect(store.reading.lengths.findBy("length", 5)?.id).toBe(3);
    await store.write((tx) => tx.lengths.delete(2));
    expect(store.reading.lengths.listBy("length", 3).map(({ id }) => id)).toEqual([1]);
    await close();
    expect((await walkDatabase(`${path}/data.mdb`, derivedSchema)).counts).toEqual({ lines: 3 });
    ({ close, read } = await openDerived(path));
    expect(read()).toHaveLength(3);
    await close();
  });

  test("is computed again after an error, without what was deleted meanwhile", async () => {
    const { store, close, failures, put, read } = await openDerived(scratch());
    await put(1, "one");
    await put(2, "two");
    failures.push(new Error("unreadable"));
    expect(read).toThrow("unreadable");
    await store.write((tx) => tx.lines.delete(1));
    expect(read()).toEqual([[2, 3]]);
    expect(store.reading.lengths.listBy("length", 3)).toHaveLength(1);
    await close();
  });
});
