// Subscriptions: joining, leaving, personal settings, and events.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import { createUser } from "../../src/features/accounts/actions.ts";
import { COLORS } from "../../src/features/channels/rules.ts";
import { subscribe } from "../../src/features/channels/subscriptions/subscribe.ts";
import { unsubscribe } from "../../src/features/channels/subscriptions/unsubscribe.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const EVERYONE: Name[] = ["olga", "ada", "bo", "cy", "gus"];
const ids = (...names: Name[]) => names.map((name) => testServer.idOf(name));

let count = 0;
async function create(requester: Name, subscribers: Name[], params: Params = {}): Promise<Json> {
  const name = `place ${++count}`;
  const input = { name, subscribers: ids(...subscribers), ...params };
  const { id } = await testServer.request(requester, "POST /channels/create", input);
  return { id, name };
}

const join = (requester: Name, names: string[], params: Params = {}) =>
  testServer.request(requester, `POST /users/me/subscriptions`, {
    subscriptions: names.map((name) => ({ name })),
    ...params,
  });

const findOwn = async (name: Name, id: number): Promise<Json> => {
  const { subscriptions } = await testServer.request(name, `GET /users/me/subscriptions`, {
    include_subscribers: true,
  });
  return subscriptions.find((sub: Json) => sub.stream_id === id);
};

async function expectRefused(
  refusal: errors.Refusal,
  requester: Name,
  line: string,
  params: Params = {},
) {
  const { errCode: code, status, message: msg, extra } = refusal;
  expect(await testServer.refused(requester, line, params)).toMatchObject({
    status,
    code,
    msg,
    ...extra,
  });
}

const describeEvents = (events: Json[] | undefined) =>
  (events ?? []).map(({ type, op, property }) => [type, op, property].filter(Boolean).join(" "));

test("subscribes a member to a public channel, with events to others", async () => {
  const { id, name } = await create("bo", ["bo"]);
  const { result, events } = await staysInSync(testServer, EVERYONE, () => join("cy", [name]));
  expect(result.subscribed).toEqual({ [testServer.idOf("cy")]: [name] });
  expect(result.already_subscribed).toEqual({});
  expect(describeEvents(events.cy)).toEqual(["subscription add"]);
  expect(describeEvents(events.bo)).toEqual(["subscription peer_add"]);
  expect(describeEvents(events.gus)).toEqual([]);
  expect(events.cy![0]!["subscriptions"][0]).toMatchObject({
    stream_id: id,
    subscribers: ids("bo", "cy"),
    subscriber_count: 2,
    is_muted: false,
    in_home_view: true,
    desktop_notifications: null,
  });
  const repeated = await join("cy", [name.toUpperCase()]);
  expect(repeated.already_subscribed).toEqual({ [testServer.idOf("cy")]: [name] });
});

test("subscribes another user, who is notified by direct message", async () => {
  const { name } = await create("bo", ["bo"], { invite_only: true });
  const principals = ids("cy", "gus", "bot");
  const { result, events } = await staysInSync(testServer, EVERYONE, () =>
    join("bo", [name], { principals }),
  );
  expect(result.new_subscription_messages_sent).toBe(true);
  expect(describeEvents(events.cy)).toEqual(["stream create", "subscription add", "message"]);
  expect(describeEvents(events.gus)).toEqual(["stream create", "subscription add", "message"]);
  expect(describeEvents(events.ada)).toEqual(["subscription peer_add"]);
  expect(events.cy![2]!["message"].content).toContain(name);
});

test("accepts principals as ids or addresses", async () => {
  const { id, name } = await create("bo", ["bo"]);
  const quiet = { send_new_subscription_messages: false };
  const response = await join("bo", [name], { principals: ["cy@example.com"], ...quiet });
  expect(response).not.toHaveProperty("new_subscription_messages_sent");
  const line = `GET /users/${testServer.idOf("cy")}/subscriptions/${id}`;
  expect((await testServer.request("ada", line)).is_subscribed).toBe(true);
  const { subscribed_channel_ids } = await testServer.request(
    "ada",
    `GET /users/${testServer.idOf("cy")}/channels`,
  );
  expect(subscribed_channel_ids).toContain(id);
});

