// What a browser keeps: where one goes on from, and conversations within a bound.
import { beforeEach, expect, test } from "bun:test";
import "fake-indexeddb/auto";
import type { Event, Snapshot } from "../../src/web/snapshot.ts";
import { Cache, purgeCache } from "../../src/web/sync/cache.ts";
import type { KeptWindow } from "../../src/web/sync/layout.ts";
import { Windows, WINDOWS_AGE_MS_MAX, WINDOWS_MESSAGES_MAX } from "../../src/web/sync/windows.ts";

const ME = 7;
const snapshot = { user_id: ME, realm_name: "Town" } as Snapshot;
const event = (id: number) => ({ id, type: "heartbeat" }) as Event;
const at = (last_event_id: number, queue_id = "q") => ({ queue_id, last_event_id });

let cache: Cache;
let now = 0;
let windows: Windows;
beforeEach(async () => {
  cache?.close();
  await purgeCache(ME);
  cache = (await Cache.open(ME))!;
  windows = new Windows(cache.db, () => now);
});

const idsKept = async () => (await cache.start())?.events.map(({ id }) => id);

test("one goes on from the state, the events since, and the last one's place", async () => {
  expect(await cache.start()).toBeUndefined();
  await cache.begin({ ...at(10), snapshot });
  await cache.append(at(12), [event(11), event(12)]);
  await cache.append(at(15), [event(15)]);
  const start = await cache.start();
  expect(start).toMatchObject({ ...at(10), snapshot, place: at(15) });
  expect(await idsKept()).toEqual([11, 12, 15]);
});

test("what came already is not kept twice, and what is of another queue not at all", async () => {
  await cache.begin({ ...at(10), snapshot });
  await cache.append(at(12), [event(11), event(12)]);
  await cache.append(at(11), [event(11)]);
  await cache.append(at(20, "other"), [event(20)]);
  expect((await cache.start())?.place).toEqual(at(12));
  expect(await idsKept()).toEqual([11, 12]);
});

test("a later state replaces the events that it contains, an earlier one none", async () => {
  await cache.begin({ ...at(10), snapshot });
  await cache.append(at(13), [event(11), event(12), event(13)]);
  await cache.compact({ ...at(12), snapshot: { ...snapshot, realm_name: "Later" } });
  expect(await idsKept()).toEqual([13]);
  await cache.compact({ ...at(11), snapshot });
  await cache.compact({ ...at(99, "other"), snapshot });
  expect(await cache.start()).toMatchObject({ ...at(12), snapshot: { realm_name: "Later" } });
  expect(await cache.journaled()).toBe(1);
});

test("a new queue begins with nothing of the one before", async () => {
  await cache.begin({ ...at(10), snapshot });
  await cache.append(at(11), [event(11)]);
  await cache.begin({ ...at(3, "next"), snapshot });
  expect(await cache.start()).toMatchObject({ events: [], place: at(3, "next") });
});

test("what another version has kept is not read", async () => {
  await cache.begin({ ...at(10), snapshot });
  const state = await cache.db.get("start", "state");
  await cache.db.put("start", { ...state!, registered: "other" } as never, "state");
  expect(await cache.start()).toBeUndefined();
});

function windowOf(key: string, ids: readonly number[], more: Partial<KeptWindow> = {}): KeptWindow {
  const messages = ids.map((id) => ({ id, content: `message ${id}`, stream_id: id % 2 }));
  return { key, stream_id: null, isDear: false, messages, shape: null, ...more };
}
const many = (count: number) => Array.from({ length: count }, (_, place) => place);
const keptKeys = () => cache.db.getAllKeys("windows");

test("of too many messages the views go that were opened longest ago, dear ones last", async () => {
  const third = many(WINDOWS_MESSAGES_MAX / 3);
  for (const [place, key] of ["dear", "old", "new"].entries()) {
    now = place;
    await windows.put(windowOf(key, third, { isDear: key === "dear" }));
  }
  expect(await keptKeys()).toEqual(["dear", "new", "old"]);
  now = 10;
  await windows.open("old");
  now = 11;
  await windows.put(windowOf("newest", third));
  expect(await keptKeys()).toEqual(["dear", "newest", "old"]);
  expect(await cache.db.getAllKeys("shelf")).toEqual(await keptKeys());
});

test("what nobody has opened for a month goes", async () => {
  await windows.put(windowOf("old", [1]));
  now += WINDOWS_AGE_MS_MAX + 1;
  await windows.put(windowOf("new", [2]));
  expect(await keptKeys()).toEqual(["new"]);
});

test("of a channel that is lost nothing stays, and of messages that are gone neither", async () => {
  await windows.put(windowOf("channel", [1, 3], { stream_id: 1 }));
  await windows.put(windowOf("all", [1, 2, 3, 4]));
  await windows.forgetChannel(1);
  expect(await keptKeys()).toEqual(["all"]);
  expect((await windows.open("all"))?.messages.map(({ id }) => id)).toEqual([2, 4]);
  await windows.forgetMessages([4, 9]);
  expect((await windows.open("all"))?.messages.map(({ id }) => id)).toEqual([2]);
});

test("events that take something away take it from the disk", async () => {
  await windows.put(windowOf("all", [1, 2, 3, 4]));
  await windows.put(windowOf("left", [5], { stream_id: 1 }));
  const left = { type: "subscription", op: "remove", subscriptions: [{ stream_id: 1 }] };
  const deleted = { type: "delete_message", message_ids: [2] };
  await windows.purge([left, deleted].map((one, id) => ({ ...one, id }) as unknown as Event));
  expect(await keptKeys()).toEqual(["all"]);
  expect((await windows.open("all"))?.messages.map(({ id }) => id)).toEqual([4]);
});
