// Channels, users and subscriptions that a client lost and sees again.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Json, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const CAPABLE_CLIENT = { client_capabilities: { archived_channels: true } };
const read = (events: Json[]) =>
  events.map(({ type, op, property }) => [type, op, property].filter(Boolean).join(" "));

async function listsOf(name: Name, channel: string, form: object = {}): Promise<string[]> {
  const state = await testServer.request(name, "POST /register", { ...form });
  const lists = ["subscriptions", "unsubscribed", "never_subscribed"];
  return lists.filter((list) => state[list].some((row: Json) => row.name === channel));
}

async function createChannel(name: string, subscribers: readonly Name[]): Promise<number> {
  const ids = subscribers.map((name) => testServer.idOf(name));
  const { id } = await testServer.request("olga", "POST /channels/create", {
    name,
    subscribers: ids,
  });
  return id;
}

const archive = (id: number) => testServer.request("olga", `DELETE /streams/${id}`);
const reactivateChannel = (id: number) =>
  testServer.request("olga", `PATCH /streams/${id}`, { is_archived: false });
const leave = (userName: Name, name: string) =>
  testServer.request(userName, "DELETE /users/me/subscriptions", { subscriptions: [name] });

test("restores subscriptions when a channel is unarchived", async () => {
  const id = await createChannel("garden", ["bo", "gus"]);
  const sub = { stream_id: id, property: "color", value: "#123456" };
  await testServer.request("bo", "POST /users/me/subscriptions/properties", {
    subscription_data: [sub],
  });
  const plainListener = await testServer.listen("bo");
  const guest = await testServer.listen("gus");
  const outsider = await testServer.listen("cy");
  await staysInSync(testServer, ["bo", "cy", "gus"], async () => {
    await archive(id);
    await reactivateChannel(id);
  });
  const events = await plainListener.takeAll();
  expect(read(events)).toEqual([
    ...["stream delete", "stream create", "subscription peer_add", "subscription add"],
  ]);
  expect(events.at(-1).subscriptions[0]).toMatchObject({
    ...{ stream_id: id, color: "#123456", is_archived: false, desktop_notifications: false },
    subscribers: [testServer.idOf("bo"), testServer.idOf("gus")],
  });
  expect(read(await guest.takeAll())).toContain("subscription add");
  expect(read(await outsider.takeAll())).not.toContain("subscription add");
});

test("removes a previously left channel only from clients that kept it visible", async () => {
  const id = await createChannel("garden", ["olga", "bo"]);
  await leave("bo", "garden");
  await staysInSync(testServer, ["bo"], async () => {
    await archive(id);
    await reactivateChannel(id);
  });
  expect(await listsOf("bo", "garden", CAPABLE_CLIENT)).toEqual(["unsubscribed"]);
  expect(await listsOf("bo", "garden")).toEqual(["never_subscribed"]);
  await testServer.request("bo", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "garden" }],
  });
  await leave("bo", "garden");
  expect(await listsOf("bo", "garden")).toEqual(["unsubscribed"]);
});

test("hides and keeps topic policies of an archived channel", async () => {
  const id = await createChannel("garden", ["olga", "bo", "cy"]);
  const row = { stream_id: id, topic: "weeds", visibility_policy: 1 };
  await testServer.request("bo", "POST /user_topics", row);
  const message = { type: "stream", to: id, topic: "weeds", content: "so many" };
  await testServer.request("olga", "POST /messages", message);
  const { events } = await staysInSync(testServer, ["bo", "cy"], () => archive(id));
  expect(read(events.bo!).slice(0, 2)).toEqual(["muted_topics", "user_topic"]);
  expect(read(events.cy!)).not.toContain("user_topic");
  const refusal = channelErrors.channelNotFound();
  for (const [line, params] of [
    ["POST /user_topics", { ...row, visibility_policy: 3 }],
    ["PATCH /users/me/subscriptions/muted_topics", { ...row, op: "add" }],
  ] as const) {
    expect((await testServer.refused("cy", line, params)).msg).toBe(refusal.message);
  }
  const restoring = await staysInSync(testServer, ["bo", "cy"], () => reactivateChannel(id));
  expect(restoring.events.bo!.find(({ type }) => type === "user_topic")).toMatchObject({
    ...{ stream_id: id, topic_name: "weeds", visibility_policy: 1 },
  });
  await archive(id);
  await testServer.request("bo", "POST /user_topics", { ...row, visibility_policy: 0 });
  await reactivateChannel(id);
  expect((await testServer.request("bo", "POST /register")).user_topics).toEqual([]);
});

