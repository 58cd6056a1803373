// Outgoing webhooks: which messages they send, in which format, and the bot's replies.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { ADMINISTRATOR, MEMBER } from "../../src/contract/roles.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";
import { type Call, WebhookServer } from "./webhook-server.ts";
import type { Name } from "../users.ts";
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
  bot = await makeBot("Caller");
});
afterEach(() => testServer.close());

const makeBot = (full_name: string, params: Params = {}, owner: Name = "bo"): Promise<Json> => {
  const short_name = full_name.toLowerCase();
  const payload_url = JSON.stringify(`${site.url}/${short_name}`);
  const request = { full_name, short_name, bot_type: 3, payload_url, ...params };
  return testServer.request(owner, "POST /bots", request);
};

const post = async (content: string, params: Params = {}): Promise<number> => {
  const message = { type: "stream", to: "general", topic: "news", content, ...params };
  return (await testServer.request("cy", "POST /messages", message)).id;
};
const write = (to: number[], content: string) => post(content, { type: "direct", to });

/** Resolves when no call is pending, and the replies have been delivered. */
async function untilCallsDone(): Promise<void> {
  await until(() => testServer.realm.read.webhook_calls.count() <= 0);
  await testServer.untilIdle();
}

async function messages(of: "bo" | "cy" | "ada" = "cy"): Promise<Json[]> {
  const params = { anchor: "newest", num_before: 20, num_after: 0, apply_markdown: false };
  return (await testServer.request(of, "GET /messages", params)).messages;
}

const listMessages = async (of: "bo" | "cy" = "cy"): Promise<string[]> =>
  (await messages(of))
    .filter((message) => message.sender_id === bot.user_id)
    .map((message) => message.content);

test("calls a bot mentioned in a channel, and posts its response", async () => {
  site.answerWith({ content: "**yes**" });
  const { result: id, events } = await staysInSync(testServer, ["bo", "cy", "gus"], async () => {
    const response = await post("@**Caller** are you there?");
    await untilCallsDone();
    return response;
  });
  const [call, ...more] = site.calls;
  expect(more).toEqual([]);
  expect(call).toMatchObject({ method: "POST", path: "/caller", type: "application/json" });
  expect(call!.agent).toMatch(/^\w+OutgoingWebhook\/\d/);
  const { message } = await testServer.request("cy", `GET /messages/${id}`, {
    apply_markdown: false,
  });
  const { flags: _flags, ...object } = message;
  expect(JSON.parse(call!.body)).toEqual({
    bot_email: "caller-bot@127.0.0.1",
    bot_full_name: "Caller",
    data: "@**Caller** are you there?",
    message: { ...object, avatar_url: expect.any(String), rendered_content: expect.any(String) },
    token: testServer.realm.read.bots.get(bot.user_id)!.service!.token,
    trigger: "mention",
  });
  const reply = { sender_id: bot.user_id, subject: "news", content: "<p><strong>yes</strong></p>" };
  expect(events.cy!.at(-1)).toMatchObject({ type: "message", message: reply });
  expect((await messages()).at(-1)).toMatchObject({ client: "OutgoingWebhookResponse" });
});

test("calls a bot for direct messages to it, alone or in groups", async () => {
  site.answerWith({ content: "here" });
  await write([bot.user_id], "one");
  await write([bot.user_id, testServer.idOf("ada")], "two");
  await untilCallsDone();
  const received = site.calls.map(({ body }) => JSON.parse(body));
  expect(received).toMatchObject([
    { data: "one", trigger: "direct_message", message: { type: "private", subject: "" } },
    { data: "two", trigger: "direct_message" },
  ]);
  const replies = (await messages()).filter(({ sender_id }) => sender_id === bot.user_id);
  expect(replies.map(({ display_recipient }) => display_recipient.length)).toEqual([2, 3]);
  expect((await messages("ada")).at(-1)).toMatchObject({ content: "here", type: "private" });
});

