/** Large subscriptions are made in several transactions, each exactly once. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createUser } from "../../src/features/accounts/actions.ts";
import { deactivateWithBots } from "../../src/features/accounts/activation.ts";
import { archiveChannel, restoreChannel } from "../../src/features/channels/manage/archive.ts";
import { activePeople, createChannel } from "../../src/features/channels/manage/create.ts";
import {
  BulkSubscribe,
  SUBSCRIBED_AT_ONCE_MAX,
} from "../../src/features/channels/subscriptions/bulk-parts.ts";
import { finishBulkSubscribe } from "../../src/features/channels/subscriptions/bulk-subscribe.ts";
import { subscribe } from "../../src/features/channels/subscriptions/subscribe.ts";
import { unsubscribe } from "../../src/features/channels/subscriptions/unsubscribe.ts";
import { canReadMessage } from "../../src/features/messages/access.ts";
import type { User } from "../../src/schema/records.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";

const STEPS = 2;
const OUTSIDERS = STEPS * SUBSCRIBED_AT_ONCE_MAX - 3;

let testServer: TestServer;
/** Users without a client, then Cy and Gus, who are last. */
let otherUsers: User[];
let otherUserIds: number[];
let count = 0;

beforeAll(async () => {
  testServer = await startTestServer({ url: "http://town.example" });
  // The job that continues interrupted work runs only when a test advances the clock.
  testServer.clock.stop();
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, send_channel_events_messages: true } });
  });
  otherUsers = await testServer.realm.write((tx) =>
    Array.from({ length: OUTSIDERS }, (_, n) =>
      createUser(tx, { email: `n${n}@example.com`, full_name: `No ${n}`, role: 400 }),
    ),
  );
  const ids = otherUsers.map((user) => user.user_id);
  otherUserIds = [testServer.idOf("bo"), ...ids, testServer.idOf("cy"), testServer.idOf("gus")];
});
afterAll(() => testServer.close());

const person = (name: Name) => testServer.realm.read.users.get(testServer.idOf(name))!;
const subscriberCount = (id: number) =>
  testServer.realm.read.subscriptions.countBy("subscribers", id);
const describeEvents = (events: Json[] | undefined) =>
  events!.map(({ type, op }) => `${type} ${op ?? ""}`);

/** Starts a bulk subscription like the request, without the following steps. */
function beginWith(people: readonly number[], fields: object = {}) {
  return testServer.realm.write((tx) => {
    const bo = tx.users.get(testServer.idOf("bo"))!;
    const subscribing = new BulkSubscribe(bo, people.length);
    const channelFields = { name: `crowd ${++count}`, ...fields };
    const channel = createChannel(tx, bo, channelFields, activePeople(tx, people), {
      bulk: subscribing,
    });
    return { id: channel.stream_id, crowd_id: subscribing.settle(tx, [channel])! };
  });
}

/** Each user has one open subscription span, and no work remains. */
function expectIn(id: number, people: readonly number[]): void {
  const {
    subscriptions,
    bulk_subscribes: crowds,
    bulk_subscribe_parts: crowd_parts,
    due,
  } = testServer.realm.read;
  const subs = subscriptions.listBy("channel", id);
  expect(subs.map((sub) => sub.user_id).sort((a, b) => a - b)).toEqual(
    people.toSorted((a, b) => a - b),
  );
  for (const { active, intervals: spans } of subs) {
    expect([active, spans.length, ...spans.slice(2)]).toEqual([true, 4, 0, 0]);
  }
  expect([crowds.count(), crowd_parts.count(), due.count()]).toEqual([0, 0, 0]);
}

test("subscribes many users in the background, and sends events of each step", async () => {
  const { result, events } = await staysInSync(testServer, ["bo", "cy", "mo", "gus"], () =>
    testServer.request("bo", "POST /channels/create", {
      name: `crowd ${++count}`,
      subscribers: otherUserIds,
    }),
  );
  expectIn(result.id, otherUserIds);
  expect(describeEvents(events.mo)).toEqual([
    "stream create",
    ...Array(1 + STEPS).fill("subscription peer_add"),
  ]);
  const addedCounts = events.mo!.slice(1).map(({ user_ids }) => user_ids.length);
  const fullSteps = Array(STEPS - 1).fill(SUBSCRIBED_AT_ONCE_MAX);
  expect(addedCounts).toEqual([1, ...fullSteps, SUBSCRIBED_AT_ONCE_MAX - 1]);
  expect(describeEvents(events.bo).slice(0, 2)).toEqual(["stream create", "subscription add"]);
  // Gus knows the channel only by his subscription. The bot's notice follows when all are
  // subscribed.
  const laterEvents = Array(STEPS - 1).fill("subscription peer_add");
  const joining = ["stream create", "subscription add", "subscription peer_add"];
  expect(describeEvents(events.gus)).toEqual([...joining, ...laterEvents, "message "]);
});

