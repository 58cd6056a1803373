// Outgoing webhooks that fail: which calls are retried, and who is notified.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createServer, type ServerResponse } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callWebhook } from "../../src/features/webhooks/calls/jobs.ts";
import { CALL_PAUSES_MS } from "../../src/features/webhooks/rules.ts";
import { Client } from "../crash/client.ts";
import { killAll, Server } from "../crash/server.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";
import { untilCallsDone, WebhookServer } from "./webhook-server.ts";
import { until } from "../wait-until.ts";

let testServer: TestServer;
let site: WebhookServer;
let bot: Json;
beforeEach(async () => {
  site = await WebhookServer.open();
});
afterEach(() => site.close());
beforeEach(async () => {
  site.reset();
  testServer = await startTestServer({ outbound_allow: ["127.0.0.1"] });
  bot = await testServer.request("bo", "POST /bots", {
    ...CALLER,
    payload_url: JSON.stringify(site.url),
  });
});
afterEach(() => testServer.close());

const CALLER = { full_name: "Caller", short_name: "caller", bot_type: 3 };

const post = async (content = "@**Caller**", params: Params = {}): Promise<number> => {
  const message = { type: "stream", to: "general", topic: "news", content, ...params };
  return (await testServer.request("cy", "POST /messages", message)).id;
};

/** Returns messages of the bot in the channel and to its owner. */
async function listMessages(): Promise<{ in_conversation: string[]; to_owner: string[] }> {
  const params = { anchor: "newest", num_before: 50, num_after: 0, apply_markdown: false };
  const { messages } = await testServer.request("bo", "GET /messages", params);
  const own = messages.filter(({ sender_id }: Json) => sender_id === bot.user_id);
  const contentsOfType = (expected: string) =>
    own.filter(({ type }: Json) => type === expected).map(({ content }: Json) => content as string);
  return { in_conversation: contentsOfType("stream"), to_owner: contentsOfType("private") };
}

const TRIES = CALL_PAUSES_MS.length + 1;
const status = (code: number) => (response: ServerResponse) => {
  response.writeHead(code).end("{}");
};

test("reports a failed call in the conversation, and to the owner with the message", async () => {
  site.respondWith(status(404));
  const { result: id, events: eventsByUser } = await staysInSync(
    testServer,
    ["bo", "cy", "ada"],
    async () => {
      const response = await post();
      await untilCallsDone(testServer);
      return response;
    },
  );
  expect(site.calls.length).toBe(1);
  const { in_conversation, to_owner } = await listMessages();
  expect(in_conversation).toEqual(["Failure! Third party responded with 404"]);
  expect(to_owner.length).toBe(1);
  expect(to_owner[0]).toContain(`/near/${id}`);
  expect(to_owner[0]).toContain("the response had the status 404");
  const messagesOf = (events: Json[]) => events.filter(({ type }) => type === "message");
  expect(
    [eventsByUser.bo!, eventsByUser.cy!, eventsByUser.ada!].map((item) => messagesOf(item).length),
  ).toEqual([3, 2, 2]);
});

test("retries after a temporary failure", async () => {
  let calls = 0;
  site.respondWith((response) => {
    calls += 1;
    if (calls < TRIES) return status(503)(response);
    response.end(JSON.stringify({ content: "at last" }));
  });
  await post();
  await untilCallsDone(testServer);
  expect(calls).toBe(TRIES);
  expect(await listMessages()).toEqual({ in_conversation: ["at last"], to_owner: [] });
});

test("gives up after a lasting failure", async () => {
  site.respondWith(status(500));
  await post();
  await untilCallsDone(testServer);
  expect(site.calls.length).toBe(TRIES);
  expect((await listMessages()).in_conversation).toEqual([
    "Failure! Third party responded with 500",
  ]);
});

test("retries a failed connection, and then reports the bot as unavailable", async () => {
  site.respondWith((response) => response.destroy());
  await post();
  await untilCallsDone(testServer);
  expect(site.calls.length).toBe(TRIES);
  const { in_conversation, to_owner } = await listMessages();
  expect(in_conversation).toEqual(["Failure! Bot is unavailable"]);
  expect(to_owner[0]).toContain("the connection failed");
});

