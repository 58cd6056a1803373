// Messages that were moved into a channel belong to its users, even without a later message.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let open: number;
let secret: number;
let id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  open = await make("open", ["bo", "cy", "mo", "ada"]);
  secret = await make("secret", ["bo", "mo"], { invite_only: true });
  await post(secret);
  id = await post(open);
});
afterEach(() => testServer.close());

async function make(name: string, names: Name[], params: Params = {}): Promise<number> {
  const subscribers = names.map((name) => testServer.idOf(name));
  return (await testServer.request("bo", "POST /channels/create", { name, subscribers, ...params }))
    .id;
}

const post = async (to: number): Promise<number> =>
  (
    await testServer.request("bo", "POST /messages", {
      type: "channel",
      to,
      topic: "t",
      content: "words",
    })
  ).id;
/** Moves messages without notices. */
const move = (message_id: number, stream_id: number) =>
  testServer.request("bo", `PATCH /messages/${message_id}`, {
    stream_id,
    propagate_mode: "change_one",
    send_notification_to_new_thread: false,
  });
const join = (name: Name, channel: string, requester: Name = "bo") =>
  testServer.request(requester, "POST /users/me/subscriptions", {
    subscriptions: [{ name: channel }],
    principals: [testServer.idOf(name)],
    send_new_subscription_messages: false,
  });
const leave = (name: Name, channel: string) =>
  testServer.request(name, "DELETE /users/me/subscriptions", { subscriptions: [channel] });
const flagsOf = async (name: Name): Promise<string[]> =>
  (await testServer.request(name, `GET /messages/${id}`)).message.flags;
const expectNoAccess = async (name: Name) =>
  expect(await testServer.refused(name, `GET /messages/${id}`)).toMatchObject({ status: 400 });
const intervalsOf = (name: Name, stream_id: number) =>
  testServer.realm.read.subscriptions.get(testServer.idOf(name), stream_id)!.intervals;

test("finds them in a protected channel after resubscribing, like a user who stayed", async () => {
  await join("cy", "secret");
  await move(id, secret);
  await leave("cy", "secret");
  await expectNoAccess("cy");
  await join("ada", "secret");
  await expectNoAccess("ada");
  await join("cy", "secret");
  expect(await flagsOf("mo")).toEqual([]);
  expect(await flagsOf("cy")).toEqual(["read"]);
});

test("keeps them as read for a user who left a public channel", async () => {
  await make("plain", ["bo"]);
  const plain = testServer.realm.read.channels.findBy("name", "plain")!.stream_id;
  await post(plain);
  id = await post(open);
  await staysInSync(testServer, ["cy", "mo"], async () => {
    await join("cy", "plain", "cy");
    await move(id, plain);
    await leave("cy", "plain");
  });
  expect(await flagsOf("cy")).toEqual(["read"]);
  expect(await flagsOf("mo")).toEqual(["read", "historical"]);
  const params = { anchor: id, num_before: 0, num_after: 0 };
  const listMessages = async (name: Name) =>
    (await testServer.request(name, "GET /messages", params)).messages;
  expect((await listMessages("cy")).map((message: Json) => message.id)).toEqual([id]);
  expect(await listMessages("mo")).toEqual([]);
});

test("keeps them for users who had access at every step", async () => {
  const other = await make("other", ["bo", "cy"], { invite_only: true });
  await join("cy", "secret");
  await move(id, secret);
  await move(id, other);
  await leave("cy", "secret");
  expect(await flagsOf("cy")).toEqual([]);
  await leave("cy", "other");
  await expectNoAccess("cy");
});

test("uses the time of the move for users who were not subscribed on arrival", async () => {
  await join("cy", "secret");
  await leave("cy", "secret");
  await move(id, secret);
  await join("cy", "secret");
  await leave("cy", "secret");
  await join("cy", "secret");
  await expectNoAccess("cy");
  expect(intervalsOf("cy", secret)).toHaveLength(4);
});
