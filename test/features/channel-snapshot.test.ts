// Channels in the snapshot: lists, subscribers, inherited settings and traffic.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createUser } from "../../src/features/accounts/actions.ts";
import { createChannel } from "../../src/features/channels/manage/create.ts";
import { recordBackdated } from "../../src/features/messages/sets/backdated.ts";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

const DAY_SECONDS = 86_400;

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

async function makeChannel(
  requester: Name,
  name: string,
  subscribers: Name[],
  params: Params = {},
) {
  const input = { name, subscribers: subscribers.map((name) => testServer.idOf(name)), ...params };
  return (await testServer.request(requester, "POST /channels/create", input)).id as number;
}

const register = (name: Name, params: Params = {}) =>
  testServer.request(name, "POST /register", {
    fetch_event_types: ["subscription", "stream"],
    ...params,
  });

const channelNamed = (rows: Json[], name: string) => rows.find((row) => row.name === name);
const namesOf = (rows: Json[]) => rows.map(({ name }) => name).filter((n) => n.startsWith("a "));

test("returns channels in three lists, each ordered by name", async () => {
  await makeChannel("bo", "a third", ["cy"]);
  await makeChannel("bo", "a first", ["cy"]);
  await makeChannel("bo", "a second", ["cy"]);
  await makeChannel("bo", "a secret", ["bo"], { invite_only: true });
  await makeChannel("bo", "a fourth", ["bo"]);
  await testServer.request("cy", "DELETE /users/me/subscriptions", { subscriptions: ["a second"] });
  const state = await register("cy");
  expect(namesOf(state.subscriptions)).toEqual(["a first", "a third"]);
  expect(namesOf(state.unsubscribed)).toEqual(["a second"]);
  expect(namesOf(state.never_subscribed)).toEqual(["a fourth"]);
  expect(namesOf(state.streams)).toEqual(["a first", "a fourth", "a second", "a third"]);
  expect(channelNamed(state.unsubscribed, "a second")).toHaveProperty("color");
  expect(channelNamed(state.never_subscribed, "a fourth")).not.toHaveProperty("color");
});

test("sends the user's own settings to a client that does not support inherited ones", async () => {
  await makeChannel("bo", "plain", ["mo"]);
  const [silent, withPartial] = [
    await register("mo"),
    await register("mo", { client_capabilities: { notification_settings_null: true } }),
  ];
  expect(channelNamed(silent.subscriptions, "plain")).toMatchObject({
    desktop_notifications: false,
    wildcard_mentions_notify: true,
  });
  expect(channelNamed(withPartial.subscriptions, "plain")).toMatchObject({
    desktop_notifications: null,
    wildcard_mentions_notify: null,
  });
});

/** Fills a channel with 250 users, a bot, and Cy and Mo, who have queues; Gus has none. */
async function fillLargeChannel(): Promise<void> {
  await testServer.realm.write((tx) => {
    const otherUsers = Array.from({ length: 250 }, (_, n) =>
      createUser(tx, { email: `n${n}@example.com`, full_name: `No ${n}`, role: 400 }),
    );
    const knownChannels = [
      testServer.idOf("bot"),
      testServer.idOf("cy"),
      testServer.idOf("mo"),
      testServer.idOf("gus"),
    ];
    createChannel(tx, null, { name: "large" }, [
      ...otherUsers,
      ...knownChannels.map((id) => tx.users.get(id)!),
    ]);
  });
  await register("cy");
  await register("mo");
}

test("sends only bots and active users of a large channel to some clients", async () => {
  await makeChannel("bo", "small", ["bo", "bot"]);
  await fillLargeChannel();
  const { never_subscribed, subscriptions } = await register("bo", {
    include_subscribers: '"partial"',
  });
  const [large, small] = [
    channelNamed(never_subscribed, "large"),
    channelNamed(subscriptions, "small"),
  ];
  expect(large.partial_subscribers).toEqual([
    testServer.idOf("mo"),
    testServer.idOf("cy"),
    testServer.idOf("bot"),
  ]);
  expect(large).not.toHaveProperty("subscribers");
  expect(small.subscribers).toEqual([testServer.idOf("bo"), testServer.idOf("bot")]);
  const response = await register("bo", { include_subscribers: true });
  expect(channelNamed(response.never_subscribed, "large").subscribers).toHaveLength(254);
  expect(channelNamed((await register("bo")).subscriptions, "small")).not.toHaveProperty(
    "subscribers",
  );
});