test("calls no bot for other messages", async () => {
  const { user_id } = await makeBot("Other");
  await testServer.request("ada", "POST /channels/create", {
    name: "cellar",
    subscribers: [testServer.idOf("ada"), testServer.idOf("cy")],
    invite_only: true,
  });
  await post("Caller, `@**Caller**`, @_**Caller**\n\n> @**Caller**");
  await post("@**all** @**Caller**", { to: "cellar" });
  await post("Bo: @**Bo Member**, and @**Botty**");
  const robot = { type: "stream", to: "general", topic: "x", content: "@**Caller**" };
  await testServer.request("bot", "POST /messages", robot);
  await testServer.request("bot", "POST /messages", { ...robot, type: "direct", to: [user_id] });
  await testServer.request("bo", `DELETE /bots/${user_id}`);
  await post("@**Other**");
  expect(testServer.realm.read.webhook_calls.count()).toBe(0);
  expect([...testServer.realm.read.due.range()].map(({ kind }) => kind)).not.toContain(
    "call webhook",
  );
  await untilCallsDone();
  expect(site.calls).toEqual([]);
});

test("calls every mentioned bot once, in the order of the messages", async () => {
  const other = await makeBot("Other");
  for (const n of [1, 2, 3]) await post(`@**Caller** @**Caller** @**Other** ${n}`);
  await untilCallsDone();
  const order = (path: string) =>
    site.calls.filter((call) => call.path === path).map(({ body }) => JSON.parse(body).data.at(-1));
  expect(order("/caller")).toEqual(["1", "2", "3"]);
  expect(order("/other")).toEqual(["1", "2", "3"]);
  expect(testServer.realm.read.users.get(other.user_id)!.bot_type).toBe(3);
});

test("sends a form and expects text in Slack's format", async () => {
  const { user_id } = await makeBot("Slacker", { interface_type: 2 });
  site.answerWith({ text: "from there" });
  const id = await post("@**Slacker** hi & bye");
  await untilCallsDone();
  const { type, body } = site.calls[0]!;
  const message = testServer.realm.read.messages.get(id)!;
  expect(type).toBe("application/x-www-form-urlencoded");
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
    token: testServer.realm.read.bots.get(user_id)!.service!.token,
    team_id: "T1",
    team_domain: "127.0.0.1",
    channel_id: `C${message.stream_id}`,
    channel_name: "general",
    thread_ts: String(message.timestamp),
    timestamp: String(message.timestamp),
    user_id: `U${testServer.idOf("cy")}`,
    user_name: "Cy Member",
    text: "@**Slacker** hi & bye",
    trigger_word: "mention",
    service_id: String(user_id),
  });
  expect((await messages()).at(-1)).toMatchObject({ sender_id: user_id, content: "from there" });
  await write([user_id], "psst");
  await untilCallsDone();
  expect(site.calls.length).toBe(1);
  const refusal = "Failure! This kind of webhook does not support direct messages";
  expect((await messages()).at(-1)).toMatchObject({ sender_id: user_id, content: refusal });
});

test("accepts an empty, older or widget response", async () => {
  const widget = {
    widget_type: "zform",
    extra_data: { type: "choices", heading: "?", choices: [] },
  };
  const responses: [unknown, string[]][] = [
    [{}, []],
    [{ content: "" }, []],
    ["", []],
    [{ response_not_required: true, content: "no" }, []],
    [{ response_string: "old", content: "new" }, ["old"]],
    [{ content: " new " }, ["old", "new"]],
    [{ content: "w", widget_content: JSON.stringify(widget) }, ["old", "new", "w"]],
  ];
  for (const [response, expected] of responses) {
    site.answerWith(response);
    await post("@**Caller**");
    await untilCallsDone();
    expect((await listMessages()).map((item) => item.trim())).toEqual(expected);
  }
  const [submessage] = (await messages()).at(-1)!.submessages;
  expect(JSON.parse(submessage.content)).toEqual(widget);
});

