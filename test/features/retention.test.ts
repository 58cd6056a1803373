// Messages whose retention period has ended, and the archive of deleted ones.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { purgeArchive } from "../../src/features/messages/delete/archive.ts";
import { expireMessages } from "../../src/features/messages/delete/retention.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { expectExact } from "./compare-indexes.ts";

const DAY_SECONDS = 86_400;

let testServer: TestServer;
let garden: number;
let shed: number;
beforeEach(async () => {
  testServer = await startTestServer();
  garden = await make("garden");
  shed = await make("shed");
});
afterEach(() => testServer.close());

async function make(name: string): Promise<number> {
  const subscribers = [testServer.idOf("bo"), testServer.idOf("cy")];
  return (await testServer.request("ada", "POST /channels/create", { name, subscribers })).id;
}

/** Sends messages of bo in one transaction. */
const fill = (stream_id: number, topics: string[], count = 1) =>
  testServer.realm.write((tx) => {
    const bo = tx.users.get(testServer.idOf("bo"))!;
    const ids: number[] = [];
    for (let i = 0; i < count; i++) {
      const topic = topics[i % topics.length]!;
      ids.push(sendMessage(tx, bo, { stream_id, topic }, "words").id);
    }
    return ids;
  });
const notify = async (name: Name) => {
  const to = [testServer.idOf(name)];
  return (
    await testServer.request("bo", "POST /messages", { type: "direct", to, content: "words" })
  ).id;
};
const setRetention = (days: number, inGarden: number | null, inShed: number | null) =>
  testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, message_retention_days: days } });
    const set = (stream_id: number, message_retention_days: number | null) =>
      tx.channels.put({ ...tx.channels.get(stream_id)!, message_retention_days });
    set(garden, inGarden);
    set(shed, inShed);
  });
const isStored = (id: number) => testServer.realm.read.messages.has(id);
const idsOf = (events: Json[] | undefined) =>
  (events ?? []).filter((event) => event.type === "delete_message").map((item) => item.message_ids);

test("unpins messages whose retention period is over, and keeps other pins", async () => {
  const [old] = await fill(garden, ["t"]);
  await testServer.request("ada", "POST /skein_pins", { message_id: old });
  testServer.clock.passSeconds(3 * DAY_SECONDS);
  const [recent] = await fill(garden, ["t"]);
  await testServer.request("ada", "POST /skein_pins", { message_id: recent });
  await setRetention(-1, 2, null);
  const { events } = await staysInSync(testServer, ["cy"], () => expireMessages(testServer.realm));
  expect(events.cy!.map(({ type }) => type)).toContain("skein_pins");
  const { pins } = await testServer.request("cy", "GET /skein_pins", { stream_id: garden });
  expect(pins.map((pin: Json) => pin["message_id"])).toEqual([recent]);
  expect(testServer.realm.read.message_pins.has(old!)).toBe(false);
});

test("keeps messages for the channel's retention period, or the organization's", async () => {
  const ids = [...(await fill(garden, ["t"])), ...(await fill(shed, ["t"])), await notify("cy")];
  await setRetention(-1, 10, null);
  testServer.clock.passSeconds(9 * DAY_SECONDS);
  await expireMessages(testServer.realm);
  expect(ids.map(isStored)).toEqual([true, true, true]);
  testServer.clock.passSeconds(2 * DAY_SECONDS);
  const { events } = await staysInSync(testServer, ["cy", "mo"], () =>
    expireMessages(testServer.realm),
  );
  expect(ids.map(isStored)).toEqual([false, true, true]);
  expect(idsOf(events.cy)).toEqual([[ids[0]!]]);
  expect(idsOf(events.mo)).toEqual([]);
  await setRetention(10, 10, -1);
  const directs = await staysInSync(testServer, ["cy", "mo"], () =>
    expireMessages(testServer.realm),
  );
  expect(ids.map(isStored)).toEqual([false, true, false]);
  expect(idsOf(directs.events.cy)).toEqual([[ids[2]!]]);
  expectExact(testServer.realm.read);
});

