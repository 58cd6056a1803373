// Stars removed while the user cannot see the message: the event reveals nothing else.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

async function createChannel(name: string, people: readonly Name[], extra: Params = {}) {
  const subscribers = people.map((name) => testServer.idOf(name));
  const created = await testServer.request("olga", "POST /channels/create", {
    name,
    subscribers,
    ...extra,
  });
  return created.id as number;
}

const post = async (to: number, topic = "weeds"): Promise<number> =>
  (
    await testServer.request("olga", "POST /messages", {
      type: "stream",
      to,
      topic,
      content: "so many",
    })
  ).id;
const star = (name: Name, messages: number[]) =>
  testServer.request(name, "POST /messages/flags", { messages, op: "add", flag: "starred" });
const leave = (userName: Name, name: string) =>
  testServer.request(userName, "DELETE /users/me/subscriptions", { subscriptions: [name] });
const remove = (id: number) => testServer.request("olga", `DELETE /messages/${id}`);
const starsOf = async (name: Name) =>
  (await testServer.request(name, "POST /register")).starred_messages;

const FLAGS = { type: "update_message_flags", op: "remove", operation: "remove", all: false };
const removedStarsEvent = (...messages: number[]) => ({
  ...FLAGS,
  flag: "starred",
  messages,
  id: expect.any(Number),
});
const isAbsent = (events: Json[] | undefined) =>
  events!.filter(({ type }) => type === "delete_message").length;

test("sends the removal of the star only to the user who starred it", async () => {
  const id = await createChannel("garden", ["olga", "bo", "cy", "gus"], { invite_only: true });
  const [stored, first] = [await post(id), await post(id)];
  await star("bo", [stored, first]);
  await star("gus", [first]);
  for (const name of ["bo", "cy"] as const) await leave(name, "garden");
  const { events } = await staysInSync(testServer, ["bo", "cy", "gus", "mo"], () => remove(first));
  expect(events.bo).toEqual([removedStarsEvent(first)]);
  expect(events.cy).toEqual([]);
  expect(events.mo).toEqual([]);
  // Members of the channel receive the deletion event as usual.
  expect(events.gus).toEqual([expect.objectContaining({ type: "delete_message" })]);
  expect(await starsOf("bo")).toEqual([stored]);
});

test("sends the star's event to a former guest, and the message's to a member", async () => {
  const id = await createChannel("garden", ["olga", "bo", "gus"]);
  await post(id);
  const message = await post(id);
  for (const name of ["bo", "gus"] as const) {
    await star(name, [message]);
    await leave(name, "garden");
  }
  const { events } = await staysInSync(testServer, ["bo", "gus"], () => remove(message));
  expect(events.gus).toEqual([removedStarsEvent(message)]);
  expect(events.bo!.map(({ type }) => type)).toEqual(["delete_message"]);
});

test("sends the event to readers of a private channel without a subscription", async () => {
  const can_subscribe_group = { direct_members: [testServer.idOf("bo")], direct_subgroups: [] };
  const rules = { invite_only: true, history_public_to_subscribers: true, can_subscribe_group };
  const id = await createChannel("garden", ["olga"], rules);
  await post(id);
  const message = await post(id);
  await star("bo", [message]);
  const { events } = await staysInSync(testServer, ["bo", "cy"], () => remove(message));
  expect(events.bo).toEqual([removedStarsEvent(message)]);
  expect(events.cy).toEqual([]);
});

test("names only starred messages when a topic is deleted", async () => {
  const id = await createChannel("garden", ["olga", "bo"], { invite_only: true });
  const ids = [await post(id), await post(id), await post(id), await post(id)];
  await star("bo", [ids[0]!, ids[2]!]);
  await leave("bo", "garden");
  const act = () =>
    testServer.request("olga", `POST /streams/${id}/delete_topic`, { topic_name: "weeds" });
  const { events } = await staysInSync(testServer, ["bo", "olga"], act);
  expect(events.bo).toEqual([removedStarsEvent(ids[0]!, ids[2]!)]);
  expect(isAbsent(events.olga)).toBe(1);
});

test("does not reveal the target of a move that ends a star", async () => {
  const from = await createChannel("garden", ["olga", "bo", "gus"], { invite_only: true });
  const to = await createChannel("cellar", ["olga"], { invite_only: true });
  await post(from);
  const message = await post(from);
  for (const name of ["bo", "gus"] as const) await star(name, [message]);
  await leave("bo", "garden");
  const act = () =>
    testServer.request("olga", `PATCH /messages/${message}`, {
      stream_id: to,
      propagate_mode: "change_one",
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
    });
  const { events } = await staysInSync(testServer, ["bo", "gus"], act);
  expect(events.bo).toEqual([removedStarsEvent(message)]);
  expect(events.gus!.map(({ type }) => type)).toEqual(["delete_message"]);
  expect(await starsOf("bo")).toEqual([]);
});

test("sends nothing to a deactivated account, which starts without the star", async () => {
  const id = await createChannel("garden", ["olga", "bo"], { invite_only: true });
  const message = await post(id);
  await star("bo", [message]);
  await leave("bo", "garden");
  const line = `DELETE /users/${testServer.idOf("bo")}`;
  await testServer.request("olga", line);
  const { events } = await staysInSync(testServer, ["olga", "cy"], () => remove(message));
  expect(events.olga!.map(({ type }) => type)).toContain("delete_message");
  expect(events.cy).toEqual([]);
  await testServer.request("olga", `POST /users/${testServer.idOf("bo")}/reactivate`);
  expect(await starsOf("bo")).toEqual([]);
});