test("sends the notice about the new channel to all users, including the last ones", async () => {
  const { id } = await testServer.request("bo", "POST /channels/create", {
    name: `crowd ${++count}`,
    subscribers: otherUserIds,
    invite_only: true,
    history_public_to_subscribers: false,
  });
  const narrow = [{ operator: "channel", operand: id }];
  const { messages } = await testServer.request("gus", "GET /messages", {
    ...{ narrow, anchor: "newest", num_before: 5, num_after: 0 },
  });
  expect(messages.map(({ content }: Json) => content.includes("created this"))).toEqual([true]);
  const message = testServer.realm.read.messages.get(messages[0].id)!;
  const had = otherUsers.filter((user) => canReadMessage(testServer.realm.read, user, message));
  expect(had).toHaveLength(otherUsers.length);
});

test("sends no events of the subscriptions to users who cannot see the channel", async () => {
  const outside = [await testServer.listen("mo"), await testServer.listen("bot")];
  const { events } = await staysInSync(testServer, ["cy", "ada", "gus"], () =>
    testServer.request("bo", "POST /channels/create", {
      ...{ name: `crowd ${++count}`, invite_only: true, subscribers: otherUserIds },
    }),
  );
  for (const listener of outside) expect(await listener.takeAll()).toEqual([]);
  expect(describeEvents(events.cy).slice(0, 2)).toEqual(["stream create", "subscription add"]);
  expect(describeEvents(events.ada)[0]).toBe("stream create");
});

test("keeps state and events consistent between steps and after interruptions", async () => {
  const names = ["bo", "cy", "mo", "gus"] as const;
  const { result } = await staysInSync(testServer, names, () => beginWith(otherUserIds));
  expect(subscriberCount(result.id)).toBe(1);
  const cy = await testServer.listen("cy");
  await staysInSync(testServer, names, async () => {
    testServer.clock.passSeconds(11);
    await testServer.restart();
    await until(() => testServer.realm.read.bulk_subscribes.count() <= 0);
    await testServer.untilIdle();
  });
  expectIn(result.id, otherUserIds);
  const received = (await cy.takeAll()).filter(({ type }) => type !== "restart");
  expect(describeEvents(received).filter((kind) => kind === "subscription add")).toHaveLength(1);
  expect(describeEvents(received).filter((kind) => kind === "message ")).toHaveLength(1);
});

test("subscribes no user twice if the request is repeated meanwhile", async () => {
  const { id, crowd_id } = await beginWith(otherUserIds);
  const { name } = testServer.realm.read.channels.get(id)!;
  const repeated = () =>
    testServer.request("bo", "POST /users/me/subscriptions", {
      subscriptions: [{ name }],
      principals: otherUserIds,
    });
  const cy = await testServer.listen("cy");
  const [first, other] = await Promise.all([
    repeated(),
    repeated(),
    finishBulkSubscribe(testServer.realm, crowd_id),
  ]);
  expectIn(id, otherUserIds);
  expect(
    describeEvents(await cy.takeAll()).filter((kind) => kind === "subscription add"),
  ).toHaveLength(1);
  for (const response of [first, other]) {
    const subscribedNames = [
      ...Object.keys(response.subscribed),
      ...Object.keys(response.already_subscribed),
    ];
    expect(subscribedNames).toHaveLength(otherUserIds.length);
  }
  const { subscribed, already_subscribed } = await repeated();
  expect([Object.keys(subscribed), Object.keys(already_subscribed).length]).toEqual([
    [],
    otherUserIds.length,
  ]);
});

