// Pinned messages: who may pin and see them, and what unpins them.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { channelNotFound, tooMany } from "../../src/contract/errors/channels.ts";
import {
  directNotPinnable,
  messageNotFound,
  pinningNotAllowed,
} from "../../src/contract/errors/messages.ts";
import { PIN_EXCERPT_LENGTH_MAX, PINS_PER_CHANNEL_MAX } from "../../src/features/pins/rules.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, type Params, startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let stream_id: number;
let index = 0;

beforeAll(async () => {
  testServer = await startTestServer();
});
afterAll(() => testServer.close());
beforeEach(async () => {
  stream_id = await createChannel({});
});

async function createChannel(extra: Params): Promise<number> {
  const subscribers = (["olga", "bo", "cy"] as const).map((name) => testServer.idOf(name));
  const params = { name: `pins ${(index += 1)}`, subscribers, ...extra };
  return (await testServer.request("olga", "POST /channels/create", params)).id;
}

const post = async (content: string, topic = "t", to = stream_id): Promise<number> =>
  (await testServer.request("bo", "POST /messages", { type: "channel", to, topic, content })).id;
const pin = (name: Name, message_id: number) =>
  testServer.request(name, "POST /skein_pins", { message_id });
const pinsOf = async (name: Name, of = stream_id): Promise<Json[]> =>
  (await testServer.request(name, "GET /skein_pins", { stream_id: of })).pins;
const idsOf = async (name: Name, of = stream_id) =>
  (await pinsOf(name, of)).map(({ message_id }) => message_id);

test("a pin shows the message, who pinned it and when, the newest first", async () => {
  const [first, second] = [
    await post("**Read** this &amp; that"),
    await post("x".repeat(500), "u"),
  ];
  await pin("cy", first);
  testServer.clock.passSeconds(60);
  await pin("bo", second);
  await pin("bo", second);
  const [newest, oldest] = await pinsOf("olga");
  expect(oldest).toMatchObject({
    ...{ message_id: first, stream_id, topic: "t", excerpt: "Read this & that" },
    ...{ sender_id: testServer.idOf("bo"), pinned_by: testServer.idOf("cy") },
  });
  expect(newest.pinned_at - oldest.pinned_at).toBeGreaterThanOrEqual(60);
  expect(newest.excerpt).toHaveLength(PIN_EXCERPT_LENGTH_MAX);
  await testServer.request("cy", `DELETE /skein_pins/${second}`);
  await testServer.request("cy", `DELETE /skein_pins/${second}`);
  expect(await idsOf("bo")).toEqual([first]);
});

test("shows the message as a notification would: with emoji, and without spoilers", async () => {
  await pin("bo", await post("Done :tada:\n\n```spoiler The end\nThey marry\n```"));
  const [{ excerpt }] = await pinsOf("cy");
  expect(excerpt).toStartWith("Done 🎉 The end");
  expect(excerpt).not.toContain("marry");
});

test("notifies only subscribers whose clients request pins, without the message", async () => {
  const id = await post("Read this");
  const { events } = await staysInSync(testServer, ["cy", "mo"], () => pin("bo", id));
  expect(events.cy).toMatchObject([{ type: "skein_pins", stream_id }]);
  expect(Object.keys(events.cy![0]!).sort()).toEqual(["id", "stream_id", "type"]);
  expect(events.mo).toEqual([]);
  const plainListener = await testServer.listen("cy", { event_types: ["skein_pins"] });
  await testServer.request("bo", `DELETE /skein_pins/${id}`);
  expect(await plainListener.takeAll()).toEqual([]);
});

