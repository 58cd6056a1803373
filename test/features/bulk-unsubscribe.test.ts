/** Many users are unsubscribed in several transactions, each exactly once. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createUser } from "../../src/features/accounts/actions.ts";
import { activePeople, createChannel } from "../../src/features/channels/manage/create.ts";
import {
  BulkSubscribe,
  UNSUBSCRIBED_AT_ONCE_MAX,
} from "../../src/features/channels/subscriptions/bulk-parts.ts";
import { finishBulkSubscribe } from "../../src/features/channels/subscriptions/bulk-subscribe.ts";
import { unsubscribe } from "../../src/features/channels/subscriptions/unsubscribe.ts";
import type { Channel } from "../../src/schema/records.ts";
import { CHUNK_IDS, chunkOf, emptyChunk, setRange } from "../../src/store/bitmap/bitmap.ts";
import { encodeChunk } from "../../src/store/bitmap/encodings.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";

/** More than two steps unsubscribe. */
const CROWD = 500;

let testServer: TestServer;
/** Users without a client, then Cy and Gus. */
let crowdIds: number[];
let count = 0;

beforeAll(async () => {
  testServer = await startTestServer({ url: "http://town.example" });
  // The job that continues interrupted work runs only when a test advances the clock.
  testServer.clock.stop();
  const users = await testServer.realm.write((tx) =>
    Array.from({ length: CROWD }, (_, n) =>
      createUser(tx, null, { email: `n${n}@example.com`, full_name: `No ${n}`, role: 400 }),
    ),
  );
  const ids = users.map((user) => user.user_id);
  crowdIds = [...ids, testServer.idOf("cy"), testServer.idOf("gus")];
});
afterAll(() => testServer.close());

const subscriberCount = ({ stream_id }: Channel) =>
  testServer.realm.read.subscriptions.countBy("subscribers", stream_id);
const describeEvents = (events: Json[] | undefined) =>
  events!.map(({ type, op }) => `${type} ${op ?? ""}`);

/** A channel of Bo's with the crowd. */
function createCrowd(ids: readonly number[] = crowdIds): Promise<Channel> {
  return testServer.realm.write((tx) => {
    const bo = tx.users.get(testServer.idOf("bo"))!;
    const fields = { name: `crowd ${++count}`, description: "" };
    return createChannel(tx, bo, fields, [bo, ...activePeople(tx, ids)]);
  });
}

/** Ends subscriptions like the request, without the following steps. */
function beginRemoval(channel: Channel, ids: readonly number[]): Promise<number> {
  return testServer.realm.write((tx) => {
    const bo = tx.users.get(testServer.idOf("bo"))!;
    const removal = new BulkSubscribe(bo, ids.length, UNSUBSCRIBED_AT_ONCE_MAX);
    unsubscribe(tx, bo, activePeople(tx, ids), [channel], removal);
    return removal.settle(tx, [])!;
  });
}

function expectNoWork(): void {
  const { bulk_subscribes, bulk_subscribe_parts, due } = testServer.realm.read;
  expect([bulk_subscribes.count(), bulk_subscribe_parts.count(), due.count()]).toEqual([0, 0, 0]);
}

test("unsubscribes many users in steps, and sends events of each step", async () => {
  const channel = await createCrowd();
  const message = { type: "channel", to: channel.stream_id, topic: "soup", content: "hot" };
  const { id } = await testServer.request("bo", "POST /messages", message);
  const { result, events } = await staysInSync(testServer, ["bo", "cy", "mo", "gus"], () =>
    testServer.request("ada", "DELETE /users/me/subscriptions", {
      subscriptions: [channel.name],
      principals: crowdIds,
    }),
  );
  expect(result).toMatchObject({ removed: [channel.name], not_removed: [] });
  expect(subscriberCount(channel)).toBe(1);
  expectNoWork();
  const left = events.mo!.filter(({ op }) => op === "peer_remove").map(({ user_ids }) => user_ids);
  expect(left.flat()).toEqual(crowdIds.toSorted((a, b) => a - b));
  expect(Math.max(...left.map((ids) => ids.length))).toBeLessThan(CROWD / 2);
  const own = describeEvents(events.cy).filter((kind) => kind === "subscription remove");
  expect(own).toHaveLength(1);
  const read = events.cy!.find(({ type }) => type === "update_message_flags");
  expect(read).toMatchObject({ op: "add", flag: "read", messages: [id] });
});

test("continues to unsubscribe users after an interruption, except those who left", async () => {
  const channel = await createCrowd();
  await beginRemoval(channel, crowdIds);
  expect(subscriberCount(channel)).toBe(crowdIds.length + 1);
  const subscriptions = [channel.name];
  await testServer.request("cy", "DELETE /users/me/subscriptions", { subscriptions });
  const cy = await testServer.listen("cy");
  await staysInSync(testServer, ["bo", "mo", "gus"], async () => {
    testServer.clock.passSeconds(11);
    await testServer.restart();
    await until(() => testServer.realm.read.bulk_subscribes.count() === 0);
    await testServer.untilIdle();
  });
  expect(subscriberCount(channel)).toBe(1);
  expectNoWork();
  expect(describeEvents(await cy.takeAll())).not.toContain("subscription remove");
});

test("unsubscribes fewer users at once if they have many unread messages", async () => {
  const { realm } = testServer;
  const ids = crowdIds.slice(0, UNSUBSCRIBED_AT_ONCE_MAX + 1);
  const channel = await createCrowd(ids);
  const { stream_id } = channel;
  // The ids of messages; the messages themselves are not read.
  const last = chunkOf(realm.read.last("messages"));
  const chunks = Array.from({ length: 9 }, (_, index) => last + index + 1);
  await realm.write((tx) => {
    const all = encodeChunk(setRange(emptyChunk(), 0, CHUNK_IDS - 1));
    for (const n of chunks) tx.channel_messages.set([stream_id], n, all);
    tx.next("messages", 10 * CHUNK_IDS);
  });
  const counts: number[] = [];
  const writeStep = realm.writeStep.bind(realm);
  realm.writeStep = async (body) => {
    const result = await writeStep(body);
    counts.push(subscriberCount(channel));
    return result;
  };
  await finishBulkSubscribe(realm, await beginRemoval(channel, ids));
  realm.writeStep = writeStep;
  expect(counts).toEqual([10, 8, 6, 4, 2, 1, 1]);
  await realm.write((tx) => {
    for (const n of chunks) tx.channel_messages.set([stream_id], n, undefined);
  });
});
