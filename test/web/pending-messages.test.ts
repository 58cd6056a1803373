// Pending messages: how long they are tried, under which key, and when the user decides.
import { expect, test } from "bun:test";
import type { Runtime } from "../../src/web/api/runtime.ts";
import { type Request, NoResponse } from "../../src/web/api/http.ts";
import { ApiError } from "../../src/web/contract/api-error.ts";
import { Drafts } from "../../src/web/features/drafts/drafts-sync.ts";
import type { ServerDrafts } from "../../src/web/features/drafts/server-sync.ts";
import { keyOfConversation } from "../../src/web/conversation-keys.ts";
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
class FakeClient {
  now = 0;
  /** Id of the newest message that the tabs know. */
  newest = -1;
  readonly disk = new Map<string, PendingMessage>();
  readonly keys: string[] = [];
  readonly delays: number[] = [];
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
      after: (ms, action) => {
        this.timers.push(action);
        this.delays.push(ms);
        return () => (this.timers = this.timers.filter((other) => other !== action));
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
      doings: emptyRows(),
      runtime,
      uniqueName: () => `name ${(this.names += 1)}`,
      queueId: () => "q",
      newest: () => this.newest,
      applyLocal: () => {},
      remainsIn: (ids) => [...ids],
      broadcastRollback: () => {},
      rejected: () => {},
      onRequestFailed: () => {},
    });
    await queue.load();
    return queue;
  }

  /** Advances the clock and runs everything that is due. */
  async passTime(ms: number): Promise<void> {
    this.now += ms;
    for (const callback of this.timers.splice(0)) callback();
    await settle();
  }
}

const emptyRows = <T>(): Rows<T> => ({
  all: async () => [],
  has: async () => false,
  update: async () => {},
  exchange: async () => undefined,
  put: async () => {},
  delete: async () => {},
});

/** The event of a message. */
const messageEvent = (id: number, local_message_id?: string) =>
  ({ type: "message", id, message: { id }, local_message_id }) as unknown as Event;

const settle = () => Bun.sleep(0);
const states = (queue: MutationQueue) => queue.messages().map(({ state }) => state);

test("retries a message under the same key, in later tabs too", async () => {
  const deviceFixture = new FakeClient();
  await (await deviceFixture.tab()).send(target, "hello").stored;
  await settle();
  const later = await deviceFixture.tab();
  later.flushNow();
  await settle();
  deviceFixture.answer = () => ({ id: 7 });
  await deviceFixture.passTime(HOUR_MS);
  expect(new Set(deviceFixture.keys).size).toBe(1);
  expect(deviceFixture.keys).toHaveLength(3);
  expect(states(later)).toEqual(["sent"]);
  later.receiveEvents([messageEvent(7)]);
  await settle();
  expect(deviceFixture.disk.size).toBe(0);
});

test("lists a message at once, and sends it in order when it is on disk", async () => {
  const deviceFixture = new FakeClient();
  const queue = await deviceFixture.tab();
  const disk = Promise.withResolvers<void>();
  deviceFixture.isOnDisk = disk.promise;
  const first = queue.send(target, "first");
  deviceFixture.isOnDisk = Promise.resolve();
  await queue.send(target, "second").stored;
  queue.flushNow();
  await settle();
  expect(states(queue)).toEqual(["waiting", "waiting"]);
  expect(deviceFixture.keys).toEqual([]);
  disk.resolve();
  await first.stored;
  await settle();
  expect(deviceFixture.keys).toEqual([first.message.idempotency_key]);
});

test("keeps the draft on disk until the message is stored", async () => {
  const fakeClient = new ManualClock();
  const disk = new Map<string, StoredDraftRow>();
  const shared = { isOn: () => false } as ServerDrafts;
  const drafts = new Drafts(rowsByPlace(disk), shared, fakeClient, keyOfConversation);
  const conversation = { stream_id: 1, topic: "logo" };
  const typeAndSave = async (text: string) => {
    drafts.change(keyOfConversation(conversation), conversation, text);
    await fakeClient.passTime(300);
  };
  const texts = () => [...disk.values()].map(({ text }) => text);
  await typeAndSave("hello");
  const { promise, resolve } = Promise.withResolvers<void>();
  drafts.forget(keyOfConversation(conversation), promise);
  await settle();
  expect([drafts.all(), texts()]).toEqual([[], ["hello"]]);
  await typeAndSave("next");
  resolve();
  await settle();
  expect(texts()).toEqual(["next"]);
  drafts.forget(keyOfConversation(conversation), Promise.resolve());
  await settle();
  expect(texts()).toEqual([]);
});

test("does not send a message that is discarded before it is on disk", async () => {
  const deviceFixture = new FakeClient();
  const queue = await deviceFixture.tab();
  const { message, stored } = queue.send(target, "hello");
  await queue.discard(message.local_id);
  await stored;
  await settle();
  expect(states(queue)).toEqual([]);
  expect(deviceFixture.keys).toEqual([]);
});

test("waits longer after each lost request, and starts again on flushNow", async () => {
  const deviceFixture = new FakeClient();
  const queue = await deviceFixture.tab();
  await queue.send(target, "hello").stored;
  await settle();
  for (let offset = 0; offset < 3; offset += 1) await deviceFixture.passTime(HOUR_MS);
  // The network is back, but the first request still fails.
  queue.flushNow();
  await settle();
  expect(deviceFixture.delays).toEqual([1000, 2000, 4000, 8000, 1000]);
});