test("refuses to pin without the channel's permission, and direct messages", async () => {
  const id = await post("Read this");
  const nobody = await testServer.realm.read.groups.findBy("name", "role:nobody");
  const group = JSON.stringify({ new: nobody!.id });
  await testServer.request("olga", "PATCH /realm", { can_resolve_topics_group: group });
  for (const line of ["POST /skein_pins", `DELETE /skein_pins/${id}`]) {
    const refusal = await testServer.refused("bo", line, { message_id: id });
    expect(refusal.msg).toBe(pinningNotAllowed().message);
  }
  const everyone = testServer.realm.read.groups.findBy("name", "role:everyone")!;
  await testServer.request("olga", `PATCH /streams/${stream_id}`, {
    can_resolve_topics_group: JSON.stringify({ new: everyone.id }),
  });
  await pin("bo", id);
  await testServer.request("olga", "PATCH /realm", {
    can_resolve_topics_group: JSON.stringify({ new: everyone.id }),
  });
  const direct = { type: "direct", to: [testServer.idOf("cy")], content: "psst" };
  const { id: message_id } = await testServer.request("bo", "POST /messages", direct);
  const refusedResponse = await testServer.refused("bo", "POST /skein_pins", { message_id });
  expect(refusedResponse.msg).toBe(directNotPinnable().message);
});

test("hides pins and their messages from those who may not read them", async () => {
  const hiddenChannel = await createChannel({
    invite_only: true,
    history_public_to_subscribers: false,
  });
  const id = await post("before mo came", "t", hiddenChannel);
  await pin("bo", id);
  const outside = await testServer.refused("mo", "GET /skein_pins", { stream_id: hiddenChannel });
  expect(outside.msg).toBe(channelNotFound().message);
  const refusal = await testServer.refused("mo", "POST /skein_pins", { message_id: id });
  expect(refusal.msg).toBe(messageNotFound().message);
  const { name } = testServer.realm.read.channels.get(hiddenChannel)!;
  await testServer.request("olga", "POST /users/me/subscriptions", {
    ...{ subscriptions: [{ name }], principals: [testServer.idOf("mo")] },
  });
  expect(await idsOf("mo", hiddenChannel)).toEqual([]);
  const laterId = await post("after mo came", "t", hiddenChannel);
  await pin("bo", laterId);
  expect(await idsOf("mo", hiddenChannel)).toEqual([laterId]);
  await testServer.request("mo", "DELETE /users/me/subscriptions", { subscriptions: [name] });
  expect(
    (await testServer.refused("mo", "GET /skein_pins", { stream_id: hiddenChannel })).msg,
  ).toBe(channelNotFound().message);
});

test("deleting a message, and moving it, end its pin; renaming a topic keeps it", async () => {
  const other = await createChannel({});
  const [deleted, movedId, renamed] = [await post("a"), await post("b", "m"), await post("c", "r")];
  await post("stays", "m");
  for (const id of [deleted, movedId, renamed]) await pin("bo", id);
  const { events } = await staysInSync(testServer, ["cy"], () =>
    testServer.request("olga", `DELETE /messages/${deleted}`),
  );
  expect(events.cy!.map(({ type }) => type)).toContain("skein_pins");
  const move = { stream_id: other, propagate_mode: "change_one" };
  await testServer.request("olga", `PATCH /messages/${movedId}`, move);
  const rename = { topic: "renamed", propagate_mode: "change_all" };
  await testServer.request("olga", `PATCH /messages/${renamed}`, rename);
  expect(await pinsOf("bo")).toMatchObject([{ message_id: renamed, topic: "renamed" }]);
  expect(await idsOf("bo", other)).toEqual([]);
  expect(
    [...testServer.realm.read.message_pins.range()].map(({ message_id }) => message_id),
  ).not.toContain(movedId);
});

test("a channel has a bounded number of pins", async () => {
  const ids: number[] = [];
  for (let i = 0; i <= PINS_PER_CHANNEL_MAX; i++) ids.push(await post(`${i}`));
  for (const id of ids.slice(1)) await pin("bo", id);
  const refusal = await testServer.refused("bo", "POST /skein_pins", { message_id: ids[0]! });
  const expected = tooMany("pinned messages in a channel", PINS_PER_CHANNEL_MAX);
  expect(refusal.msg).toBe(expected.message);
});