test("creates missing channels", async () => {
  const params = { principals: ids("bo", "cy"), invite_only: true };
  const { result, events } = await staysInSync(testServer, EVERYONE, () =>
    join("bo", ["nook"], params),
  );
  expect(result.subscribed).toEqual({
    [testServer.idOf("bo")]: ["nook"],
    [testServer.idOf("cy")]: ["nook"],
  });
  expect(describeEvents(events.ada)).toEqual(["stream create", "subscription peer_add"]);
  expect(describeEvents(events.cy)).toEqual(["stream create", "subscription add"]);
});

test("rejects or lists channels without permission", async () => {
  const { name } = await create("bo", ["bo"], { invite_only: true });
  const line = `POST /users/me/subscriptions`;
  const params = { subscriptions: [{ name }] };
  await expectRefused(channelErrors.channelNotAccessible(name), "cy", line, params);
  const listed = await join("cy", [name], { authorization_errors_fatal: false });
  expect(listed).toMatchObject({ unauthorized: [name], subscribed: {} });
  await expectRefused(errors.guestsNotAllowed(), "gus", line, params);
  await expectRefused(channelErrors.userNotFound(), "bo", line, { ...params, principals: [9999] });
  const colored = { subscriptions: [{ name, color: "red" }] };
  await expectRefused(channelErrors.addColorInvalid(), "bo", line, colored);
  await expectRefused(channelErrors.channelNameEmpty(), "bo", line, {
    subscriptions: [{ name: "" }],
  });
});

test("rejects deactivated users", async () => {
  const { name } = await create("bo", ["bo"]);
  const { user_id } = await testServer.realm.write((tx) =>
    createUser(tx, { email: "gone@example.com", full_name: "Gone", role: 400 }),
  );
  await testServer.request("olga", `DELETE /users/${user_id}`);
  await expectRefused(channelErrors.userIsDeactivated(), "bo", "POST /users/me/subscriptions", {
    subscriptions: [{ name }],
    principals: [user_id],
  });
});

test("unsubscribes, with events to the user and peers, and hides it from a guest", async () => {
  const { id, name } = await create("bo", ["bo", "cy", "gus"]);
  const params = { subscriptions: [name], principals: ids("gus", "cy") };
  const { result, events } = await staysInSync(testServer, EVERYONE, () =>
    testServer.request("ada", `DELETE /users/me/subscriptions`, params),
  );
  expect(result).toMatchObject({ removed: [name], not_removed: [] });
  expect(describeEvents(events.gus)).toEqual(["subscription remove", "stream delete"]);
  expect(describeEvents(events.cy)).toEqual(["subscription remove", "subscription peer_remove"]);
  expect(describeEvents(events.bo)).toEqual(["subscription peer_remove"]);
  const secondResponse = await testServer.request("cy", `DELETE /users/me/subscriptions`, {
    subscriptions: [name],
  });
  expect(secondResponse).toMatchObject({ removed: [], not_removed: [name] });
  await expectRefused(
    channelErrors.insufficientPermission(),
    "cy",
    `DELETE /users/me/subscriptions`,
    {
      subscriptions: [name],
      principals: ids("bo"),
    },
  );
  const unknown = channelErrors.channelsNotFound(["x", "y"]);
  const subscriptions = { subscriptions: ["x", name, "y"] };
  await expectRefused(unknown, "cy", `DELETE /users/me/subscriptions`, subscriptions);
  expect((await testServer.request("bo", `GET /streams/${id}`)).stream.subscriber_count).toBe(1);
});