test("lets the user decide about a message that was tried a day ago", async () => {
  const deviceFixture = new FakeClient();
  const queue = await deviceFixture.tab();
  const { message, stored } = queue.send(target, "hello");
  const { local_id } = message;
  await stored;
  await settle();
  await deviceFixture.passTime(20 * HOUR_MS + 1);
  expect(states(queue)).toEqual(["unsure"]);
  const tried = deviceFixture.keys.length;
  await deviceFixture.passTime(HOUR_MS);
  expect(deviceFixture.keys).toHaveLength(tried);
  deviceFixture.answer = () => ({ id: 8 });
  await queue.retry(local_id);
  await settle();
  expect(states(queue)).toEqual(["sent"]);
  expect(deviceFixture.keys.at(-1)).not.toBe(deviceFixture.keys[0]);
});

test("lets the user decide when the clock was set back by a day", async () => {
  const deviceFixture = new FakeClient();
  deviceFixture.now = 100 * HOUR_MS;
  const queue = await deviceFixture.tab();
  await queue.send(target, "hello").stored;
  await settle();
  // An hour causes no doubt, because the server still knows the key.
  await deviceFixture.passTime(-HOUR_MS);
  expect([states(queue), deviceFixture.keys]).toEqual([
    ["waiting"],
    [deviceFixture.keys[0]!, deviceFixture.keys[0]!],
  ]);
  await deviceFixture.passTime(-20 * HOUR_MS);
  expect(states(queue)).toEqual(["unsure"]);
  expect(deviceFixture.keys).toHaveLength(2);
});

test("sends in the order of writing after a reload, though the clock was set back", async () => {
  const deviceFixture = new FakeClient();
  const writeTexts = async (queue: MutationQueue, ...texts: string[]) => {
    for (const text of texts) {
      await queue.send(target, text).stored;
      deviceFixture.now -= HOUR_MS;
    }
    await settle();
  };
  deviceFixture.now = 100 * HOUR_MS;
  await writeTexts(await deviceFixture.tab(), "first", "second");
  // The disk gives its rows in any order.
  const rows = [...deviceFixture.disk].reverse();
  deviceFixture.disk.clear();
  for (const [key, row] of rows) deviceFixture.disk.set(key, row);
  const later = await deviceFixture.tab();
  await writeTexts(later, "third");
  let id = 0;
  deviceFixture.answer = () => ({ id: (id += 1) });
  later.flushNow();
  await settle();
  const sentMessages = later.messages().toSorted((a, b) => a.id! - b.id!);
  expect(sentMessages.map(({ text }) => text)).toEqual(["first", "second", "third"]);
  const orders = sentMessages.map(({ order }) => order!);
  expect(orders).toEqual(orders.toSorted((a, b) => a - b));
  expect(new Set(orders).size).toBe(3);
});

test("keeps a message that was never tried waiting forever", async () => {
  const deviceFixture = new FakeClient();
  const queue = await deviceFixture.tab();
  await queue.send(target, "first").stored;
  await queue.send(target, "second").stored;
  await settle();
  await deviceFixture.passTime(100 * HOUR_MS);
  expect(states(queue)).toEqual(["unsure", "waiting"]);
});

test("keeps a rejected message with the server's words, and sends the next one", async () => {
  const deviceFixture = new FakeClient();
  const queue = await deviceFixture.tab();
  let requestCount = 0;
  deviceFixture.answer = () => {
    requestCount += 1;
    if (requestCount === 1) throw new ApiError(400, "BAD_REQUEST", "Not here", {});
    return { id: 9 };
  };
  await queue.send(target, "first").stored;
  await queue.send(target, "second").stored;
  await settle();
  const [first, second] = queue.messages();
  expect(first).toMatchObject({ state: "refused", words: "Not here", text: "first" });
  expect(second).toMatchObject({ state: "sent", id: 9 });
});

test("removes a message when its event arrives before the answer", async () => {
  const deviceFixture = new FakeClient();
  const queue = await deviceFixture.tab();
  const { message, stored } = queue.send(target, "hello");
  const { local_id } = message;
  await stored;
  queue.receiveEvents([messageEvent(3, "of.another")]);
  expect(queue.messages().length).toBe(1);
  queue.receiveEvents([messageEvent(4, local_id)]);
  expect(deviceFixture.disk.size).toBe(0);
});

test("removes a sent message without an event once newer messages are known", async () => {
  const deviceFixture = new FakeClient();
  const queue = await deviceFixture.tab();
  deviceFixture.answer = () => ({ id: 4 });
  await queue.send(target, "told of later").stored;
  await settle();
  expect(states(queue)).toEqual(["sent"]);
  // A queue that is created later knows newer messages from the start.
  deviceFixture.newest = 4;
  const later = await deviceFixture.tab();
  for (const mutationQueue of [queue, later]) await mutationQueue.onCaughtUp();
  expect([states(queue), states(later), deviceFixture.disk.size]).toEqual([[], [], 0]);
  // The response arrives after a newer message is known.
  deviceFixture.answer = () => ({ id: 3 });
  await queue.send(target, "told of before").stored;
  await settle();
  expect([states(queue), deviceFixture.disk.size]).toEqual([[], 0]);
});
