// Incoming webhooks: posts of other programs to a URL that contains a bot's key.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import * as refusals from "../../src/contract/errors/people.ts";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import {
  formOf,
  type Json,
  startTestServer,
  type Params,
  type TestServer,
} from "../test-server.ts";

let testServer: TestServer;
let hook: Json;
beforeEach(async () => {
  testServer = await startTestServer();
  hook = await makeHook("bo", "hook");
});
afterEach(() => testServer.close());

const makeHook = (requester: Name, name: string, params: Params = {}): Promise<Json> =>
  testServer.request(requester, "POST /bots", {
    full_name: name,
    short_name: name,
    bot_type: 2,
    ...params,
  });

const JSON_TYPE = { "Content-Type": "application/json" };

const JSON_HOOK = "POST /external/json";
const SLACK_HOOK = "POST /external/slack_incoming";

/** `query` is part of the address; a body that is not text is sent as JSON. */
async function post(line: string, query: Params, body: unknown, headers: object = JSON_TYPE) {
  const address = `${testServer.url}/api/v1${line.split(" ")[1]}?${formOf(query)}`;
  const sent = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(address, { method: "POST", headers: { ...headers }, body: sent });
}

async function notify(line: string, query: Params, body: unknown, headers: object = JSON_TYPE) {
  const response = await post(line, { api_key: hook.api_key, ...query }, body, headers);
  const received = (await response.json()) as Json;
  if (response.status !== 200) throw new Error(JSON.stringify(received));
  return received;
}

async function expectRefused(refusal: errors.Refusal, answer: Promise<Response>): Promise<void> {
  const response = await answer;
  const { errCode: code, status, message: msg } = refusal;
  expect({ status: response.status, ...(await response.json()) }).toMatchObject({
    status,
    result: "error",
    code,
    msg,
  });
}

/** The newest message that this user has received. */
async function newestMessage(name: Name = "bo"): Promise<Json> {
  const params = { anchor: "newest", num_before: 1, num_after: 0, apply_markdown: false };
  return (await testServer.request(name, "GET /messages", params)).messages[0];
}

test("posts a payload in Slack's format to the channel and topic", async () => {
  const { result, events } = await staysInSync(testServer, ["bo", "cy"], () =>
    notify(SLACK_HOOK, { stream: "general", topic: "builds" }, { text: "*done*: <http://a|b>" }),
  );
  expect(result).toMatchObject({ result: "success", ok: true });
  const message = { sender_id: hook.user_id, subject: "builds", display_recipient: "general" };
  expect(events.cy).toMatchObject([{ type: "message", message }]);
  expect(await newestMessage()).toMatchObject({
    content: "**done**: [b](http://a)",
    client: "SlackWebhook",
  });
});

test("accepts it in a form or the URL, and a topic given as a channel", async () => {
  const payload = JSON.stringify({ text: "in a form", channel: "#ops" });
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  await notify(SLACK_HOOK, { stream: "general" }, formOf({ payload }).toString(), form);
  expect(await newestMessage()).toMatchObject({ content: "in a form", subject: "ops" });
  const multipart = new FormData();
  multipart.set("payload", JSON.stringify({ text: "in parts" }));
  const address = `${testServer.url}/api/v1/external/slack_incoming?stream=general&topic=x`;
  await fetch(`${address}&api_key=${hook.api_key}`, { method: "POST", body: multipart });
  expect(await newestMessage()).toMatchObject({ content: "in parts", subject: "x" });
  await notify(SLACK_HOOK, { stream: "general", payload: '{"text":"there"}' }, "");
  expect(await newestMessage()).toMatchObject({ content: "there", subject: "general chat" });
});

test("sends to the bot's owner if no channel is given, and to nobody else", async () => {
  const { events } = await staysInSync(testServer, ["bo", "cy", "ada"], () =>
    notify(SLACK_HOOK, { topic: "x" }, { text: "for you" }),
  );
  expect(events.bo).toMatchObject([{ message: { type: "private", sender_id: hook.user_id } }]);
  expect([...events.cy!, ...events.ada!]).toEqual([]);
});

test("accepts a channel id, and escaped escapes", async () => {
  const { stream_id } = await testServer.request("bo", "GET /get_stream_id", { stream: "sandbox" });
  await notify(JSON_HOOK, { stream: String(stream_id), topic: "a%2520b" }, { a: 1 });
  expect(await newestMessage()).toMatchObject({ stream_id, subject: "a%20b" });
  await notify(JSON_HOOK, { stream: "sand%62ox", topic: "a%20b%" }, { a: 1 });
  expect(await newestMessage()).toMatchObject({ stream_id, subject: "a%20b%" });
});