test("marks messages of an unsubscribed channel as read", async () => {
  const { id, name } = await create("bo", ["bo", "cy"]);
  const message = { type: "stream", to: id, topic: "t", content: "hi" };
  await testServer.request("bo", "POST /messages", message);
  const { events } = await staysInSync(testServer, ["cy"], () =>
    testServer.request("cy", `DELETE /users/me/subscriptions`, { subscriptions: [name] }),
  );
  expect(describeEvents(events.cy)).toEqual(["subscription remove", "update_message_flags add"]);
});

test("restores a subscription with its settings and a new range of messages", async () => {
  const { id, name } = await create("bo", ["bo", "cy"]);
  const post = (content: string) =>
    testServer.request("bo", "POST /messages", { type: "stream", to: id, topic: "t", content });
  const set = (property: string, value: unknown) =>
    testServer.request("cy", `PATCH /users/me/subscriptions/${id}`, { property, value });
  await set("color", "#ABC");
  await set("pin_to_top", true);
  const first = (await post("one")).id;
  await testServer.request("cy", `DELETE /users/me/subscriptions`, { subscriptions: [name] });
  await post("two");
  await staysInSync(testServer, ["bo", "cy"], () => join("cy", [name]));
  const third = (await post("three")).id;
  expect(await findOwn("cy", id)).toMatchObject({ color: "#aabbcc", pin_to_top: true });
  const { intervals: spans } = testServer.realm.read.subscriptions.get(testServer.idOf("cy"), id)!;
  expect([spans[0]! <= first, spans[2], spans[4], spans[6]]).toEqual([true, first, third, 0]);
});

test("changes personal settings of a subscription", async () => {
  const { id } = await create("bo", ["bo"]);
  const set = (...items: [property: string, value: unknown][]) =>
    testServer.request("bo", `POST /users/me/subscriptions/properties`, {
      subscription_data: items.map(([property, value]) => ({ stream_id: id, property, value })),
    });
  const { events } = await staysInSync(testServer, ["bo", "cy"], () =>
    set(["is_muted", true], ["color", "#A1B2C3"], ["email_notifications", false]),
  );
  expect(events.cy).toEqual([]);
  expect(events.bo!.map(({ property, value }) => [property, value])).toEqual([
    ["in_home_view", false],
    ["is_muted", true],
    ["color", "#a1b2c3"],
    ["email_notifications", false],
  ]);
  await set(["in_home_view", true]);
  expect(await findOwn("bo", id)).toMatchObject({ is_muted: false, email_notifications: false });

  const line = `PATCH /users/me/subscriptions/${id}`;
  const patch = (
    refusal: errors.Refusal,
    property: string,
    value: unknown,
    requester: Name = "bo",
  ) => expectRefused(refusal, requester, line, { property, value });
  await patch(channelErrors.subscriptionPropertyUnknown("shape"), "shape", true);
  await patch(channelErrors.notBoolean("is_muted"), "is_muted", "maybe");
  await patch(channelErrors.colorInvalid(), "color", "#12");
  await patch(channelErrors.notString("color"), "color", 12);
  await patch(channelErrors.notSubscribed(id), "color", "#123", "cy");
  const missing = { property: "color", value: "#123" };
  const missingChannel = `PATCH /users/me/subscriptions/9999`;
  await expectRefused(channelErrors.channelNotFound(), "bo", missingChannel, missing);
});

test("sends few events when a thousand users subscribe and unsubscribe", async () => {
  const { id } = await create("bo", ["bo"]);
  const otherUsers = await testServer.realm.write((tx) =>
    Array.from({ length: 1000 }, (_, n) =>
      createUser(tx, { email: `n${n}@example.com`, full_name: `No ${n}`, role: 400 }),
    ),
  );
  const listener = await testServer.listen("cy");
  const before = testServer.realm.read.log.count();
  await testServer.realm.write((tx) => subscribe(tx, null, otherUsers, [tx.channels.get(id)!]));
  expect(testServer.realm.read.log.count() - before).toBeLessThan(2 * COLORS.length + 2);
  expect(testServer.realm.read.subscriptions.countBy("subscribers", id)).toBe(1001);
  const [event] = await listener.takeAll();
  expect([event.op, event.user_ids.length]).toEqual(["peer_add", 1000]);
  const joined = testServer.realm.read.log.count();
  await testServer.realm.write((tx) => unsubscribe(tx, null, otherUsers, [tx.channels.get(id)!]));
  expect(testServer.realm.read.log.count() - joined).toBe(2);
  expect((await testServer.request("bo", `GET /streams/${id}/members`)).subscribers).toEqual(
    ids("bo"),
  );
});

