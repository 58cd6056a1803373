// The outbox by itself: how long it tries, under which key, and when it asks the person.
import { expect, test } from "bun:test";
import type { World } from "../../src/web/api/ask.ts";
import { Refused, type Request, Unanswered } from "../../src/web/api/http.ts";
import { Drafts } from "../../src/web/features/drafts/drafts.ts";
import type { Sharing } from "../../src/web/features/drafts/sharing.ts";
import { placeKey } from "../../src/web/features/target/places.ts";
import type { KeptDraft } from "../../src/web/sync/kept.ts";
import { Line, Order } from "../../src/web/sync/line.ts";
import { Outbox, type Outgoing } from "../../src/web/sync/outbox.ts";
import type { Rows } from "../../src/web/sync/rows.ts";
import { StillWorld } from "./still-world.ts";

const HOUR_MS = 3_600_000;
const target = { type: "channel", stream_id: 1, topic: "logo" } as const;

/** A disk that outlives the tabs, and a server that says what it is told to. */
class Scene {
  now = 0;
  /** The newest message that was told of. */
  newest = -1;
  readonly disk = new Map<string, Outgoing>();
  readonly keys: string[] = [];
  readonly waits: number[] = [];
  isOnDisk = Promise.resolve();
  answer: () => { id: number } = () => {
    throw new Unanswered("no network");
  };
  private names = 0;
  private timers: (() => void)[] = [];

  /** A tab, with what earlier ones left. */
  async tab(): Promise<Outbox> {
    this.timers = [];
    const world: World = {
      now: () => this.now,
      random: () => 1,
      after: (ms, act) => {
        this.timers.push(act);
        this.waits.push(ms);
        return () => (this.timers = this.timers.filter((other) => other !== act));
      },
    };
    const outbox = new Outbox({
      able: {
        ask: async <T>({ headers }: Request) => {
          this.keys.push(headers!["Idempotency-Key"]!);
          return this.answer() as T;
        },
      },
      rows: {
        all: async () => [...this.disk.values()],
        has: async (key) => this.disk.has(key),
        exchange: async (row) => {
          const there = this.disk.get(row.local_id);
          this.disk.set(row.local_id, row);
          return there;
        },
        put: async (row) => {
          await this.isOnDisk;
          this.disk.set(row.local_id, row);
        },
        delete: async (key) => void this.disk.delete(key),
      },
      world,
      line: new Line(world, () => {}),
      order: new Order(),
      uniqueName: () => `name ${(this.names += 1)}`,
      queueId: () => "q",
      newest: () => this.newest,
      changed: () => {},
    });
    await outbox.load();
    return outbox;
  }

  /** Time passes, and all that waits for it is done. */
  async pass(ms: number): Promise<void> {
    this.now += ms;
    for (const act of this.timers.splice(0)) act();
    await settled();
  }
}

const settled = () => Bun.sleep(0);
const states = (outbox: Outbox) => [...outbox.outgoing.values()].map(({ state }) => state);

test("it is tried again under the same key, by later tabs too, until it is answered", async () => {
  const scene = new Scene();
  await (await scene.tab()).send(target, "hello").kept;
  await settled();
  const later = await scene.tab();
  later.hurry();
  await settled();
  scene.answer = () => ({ id: 7 });
  await scene.pass(HOUR_MS);
  expect(new Set(scene.keys).size).toBe(1);
  expect(scene.keys).toHaveLength(3);
  expect(states(later)).toEqual(["sent"]);
  await later.arrived({ id: 7 });
  expect(scene.disk.size).toBe(0);
});

test("it is shown at once, and goes to the server when the disk has it, in order", async () => {
  const scene = new Scene();
  const outbox = await scene.tab();
  const disk = Promise.withResolvers<void>();
  scene.isOnDisk = disk.promise;
  const first = outbox.send(target, "first");
  scene.isOnDisk = Promise.resolve();
  await outbox.send(target, "second").kept;
  outbox.hurry();
  await settled();
  expect(states(outbox)).toEqual(["waiting", "waiting"]);
  expect(scene.keys).toEqual([]);
  disk.resolve();
  await first.kept;
  await settled();
  expect(scene.keys).toEqual([first.outgoing.idempotency_key]);
});

test("its draft stays on the disk until it is there itself, and is no other's", async () => {
  const world = new StillWorld();
  const disk = new Map<string, KeptDraft>();
  const rows: Rows<KeptDraft> = {
    all: async () => [...disk.values()],
    has: async (key) => disk.has(key),
    put: async (row) => void disk.set(row.place, row),
    exchange: async (row) => {
      const there = disk.get(row.place);
      disk.set(row.place, row);
      return there;
    },
    delete: async (key) => void disk.delete(key),
  };
  const shared = { isOn: () => false } as Sharing;
  const drafts = new Drafts(rows, shared, world, placeKey);
  const place = { stream_id: 1, topic: "logo" };
  const typed = async (text: string) => {
    drafts.change(placeKey(place), place, text);
    await world.pass(300);
  };
  const texts = () => [...disk.values()].map(({ text }) => text);
  await typed("hello");
  const { promise, resolve } = Promise.withResolvers<void>();
  drafts.forget(placeKey(place), promise);
  await settled();
  expect([drafts.all(), texts()]).toEqual([[], ["hello"]]);
  await typed("next");
  resolve();
  await settled();
  expect(texts()).toEqual(["next"]);
  drafts.forget(placeKey(place), Promise.resolve());
  await settled();
  expect(texts()).toEqual([]);
});