test("omits users who were last active two weeks ago from a partial list", async () => {
  await fillLargeChannel();
  const partialSubscribers = async () => {
    const { never_subscribed } = await register("bo", { include_subscribers: "partial" });
    return channelNamed(never_subscribed, "large").partial_subscribers;
  };
  await testServer.request("gus", "POST /users/me/presence", { status: "active" });
  expect(await partialSubscribers()).toContain(testServer.idOf("gus"));
  for (const queue of testServer.realm.hub.of(testServer.idOf("cy"))) {
    await testServer.request("cy", "DELETE /events", { queue_id: queue.record.queue_id });
  }
  expect(await partialSubscribers()).not.toContain(testServer.idOf("cy"));
  const params = { include_subscribers: "partial" };
  const { subscriptions } = await testServer.request("gus", "GET /users/me/subscriptions", params);
  expect(channelNamed(subscriptions, "large").partial_subscribers).toContain(
    testServer.idOf("gus"),
  );
  testServer.clock.passSeconds(15 * DAY_SECONDS);
  expect(await partialSubscribers()).not.toContain(testServer.idOf("gus"));
  expect(await partialSubscribers()).toContain(testServer.idOf("bot"));
});

test("returns the weekly traffic of channels older than a week", async () => {
  const id = await makeChannel("bo", "busy", ["bo"]);
  const weeklyTraffic = async () =>
    (await testServer.request("bo", `GET /streams/${id}`)).stream.stream_weekly_traffic;
  const post = (count: number) =>
    testServer.realm.write((tx) => {
      for (let n = 0; n < count; n++) {
        const message = { ...tx.messages.get(model)!, id: tx.next("messages"), timestamp: tx.now };
        tx.messages.put(message);
        tx.channel_messages.add([id], message.id);
      }
    });
  const first = { type: "stream", to: id, topic: "t", content: "hi" };
  const model: number = (await testServer.request("bo", "POST /messages", first)).id;
  expect(await weeklyTraffic()).toBeNull();
  testServer.clock.passSeconds(14 * DAY_SECONDS);
  await post(999);
  expect(await weeklyTraffic()).toBe(500);
  testServer.clock.passSeconds(20 * DAY_SECONDS);
  await post(455);
  expect(await weeklyTraffic()).toBe(360);
});

test("counts no messages that an import has written with earlier times", async () => {
  const [used, imported] = [
    await makeChannel("bo", "used", ["bo"]),
    await makeChannel("bo", "old", ["bo"]),
  ];
  const { realm, clock } = testServer;
  const trafficOf = async (id: number) =>
    (await testServer.request("bo", `GET /streams/${id}`)).stream.stream_weekly_traffic;
  const first = { type: "stream", to: used, topic: "t", content: "hi" };
  const { id } = await testServer.request("bo", "POST /messages", first);
  const post = (stream_id: number, count: number, isBackdated: boolean) =>
    realm.write((tx) => {
      for (let n = 0; n < count; n++) {
        const timestamp = isBackdated ? 1_000_000_000 + n : tx.now;
        const message = { ...tx.messages.get(id)!, id: tx.next("messages"), timestamp };
        tx.messages.put(message);
        tx.channel_messages.add([stream_id], message.id);
        if (isBackdated) recordBackdated(tx, message.id, timestamp);
      }
    });
  clock.passSeconds(56 * DAY_SECONDS);
  await post(used, 400, false);
  await post(imported, 5000, true);
  await post(used, 3, true);
  expect([await trafficOf(used), await trafficOf(imported)]).toEqual([100, 0]);
});

test("updates a cached list after every change", async () => {
  const stream_id = await makeChannel("bo", "watched", ["bo", "cy"]);
  const group = { name: "watchers", description: "", members: [testServer.idOf("cy")] };
  const { group_id } = await testServer.request("ada", "POST /user_groups/create", group);
  const compareListed = async () => {
    const { streams } = await testServer.request("ada", "GET /streams", { include_default: true });
    const first = await testServer.request("ada", `GET /streams/${stream_id}`);
    const { is_default, ...shown } = streams.find((row: Json) => row.stream_id === stream_id);
    expect(shown).toEqual(first.stream);
    return { is_default, ...shown } as Json;
  };
  const change = (params: Params) =>
    testServer.request("ada", `PATCH /streams/${stream_id}`, params);
  expect((await compareListed()).subscriber_count).toBe(2);
  await testServer.request("mo", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "watched" }],
  });
  expect((await compareListed()).subscriber_count).toBe(3);
  await change({ description: "another" });
  expect((await compareListed()).description).toBe("another");
  const setting = {
    direct_members: [testServer.idOf("mo"), testServer.idOf("cy")],
    direct_subgroups: [],
  };
  await change({ can_send_message_group: { new: setting } });
  expect((await compareListed()).can_send_message_group).toEqual(setting);
  await testServer.request("ada", `DELETE /users/${testServer.idOf("cy")}`);
  const remainingSetting = { direct_members: [testServer.idOf("mo")], direct_subgroups: [] };
  expect(await compareListed()).toMatchObject({
    can_send_message_group: remainingSetting,
    subscriber_count: 2,
  });
  await testServer.request("ada", `POST /users/${testServer.idOf("cy")}/reactivate`);
  expect((await compareListed()).can_send_message_group).toEqual(setting);
  await change({ can_send_message_group: { new: group_id } });
  expect((await compareListed()).stream_post_policy).toBe(1);
  testServer.clock.passSeconds(8 * DAY_SECONDS);
  expect((await compareListed()).stream_weekly_traffic).toBeNumber();
});
