/** Many users are unsubscribed in several transactions, each exactly once. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createUser } from "../../src/features/accounts/actions.ts";
import { activePeople, createChannel } from "../../src/features/channels/manage/create.ts";
import {
  BulkSubscribe,
  UNSUBSCRIBED_AT_ONCE_MAX,
} from "../../src/features/channels/subscriptions/bulk-parts.ts";
import { finishBulkSubscribe } from "../../src/features/channels/subscriptions/bulk-subscribe.ts";
import { subscribe } from "../../src/features/channels/subscriptions/subscribe.ts";
import { unsubscribe } from "../../src/features/channels/subscriptions/unsubscribe.ts";
import type { Channel } from "../../src/schema/records.ts";
import { CHUNK_IDS, chunkOf, emptyChunk, setRange } from "../../src/store/bitmap/bitmap.ts";
import { encodeChunk } from "../../src/store/bitmap/encodings.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";

/** Unsubscribing them takes several steps. */
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
      createUser(tx, { email: `n${n}@example.com`, full_name: `No ${n}`, role: 400 }),
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

/** Returns the number of subscribers after each step of the work. */
async function countsOfSteps(
  channel: Channel,
  work: () => Promise<unknown>,
  afterStep: (step: number) => Promise<void> | void = () => {},
): Promise<number[]> {
  const { realm } = testServer;
  const counts: number[] = [];
  const writeStep = realm.writeStep.bind(realm);
  realm.writeStep = async (body) => {
    const result = await writeStep(body);
    counts.push(subscriberCount(channel));
    await afterStep(counts.length);
    return result;
  };
  await work();
  realm.writeStep = writeStep;
  return counts;
}

test("unsubscribes many users in steps, and tells the others once", async () => {
  const channel = await createCrowd();
  const message = { type: "channel", to: channel.stream_id, topic: "soup", content: "hot" };
  const { id } = await testServer.request("bo", "POST /messages", message);
  const request = { subscriptions: [channel.name], principals: crowdIds };
  const counts: number[] = [];
  const { result, events } = await staysInSync(testServer, ["bo", "cy", "mo", "gus"], async () => {
    let response: Json;
    const remove = async () => {
      response = await testServer.request("ada", "DELETE /users/me/subscriptions", request);
    };
    counts.push(...(await countsOfSteps(channel, remove)));
    return response;
  });
  // 502 users, and a last step that ends the work.
  expect(counts).toEqual([436, 369, 302, 235, 168, 101, 34, 1, 1]);
  expect(result).toMatchObject({ removed: [channel.name], not_removed: [] });
  expect(subscriberCount(channel)).toBe(1);
  expectNoWork();
  const left = events.mo!.filter(({ op }) => op === "peer_remove").map(({ user_ids }) => user_ids);
  expect(left).toEqual([crowdIds.toSorted((a, b) => a - b)]);
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

test("tells others only of users who are still unsubscribed at the end", async () => {
  const channel = await createCrowd();
  const bulk_id = await beginRemoval(channel, crowdIds);
  const [returning] = crowdIds;
  const comeBack = async (step: number) => {
    if (step > 1) return;
    await testServer.realm.write((tx) => {
      subscribe(tx, null, activePeople(tx, [returning!]), [channel]);
    });
  };
  const finish = () => finishBulkSubscribe(testServer.realm, bulk_id);
  const { events } = await staysInSync(testServer, ["bo", "mo"], () =>
    countsOfSteps(channel, finish, comeBack),
  );
  expect(subscriberCount(channel)).toBe(2);
  const peers = events.mo!.map(({ op, user_ids }) => [op, user_ids.length]);
  expect(peers).toEqual([
    ["peer_add", 1],
    ["peer_remove", crowdIds.length - 1],
  ]);
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
  const bulk_id = await beginRemoval(channel, ids);
  const counts = await countsOfSteps(channel, () => finishBulkSubscribe(realm, bulk_id));
  expect(counts).toEqual([10, 8, 6, 4, 2, 1, 1]);
  await realm.write((tx) => {
    for (const n of chunks) tx.channel_messages.set([stream_id], n, undefined);
  });
});
