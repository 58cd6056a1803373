/** Rows cached in the store's memory are never older than the stored rows. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
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
