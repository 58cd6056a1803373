// Names of users, channels, groups and folders may stack only few combining marks.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { nameHasStackedMarks } from "../../src/contract/errors/people.ts";
import { MARKS_PER_CHARACTER_MAX } from "../../src/text/input/combining-marks.ts";
import { writtenName } from "../../src/text/input/normalize-name.ts";
import type { Name } from "../users.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeAll(async () => {
  testServer = await startTestServer();
});
afterAll(() => testServer.close());

const few = `Zq${"\u0323".repeat(MARKS_PER_CHARACTER_MAX)}d`;
const tooMany = `Zq${"\u0323".repeat(MARKS_PER_CHARACTER_MAX + 1)}d`;
const { errCode: code, status, message: msg } = nameHasStackedMarks(MARKS_PER_CHARACTER_MAX);

const REQUESTS: [string, Name, string, (name: string) => Params][] = [
  ["a full name", "bo", "PATCH /settings", (full_name) => ({ full_name })],
  ["a channel", "ada", "POST /channels/create", (name) => ({ name, subscribers: [] })],
  [
    "a channel that is subscribed to",
    "ada",
    "POST /users/me/subscriptions",
    (name) => ({ subscriptions: [{ name: `${name}2` }] }),
  ],
  [
    "a group",
    "ada",
    "POST /user_groups/create",
    (name) => ({ name, description: "", members: [] }),
  ],
  ["a folder", "ada", "POST /channel_folders/create", (name) => ({ name, description: "" })],
];

test.each(REQUESTS)("the name of %s has at most eight marks on a character", async (...request) => {
  const [, requester, line, paramsOf] = request;
  expect(await testServer.refused(requester, line, paramsOf(tooMany))).toMatchObject({
    status,
    code,
    msg,
  });
  await testServer.request(requester, line, paramsOf(few));
});

test("finds an existing channel with such a name", async () => {
  const { id } = await testServer.request("ada", "POST /channels/create", {
    name: "older",
    subscribers: [testServer.idOf("ada")],
  });
  await testServer.realm.write((tx) => {
    tx.channels.put({ ...tx.channels.get(id)!, name: tooMany });
  });
  const to = { type: "channel", to: tooMany, topic: "a", content: "x" };
  await testServer.request("ada", "POST /messages", to);
  await testServer.request("ada", "POST /users/me/subscriptions", {
    subscriptions: [{ name: tooMany }],
  });
});

test("stores a topic with at most eight marks on a character", async () => {
  const to = { type: "channel", to: "general", content: "x" };
  const ask = { allow_empty_topic_name: true };
  for (const topic of [few, tooMany]) {
    const { id } = await testServer.request("ada", "POST /messages", { ...to, topic });
    const { message } = await testServer.request("ada", `GET /messages/${id}`, ask);
    expect(message.subject).toBe(writtenName(few));
  }
});

test("allows at most eight marks on a character in the organization's name", async () => {
  const response = await testServer.refused("ada", "PATCH /realm", { name: tooMany });
  expect(response).toMatchObject({ status, code, msg });
  await testServer.request("ada", "PATCH /realm", { name: few });
});
