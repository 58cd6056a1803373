// Recent calls of bots: who may see them, and which data they never contain.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { insufficientPermission } from "../../src/contract/errors/channels.ts";
import { ownerRequired } from "../../src/contract/errors/people.ts";
import { CALL_WHY_LENGTH_MAX, CALLS_KEPT_MAX } from "../../src/features/webhooks/rules.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";
import { untilCallsDone, WebhookServer } from "./webhook-server.ts";

let testServer: TestServer;
let site: WebhookServer;
beforeEach(async () => {
  site = await WebhookServer.open();
  site.reset();
  testServer = await startTestServer({ outbound_allow: ["127.0.0.1"] });
});
afterEach(async () => {
  await testServer.close();
  site.close();
});

const SECRET = "hunter2";
const makeBot = (bot_type: number, params: Params = {}): Promise<Json> =>
  testServer.request("bo", "POST /bots", {
    full_name: "Hook",
    short_name: "hook",
    bot_type,
    ...params,
  });
const makeCaller = () => makeBot(3, { payload_url: JSON.stringify(`${site.url}/${SECRET}`) });
const callsOf = async ({ user_id }: Json): Promise<Json[]> =>
  (await testServer.request("bo", `GET /bots/${user_id}/calls`)).calls;

/** Calls the webhook as a program does, and returns the status of the response. */
async function notify({ api_key }: Json, query: string, body: string): Promise<number> {
  const address = `${testServer.url}/api/v1/external/json?api_key=${api_key}${query}`;
  const headers = { "Content-Type": "application/json" };
  return (await fetch(address, { method: "POST", headers, body })).status;
}

async function mention(): Promise<number> {
  const message = { type: "stream", to: "general", topic: "news", content: "@**Hook**" };
  const { id } = await testServer.request("cy", "POST /messages", message);
  await untilCallsDone(testServer);
  return id;
}

test("lists calls only to the owner of the bot and administrators", async () => {
  const bot = await makeBot(2);
  await notify(bot, "&stream=general", '{"a":1}');
  const line = `GET /bots/${bot.user_id}/calls`;
  const { status, errCode: code, message: msg } = insufficientPermission();
  for (const name of ["cy", "mo"] as const) {
    expect(await testServer.refused(name, line)).toMatchObject({ status, code, msg });
  }
  expect((await testServer.refused("gus", line)).status).toBe(400);
  expect((await testServer.refused("cy", "GET /bots/9999/calls")).status).toBe(400);
  expect((await callsOf(bot)).length).toBe(1);
  expect((await testServer.request("ada", line)).calls).toEqual(await callsOf(bot));
  // Only owners may manage a bot that has the owner role.
  const created = { full_name: "Trusted", short_name: "trusted", bot_type: 2 };
  const trusted = await testServer.request("olga", "POST /bots", created);
  await testServer.request("olga", `PATCH /bots/${trusted.user_id}`, { role: 100 });
  const its = `GET /bots/${trusted.user_id}/calls`;
  expect((await testServer.refused("ada", its)).msg).toBe(ownerRequired().message);
  expect((await testServer.request("olga", its)).calls).toEqual([]);
});

test("truncates a long reason, and does not put it in emails", async () => {
  const bot = await makeBot(2);
  const header = encodeURIComponent("😀".repeat(100));
  expect(await notify(bot, `&stream=general&event_header=${header}`, "{}")).toBe(400);
  const [{ why }] = (await callsOf(bot)) as [{ why: string }];
  expect(why).toStartWith("Missing the HTTP event header '😀");
  expect([why.length, why.isWellFormed()]).toEqual([CALL_WHY_LENGTH_MAX, true]);
});

test("records the content of an incoming call, or why it was rejected", async () => {
  const bot = await makeBot(2);
  expect(await notify(bot, "&stream=general&topic=news", `{"token":"${SECRET}"}`)).toBe(200);
  expect(await notify(bot, "&stream=general", "{no json")).toBe(400);
  expect(await notify(bot, "&stream=nowhere", '{"a":1}')).toBe(200);
  expect(
    await notify(bot, "&stream=general&event_field=e&only_events=%5B%22b%22%5D", '{"e":"a"}'),
  ).toBe(200);
  const calls = await callsOf(bot);
  expect(calls.map(({ way, outcome, status }) => [way, outcome, status])).toEqual([
    ["in", "quiet", 200],
    ["in", "failed", 200],
    ["in", "failed", 400],
    ["in", "said", 200],
  ]);
  expect(calls.map(({ why }) => why)).toEqual([
    null,
    expect.stringContaining("no such channel"),
    expect.stringContaining("JSON"),
    null,
  ]);
  const { message_id } = calls[3]!;
  expect((await testServer.request("bo", `GET /messages/${message_id}`)).message.subject).toBe(
    "news",
  );
  const all = JSON.stringify(calls);
  for (const secretText of [SECRET, bot.api_key]) expect(all).not.toContain(secretText);
});

test("records the response of each attempt of an outgoing call", async () => {
  const bot = await makeCaller();
  site.answerWith({ content: "pong" });
  const answered = await mention();
  site.answerWith({ response_not_required: true });
  await mention();
  site.respondWith((response) => void response.writeHead(500).end(SECRET));
  const failed = await mention();
  const calls = await callsOf(bot);
  const received = calls.map(({ outcome, status, message_id }) => [outcome, status, message_id]);
  expect(received.at(-1)).toEqual(["said", 200, answered]);
  expect(received.at(-2)!.slice(0, 2)).toEqual(["quiet", 200]);
  expect(received[0]).toEqual(["failed", 500, failed]);
  expect(received.slice(1, -2)).toEqual(Array(3).fill(["put off", 500, failed]));
  expect(calls[0]!.why).toBe("the response had the status 500");
  expect(calls.every(({ duration_ms }) => duration_ms >= 0)).toBe(true);
  const all = JSON.stringify(calls);
  for (const secretText of [SECRET, "127.0.0.1"]) expect(all).not.toContain(secretText);
});

test("records a call together with its message, so that no error can follow", async () => {
  const bot = await makeBot(2);
  await notify(bot, "&stream=general", '{"a":1}');
  let writes = 0;
  testServer.realm.onMade = (_ms, created) => (writes += created);
  expect(await notify(bot, "&stream=general", '{"a":2}')).toBe(200);
  expect([writes, (await callsOf(bot)).length]).toEqual([1, 2]);
});

test("keeps only the last calls, newest first", async () => {
  const bot = await makeBot(2);
  for (let count = 0; count < CALLS_KEPT_MAX + 3; count++) {
    await notify(bot, `&stream=general&topic=t${count}`, '{"a":1}');
  }
  const calls = await callsOf(bot);
  expect(calls.length).toBe(CALLS_KEPT_MAX);
  const ids = calls.map(({ message_id }) => message_id as number);
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  const newest = await testServer.request("bo", `GET /messages/${ids[0]}`);
  expect(newest.message.subject).toBe(`t${CALLS_KEPT_MAX + 2}`);
});
