// The cache on disk: the state, and conversations up to a limit.
import { beforeEach, expect, test } from "bun:test";
import "fake-indexeddb/auto";
import { deleteDB } from "idb";
import type { Event } from "../../src/web/contract/snapshot.ts";
import { Cache } from "../../src/web/sync/cache.ts";
import type { Message } from "../../src/web/contract/message.ts";
import type { CachedViewRow } from "../../src/web/sync/layout.ts";
import {
  CachedViews,
  CACHED_AGE_MS_MAX,
  CACHED_MESSAGES_MAX,
} from "../../src/web/sync/cached-views.ts";
import { snapshotOf } from "./snapshot-of.ts";

const ME = 7;
const snapshot = snapshotOf({ user_id: ME, realm_name: "Town" });
const event = (id: number) => ({ id, type: "heartbeat" }) as Event;
const cursorAt = (last_event_id: number, queue_id = "q") => ({ queue_id, last_event_id });

let cache: Cache;
let now = 0;
let windows: CachedViews;
beforeEach(async () => {
  cache?.close();
  await deleteDB(`skein-${ME}`);
  cache = (await Cache.open(ME))!;
  windows = new CachedViews(cache.db, () => now);
});

const cachedEventIds = async () => (await cache.start())?.events.map(({ id }) => id);

test("restores the state, later events, and the position of the last one", async () => {
  expect(await cache.start()).toBeUndefined();
  await cache.begin({ ...cursorAt(10), snapshot });
  await cache.append(cursorAt(12), [event(11), event(12)]);
  await cache.append(cursorAt(15), [event(15)]);
  const start = await cache.start();
  expect(start).toMatchObject({ ...cursorAt(10), snapshot, cursor: cursorAt(15) });
  expect(await cachedEventIds()).toEqual([11, 12, 15]);
});

test("stores no event twice, and none of another queue", async () => {
  await cache.begin({ ...cursorAt(10), snapshot });
  await cache.append(cursorAt(12), [event(11), event(12)]);
  await cache.append(cursorAt(11), [event(11)]);
  await cache.append(cursorAt(20, "other"), [event(20)]);
  expect((await cache.start())?.cursor).toEqual(cursorAt(12));
  expect(await cachedEventIds()).toEqual([11, 12]);
});

test("a newer snapshot replaces the events that it contains, an older one none", async () => {
  await cache.begin({ ...cursorAt(10), snapshot });
  await cache.append(cursorAt(13), [event(11), event(12), event(13)]);
  await cache.compact({ ...cursorAt(12), snapshot: { ...snapshot, realm_name: "Later" } });
  expect(await cachedEventIds()).toEqual([13]);
  await cache.compact({ ...cursorAt(11), snapshot });
  await cache.compact({ ...cursorAt(99, "other"), snapshot });
  expect(await cache.start()).toMatchObject({ ...cursorAt(12), snapshot: { realm_name: "Later" } });
  expect(await cache.journaled()).toBe(1);
});

test("a new queue starts without data of the previous one", async () => {
  await cache.begin({ ...cursorAt(10), snapshot });
  await cache.append(cursorAt(11), [event(11)]);
  await cache.begin({ ...cursorAt(3, "next"), snapshot });
  expect(await cache.start()).toMatchObject({ events: [], cursor: cursorAt(3, "next") });
});

test("ignores data of other versions", async () => {
  await cache.begin({ ...cursorAt(10), snapshot });
  const state = await cache.db.get("start", "state");
  await cache.db.put("start", { ...state!, registered: "other" } as never, "state");
  expect(await cache.start()).toBeUndefined();
});

const messageOf = (id: number, extra: Partial<Message> = {}) =>
  ({
    id,
    content: `message ${id}`,
    stream_id: id % 2,
    subject: "soil",
    flags: [],
    ...extra,
  }) as Message;

function windowOf(
  key: string,
  ids: readonly number[],
  extra: Partial<CachedViewRow> = {},
): CachedViewRow {
  const messages = ids.map((id) => messageOf(id));
  const ranges = [{ from: 0, to: Infinity, ids }];
  return { key, queue_id: "q", stream_id: null, isDear: false, messages, ranges, ...extra };
}
const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const cachedKeys = () => cache.db.getAllKeys("windows");
const idsIn = async (key: string) => (await windows.open(key))?.messages.map(({ id }) => id);
const read = (...events: object[]) => {
  const numbered = events.map((event, index) => ({ ...event, id: 11 + index }) as unknown as Event);
  return cache.append(cursorAt(10 + events.length), numbered);
};