test("deletes many in batches, oldest first, with an event for each topic", async () => {
  const old = await fill(garden, ["a", "b"], 75);
  testServer.clock.passSeconds(2 * DAY_SECONDS);
  const recent = await fill(garden, ["a"], 2);
  await setRetention(-1, 1, null);
  const { events } = await staysInSync(testServer, ["cy"], () => expireMessages(testServer.realm));
  const alternateIds = (from: number, to: number, odd: number) =>
    old.slice(from, to).filter((_, index) => index % 2 === odd);
  expect(idsOf(events.cy)).toEqual([
    alternateIds(0, 50, 0),
    alternateIds(0, 50, 1),
    alternateIds(50, 75, 0),
    alternateIds(50, 75, 1),
  ]);
  const streamEvents = events.cy!.filter((event) => event["type"] === "stream");
  expect(streamEvents.map((event) => event["value"])).toEqual([old[50], recent[0]]);
  expect(recent.map(isStored)).toEqual([true, true]);
  expectExact(testServer.realm.read);
});

test("keeps a recent message with an old id", async () => {
  const [first, second] = await fill(garden, ["t"], 2);
  await testServer.realm.write((tx) => {
    const message = tx.messages.get(first!)!;
    tx.messages.put({ ...message, timestamp: message.timestamp + 90 * DAY_SECONDS });
  });
  await fill(shed, ["t"], 5);
  testServer.clock.passSeconds(40 * DAY_SECONDS);
  await fill(shed, ["t"], 1);
  await setRetention(-1, 30, null);
  await expireMessages(testServer.realm);
  expect(isStored(first!)).toBe(true);
  expectExact(testServer.realm.read);
  testServer.clock.passSeconds(90 * DAY_SECONDS);
  await expireMessages(testServer.realm);
  expect([first!, second!].map(isStored)).toEqual([false, false]);
});

test("keeps deleted messages in the archive for the operator's time", async () => {
  const [first, second] = await fill(garden, ["Peas"], 2);
  await testServer.request("bo", `DELETE /messages/${second}`);
  expect(testServer.realm.read.archive.get(second!)).toMatchObject({
    deleted_by: testServer.idOf("bo"),
    topic: "Peas",
    message: { id: second, content: "words", sender_id: testServer.idOf("bo") },
  });
  testServer.clock.passSeconds(20 * DAY_SECONDS);
  await setRetention(10, null, null);
  await expireMessages(testServer.realm);
  expect(testServer.realm.read.archive.get(first!)).toMatchObject({ deleted_by: null });
  testServer.clock.passSeconds(11 * DAY_SECONDS);
  await purgeArchive(testServer.realm);
  expect([first!, second!].map((id) => testServer.realm.read.archive.has(id))).toEqual([
    true,
    false,
  ]);
  testServer.clock.passSeconds(20 * DAY_SECONDS);
  const third = await fill(shed, ["Beans"]);
  testServer.clock.passSeconds(11 * DAY_SECONDS);
  // A stop runs each job a last time.
  await testServer.restart();
  expect(third.map(isStored)).toEqual([false]);
  expect(testServer.realm.read.archive.has(first!)).toBe(false);
});

test("keeps no deleted messages if the operator wants it", async () => {
  const serverWithoutArchive = await startTestServer({ archive_days: 0 });
  try {
    const { id } = await serverWithoutArchive.request("bo", "POST /messages", {
      type: "direct",
      to: [serverWithoutArchive.idOf("cy")],
      content: "words",
    });
    await serverWithoutArchive.request("bo", `DELETE /messages/${id}`);
    expect(serverWithoutArchive.realm.read.archive.count()).toBe(0);
  } finally {
    await serverWithoutArchive.close();
  }
});