test("what is discarded before the disk has it is gone", async () => {
  const scene = new Scene();
  const outbox = await scene.tab();
  const { outgoing, kept } = outbox.send(target, "hello");
  await outbox.discard(outgoing.local_id);
  await kept;
  await settled();
  expect(states(outbox)).toEqual([]);
  expect(scene.keys).toEqual([]);
});

test("without an answer it waits ever longer, and begins anew when hurried", async () => {
  const scene = new Scene();
  const outbox = await scene.tab();
  await outbox.send(target, "hello").kept;
  await settled();
  for (let at = 0; at < 3; at += 1) await scene.pass(HOUR_MS);
  // The network is back, and needs a moment yet.
  outbox.hurry();
  await settled();
  expect(scene.waits).toEqual([1000, 2000, 4000, 8000, 1000]);
});

test("what was tried a day ago may have arrived: the person says what then", async () => {
  const scene = new Scene();
  const outbox = await scene.tab();
  const { outgoing, kept } = outbox.send(target, "hello");
  const { local_id } = outgoing;
  await kept;
  await settled();
  await scene.pass(20 * HOUR_MS + 1);
  expect(states(outbox)).toEqual(["unsure"]);
  const tried = scene.keys.length;
  await scene.pass(HOUR_MS);
  expect(scene.keys).toHaveLength(tried);
  scene.answer = () => ({ id: 8 });
  await outbox.again(local_id);
  await settled();
  expect(states(outbox)).toEqual(["sent"]);
  expect(scene.keys.at(-1)).not.toBe(scene.keys[0]);
});

test("asks the person when the clock was set back further than the server remembers", async () => {
  const scene = new Scene();
  scene.now = 100 * HOUR_MS;
  const outbox = await scene.tab();
  await outbox.send(target, "hello").kept;
  await settled();
  // A little is no doubt: the server knows the key still.
  await scene.pass(-HOUR_MS);
  expect([states(outbox), scene.keys]).toEqual([["waiting"], [scene.keys[0]!, scene.keys[0]!]]);
  await scene.pass(-20 * HOUR_MS);
  expect(states(outbox)).toEqual(["unsure"]);
  expect(scene.keys).toHaveLength(2);
});

test("sends in the order of writing after a reload, though the clock was set back", async () => {
  const scene = new Scene();
  const written = async (outbox: Outbox, ...texts: string[]) => {
    for (const text of texts) {
      await outbox.send(target, text).kept;
      scene.now -= HOUR_MS;
    }
    await settled();
  };
  scene.now = 100 * HOUR_MS;
  await written(await scene.tab(), "first", "second");
  // The disk gives its rows in any order.
  const rows = [...scene.disk].reverse();
  scene.disk.clear();
  for (const [key, row] of rows) scene.disk.set(key, row);
  const later = await scene.tab();
  await written(later, "third");
  let id = 0;
  scene.answer = () => ({ id: (id += 1) });
  later.hurry();
  await settled();
  const sent = [...later.outgoing.values()].toSorted((a, b) => a.id! - b.id!);
  expect(sent.map(({ text }) => text)).toEqual(["first", "second", "third"]);
  const orders = sent.map(({ order }) => order!);
  expect(orders).toEqual(orders.toSorted((a, b) => a - b));
  expect(new Set(orders).size).toBe(3);
});

test("what was never tried waits for ever", async () => {
  const scene = new Scene();
  const outbox = await scene.tab();
  await outbox.send(target, "first").kept;
  await outbox.send(target, "second").kept;
  await settled();
  await scene.pass(100 * HOUR_MS);
  expect(states(outbox)).toEqual(["unsure", "waiting"]);
});

test("a refusal keeps the words of both, and lets the next one go", async () => {
  const scene = new Scene();
  const outbox = await scene.tab();
  let asked = 0;
  scene.answer = () => {
    asked += 1;
    if (asked === 1) throw new Refused(400, "BAD_REQUEST", "Not here", {});
    return { id: 9 };
  };
  await outbox.send(target, "first").kept;
  await outbox.send(target, "second").kept;
  await settled();
  const [first, second] = [...outbox.outgoing.values()];
  expect(first).toMatchObject({ state: "refused", words: "Not here", text: "first" });
  expect(second).toMatchObject({ state: "sent", id: 9 });
});

test("its own event takes a message out, whichever comes first", async () => {
  const scene = new Scene();
  const outbox = await scene.tab();
  const { outgoing, kept } = outbox.send(target, "hello");
  const { local_id } = outgoing;
  await kept;
  await outbox.arrived({ id: 3, local_message_id: "of.another" });
  expect(outbox.outgoing.size).toBe(1);
  await outbox.arrived({ id: 4, local_message_id: local_id });
  expect(scene.disk.size).toBe(0);
});

test("what no event will tell of goes when its message is known otherwise", async () => {
  const scene = new Scene();
  const outbox = await scene.tab();
  scene.answer = () => ({ id: 4 });
  await outbox.send(target, "told of later").kept;
  await settled();
  expect(states(outbox)).toEqual(["sent"]);
  // A new queue begins after it.
  scene.newest = 4;
  const later = await scene.tab();
  for (const one of [outbox, later]) await one.caughtUp();
  expect([states(outbox), states(later), scene.disk.size]).toEqual([[], [], 0]);
  // Its answer comes late.
  scene.answer = () => ({ id: 3 });
  await outbox.send(target, "told of before").kept;
  await settled();
  expect([states(outbox), scene.disk.size]).toEqual([[], 0]);
});