test("fails at once for invalid responses", async () => {
  const wide = `{"content":"${"x".repeat(300_000)}"}`;
  const deep = `{"content":${"[".repeat(500)}${"]".repeat(500)}}`;
  const lists = `${"[".repeat(60_000)}${"]".repeat(60_000)}`;
  const extra_data = `{"type":"choices","heading":"x","choices":[],"more":${lists}}`;
  const nested = `{"widget_type":"zform","extra_data":${extra_data}}`;
  const cases: [string, string][] = [
    ["not JSON", "Failure! Invalid JSON in response"],
    ["[]", "Failure! Invalid response format"],
    [deep, "Failure! Invalid response format"],
    ['{"content":"x","widget_content":"{"}', "Failure! Invalid widget in response"],
    [
      JSON.stringify({ content: "x", widget_content: nested }),
      "Failure! Invalid widget in response",
    ],
    [wide, "Failure! Bot is unavailable"],
  ];
  for (const [response, expected] of cases) {
    site.reset();
    site.answerWith(response);
    await post();
    await untilCallsDone(testServer);
    expect((await listMessages()).in_conversation.at(-1)).toBe(expected);
    expect(site.calls.length).toBe(1);
  }
  expect((await listMessages()).to_owner.length).toBe(cases.length);
});

test("rejects a response that is not UTF-8", async () => {
  site.respondWith((response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(Buffer.from('{"content":"gr\u00f6\u00dfer"}', "latin1"));
  });
  await post();
  await untilCallsDone(testServer);
  const { in_conversation, to_owner } = await listMessages();
  expect(in_conversation).toEqual(["Failure! Invalid JSON in response"]);
  expect(to_owner[0]).toContain("the response was not UTF-8");
});

test("reports to the owner what the bot may not post", async () => {
  site.answerWith({ content: "\0" });
  await post();
  await untilCallsDone(testServer);
  const { in_conversation, to_owner } = await listMessages();
  expect(in_conversation).toEqual([]);
  expect(to_owner[0]).toContain("null bytes");
});

test("connects to no private address, directly or by a redirect", async () => {
  let requestCount = 0;
  const internalServer = createServer((_, response) => {
    requestCount += 1;
    response.end();
  });
  await new Promise<void>((resolve) => internalServer.listen(0, "127.0.0.1", resolve));
  const url = `http://localhost:${(internalServer.address() as { port: number }).port}`;
  site.respondWith((response) => response.writeHead(307, { Location: url }).end());
  await post();
  await untilCallsDone(testServer);
  expect((await listMessages()).in_conversation).toEqual([
    "Failure! Third party responded with 307",
  ]);

  const strictServer = await startTestServer();
  const own = { ...CALLER, payload_url: JSON.stringify(url) };
  await strictServer.request("bo", "POST /bots", own);
  const content = "@**Caller**";
  await strictServer.request("bo", "POST /messages", {
    type: "stream",
    to: "general",
    topic: "x",
    content,
  });
  await until(() => strictServer.realm.read.webhook_calls.count() <= 0);
  const page = { anchor: "newest", num_before: 9, num_after: 0, apply_markdown: false };
  const { messages } = await strictServer.request("bo", "GET /messages", page);
  expect(messages.at(-2).content).toBe("Failure! Bot is unavailable");
  expect(messages.at(-1).content).toContain("connections to its address are not allowed");
  expect(messages.at(-1).content).not.toContain("127.0.0.1 is");
  expect(requestCount).toBe(0);
  internalServer.close();
  await strictServer.close();
});

test("retries a webhook that hangs without delaying others", async () => {
  const other = { ...CALLER, full_name: "Other", short_name: "other" };
  const quick = await WebhookServer.open();
  quick.answerWith({ content: "quick" });
  await testServer.request("bo", "POST /bots", {
    ...other,
    payload_url: JSON.stringify(quick.url),
  });
  const release = site.holdResponses();
  await post();
  await site.untilCallCount(1);
  await post("@**Other**");
  await quick.untilCallCount(1);
  await until(() => testServer.realm.read.webhook_calls.count() <= 1);
  site.answerWith({ content: "slow" });
  release();
  await untilCallsDone(testServer);
  expect((await listMessages()).in_conversation).toEqual(["slow"]);
  quick.close();
});

