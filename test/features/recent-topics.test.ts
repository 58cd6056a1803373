// Recent topics per user.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeAll(async () => {
  testServer = await startTestServer();
});
afterAll(() => testServer?.close());

async function createChannel(
  name: string,
  people: readonly Name[],
  extra: Params = {},
): Promise<number> {
  const subscribers = people.map((person) => testServer.idOf(person));
  return (await testServer.request("ada", "POST /channels/create", { name, subscribers, ...extra }))
    .id;
}

const post = async (name: Name, to: number, topic: string): Promise<number> => {
  const message = { type: "channel", to, topic, content: `about ${topic}` };
  return (await testServer.request(name, "POST /messages", message)).id;
};

const listRecentTopics = (name: Name, params: Params = {}) =>
  testServer.request(name, "GET /users/me/topics/recent", params);
const topicsOf = async (name: Name, stream_id: number): Promise<Json[]> =>
  (await listRecentTopics(name)).topics.filter((topic: Json) => topic.stream_id === stream_id);

test("returns the topic with the newest message first, with recent participants", async () => {
  const stream_id = await createChannel("design", ["ada", "bo", "cy"]);
  await post("bo", stream_id, "logo");
  await post("ada", stream_id, "logo");
  const paper = await post("cy", stream_id, "paper");
  const logo = await post("bo", stream_id, "Logo");
  const [ada, bo, cy] = [testServer.idOf("ada"), testServer.idOf("bo"), testServer.idOf("cy")];
  expect(await topicsOf("cy", stream_id)).toEqual([
    { stream_id, topic: "Logo", max_id: logo, count: 3, participants: [bo, ada] },
    { stream_id, topic: "paper", max_id: paper, count: 1, participants: [cy] },
  ]);
});

test("hides channels that the user is not in or never was", async () => {
  const open = await createChannel("open", ["ada", "bo"]);
  const secret = await createChannel("secret", ["ada", "bo"], { invite_only: true });
  for (const stream_id of [open, secret]) {
    await post("bo", stream_id, "quiet");
    expect(await topicsOf("bo", stream_id)).toHaveLength(1);
    expect(await topicsOf("cy", stream_id)).toEqual([]);
    expect(await topicsOf("gus", stream_id)).toEqual([]);
  }
  await testServer.request("bo", "DELETE /users/me/subscriptions", { subscriptions: ["secret"] });
  expect(await topicsOf("bo", secret)).toEqual([]);
});

test("excludes earlier messages of a protected history", async () => {
  const closedFields = { invite_only: true, history_public_to_subscribers: false };
  const stream_id = await createChannel("closed", ["ada", "bo"], closedFields);
  await post("bo", stream_id, "old");
  await post("bo", stream_id, "both");
  const subscriptions = [{ name: "closed" }];
  const principals = [testServer.idOf("cy")];
  await testServer.request("ada", "POST /users/me/subscriptions", { subscriptions, principals });
  const after = await post("ada", stream_id, "both");
  const participants = [testServer.idOf("ada")];
  expect(await topicsOf("cy", stream_id)).toMatchObject([
    { topic: "both", max_id: after, count: 1, participants },
  ]);
  const own = await topicsOf("bo", stream_id);
  expect(own.map(({ topic, count }: Json) => [topic, count])).toEqual([
    ["both", 2],
    ["old", 1],
  ]);
});

test("starts a page after the previous one, without repeating topics", async () => {
  const stream_id = await createChannel("busy", ["mo"]);
  const names = Array.from({ length: 105 }, (_, index) => `topic ${index}`);
  for (const name of names) await post("mo", stream_id, name);
  await post("mo", stream_id, "topic 104");
  const first = await listRecentTopics("mo");
  expect(first.topics).toHaveLength(100);
  const second = await listRecentTopics("mo", { before: first.before });
  const busy = second.topics.filter((topic: Json) => topic.stream_id === stream_id);
  expect(busy.map(({ topic }: Json) => topic)).toEqual(names.slice(0, 5).reverse());
  expect(second.before).toBeNull();
});
