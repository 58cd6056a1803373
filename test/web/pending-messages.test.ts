// Pending messages: how long they are tried, under which key, and when the user decides.
import { expect, test } from "bun:test";
import type { Runtime } from "../../src/web/api/runtime.ts";
import { type Request, NoResponse } from "../../src/web/api/http.ts";
import { ApiError } from "../../src/web/contract/api-error.ts";
import { Drafts } from "../../src/web/features/drafts/drafts-sync.ts";
import type { ServerDrafts } from "../../src/web/features/drafts/server-sync.ts";
import { storeKey } from "../../src/web/features/recipient/target-rules.ts";
import type { StoredDraftRow } from "../../src/web/sync/personal-database.ts";
import { MutationQueue } from "../../src/web/sync/mutations/queue.ts";
import type { PendingMessage } from "../../src/web/sync/mutations/types.ts";
import type { Rows } from "../../src/web/sync/rows.ts";
import type { Event } from "../../src/web/contract/snapshot.ts";
import { rowsByPlace } from "./rows-in-memory.ts";
import { ManualClock } from "./manual-clock.ts";

const HOUR_MS = 3_600_000;
const target = { type: "channel", stream_id: 1, topic: "logo" } as const;

/** A disk that outlives the tabs, and a server whose answer the test sets. */
class Scene {
  now = 0;
  /** Id of the newest message that the tabs know. */
  newest = -1;
  readonly disk = new Map<string, PendingMessage>();
  readonly keys: string[] = [];
  readonly waits: number[] = [];
  isOnDisk = Promise.resolve();
  answer: () => { id: number } = () => {
    throw new NoResponse("no network");
  };
  private names = 0;
  private timers: (() => void)[] = [];