test("skips users who unsubscribe or are deactivated meanwhile", async () => {
  const [off, user] = await testServer.realm.write((tx) =>
    ["off", "gone"].map((name) =>
      createUser(tx, { email: `${name}@example.com`, full_name: name, role: 400 }),
    ),
  );
  const people = [
    ...otherUserIds.slice(0, -4),
    off!.user_id,
    user!.user_id,
    ...otherUserIds.slice(-2),
  ];
  const { id, crowd_id } = await beginWith(people);
  await testServer.realm.write((tx) => {
    const channel = tx.channels.get(id)!;
    subscribe(tx, null, [person("cy")], [channel]);
    deactivateWithBots(tx, off!);
  });
  const { events } = await staysInSync(testServer, ["bo", "cy", "gus"], () =>
    finishBulkSubscribe(testServer.realm, crowd_id),
  );
  expect(describeEvents(events.cy)).not.toContain("subscription add");
  expectIn(
    id,
    people.filter((user_id) => user_id !== off!.user_id),
  );
  await testServer.realm.write((tx) => void unsubscribe(tx, null, [user!], [tx.channels.get(id)!]));
  await finishBulkSubscribe(testServer.realm, crowd_id);
  expect(testServer.realm.read.subscriptions.get(user!.user_id, id)!.active).toBe(false);
});

test("stops subscribing users to an archived channel", async () => {
  const { id, crowd_id } = await beginWith(otherUserIds);
  await testServer.realm.write((tx) => archiveChannel(tx, person("olga"), id));
  const { events } = await staysInSync(testServer, ["bo", "cy", "mo"], () =>
    finishBulkSubscribe(testServer.realm, crowd_id),
  );
  expect([events.bo, events.cy, events.mo]).toEqual([[], [], []]);
  expectIn(id, [testServer.idOf("bo")]);
  await testServer.realm.write((tx) => restoreChannel(tx, person("olga"), id));
  await finishBulkSubscribe(testServer.realm, crowd_id);
  expectIn(id, [testServer.idOf("bo")]);
});

test("subscribes many users to several channels, some of them new, in one request", async () => {
  const channelId = await beginWith([testServer.idOf("bo")]);
  const names = [testServer.realm.read.channels.get(channelId.id)!.name, `crowd ${++count}`];
  const principals = otherUserIds.slice(0, SUBSCRIBED_AT_ONCE_MAX / 2 + 1);
  const subscriptions = [
    { name: names[0], color: "#123456" },
    { name: names[1], color: "#654321" },
  ];
  const { result } = await staysInSync(testServer, ["bo", "cy", "mo"], () =>
    testServer.request("bo", "POST /users/me/subscriptions", { subscriptions, principals }),
  );
  expect(result.already_subscribed).toEqual({ [testServer.idOf("bo")]: [names[0]] });
  expect(result.subscribed[testServer.idOf("bo")]).toEqual([names[1]]);
  expect(result.subscribed[principals.at(-1)!]).toEqual(names);
  expect(result.new_subscription_messages_sent).toBe(false);
  const made_id = testServer.realm.read.channels.findBy("name", names[1]!)!.stream_id;
  expectIn(channelId.id, principals);
  expectIn(made_id, principals);
  const colors = [channelId.id, made_id].map((id) => {
    return testServer.realm.read.subscriptions.get(principals.at(-1)!, id)!.color;
  });
  expect(colors).toEqual(["#123456", "#654321"]);
});

test("sends few events for many users with many colors", async () => {
  const people = otherUsers.slice(0, 24);
  await testServer.realm.write((tx) => {
    for (const [index, user] of people.entries()) {
      const channels = Array.from({ length: index }, () =>
        createChannel(tx, null, { name: `own ${++count}`, description: "" }),
      );
      subscribe(tx, null, [user], channels);
    }
  });
  const before = testServer.realm.read.log.count();
  const { events, result } = await staysInSync(testServer, ["cy", "gus", "mo"], () =>
    testServer.request("bo", "POST /channels/create", {
      name: `crowd ${++count}`,
      subscribers: otherUserIds,
    }),
  );
  expectIn(result.id, otherUserIds);
  const log = [...testServer.realm.read.log.range()].slice(before);
  const bytes = log.reduce((sum, { event }) => sum + JSON.stringify(event).length, 0);
  expect(bytes).toBeLessThan(100 * otherUserIds.length);
  const [, added, others] = events.gus!;
  expect(added!["subscriptions"][0].subscribers.length).toBeLessThan(otherUserIds.length);
  expect(others!["user_ids"]).toContain(testServer.idOf("bo"));
  for (const { user_id } of people.slice(0, 5)) {
    const colors = testServer.realm.read.subscriptions
      .listBy("user", user_id)
      .map(({ color }) => color);
    expect(new Set(colors).size).toBe(colors.length);
  }
});