test("notifies the owner of a missing channel, but not often", async () => {
  const removed = { stream: "no `such` @**all**", topic: "x" };
  const { events } = await staysInSync(testServer, ["bo", "cy"], () =>
    notify(JSON_HOOK, removed, {}),
  );
  const text = "@_**hook|" + hook.user_id + "** tried to send to the channel ";
  expect(await newestMessage()).toMatchObject({
    content: `${text}\`no such @**all**\`, which does not exist.`,
    sender_full_name: "Notification Bot",
    flags: [],
  });
  expect(events.cy).toEqual([]);
  const { id } = await newestMessage();
  await notify(JSON_HOOK, removed, {});
  expect((await newestMessage()).id).toBe(id);
  testServer.clock.passSeconds(301);
  await notify(JSON_HOOK, removed, {});
  expect((await newestMessage()).id).toBeGreaterThan(id);
});

test("treats a channel that the bot cannot know of as missing", async () => {
  const secret = { name: "cellar", subscribers: [testServer.idOf("ada")], invite_only: true };
  await testServer.request("ada", "POST /channels/create", secret);
  await notify(JSON_HOOK, { stream: "cellar", topic: "x" }, {});
  expect((await newestMessage()).content).toContain("`cellar`, which does not exist");
  const narrow = [{ operator: "channel", operand: "cellar" }];
  const params = { narrow, anchor: "newest", num_before: 9, num_after: 0 };
  const { messages } = await testServer.request("ada", "GET /messages", params);
  expect(messages.map(({ subject }: Json) => subject)).not.toContain("x");
});

test("notifies the owner of a channel without permission or readers", async () => {
  const ada = { direct_members: [testServer.idOf("ada")], direct_subgroups: [] };
  const subscribers = [testServer.idOf("ada")];
  const closed = { name: "closed", subscribers, can_send_message_group: ada };
  const { id: stream } = await testServer.request("ada", "POST /channels/create", closed);
  const text = `@_**hook|${hook.user_id}** tried to send to the channel `;
  for (const channelName of ["closed", String(stream)]) {
    const call = post(
      JSON_HOOK,
      { api_key: hook.api_key, stream: channelName, topic: "x" },
      { a: 1 },
    );
    await expectRefused(messageErrors.postingNotAllowed(), call);
    expect((await newestMessage()).content).toBe(`${text}\`${channelName}\` without permission.`);
    testServer.clock.passSeconds(301);
  }
  await testServer.request("ada", "POST /channels/create", { name: "empty", subscribers: [] });
  await notify(JSON_HOOK, { stream: "empty", topic: "x" }, { a: 1 });
  expect((await newestMessage()).content).toContain("#**empty**, which has no subscribers");
});

test("shows JSON unchanged, or by a template", async () => {
  await notify(JSON_HOOK, { stream: "general" }, { a: { b: [1, "```"] } });
  const shown = '````json\n{\n  "a": {\n    "b": [\n      1,\n      "```"\n    ]\n  }\n}\n````';
  expect(await newestMessage()).toMatchObject({
    content: shown,
    subject: "JSON",
    client: "JSONWebhook",
  });
  const template = "Build {{build.id}} is **{{build.state}}**";
  const build = { id: 7, state: "broken", ref: "main\n2" };
  const query = { stream: "general", template, topic_template: "{{build.ref}}" };
  await notify(JSON_HOOK, query, { build });
  expect(await newestMessage()).toMatchObject({
    content: "Build 7 is **broken**",
    subject: "main 2",
  });
  await notify(JSON_HOOK, { ...query, topic: "chosen" }, { build });
  expect((await newestMessage()).subject).toBe("chosen");
  await notify(JSON_HOOK, { stream: "general" }, { long: "x".repeat(20_000) });
  expect((await newestMessage()).content).toEndWith("x\n…\n```");
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  await notify(JSON_HOOK, { ...query, template: "{{a}}" }, "a=1&b=2", form);
  expect((await newestMessage()).content).toBe("1");
  await expectRefused(
    messageErrors.messageEmpty(),
    post(JSON_HOOK, { api_key: hook.api_key, template: "{{a}}" }, {}),
  );
});