  /** Opens a tab, with what earlier tabs have stored on the disk. */
  async tab(): Promise<MutationQueue> {
    this.timers = [];
    const runtime: Runtime = {
      now: () => this.now,
      random: () => 1,
      after: (ms, act) => {
        this.timers.push(act);
        this.waits.push(ms);
        return () => (this.timers = this.timers.filter((other) => other !== act));
      },
    };
    const queue = new MutationQueue({
      client: {
        ask: async <T>({ headers }: Request) => {
          this.keys.push(headers!["Idempotency-Key"]!);
          return this.answer() as T;
        },
      },
      user_id: 1,
      outbox: {
        all: async () => [...this.disk.values()],
        has: async (key) => this.disk.has(key),
        update: async (row) =>
          void (this.disk.has(row.local_id) && this.disk.set(row.local_id, row)),
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
      doings: noRows(),
      runtime,
      uniqueName: () => `name ${(this.names += 1)}`,
      queueId: () => "q",
      newest: () => this.newest,
      applyLocal: () => {},
      remainsIn: (ids) => [...ids],
      broadcastRollback: () => {},
      rejected: () => {},
      failed: () => {},
    });
    await queue.load();
    return queue;
  }

  /** Advances the clock and runs everything that is due. */
  async pass(ms: number): Promise<void> {
    this.now += ms;
    for (const act of this.timers.splice(0)) act();
    await settled();
  }
}

const noRows = <T>(): Rows<T> => ({
  all: async () => [],
  has: async () => false,
  update: async () => {},
  exchange: async () => undefined,
  put: async () => {},
  delete: async () => {},
});

/** The event of a message. */
const arrived = (id: number, local_message_id?: string) =>
  ({ type: "message", id, message: { id }, local_message_id }) as unknown as Event;

const settled = () => Bun.sleep(0);
const states = (queue: MutationQueue) => queue.messages().map(({ state }) => state);

test("retries a message under the same key, in later tabs too", async () => {
  const scene = new Scene();
  await (await scene.tab()).send(target, "hello").stored;
  await settled();
  const later = await scene.tab();
  later.flushNow();
  await settled();
  scene.answer = () => ({ id: 7 });
  await scene.pass(HOUR_MS);
  expect(new Set(scene.keys).size).toBe(1);
  expect(scene.keys).toHaveLength(3);
  expect(states(later)).toEqual(["sent"]);
  later.received([arrived(7)]);
  await settled();
  expect(scene.disk.size).toBe(0);
});

test("lists a message at once, and sends it in order when it is on disk", async () => {
  const scene = new Scene();
  const queue = await scene.tab();
  const disk = Promise.withResolvers<void>();
  scene.isOnDisk = disk.promise;
  const first = queue.send(target, "first");
  scene.isOnDisk = Promise.resolve();
  await queue.send(target, "second").stored;
  queue.flushNow();
  await settled();
  expect(states(queue)).toEqual(["waiting", "waiting"]);
  expect(scene.keys).toEqual([]);
  disk.resolve();
  await first.stored;
  await settled();
  expect(scene.keys).toEqual([first.message.idempotency_key]);
});

test("keeps the draft on disk until the message is stored", async () => {
  const world = new ManualClock();
  const disk = new Map<string, StoredDraftRow>();
  const shared = { isOn: () => false } as ServerDrafts;
  const drafts = new Drafts(rowsByPlace(disk), shared, world, storeKey);
  const conversation = { stream_id: 1, topic: "logo" };
  const typed = async (text: string) => {
    drafts.change(storeKey(conversation), conversation, text);
    await world.pass(300);
  };
  const texts = () => [...disk.values()].map(({ text }) => text);
  await typed("hello");
  const { promise, resolve } = Promise.withResolvers<void>();
  drafts.forget(storeKey(conversation), promise);
  await settled();
  expect([drafts.all(), texts()]).toEqual([[], ["hello"]]);
  await typed("next");
  resolve();
  await settled();
  expect(texts()).toEqual(["next"]);
  drafts.forget(storeKey(conversation), Promise.resolve());
  await settled();
  expect(texts()).toEqual([]);
});

test("does not send a message that is discarded before it is on disk", async () => {
  const scene = new Scene();
  const queue = await scene.tab();
  const { message, stored } = queue.send(target, "hello");
  await queue.discard(message.local_id);
  await stored;
  await settled();
  expect(states(queue)).toEqual([]);
  expect(scene.keys).toEqual([]);
});

test("waits longer after each lost request, and starts again on flushNow", async () => {
  const scene = new Scene();
  const queue = await scene.tab();
  await queue.send(target, "hello").stored;
  await settled();
  for (let offset = 0; offset < 3; offset += 1) await scene.pass(HOUR_MS);
  // The network is back, but the first request still fails.
  queue.flushNow();
  await settled();
  expect(scene.waits).toEqual([1000, 2000, 4000, 8000, 1000]);
});

test("lets the user decide about a message that was tried a day ago", async () => {
  const scene = new Scene();
  const queue = await scene.tab();
  const { message, stored } = queue.send(target, "hello");
  const { local_id } = message;
  await stored;
  await settled();
  await scene.pass(20 * HOUR_MS + 1);
  expect(states(queue)).toEqual(["unsure"]);
  const tried = scene.keys.length;
  await scene.pass(HOUR_MS);
  expect(scene.keys).toHaveLength(tried);
  scene.answer = () => ({ id: 8 });
  await queue.retry(local_id);
  await settled();
  expect(states(queue)).toEqual(["sent"]);
  expect(scene.keys.at(-1)).not.toBe(scene.keys[0]);
});

test("lets the user decide when the clock was set back by a day", async () => {
  const scene = new Scene();
  scene.now = 100 * HOUR_MS;
  const queue = await scene.tab();
  await queue.send(target, "hello").stored;
  await settled();
  // An hour causes no doubt, because the server still knows the key.
  await scene.pass(-HOUR_MS);
  expect([states(queue), scene.keys]).toEqual([["waiting"], [scene.keys[0]!, scene.keys[0]!]]);
  await scene.pass(-20 * HOUR_MS);
  expect(states(queue)).toEqual(["unsure"]);
  expect(scene.keys).toHaveLength(2);
});

test("sends in the order of writing after a reload, though the clock was set back", async () => {
  const scene = new Scene();
  const written = async (queue: MutationQueue, ...texts: string[]) => {
    for (const text of texts) {
      await queue.send(target, text).stored;
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
  later.flushNow();
  await settled();
  const sent = later.messages().toSorted((a, b) => a.id! - b.id!);
  expect(sent.map(({ text }) => text)).toEqual(["first", "second", "third"]);
  const orders = sent.map(({ order }) => order!);
  expect(orders).toEqual(orders.toSorted((a, b) => a - b));
  expect(new Set(orders).size).toBe(3);
});

test("keeps a message that was never tried waiting forever", async () => {
  const scene = new Scene();
  const queue = await scene.tab();
  await queue.send(target, "first").stored;
  await queue.send(target, "second").stored;
  await settled();
  await scene.pass(100 * HOUR_MS);
  expect(states(queue)).toEqual(["unsure", "waiting"]);
});

test("keeps a rejected message with the server's words, and sends the next one", async () => {
  const scene = new Scene();
  const queue = await scene.tab();
  let requestCount = 0;
  scene.answer = () => {
    requestCount += 1;
    if (requestCount === 1) throw new ApiError(400, "BAD_REQUEST", "Not here", {});
    return { id: 9 };
  };
  await queue.send(target, "first").stored;
  await queue.send(target, "second").stored;
  await settled();
  const [first, second] = queue.messages();
  expect(first).toMatchObject({ state: "refused", words: "Not here", text: "first" });
  expect(second).toMatchObject({ state: "sent", id: 9 });
});

test("removes a message when its event arrives before the answer", async () => {
  const scene = new Scene();
  const queue = await scene.tab();
  const { message, stored } = queue.send(target, "hello");
  const { local_id } = message;
  await stored;
  queue.received([arrived(3, "of.another")]);
  expect(queue.messages().length).toBe(1);
  queue.received([arrived(4, local_id)]);
  expect(scene.disk.size).toBe(0);
});

test("removes a sent message without an event once newer messages are known", async () => {
  const scene = new Scene();
  const queue = await scene.tab();
  scene.answer = () => ({ id: 4 });
  await queue.send(target, "told of later").stored;
  await settled();
  expect(states(queue)).toEqual(["sent"]);
  // A queue that is created later knows newer messages from the start.
  scene.newest = 4;
  const later = await scene.tab();
  for (const mutationQueue of [queue, later]) await mutationQueue.onCaughtUp();
  expect([states(queue), states(later), scene.disk.size]).toEqual([[], [], 0]);
  // The response arrives after a newer message is known.
  scene.answer = () => ({ id: 3 });
  await queue.send(target, "told of before").stored;
  await settled();
  expect([states(queue), scene.disk.size]).toEqual([[], 0]);
});
