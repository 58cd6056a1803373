// A topic moves while an account is off: when it is on again, it has what subscribers were left.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Name } from "../cast.ts";
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

async function make(name: string, who: Name[], params: Params = {}): Promise<number> {
  const subscribers = who.map((one) => testServer.idOf(one));
  return (await testServer.ask("bo", "POST /channels/create", { name, subscribers, ...params })).id;
}

const say = async (to: number, content = "words"): Promise<number> =>
  (await testServer.ask("bo", "POST /messages", { type: "channel", to, topic: "t", content })).id;
const moveOne = (id: number, stream_id: number) =>
  testServer.ask("bo", `PATCH /messages/${id}`, { stream_id, propagate_mode: "change_one" });
const move = (id: number, stream_id: number) =>
  testServer.ask("bo", `PATCH /messages/${id}`, { stream_id, propagate_mode: "change_all" });
const flag = (name: Name, id: number, which: string) =>
  testServer.ask(name, "POST /messages/flags", { messages: [id], op: "add", flag: which });
const off = (name: Name) => testServer.ask("olga", `DELETE /users/${testServer.idOf(name)}`);
const on = (name: Name) =>
  testServer.ask("olga", `POST /users/${testServer.idOf(name)}/reactivate`);
const flagsOf = async (name: Name, id: number): Promise<string[]> =>
  (await testServer.ask(name, `GET /messages/${id}`)).message.flags;
const unreadOf = async (name: Name): Promise<number[]> =>
  (await testServer.ask(name, "POST /register")).unread_msgs.streams.flatMap(
    (place: Json) => place.unread_message_ids,
  );

test("who had the messages has them still, unread and with their calls", async () => {
  const first = await say(open, "@**Cy Member** come");
  const read = await say(open);
  await flag("cy", read, "read");
  await off("cy");
  const missed = await say(open);
  await move(first, secret);
  await on("cy");
  expect(await flagsOf("cy", first)).toEqual(["mentioned"]);
  expect(await flagsOf("cy", read)).toEqual(["read"]);
  expect(await unreadOf("cy")).toEqual([first]);
  // Sent while the account was off; where it went, everyone was given it.
  expect(await flagsOf("cy", missed)).toEqual(["read", "historical"]);
});

test("who never had them is given them, as they are to all who are in the channel", async () => {
  const id = await say(open);
  await off("mo");
  await move(id, secret);
  await on("mo");
  expect(await flagsOf("mo", id)).toEqual(["read", "historical"]);
});

test("who leaves the channel when the account is on again has them still", async () => {
  const wide = await make("wide", ["bo", "cy"]);
  await say(wide);
  const id = await say(open);
  await off("cy");
  await move(id, wide);
  await on("cy");
  await testServer.ask("cy", "DELETE /users/me/subscriptions", { subscriptions: ["wide"] });
  expect(await flagsOf("cy", id)).not.toContain("historical");
});

test("who is not in the channel they went to has lost them", async () => {
  const id = await say(open);
  await off("ada");
  await move(id, secret);
  await on("ada");
  expect(await testServer.refused("ada", `GET /messages/${id}`)).toMatchObject({ status: 400 });
  expect(await unreadOf("ada")).toEqual([]);
});

test("moved twice, and on between, they are as if the account had been on", async () => {
  const other = await make("other", ["bo", "cy"], { invite_only: true });
  const id = await say(open);
  await off("cy");
  await move(id, secret);
  await on("cy");
  await off("cy");
  await move(id, other);
  await on("cy");
  expect(await flagsOf("cy", id)).toEqual([]);
  expect(await unreadOf("cy")).toEqual([id]);
});

test("who left the channel before is not in it, also when the account is on again", async () => {
  await testServer.ask("cy", "DELETE /users/me/subscriptions", { subscriptions: ["secret"] });
  const id = await say(open);
  await off("cy");
  await move(id, secret);
  await on("cy");
  expect(await testServer.refused("cy", `GET /messages/${id}`)).toMatchObject({ status: 400 });
});

test("also where nothing had ever been said, however often the account was off", async () => {
  for (let times = 0; times < 3; times++) {
    await off("cy");
    await on("cy");
  }
  const heard = await testServer.listen("cy", { event_types: ["message"] });
  const id = await say(open);
  expect((await heard.all()).map(({ message }) => message.id)).toEqual([id]);
  await off("cy");
  await move(id, secret);
  await on("cy");
  expect(await flagsOf("cy", id)).toEqual([]);
  expect(
    testServer.realm.read.subscriptions.get(testServer.idOf("cy"), secret)!.intervals,
  ).toHaveLength(8);
});

test("a star stays on those that may be read where they went, and on no others", async () => {
  const [plain, closed] = [await make("plain", ["bo"]), await make("closed", ["bo"], PRIVATE)];
  const [stays, gone, goneToo] = [await say(open), await say(open), await say(plain)];
  for (const id of [stays, gone, goneToo]) await flag("cy", id, "starred");
  await off("cy");
  await moveOne(stays, plain);
  await moveOne(gone, closed);
  await moveOne(goneToo, closed);
  await on("cy");
  expect(await flagsOf("cy", stays)).toEqual(["read", "starred", "historical"]);
  for (const id of [gone, goneToo]) {
    expect(await testServer.refused("cy", `GET /messages/${id}`)).toMatchObject({ status: 400 });
    await moveOne(id, plain);
    await testServer.ask("cy", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
    expect(await flagsOf("cy", id)).toEqual(["read", "historical"]);
  }
});

test("who follows the topic follows it where it went, if it may be read there", async () => {
  const follow = { stream_id: open, topic: "t", visibility_policy: 3 };
  const id = await say(open);
  for (const name of ["ada", "cy"] as const)
    await testServer.ask(name, "POST /user_topics", follow);
  for (const name of ["ada", "cy"] as const) await off(name);
  await move(id, secret);
  for (const name of ["ada", "cy"] as const) await on(name);
  const followed = async (name: Name) =>
    (await testServer.ask(name, "POST /register")).user_topics.map((row: Json) => row.stream_id);
  expect(await followed("ada")).toEqual([]);
  expect(await followed("cy")).toEqual([secret]);
});
