// Whole topics are deleted in batches, together with users' topic settings.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import { deleteInBatches } from "../../src/features/messages/delete/topic.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";
import { expectExact } from "./compare-indexes.ts";

let testServer: TestServer;
let stream_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  stream_id = await make("garden", ["bo", "cy", "gus"]);
});
afterEach(() => testServer.close());

async function make(name: string, people: Name[], params: Params = {}): Promise<number> {
  const subscribers = people.map((name) => testServer.idOf(name));
  return (
    await testServer.request("ada", "POST /channels/create", { name, subscribers, ...params })
  ).id;
}

/** Sends many messages of one user in one transaction. */
const fill = (name: Name, topic: string, count: number, to = stream_id) =>
  testServer.realm.write((tx) => {
    const sender = tx.users.get(testServer.idOf(name))!;
    const ids: number[] = [];
    for (let i = 0; i < count; i++) {
      ids.push(sendMessage(tx, sender, { stream_id: to, topic }, `words ${i}`).id);
    }
    return ids;
  });
const remove = (name: Name, topic_name: string, from = stream_id) =>
  testServer.request(name, `POST /streams/${from}/delete_topic`, { topic_name });
const follow = (name: Name, topic: string, of = stream_id) =>
  testServer.request(name, "POST /user_topics", { stream_id: of, topic, visibility_policy: 3 });
const deletionEvents = (events: Json[] | undefined) =>
  (events ?? []).filter((event) => event.type === "delete_message");
const policiesOf = (name: Name) =>
  testServer.realm.read.user_topics
    .listBy("user", testServer.idOf(name))
    .map((row) => row.topic_name);

test("deletes a topic newest first, in batches of fifty, with its followers", async () => {
  const ids = await fill("bo", "Peas", 115);
  await fill("bo", "beans", 3);
  await follow("cy", "peas");
  await follow("cy", "beans");
  const names: Name[] = ["ada", "cy", "gus", "mo"];
  const { result, events } = await staysInSync(testServer, names, () => remove("ada", "PEAS"));
  expect(result.complete).toBe(true);
  for (const name of ["ada", "cy", "gus"] as const) {
    expect(deletionEvents(events[name]).map((event) => event.message_ids)).toEqual([
      ids.slice(65),
      ids.slice(15, 65),
      ids.slice(0, 15),
    ]);
  }
  expect(events.mo!.map((event) => event["property"])).toEqual(["first_message_id"]);
  expect(events.cy!.at(-1)).toMatchObject({ type: "user_topic", visibility_policy: 0 });
  expect(policiesOf("cy")).toEqual(["beans"]);
  expectExact(testServer.realm.read);
});

test("does not report completion after an exactly full batch", async () => {
  await fill("bo", "peas", 50);
  await follow("cy", "peas");
  expect((await remove("ada", "peas")).complete).toBe(true);
  expect(policiesOf("cy")).toEqual([]);
  await fill("bo", "peas", 100);
  expect((await remove("ada", "peas")).complete).toBe(true);
  expectExact(testServer.realm.read);
});

test("deletes the topic without a name by its displayed name", async () => {
  const [id] = await fill("bo", "", 1);
  const { events } = await staysInSync(testServer, ["cy"], () => remove("ada", "general chat"));
  expect(deletionEvents(events.cy)).toMatchObject([{ message_ids: [id], topic: "" }]);
  const secondResult = await staysInSync(testServer, ["cy"], () => remove("ada", "general chat"));
  expect([secondResult.result.complete, secondResult.events.cy]).toEqual([true, []]);
});

test("keeps messages of a protected history that the deleting user cannot see", async () => {
  const secret = { invite_only: true, history_public_to_subscribers: false };
  const shed = await make("shed", ["bo"], secret);
  const storedIds = await fill("bo", "peas", 3, shed);
  await testServer.request("bo", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "shed" }],
    principals: [testServer.idOf("ada"), testServer.idOf("cy")],
  });
  const own = await fill("bo", "peas", 4, shed);
  await follow("bo", "peas", shed);
  await follow("cy", "peas", shed);
  const names: Name[] = ["bo", "cy", "ada"];
  const { result, events } = await staysInSync(testServer, names, () =>
    remove("ada", "peas", shed),
  );
  expect(result.complete).toBe(true);
  expect(deletionEvents(events.bo).map((event) => event.message_ids)).toEqual([own]);
  expect(storedIds.every((id) => testServer.realm.read.messages.has(id))).toBe(true);
  expect([policiesOf("bo"), policiesOf("cy")]).toEqual([["peas"], []]);
  expectExact(testServer.realm.read);
});

test("lets only administrators with access to the channel delete its topics", async () => {
  const line = `POST /streams/${stream_id}/delete_topic`;
  const params = { topic_name: "peas" };
  const { errCode: code, message: msg } = errors.mustBeAdministrator();
  expect(await testServer.refused("bo", line, params)).toMatchObject({ status: 400, code, msg });
  const shed = await make("hut", ["bo"], { invite_only: true });
  const refusal = await testServer.refused("olga", `POST /streams/${shed}/delete_topic`, params);
  expect(refusal.msg).toBe(channelErrors.channelNotFound().message);
});

test("continues with the next request if a deletion takes too long", async () => {
  await fill("bo", "peas", 250);
  let now = testServer.clock.now();
  const clock = { now: () => (now += 30_000) };
  const slow = Object.create(testServer.realm, { clock: { value: clock } });
  const ada = testServer.realm.read.users.get(testServer.idOf("ada"))!;
  expect(await deleteInBatches(slow, ada, stream_id, "peas")).toBe(false);
  expectExact(testServer.realm.read);
  expect((await remove("ada", "peas")).complete).toBe(true);
  expectExact(testServer.realm.read);
});