test("removes the views that were opened longest ago, pinned ones last", async () => {
  await cache.begin({ ...cursorAt(10), snapshot });
  const third = numbersTo(CACHED_MESSAGES_MAX / 3);
  for (const [index, key] of ["dear", "old", "new"].entries()) {
    now = index;
    await windows.put(windowOf(key, third, { isDear: key === "dear" }), cursorAt(10));
  }
  expect(await cachedKeys()).toEqual(["dear", "new", "old"]);
  now = 10;
  await windows.open("old");
  now = 11;
  await windows.put(windowOf("newest", third), cursorAt(10));
  expect(await cachedKeys()).toEqual(["dear", "newest", "old"]);
  expect(await cache.db.getAllKeys("shelf")).toEqual(await cachedKeys());
});

test("removes views that were not opened for a month", async () => {
  await cache.begin({ ...cursorAt(10), snapshot });
  await windows.put(windowOf("old", [1]), cursorAt(10));
  now += CACHED_AGE_MS_MAX + 1;
  await windows.put(windowOf("new", [2]), cursorAt(10));
  expect(await cachedKeys()).toEqual(["new"]);
});

test("stores nothing if the disk has newer events", async () => {
  await cache.begin({ ...cursorAt(10), snapshot });
  await read({ type: "delete_message", message_ids: [2] });
  expect(await windows.put(windowOf("all", [1, 2]), cursorAt(10))).toBe(false);
  expect(await windows.put(windowOf("all", [1, 2]), cursorAt(12))).toBe(false);
  expect(await windows.put(windowOf("all", [1], { queue_id: "other" }), cursorAt(11))).toBe(false);
  expect(await cachedKeys()).toEqual([]);
  expect(await windows.put(windowOf("all", [1]), cursorAt(11))).toBe(true);
  expect(await cachedKeys()).toEqual(["all"]);
});

test("removes data of lost channels and deleted messages", async () => {
  await cache.begin({ ...cursorAt(10), snapshot });
  await windows.put(windowOf("channel", [1, 3], { stream_id: 1 }), cursorAt(10));
  await windows.put(windowOf("all", [1, 2, 3, 4, 6]), cursorAt(10));
  await read(
    { type: "subscription", op: "remove", subscriptions: [{ stream_id: 1 }] },
    { type: "delete_message", message_ids: [4, 9] },
  );
  expect(await cachedKeys()).toEqual(["all"]);
  expect(await idsIn("all")).toEqual([2, 6]);
  await cache.append(cursorAt(13), [
    { type: "stream", op: "delete", stream_ids: [0], id: 13 } as never,
  ]);
  expect(await cachedKeys()).toEqual([]);
  expect(await cache.db.getAllKeys("shelf")).toEqual([]);
});

test("stores edited messages in their new form, and removes moved ones", async () => {
  await cache.begin({ ...cursorAt(10), snapshot });
  const reactions = [] as Message["reactions"];
  const messages = [1, 3, 5].map((id) => messageOf(id, { reactions }));
  await windows.put({ ...windowOf("topic", [1, 3, 5], { stream_id: 1 }), messages }, cursorAt(10));
  const emoji = { emoji_name: "tada", emoji_code: "1f389", reaction_type: "unicode_emoji" };
  const edited = { message_id: 3, message_ids: [3], rendered_content: "better", flags: [] };
  const moved = { message_id: 5, message_ids: [5], subject: "weeds", orig_subject: "soil" };
  await read(
    { type: "update_message", ...edited, orig_content: "message 3" },
    { type: "update_message", ...moved },
    { type: "reaction", op: "add", message_id: 1, user_id: 9, ...emoji },
  );
  const stored = (await windows.open("topic"))!.messages;
  expect(stored.map(({ id, content }) => [id, content])).toEqual([
    [1, "message 1"],
    [3, "better"],
  ]);
  expect(stored[0]!.reactions).toHaveLength(1);
});

test("keeps only accessible conversations after events were lost", async () => {
  await cache.begin({ ...cursorAt(10), snapshot });
  await windows.put(windowOf("lost", [1], { stream_id: 1 }), cursorAt(10));
  await windows.put(windowOf("left", [2], { stream_id: 0 }), cursorAt(10));
  const direct = messageOf(7);
  delete direct.stream_id;
  const mixed = { ...windowOf("all", [1, 2]), messages: [messageOf(1), messageOf(2), direct] };
  await windows.put(mixed, cursorAt(10));
  const later = { ...snapshot, ...snapshotOf({ subscriptions: [{ stream_id: 0 }] }) };
  await cache.begin({ ...cursorAt(1, "next"), snapshot: later });
  expect(await cachedKeys()).toEqual(["all", "left"]);
  expect(await idsIn("all")).toEqual([2, 7]);
});

test("reads the first view together with the state", async () => {
  await cache.begin({ ...cursorAt(10), snapshot });
  await windows.put(windowOf("a", [1]), cursorAt(10));
  await windows.put(windowOf("b", [2]), cursorAt(10));
  const start = (await cache.start(["b", "c"]))!;
  expect(start.windows.map(({ key }) => key)).toEqual(["b"]);
  expect(start.keys).toEqual(["a", "b"]);
});