test("shows the new name of a renamed channel in topic policies", async () => {
  const id = await createChannel("garden", ["olga", "bo", "cy"]);
  const row = { stream_id: id, topic: "weeds", visibility_policy: 1 };
  await testServer.request("bo", "POST /user_topics", row);
  await testServer.request("cy", "POST /user_topics", { ...row, visibility_policy: 3 });
  const rename = () => testServer.request("olga", `PATCH /streams/${id}`, { new_name: "orchard" });
  const { events: eventsByUser } = await staysInSync(testServer, ["bo", "cy"], rename);
  const mutedTopicEvents = (events: Json[]) => events.filter(({ type }) => type === "muted_topics");
  expect(mutedTopicEvents(eventsByUser.bo!)[0]!.muted_topics[0].slice(0, 2)).toEqual([
    "orchard",
    "weeds",
  ]);
  expect(mutedTopicEvents(eventsByUser.cy!)).toEqual([]);
});

test("keeps the star of a message that the user cannot read temporarily", async () => {
  const id = await createChannel("garden", ["olga", "bo"]);
  const message = { type: "stream", to: id, topic: "weeds", content: "so many" };
  const response = await testServer.request("olga", "POST /messages", message);
  await testServer.request("bo", "POST /messages/flags", {
    messages: [response.id],
    op: "add",
    flag: "starred",
  });
  await staysInSync(testServer, ["bo"], async () => {
    await testServer.request("olga", `PATCH /streams/${id}`, { is_private: true });
    await leave("bo", "garden");
  });
  expect((await testServer.request("bo", "POST /register")).starred_messages).toEqual([
    response.id,
  ]);
  const narrow = [{ operator: "is", operand: "starred" }];
  const params = { anchor: "newest", num_before: 5, num_after: 0, narrow };
  expect((await testServer.request("bo", "GET /messages", params)).messages).toEqual([]);
});

test("replaces a user who becomes invisible to a guest by a placeholder", async () => {
  const can_access_all_users_group = testServer.realm.read.groups.findBy(
    "name",
    "role:members",
  )!.id;
  await testServer.request("olga", "PATCH /realm", {
    can_access_all_users_group: { new: can_access_all_users_group },
  });
  await createChannel("garden", ["bo", "cy", "gus"]);
  const cy = testServer.idOf("cy");
  const isRemoved = (events: Json[]) =>
    events.some(({ op, person }) => op === "remove" && person.user_id === cy);
  const removal = await staysInSync(testServer, ["gus", "bo"], () => leave("cy", "garden"));
  expect([isRemoved(removal.events.gus!), isRemoved(removal.events.bo!)]).toEqual([true, false]);
  const off = await staysInSync(testServer, ["gus"], () =>
    testServer.request("olga", `DELETE /users/${cy}`),
  );
  expect(off.events.gus!.filter(({ type }) => type === "realm_user")).toEqual([]);
  const state = await testServer.request("gus", "POST /register");
  const placeholder = state.realm_users.find(({ user_id }: Json) => user_id === cy);
  expect(placeholder).toMatchObject({ full_name: "Unknown user", delivery_email: null });
  await staysInSync(testServer, ["gus"], () =>
    testServer.request("olga", `POST /users/${cy}/reactivate`),
  );
  await staysInSync(testServer, ["gus"], () =>
    testServer.request("olga", `DELETE /users/${testServer.idOf("bo")}`),
  );
});

test("makes a new member a full member once, whatever the role changes", async () => {
  await testServer.request("olga", "PATCH /realm", { waiting_period_threshold: 3 });
  const line = `PATCH /users/${testServer.idOf("bo")}`;
  for (const role of [600, 400, 300, 400]) await testServer.request("olga", line, { role });
  for (const days of [5, 3]) {
    await testServer.request("olga", "PATCH /realm", { waiting_period_threshold: days });
  }
  const { events } = await staysInSync(testServer, ["cy"], async () => {
    testServer.clock.passSeconds(3 * 86_400);
    testServer.realm.onDue();
    const isDue = () =>
      [...testServer.realm.read.due.range()].some(({ at: time }) => time <= testServer.clock.now());
    await until(() => !isDue());
  });
  const addedEvents = events.cy!.filter(({ op }) => op === "add_members");
  const ids: number[] = addedEvents.flatMap(({ user_ids }) => user_ids);
  expect(ids.filter((id) => id === testServer.idOf("bo"))).toHaveLength(1);
});

test("names an archived channel in a bot's defaults only to owners who see it", async () => {
  const id = await createChannel("shed", ["olga"]);
  const bot = { full_name: "Shed bot", short_name: "shed", default_sending_stream: "shed" };
  await testServer.request("bo", "POST /bots", bot);
  await archive(id);
  const roleOfBo = `PATCH /users/${testServer.idOf("bo")}`;
  const changes: [string, object, string | null][] = [
    [roleOfBo, { role: 600 }, null],
    [roleOfBo, { role: 400 }, "shed"],
    [`PATCH /streams/${id}`, { is_private: true }, null],
    [`PATCH /streams/${id}`, { is_private: false }, "shed"],
  ];
  for (const [line, params, default_sending_stream] of changes) {
    const { events } = await staysInSync(testServer, ["bo"], () =>
      testServer.request("olga", line, { ...params }),
    );
    const botEvents = events.bo!.filter(({ type }) => type === "realm_bot");
    expect(botEvents).toMatchObject([{ op: "update", bot: { default_sending_stream } }]);
  }
});