test("skips messages deleted or hidden from the bot before the call", async () => {
  const release = site.holdResponses();
  await post("@**Caller** first");
  await site.untilCallCount(1);
  const id = await post("@**Caller** second");
  await testServer.request("olga", `DELETE /messages/${id}`);
  release();
  await untilCallsDone();
  expect(site.calls.map(({ body }: Call) => JSON.parse(body).data)).toEqual(["@**Caller** first"]);
});

test("posts nothing of a bot deactivated during the call", async () => {
  site.answerWith({ content: "too late" });
  const release = site.holdResponses();
  await post("@**Caller**");
  await site.untilCallCount(1);
  await testServer.request("bo", `DELETE /bots/${bot.user_id}`);
  release();
  await untilCallsDone();
  expect(await listMessages()).toEqual([]);
});

test("posts nothing that the bot may not post any more after the call", async () => {
  const { user_id } = await makeBot("Guard", {}, "ada");
  await testServer.request("olga", `PATCH /users/${user_id}`, { role: ADMINISTRATOR });
  const { groups } = testServer.realm.read;
  const { stream_id } = testServer.realm.read.channels.findBy("name", "general")!;
  const can_send_message_group = { new: groups.findBy("name", "role:administrators")!.id };
  await testServer.request("olga", `PATCH /streams/${stream_id}`, { can_send_message_group });
  site.answerWith({ content: "too late" });
  const release = site.holdResponses();
  const message = { type: "stream", to: "general", topic: "news", content: "@**Guard**" };
  await testServer.request("olga", "POST /messages", message);
  await site.untilCallCount(1);
  // The bot gets no higher role than its owner.
  await testServer.request("olga", `PATCH /users/${testServer.idOf("ada")}`, { role: MEMBER });
  release();
  await untilCallsDone();
  expect((await messages()).at(-1)).toMatchObject({ content: "@**Guard**" });
});

test("calls a bot in a private channel only while it has access", async () => {
  await testServer.request("cy", "POST /channels/create", {
    name: "cellar",
    subscribers: [testServer.idOf("cy"), bot.user_id],
    invite_only: true,
  });
  site.answerWith({ content: "heard" });
  await post("@**Caller**", { to: "cellar" });
  await untilCallsDone();
  expect(await listMessages()).toEqual(["heard"]);
  const release = site.holdResponses();
  await post("@**Caller**");
  await site.untilCallCount(2);
  await post("@**Caller**", { to: "cellar" });
  const removed = { subscriptions: ["cellar"], principals: [bot.user_id] };
  await testServer.request("ada", "DELETE /users/me/subscriptions", removed);
  release();
  await untilCallsDone();
  expect(site.calls.length).toBe(2);
});

test("calls a limited number of webhooks at once, and others later", async () => {
  for (let n = 1; n <= 12; n++) await makeBot(`Robot${n}`);
  const release = site.holdResponses();
  await post(Array.from({ length: 12 }, (_, index) => `@**Robot${index + 1}**`).join(" "));
  await site.untilCallCount(10);
  expect(site.calls.length).toBe(10);
  release();
  await untilCallsDone();
  expect(new Set(site.calls.map(({ path }) => path)).size).toBe(12);
});

test("limits the waiting calls of a bot", async () => {
  const release = site.holdResponses();
  const { user_id } = bot;
  await testServer.realm.write((tx) => {
    for (let id = 1; id <= 200; id++) {
      tx.webhook_calls.put({ user_id, message_id: 1_000_000 + id, attempts: 0 });
    }
  });
  await post("@**Caller** one too many");
  expect(testServer.realm.read.webhook_calls.count()).toBe(200);
  release();
  await testServer.realm.write((tx) => tx.enqueue("call webhook", 0, { user_id }));
  await untilCallsDone();
  expect(site.calls).toEqual([]);
});
