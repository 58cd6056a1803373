// Typing notifications: who receives them, and who does not.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Refusal } from "../../src/contract/errors/general.ts";
import { recipientIdInvalid } from "../../src/contract/errors/messages.ts";
import {
  typingChannelMissing,
  typingOffInChannels,
  typingOffInDirects,
  typingToEmpty,
  typingToMissing,
  typingTopicMissing,
} from "../../src/contract/errors/people.ts";
import type { Name } from "../users.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let general: number;
beforeEach(async () => {
  testServer = await startTestServer();
  general = testServer.realm.read.channels.findBy("name", "general")!.stream_id;
});
afterEach(() => testServer.close());

const CAPABILITY = "stream_typing_notifications";
const errorBody = (refusal: Refusal) => ({ msg: refusal.message, code: refusal.errCode });
const notifyTyping = (name: Name, params: Params) =>
  testServer.request(name, "POST /typing", params);
const listen = (name: Name) =>
  testServer.listen(name, {
    event_types: ["typing"],
    client_capabilities: { [CAPABILITY]: true, empty_topic_name: true },
  });

test("sends who is typing to all users of a direct conversation", async () => {
  const [bo, cy, ada] = await Promise.all([listen("bo"), listen("cy"), listen("ada")]);
  await notifyTyping("bo", { op: "start", to: [testServer.idOf("cy")] });
  const event = await cy.next();
  expect(event).toMatchObject({
    type: "typing",
    op: "start",
    message_type: "direct",
    sender: { user_id: testServer.idOf("bo"), email: "bo@example.com" },
    recipients: [
      { user_id: testServer.idOf("bo"), email: "bo@example.com" },
      { user_id: testServer.idOf("cy"), email: "cy@example.com" },
    ],
  });
  expect(await bo.next()).toEqual(event);
  expect(await ada.takeAll()).toEqual([]);
  await notifyTyping("bo", {
    type: "direct",
    op: "stop",
    to: [testServer.idOf("bo"), testServer.idOf("cy")],
  });
  expect((await cy.next()).op).toBe("stop");
});

test("hides the addresses of recipients from guests who may not see them", async () => {
  const can_access_all_users_group = {
    new: testServer.realm.read.groups.findBy("name", "role:members")!.id,
  };
  await testServer.request("olga", "PATCH /realm", { can_access_all_users_group });
  await testServer.request("olga", "POST /channels/create", {
    ...{ name: "garden", subscribers: [testServer.idOf("bo"), testServer.idOf("gus")] },
  });
  const [bo, gus, mo] = await Promise.all([listen("bo"), listen("gus"), listen("mo")]);
  const to = [testServer.idOf("gus"), testServer.idOf("mo")];
  await notifyTyping("bo", { op: "start", to });
  const recipientsOf = (email: string) =>
    [
      { user_id: testServer.idOf("bo"), email: "bo@example.com" },
      { user_id: testServer.idOf("gus"), email: "gus@example.com" },
      { user_id: testServer.idOf("mo"), email },
    ].sort((a, b) => a.user_id - b.user_id);
  for (const viewer of [bo, mo]) {
    expect((await viewer.takeAll()).map(({ recipients }) => recipients)).toEqual([
      recipientsOf("mo@example.com"),
    ]);
  }
  const { hostname } = new URL(testServer.url);
  const [event, ...otherEvents] = await gus.takeAll();
  expect(otherEvents).toEqual([]);
  expect(event).toMatchObject({
    recipients: recipientsOf(`user${testServer.idOf("mo")}@${hostname}`),
  });

  // A conversation makes its users visible to each other.
  const message = { type: "direct", to, content: "hi" };
  await testServer.request("bo", "POST /messages", message);
  await notifyTyping("bo", { op: "stop", to });
  expect((await gus.next()).recipients).toEqual(recipientsOf("mo@example.com"));
});

test("sends it to subscribers of a channel whose clients support it", async () => {
  const capable = await listen("cy");
  const oldListener = await testServer.listen("cy", { event_types: ["typing"] });
  const guest = await listen("gus");
  await notifyTyping("bo", { type: "stream", op: "start", stream_id: general, topic: " tea " });
  const { id: _id, ...event } = await capable.next();
  expect(event).toEqual({
    type: "typing",
    op: "start",
    message_type: "stream",
    sender: { user_id: testServer.idOf("bo"), email: "bo@example.com" },
    stream_id: general,
    topic: "tea",
  });
  expect(await oldListener.takeAll()).toEqual([]);
  expect(await guest.takeAll()).toEqual([]);
});

test("respects users who disabled sending or receiving it", async () => {
  await testServer.request("cy", "PATCH /settings", { receives_typing_notifications: false });
  const [bo, cy] = await Promise.all([listen("bo"), listen("cy")]);
  await notifyTyping("bo", { op: "start", to: [testServer.idOf("cy")] });
  expect(await bo.takeAll()).toHaveLength(1);
  expect(await cy.takeAll()).toEqual([]);
  await testServer.request("bo", "PATCH /settings", {
    send_private_typing_notifications: false,
    send_stream_typing_notifications: false,
  });
  const direct = await testServer.refused("bo", "POST /typing", {
    op: "start",
    to: [testServer.idOf("cy")],
  });
  expect(direct).toMatchObject(errorBody(typingOffInDirects()));
  const channel = await testServer.refused("bo", "POST /typing", {
    type: "channel",
    op: "start",
    stream_id: general,
    topic: "tea",
  });
  expect(channel).toMatchObject(errorBody(typingOffInChannels()));
});

test("rejects invalid requests", async () => {
  const cases: [Params, object][] = [
    [{ op: "start" }, errorBody(typingToMissing())],
    [{ op: "start", to: [] }, errorBody(typingToEmpty())],
    [{ op: "start", to: [999] }, errorBody(recipientIdInvalid(999))],
    [{ op: "start", type: "stream", topic: "tea" }, errorBody(typingChannelMissing())],
    [{ op: "start", type: "stream", stream_id: general }, errorBody(typingTopicMissing())],
    [{ op: "start", type: "stream", stream_id: 999, topic: "t" }, { msg: "Invalid channel ID" }],
    [{ op: "start", type: "private", to: [1] }, { msg: "Invalid type" }],
    [{ op: "begin", to: [1] }, { msg: "Invalid op" }],
    [{ to: [1] }, { code: "REQUEST_VARIABLE_MISSING", var_name: "op" }],
  ];
  for (const [params, refusal] of cases) {
    expect(await testServer.refused("bo", "POST /typing", params)).toMatchObject(refusal);
  }
});

test("sends nothing in a channel with more than a hundred subscribers", async () => {
  await testServer.realm.write((tx) => {
    const sub = tx.subscriptions.get(testServer.idOf("bo"), general)!;
    const user = tx.users.get(testServer.idOf("bo"))!;
    for (let index = 0; index < 100; index++) {
      const user_id = tx.next("users");
      tx.users.put({ ...user, user_id, delivery_email: `p${index}@example.com` });
      tx.subscriptions.put({ ...sub, user_id });
    }
  });
  const cy = await listen("cy");
  await notifyTyping("bo", { type: "channel", op: "start", stream_id: general, topic: "tea" });
  expect(await cy.takeAll()).toEqual([]);
});
