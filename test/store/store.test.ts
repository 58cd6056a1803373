/** Guarantees of the store to writers, readers and listeners. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { KEY_BYTES_MAX, keyOf } from "../../src/store/key.ts";
import { type OpenStore, openStore } from "../../src/store/open.ts";
import { type Note, type Sample, schema, scratch } from "./sample-schema.ts";

const note = (id: number, title = `note ${id}`): Note => {
  return { id, author: 1, title, rank: null, tags: [], text: "" };
};
const person = (id: number, name = "bo") => ({ id, name, team: 1, boss: null });

let opened: OpenStore<Sample>;
let received: unknown[] = [];
const directory = scratch();

beforeAll(async () => {
  opened = await openStore(directory, schema, []);
  opened.store.onCommit = (announcements) => void received.push(...announcements);
});
afterAll(() => opened.close());

describe("a write", () => {
  test("that read another's uncommitted row is acknowledged after it", async () => {
    const { store } = opened;
    const order: string[] = [];
    const first = store.write((tx) => tx.notes.put(note(1))).then(() => order.push("written"));
    const second = store
      .write((tx) => tx.notes.get(1)?.title)
      .then((title) => {
        order.push("read");
        expect(store.reading.notes.get(1)?.title).toBe(title!);
      });
    expect(store.reading.notes.has(1)).toBe(false);
    await Promise.all([first, second]);
    expect(order).toEqual(["written", "read"]);

    // The same holds while the row's commit is already in progress.
    const third = store.write((tx) => tx.notes.put(note(2)));
    await Promise.resolve();
    await Promise.resolve();
    expect(await store.write((tx) => tx.notes.has(2))).toBe(true);
    expect(store.reading.notes.has(2)).toBe(true);
    await third;
  });

  test("that neither writes nor reads anything uncommitted needs no commit", async () => {
    const { store } = opened;
    await store.settled();
    const result = store.write((tx) => tx.notes.has(77));
    expect(store.busy).toBe(false);
    expect(await result).toBe(false);
  });

  test("rejected because of uncommitted data reports it after the commit", async () => {
    const { store } = opened;
    const order: string[] = [];
    const body = (tx: typeof store.writing) => {
      store.next("notes");
      if (tx.notes.has(80)) throw new Error("there is one");
    };
    const expectRefused = () =>
      store.write(body).catch((error: Error) => {
        order.push(error.message);
        expect(store.reading.notes.has(80)).toBe(true);
      });
    const first = store.write((tx) => tx.notes.put(note(80))).then(() => order.push("written"));
    const second = expectRefused();
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, second, expectRefused()]);
    expect(order).toEqual(["written", "there is one", "there is one"]);
    let count = 0;
    store.commits.onMade = () => void (count += 1);
    await store.write((tx) => tx.notes.put(note(81)));
    await Promise.all([expectRefused(), store.settled()]);
    expect(count).toBe(1);
  });

  test("inside a write is rejected without affecting the outer one", async () => {
    const { store } = opened;
    let inner: Promise<void> | undefined;
    await store.write((tx) => {
      tx.notes.put(note(3));
      inner = store.write(() => {});
      inner.catch(() => {});
      tx.notes.put(note(4));
    });
    expect(inner!).rejects.toThrow("inside a transaction");
    expect([store.reading.notes.has(3), store.reading.notes.has(4)]).toEqual([true, true]);
  });

  test("that awaits is rejected, now and when it continues", async () => {
    const { store } = opened;
    let late: unknown;
    const result = store.write(async (tx) => {
      tx.notes.put(note(5));
      await Promise.resolve();
      try {
        tx.notes.put(note(6));
      } catch (error) {
        late = error;
      }
    });
    await expect(result).rejects.toThrow("must be synchronous");
    expect((late as Error).message).toContain("outside of a transaction");
    await store.write((tx) => tx.notes.put(note(7)));
    expect([5, 6, 7].map((id) => store.reading.notes.has(id))).toEqual([false, false, true]);
  });

  test("under a too long key is rejected alone", async () => {
    const { store } = opened;
    const long = "x".repeat(2000);
    const before = store.write((tx) => tx.notes.put(note(8)));
    const refusal = store.write((tx) => {
      tx.notes.put(note(9));
      tx.notes.put(note(10, long));
    });
    const after = store.write((tx) => tx.notes.put(note(11)));
    await expect(refusal).rejects.toBeInstanceOf(RangeError);
    await Promise.all([before, after]);
    const existence = [8, 9, 10, 11].map((id) => store.reading.notes.has(id));
    expect(existence).toEqual([true, false, false, true]);

    expect(store.reading.notes.findBy("title", 1, long)).toBeUndefined();
    expect(store.reading.words.get(1, long)).toBeUndefined();
    await store.write((tx) => expect(tx.notes.listBy("title", 1, long)).toEqual([]));
    const fits = "x".repeat(KEY_BYTES_MAX - keyOf(16, [1000, ""]).length);
    await store.write((tx) => tx.words.put({ author: 1000, word: fits, times: 1, code: 0 }));
    expect(store.reading.words.get(1000, fits)?.times).toBe(1);
  });
});

describe("a unique index", () => {
  test("follows the last record with a key, in any order of changes", async () => {
    const { store } = opened;
    const word = (name: string, code: number) => ({ author: 5, word: name, times: 1, code });
    const holders = () => [1, 2].map((code) => store.reading.words.findBy("code", 5, code)?.word);
    await store.write((tx) => {
      tx.words.put(word("a", 1));
      tx.words.put(word("b", 2));
    });
    expect(holders()).toEqual(["a", "b"]);
    await store.write((tx) => {
      tx.words.put(word("a", 2));
      tx.words.put(word("b", 1));
      expect(tx.words.listBy("code", 5).map((row) => row.word)).toEqual(["b", "a"]);
    });
    expect(holders()).toEqual(["b", "a"]);
    await store.write((tx) => {
      tx.words.put(word("c", 1));
      tx.words.delete(5, "b");
    });
    expect(holders()).toEqual(["c", "a"]);
  });
});

describe("an invalid id", () => {
  test("finds nothing", () => {
    const { reading } = opened.store;
    expect(reading.notes.get(-1) ?? reading.people.get(-1)).toBeUndefined();
    expect([...reading.notes.range({ to: [-1] })]).toEqual([]);
    expect(reading.notes.get(255 - 256)).toBeUndefined();
  });

  test("is not taken for another", async () => {
    const { store } = opened;
    await store.write((tx) => {
      for (const id of [255, 254]) tx.notes.put(note(id));
      tx.seats.put({ room: 1, seat: 2 ** 26 - 1, holder: "a" });
    });
    expect(store.reading.notes.get(-1)).toBeUndefined();
    expect(store.reading.seats.get(2, -1)).toBeUndefined();
  });
});

describe("a cached table", () => {
  test("stores a copy of a record, not the writer's object", async () => {
    const { store } = opened;
    const record = { ...person(1), extra: true };
    const stored = store.write((tx) => tx.people.put(record));
    record.name = "someone else";
    await stored;
    expect(store.reading.people.get(1)).toEqual(person(1));
  });

  test("can be changed during iteration", async () => {
    const { store } = opened;
    const walked = await store.write((tx) => {
      for (const id of [1, 2, 3]) tx.people.put(person(id));
      const names: string[] = [];
      for (const { id } of tx.people.range()) {
        names.push(`${id}`);
        tx.people.put(person(id, "renamed"));
        tx.people.put(person(id + 10));
      }
      return names;
    });
    expect(walked).toEqual(["1", "2", "3"]);
    expect(store.reading.people.listBy("name", "renamed").map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(store.reading.people.count()).toBe(6);
  });
});

describe("announcements", () => {
  test("follow the commit, in order, but not from a body that throws", async () => {
    const { store } = opened;
    await store.settled();
    received = [];
    const body = (item: string, fails: boolean) =>
      store.write((tx) => {
        tx.notes.put(note(20));
        store.announce(item);
        if (fails) throw new Error("no");
      });
    const all = [body("a", false), body("b", true), body("c", false)];
    store.announce("d");
    expect(received).toEqual([]);
    await Promise.allSettled(all);
    await store.settled();
    expect(received).toEqual(["a", "c", "d"]);
  });

  test("also follow a body that writes nothing", async () => {
    const { store } = opened;
    received = [];
    await store.write(() => store.announce("alone"));
    expect(received).toEqual(["alone"]);
  });
});

test("errors of listeners reach the process, and the store continues", () => {
  const program = `
    import { openStore } from ${JSON.stringify(join(import.meta.dir, "../../src/store/open.ts"))};
    process.on("uncaughtException", (error) => console.log(error.message));
    const { store, close } = await openStore(process.argv[1], { tables: {}, bitmaps: {} }, []);
    store.onCommit = ([item]) => { throw new Error("heard " + item); };
    for (const item of ["a", "b"]) await store.write(() => store.announce(item));
    await close();
    console.log("closed");
  `;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", program, scratch()]);
  expect(stdout.toString().trim().split("\n").sort()).toEqual(["closed", "heard a", "heard b"]);
});

describe("a sequence", () => {
  test("returns each number once, and readers see committed ones", async () => {
    const { store } = opened;
    const fails = store.write(() => {
      store.next("things");
      throw new Error("no");
    });
    const numbers = store.write(() => [store.next("things"), store.next("things", 3)]);
    expect([store.last("things"), store.lastCommitted("things")]).toEqual([5, 0]);
    await expect(fails).rejects.toThrow("no");
    expect(await numbers).toEqual([2, 5]);
    expect(store.lastCommitted("things")).toBe(5);
  });

  test("keeps a raised value, by itself or from a body that throws", async () => {
    const { store } = opened;
    store.raise("raised", 10);
    expect(store.busy).toBe(true);
    await store.settled();
    expect(store.lastCommitted("raised")).toBe(10);
    const fails = store.write(() => {
      store.raise("raised", 20);
      throw new Error("no");
    });
    await expect(fails).rejects.toThrow("no");
    await store.settled();
    expect([store.busy, store.lastCommitted("raised")]).toEqual([false, 20]);
  });
});

test("a paused iteration continues in its original state while data grows", async () => {
  const { store } = opened;
  const notes = Array.from({ length: 40 }, (_, n) => note(1000 + n));
  await store.write((tx) => notes.forEach((row) => tx.notes.put(row)));
  const iterator = store.reading.notes.range({ from: [1000] })[Symbol.iterator]();
  const values = [iterator.next().value!];
  for (let round = 1; round <= 20; round++) {
    await store.write((tx) => {
      for (const row of notes) tx.notes.put({ ...row, text: "x".repeat(100_000 + round) });
      for (const row of notes) tx.notes.put(note(row.id + 40));
    });
    values.push(iterator.next().value!, iterator.next().value!);
  }
  expect(values).toEqual([...notes, undefined as never]);
  expect(store.reading.notes.get(1039)!.text.length).toBe(100_020);
  expect(Bun.file(`${directory}/data.mdb`).size).toBeGreaterThan(4_000_000);
});

test("a closed store cannot be read or written", async () => {
  const { store, close } = await openStore(scratch(), schema, []);
  await store.write((tx) => tx.notes.put(note(1)));
  await close();
  expect(() => store.reading.notes.get(1)).toThrow("closed");
  expect(() => store.reading.notes.listBy("title", 1)).toThrow("closed");
  await expect(store.write((tx) => tx.notes.put(note(2)))).rejects.toThrow();
});