test("distinguishes events by a header or a field, and filters them by patterns", async () => {
  await notify(JSON_HOOK, { stream: "general" }, {});
  const { id } = await newestMessage();
  const query = { stream: "general", event_header: "X-Event", event_field: "action" };
  const read = async (filter: Params, event: string, action?: string) => {
    const headers = { ...JSON_TYPE, "X-Event": event };
    const before = (await newestMessage()).id;
    await notify(JSON_HOOK, { ...query, ...filter }, { action }, headers);
    return (await newestMessage()).id > before;
  };
  expect(await read({ only_events: ["push*"] }, "push", "new")).toBe(true);
  expect(await read({ only_events: ["pull.*"] }, "push", "new")).toBe(false);
  expect(await read({ exclude_events: ["*.new"] }, "push", "new")).toBe(false);
  expect(await read({ exclude_events: ["*.new"] }, "push")).toBe(true);
  expect(await read({ only_events: ["*"], exclude_events: ["push.?*"] }, "push", "x")).toBe(false);
  expect((await newestMessage()).id).toBeGreaterThan(id);

  const params = { api_key: hook.api_key, ...query };
  await expectRefused(refusals.eventHeaderMissing("X-Event"), post(JSON_HOOK, params, {}));
  const odd = { ...params, event_header: "no header" };
  await expectRefused(refusals.eventHeaderMissing("no header"), post(JSON_HOOK, odd, {}));
  await expectRefused(
    errors.malformed("only_events is not a list"),
    post(JSON_HOOK, { ...params, only_events: { a: 1 } }, {}),
  );
});

test("accepts only a bot's key, in the URL or as a password", async () => {
  const email = testServer.realm.read.users.get(hook.user_id)!.delivery_email;
  const basic = { ...JSON_TYPE, Authorization: `Basic ${btoa(`${email}:${hook.api_key}`)}` };
  expect((await post(JSON_HOOK, { stream: "general" }, {}, basic)).status).toBe(200);
  const outsider = { ...JSON_TYPE, Authorization: "Bearer something else" };
  await notify(JSON_HOOK, { stream: "general" }, {}, outsider);

  for (const api_key of ["", "short", "x".repeat(32)]) {
    await expectRefused(refusals.webhookKeyInvalid(), post(JSON_HOOK, { api_key }, {}));
  }
  await expectRefused(errors.missingParameter("api_key"), post(JSON_HOOK, {}, {}));
  await expectRefused(errors.mustBeBot(), post(JSON_HOOK, { api_key: testServer.keyOf("bo") }, {}));
  const own = await makeHook("cy", "gone");
  await testServer.request("cy", `DELETE /bots/${own.user_id}`);
  await expectRefused(
    peopleErrors.signInDeactivated(),
    post(JSON_HOOK, { api_key: own.api_key }, {}),
  );
  const usersUrl = `${testServer.url}/api/v1/users/me?api_key=${hook.api_key}`;
  expect((await fetch(usersUrl)).status).toBe(401);
  expect((await post("POST /external/unheard_of", { api_key: hook.api_key }, {})).status).toBe(404);
});

test("limits calls per bot, and guesses of keys per address", async () => {
  const before = testServer;
  testServer = await startTestServer({ rate_limits: true });
  const { api_key } = await makeHook("bo", "limited");
  const known = await post(JSON_HOOK, { api_key }, {});
  expect(known.headers.get("x-ratelimit-limit")).toBe("200");
  expect(known.headers.get("x-ratelimit-remaining")).toBe("199");
  const guessed = await post(JSON_HOOK, { api_key: "x".repeat(32) }, {});
  expect(guessed.headers.get("x-ratelimit-limit")).toBe("100");

  await testServer.request("olga", "POST /realm/deactivate");
  await expectRefused(realmErrors.signInRealmDeactivated(), post(JSON_HOOK, { api_key }, {}));
  await testServer.close();
  testServer = before;
});

test("posts nothing twice if a call is repeated with its key", async () => {
  const headers = { ...JSON_TYPE, "Idempotency-Key": "once" };
  await notify(JSON_HOOK, { stream: "general" }, { a: 1 }, headers);
  const { id } = await newestMessage();
  await notify(JSON_HOOK, { stream: "general" }, { a: 1 }, headers);
  expect((await newestMessage()).id).toBe(id);
});

test("returns the available webhooks when a bot is created", async () => {
  const { realm_incoming_webhook_bots: known } = await testServer.request("bo", "POST /register");
  expect(known.map(({ name }: Json) => name)).toEqual(["json", "slack_incoming"]);
  for (const { name: service_name } of known) {
    await makeHook("bo", `of ${service_name}`, { short_name: service_name, service_name });
  }
});

test("returns the protocol's error codes", () => {
  const sentItems = [refusals.webhookKeyInvalid(), refusals.eventHeaderMissing("x")];
  const codes = [...sentItems, refusals.payloadAnomalous("x", "y")].map(({ errCode }) => errCode);
  const [key, header, payload] = codes;
  expect([key, header]).toEqual(["INVALID_API_KEY", "MISSING_HTTP_EVENT_HEADER"]);
  expect(payload).toBe("ANOMALOUS_WEBHOOK_PAYLOAD");
});