test("a repeated call omits topics of a channel that the bot cannot read anymore", async () => {
  const { user_id } = bot;
  const subscribers = [testServer.idOf("bo"), user_id];
  const den = { name: "den", subscribers, invite_only: true };
  const { id: stream_id } = await testServer.request("bo", "POST /channels/create", den);
  const params = { type: "stream", to: stream_id, topic: "secret", content: "@**Caller**" };
  site.respondWith(status(503));
  const release = site.holdResponses();
  const { id } = await testServer.request("bo", "POST /messages", params);
  await site.untilCallCount(1);
  const unsubscription = { subscriptions: ["den"], principals: [user_id] };
  await testServer.request("bo", "DELETE /users/me/subscriptions", unsubscription);
  const { stream_id: general } = await testServer.request("bo", "GET /get_stream_id", {
    stream: "general",
  });
  const to = { stream_id: general, topic: "open", propagate_mode: "change_all" };
  await testServer.request("bo", `PATCH /messages/${id}`, to);
  release();
  await untilCallsDone(testServer);
  expect(site.calls.length).toBe(TRIES);
  const { message } = JSON.parse(site.calls.at(-1)!.body);
  expect(message).toMatchObject({ id, subject: "open" });
  expect(message.edit_history).toMatchObject([{ stream: general, topic: "open" }]);
  expect(JSON.stringify(message)).not.toMatch(/secret|prev_stream/);
});

test("posts one response of a call that was started twice", async () => {
  site.answerWith({ content: "once" });
  const release = site.holdResponses();
  await post();
  await site.untilCallCount(1);
  const [job] = [...testServer.realm.read.due.range()];
  const repeated = callWebhook(testServer.realm, job!);
  await site.untilCallCount(2);
  release();
  await repeated;
  await untilCallsDone(testServer);
  await callWebhook(testServer.realm, job!);
  expect(await listMessages()).toEqual({ in_conversation: ["once"], to_owner: [] });
});

test("repeats calls after a crash, and posts each response once", async () => {
  const directory = mkdtempSync(join(tmpdir(), "skein-hooks-"));
  try {
    const main = new URL("../../src/main.ts", import.meta.url).pathname;
    const names = ["--name", "Town", "--owner", "olga@example.com", "--full-name", "Olga"];
    const result = Bun.spawnSync([
      process.execPath,
      main,
      "init",
      ...names,
      "--data",
      directory,
      "--json",
    ]);
    const server = new Server(directory, main, ["env", "SKEIN_OUTBOUND_ALLOW=127.0.0.1", "bun"]);
    await server.start();
    const client = new Client(server.url, JSON.parse(result.stdout.toString().split("\n")[0]!));
    const payload_url = JSON.stringify(site.url);
    const { body } = await client.requestUntilSuccess("POST /bots", { ...CALLER, payload_url });
    const wrote = { type: "direct", to: [body.user_id], content: "hello" };
    site.answerWith({ content: "hello yourself" });
    const release = site.holdResponses();
    await client.requestUntilSuccess("POST /messages", wrote);
    await site.untilCallCount(1);
    await server.end("SIGKILL");
    await server.start();
    await site.untilCallCount(2);
    release();
    const params = {
      anchor: "newest",
      num_before: 9,
      num_after: 0,
      narrow: [{ operator: "is", operand: "dm" }],
      apply_markdown: false,
    };
    const receivedMessages = async () =>
      (await client.requestUntilSuccess("GET /messages", params)).body.messages;
    await until(async () => (await receivedMessages()).length >= 2);
    await server.end("SIGKILL");
    await server.start();
    await client.requestUntilSuccess("POST /messages", { ...wrote, content: "and again" });
    await until(async () => (await receivedMessages()).length >= 4);
    const contents = (await receivedMessages()).map(({ content }: Json) => content);
    expect(contents).toEqual(["hello", "hello yourself", "and again", "hello yourself"]);
    expect(site.calls.length).toBe(3);
    await server.end("SIGTERM");
  } finally {
    killAll();
    rmSync(directory, { recursive: true, force: true });
  }
});