test("assigns different colors to a user's channels", async () => {
  const names = Array.from({ length: 10 }, (_, n) => `color ${n}`);
  await join("mo", names);
  const { subscriptions } = await testServer.request("mo", `GET /users/me/subscriptions`);
  const colors = subscriptions.map((sub: Json) => sub.color);
  expect(new Set(colors).size).toBe(colors.length);
});

test("lets an older client subscribe and unsubscribe in one request", async () => {
  const [old, newChannel] = [await create("bo", ["cy"]), await create("bo", ["bo"])];
  const line = "PATCH /users/me/subscriptions";
  const add = [{ name: newChannel.name, color: "#ABCDEF" }, { name: `place ${++count}` }];
  const { result, events } = await staysInSync(testServer, ["cy", "bo"], () =>
    testServer.request("cy", line, { add, delete: [old.name] }),
  );
  expect(result).toMatchObject({
    subscribed: { [testServer.idOf("cy")]: add.map(({ name }) => name) },
    already_subscribed: {},
    ...{ removed: [old.name], not_removed: [] },
  });
  expect((await findOwn("cy", newChannel.id)).color).toBe("#abcdef");
  const kinds = events.cy!.map(({ type, op }) => `${type} ${op}`);
  expect(kinds.filter((kind) => kind.startsWith("subscription"))).toEqual([
    ...["subscription add", "subscription add", "subscription remove"],
  ]);
  await expectRefused(channelErrors.subscriptionsNotGiven(), "cy", line);
  await expectRefused(channelErrors.channelsNotFound(["nowhere"]), "cy", line, {
    ...{ add: [{ name: "never made" }], delete: ["nowhere"] },
  });
  await expectRefused(channelErrors.channelNameNotFound("never made"), "cy", "GET /get_stream_id", {
    stream: "never made",
  });
  await expectRefused(errors.guestsNotAllowed(), "gus", line, { add });
});

test("shows a limited guest the users of a channel while both are subscribed", async () => {
  const members = testServer.realm.read.groups.findBy("name", "role:members")!.id;
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    const settings = { ...realm.settings, can_access_all_users_group: members };
    tx.realm.put({ ...realm, settings });
  });
  const { name } = await create("ada", ["gus"]);
  const userEvents = (events: Json[] | undefined) =>
    (events ?? [])
      .filter(({ type }) => type === "realm_user")
      .map(({ op, person }) => {
        return [op, person.user_id];
      });
  const joining = await staysInSync(testServer, ["bo"], async () => {
    const gus = await testServer.listen("gus");
    await join("olga", [name]);
    return gus.takeAll();
  });
  expect(userEvents(joining.result)).toEqual([["add", testServer.idOf("olga")]]);
  const plainListener = await testServer.listen("gus");
  const gus = await testServer.listen("gus", {
    client_capabilities: { user_list_incomplete: true },
  });
  await testServer.request("olga", "DELETE /users/me/subscriptions", { subscriptions: [name] });
  expect(userEvents(await gus.takeAll())).toEqual([["remove", testServer.idOf("olga")]]);
  const removed = await plainListener.takeAll();
  expect(userEvents(removed)).toEqual(["remove", "add"].map((op) => [op, testServer.idOf("olga")]));
  expect(removed.at(-1).person.full_name).toBe("Unknown user");
});
