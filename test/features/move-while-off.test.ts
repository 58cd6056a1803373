// A topic is moved while an account is deactivated; the account then has the messages that
// subscribers have.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

const PRIVATE = { invite_only: true, history_public_to_subscribers: true };

let testServer: TestServer;
let open: number;
let secret: number;
beforeEach(async () => {
  testServer = await startTestServer();
  open = await make("open", ["bo", "cy", "ada"]);
  secret = await make("secret", ["bo", "cy", "mo"], { invite_only: true });
});
afterEach(() => testServer.close());

async function make(name: string, names: Name[], params: Params = {}): Promise<number> {
  const subscribers = names.map((name) => testServer.idOf(name));
  return (await testServer.request("bo", "POST /channels/create", { name, subscribers, ...params }))
    .id;
}

const post = async (to: number, content = "words"): Promise<number> =>
  (await testServer.request("bo", "POST /messages", { type: "channel", to, topic: "t", content }))
    .id;
const moveOne = (id: number, stream_id: number) =>
  testServer.request("bo", `PATCH /messages/${id}`, { stream_id, propagate_mode: "change_one" });
const move = (id: number, stream_id: number) =>
  testServer.request("bo", `PATCH /messages/${id}`, { stream_id, propagate_mode: "change_all" });
const flag = (name: Name, id: number, which: string) =>
  testServer.request(name, "POST /messages/flags", { messages: [id], op: "add", flag: which });
const deactivate = (name: Name) =>
  testServer.request("olga", `DELETE /users/${testServer.idOf(name)}`);
const reactivate = (name: Name) =>
  testServer.request("olga", `POST /users/${testServer.idOf(name)}/reactivate`);
const flagsOf = async (name: Name, id: number): Promise<string[]> =>
  (await testServer.request(name, `GET /messages/${id}`)).message.flags;
const unreadOf = async (name: Name): Promise<number[]> =>
  (await testServer.request(name, "POST /register")).unread_msgs.streams.flatMap(
    (location: Json) => location.unread_message_ids,
  );

test("keeps the messages, unread and with their mentions, for users who had them", async () => {
  const first = await post(open, "@**Cy Member** come");
  const read = await post(open);
  await flag("cy", read, "read");
  await deactivate("cy");
  const missedId = await post(open);
  await move(first, secret);
  await reactivate("cy");
  expect(await flagsOf("cy", first)).toEqual(["mentioned"]);
  expect(await flagsOf("cy", read)).toEqual(["read"]);
  expect(await unreadOf("cy")).toEqual([first]);
  // Sent while the account was deactivated; everyone received it where it was moved to.
  expect(await flagsOf("cy", missedId)).toEqual(["read", "historical"]);
});

test("gives them to users who never had them, as to all subscribers", async () => {
  const id = await post(open);
  await deactivate("mo");
  await move(id, secret);
  await reactivate("mo");
  expect(await flagsOf("mo", id)).toEqual(["read", "historical"]);
});

test("keeps them for users who unsubscribe after reactivation", async () => {
  const width = await make("wide", ["bo", "cy"]);
  await post(width);
  const id = await post(open);
  await deactivate("cy");
  await move(id, width);
  await reactivate("cy");
  await testServer.request("cy", "DELETE /users/me/subscriptions", { subscriptions: ["wide"] });
  expect(await flagsOf("cy", id)).not.toContain("historical");
});

test("removes them from users who are not in the target channel", async () => {
  const id = await post(open);
  await deactivate("ada");
  await move(id, secret);
  await reactivate("ada");
  expect(await testServer.refused("ada", `GET /messages/${id}`)).toMatchObject({ status: 400 });
  expect(await unreadOf("ada")).toEqual([]);
});

test("gives the same result after two moves as for an active account", async () => {
  const other = await make("other", ["bo", "cy"], { invite_only: true });
  const id = await post(open);
  await deactivate("cy");
  await move(id, secret);
  await reactivate("cy");
  await deactivate("cy");
  await move(id, other);
  await reactivate("cy");
  expect(await flagsOf("cy", id)).toEqual([]);
  expect(await unreadOf("cy")).toEqual([id]);
});

test("does not resubscribe a user who left the channel before", async () => {
  await testServer.request("cy", "DELETE /users/me/subscriptions", { subscriptions: ["secret"] });
  const id = await post(open);
  await deactivate("cy");
  await move(id, secret);
  await reactivate("cy");
  expect(await testServer.refused("cy", `GET /messages/${id}`)).toMatchObject({ status: 400 });
});

test("works without earlier messages, however often the account was deactivated", async () => {
  for (let times = 0; times < 3; times++) {
    await deactivate("cy");
    await reactivate("cy");
  }
  const listener = await testServer.listen("cy", { event_types: ["message"] });
  const id = await post(open);
  expect((await listener.takeAll()).map(({ message }) => message.id)).toEqual([id]);
  await deactivate("cy");
  await move(id, secret);
  await reactivate("cy");
  expect(await flagsOf("cy", id)).toEqual([]);
  expect(
    testServer.realm.read.subscriptions.get(testServer.idOf("cy"), secret)!.intervals,
  ).toHaveLength(8);
});

test("keeps stars only on messages that can be read in the target channel", async () => {
  const [plain, closedId] = [await make("plain", ["bo"]), await make("closed", ["bo"], PRIVATE)];
  const [remainingId, removed, alsoRemoved] = [
    await post(open),
    await post(open),
    await post(plain),
  ];
  for (const id of [remainingId, removed, alsoRemoved]) await flag("cy", id, "starred");
  await deactivate("cy");
  await moveOne(remainingId, plain);
  await moveOne(removed, closedId);
  await moveOne(alsoRemoved, closedId);
  await reactivate("cy");
  expect(await flagsOf("cy", remainingId)).toEqual(["read", "starred", "historical"]);
  for (const id of [removed, alsoRemoved]) {
    expect(await testServer.refused("cy", `GET /messages/${id}`)).toMatchObject({ status: 400 });
    await moveOne(id, plain);
    await testServer.request("cy", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
    expect(await flagsOf("cy", id)).toEqual(["read", "historical"]);
  }
});

test("keeps following the topic if it can be read in the target channel", async () => {
  const follow = { stream_id: open, topic: "t", visibility_policy: 3 };
  const id = await post(open);
  for (const name of ["ada", "cy"] as const)
    await testServer.request(name, "POST /user_topics", follow);
  for (const name of ["ada", "cy"] as const) await deactivate(name);
  await move(id, secret);
  for (const name of ["ada", "cy"] as const) await reactivate(name);
  const isFollowed = async (name: Name) =>
    (await testServer.request(name, "POST /register")).user_topics.map(
      (row: Json) => row.stream_id,
    );
  expect(await isFollowed("ada")).toEqual([]);
  expect(await isFollowed("cy")).toEqual([secret]);
});
