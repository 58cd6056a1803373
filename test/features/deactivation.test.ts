// Deactivation ends sessions, keys and scheduled work at once.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import { setPassword } from "../../src/features/passwords/actions.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { openReset } from "../../src/features/passwords/reset.ts";
import { encryptedKey } from "../../src/features/secrets/encrypted.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { emailOf, type Name } from "../users.ts";
import { Browser as Device, untilPushed, PushServer } from "../push/push-server.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";
import { WebhookServer } from "./webhook-server.ts";
import { read, upload } from "./upload-fixture.ts";
import { until } from "../wait-until.ts";

const HOUR_SECONDS = 3_600;

let testServer: TestServer;
let site: WebhookServer;
let hash: string;
beforeEach(async () => {
  site = await WebhookServer.open();
  hash = await hashPassword(PASSWORD);
});
afterEach(() => site.close());
beforeEach(async () => {
  site.reset();
  testServer = await startTestServer({ outbound_allow: ["127.0.0.1"] });
  await testServer.realm.write((tx) => setPassword(tx, testServer.idOf("bo"), hash));
});
afterEach(() => testServer.close());

const deactivate = (name: Name = "bo") =>
  testServer.request("olga", `DELETE /users/${testServer.idOf(name)}`);
const back = () => testServer.request("olga", `POST /users/${testServer.idOf("bo")}/reactivate`);
const generalId = () => testServer.realm.read.channels.findBy("name", "general")!.stream_id;
const DEACTIVATED = errors.accountDeactivated();

async function expectSignedOut(name: Name, line: string, params: Params = {}): Promise<void> {
  const { status, errCode: code, message: msg } = DEACTIVATED;
  expect(await testServer.refused(name, line, params)).toMatchObject({ status, code, msg });
}

/** Advances the clock and runs the jobs that are due. */
async function passTime(seconds: number): Promise<void> {
  testServer.clock.passSeconds(seconds);
  testServer.realm.onDue();
  const dueJobs = () =>
    [...testServer.realm.read.due.range()].filter(({ at: time }) => time <= testServer.clock.now());
  await until(() => dueJobs().length <= 0);
  await testServer.untilIdle();
}

test("rejects the key, and accepts it again after reactivation", async () => {
  await deactivate();
  await expectSignedOut("bo", "GET /users/me");
  await expectSignedOut("bo", "POST /messages", {
    type: "direct",
    to: [testServer.idOf("cy")],
    content: "x",
  });
  const params = { username: "bo@example.com", password: PASSWORD };
  const { status, errCode: code } = peopleErrors.signInDeactivated();
  expect(await testServer.refused(null, "POST /fetch_api_key", params)).toMatchObject({
    status,
    code,
  });
  await back();
  await testServer.request("bo", "GET /users/me");
});

test("ends open polls of the user and of the user's bots", async () => {
  const browser = new Browser(testServer);
  await browser.signIn("bo");
  const asking: SendRequest[] = [
    (line, params) => testServer.send("bo", line, params),
    (line, params) => testServer.send("bot", line, params),
    (line, params) => browser.fetch(line, params),
  ];
  const polls: { ended: Promise<Response> }[] = [];
  for (const ask of asking) polls.push(await holdPoll(ask));
  await deactivate();
  for (const { ended } of polls) {
    const response = await ended;
    expect(await response.json()).toMatchObject({ events: [] });
  }
  expect(testServer.realm.hub.counts).toMatchObject({ queues: 0, parked: 0 });
  expect((await browser.fetch("GET /users/me")).status).toBe(401);
  expect(testServer.realm.read.sessions.count()).toBe(0);
  await expectSignedOut("bot", "GET /users/me");
});

type SendRequest = (line: string, params?: Params) => Promise<Response>;

async function holdPoll(ask: SendRequest): Promise<{ ended: Promise<Response> }> {
  const { queue_id, last_event_id } = (await (await ask("POST /register")).json()) as Json;
  await testServer.untilIdle();
  const completion = ask("GET /events", { queue_id, last_event_id });
  await until(() => testServer.realm.hub.listeners.get(queue_id)?.parked);
  return { ended: completion };
}

test("does not send scheduled messages and reminders", async () => {
  const deliveryTime = { scheduled_delivery_timestamp: testServer.realm.read.now + HOUR_SECONDS };
  const message = { type: "stream", to: generalId(), topic: "tea", content: "later" };
  const { id: message_id } = await testServer.request("bo", "POST /messages", message);
  await testServer.request("bo", "POST /scheduled_messages", { ...message, ...deliveryTime });
  await testServer.request("bo", "POST /reminders", { message_id, ...deliveryTime });
  await deactivate();
  const before = await sentBy("bo");
  await passTime(HOUR_SECONDS);
  expect(await sentBy("bo")).toEqual(before);
  await back();
  const { scheduled_messages } = await testServer.request("bo", "GET /scheduled_messages");
  expect(scheduled_messages).toMatchObject([{ content: "later", failed: true }]);
  const { reminders } = await testServer.request("bo", "GET /reminders");
  expect(reminders).toMatchObject([{ reminder_target_message_id: message_id, failed: true }]);
});

async function sentBy(name: Name): Promise<number[]> {
  const params = { anchor: "newest", num_before: 50, num_after: 0 };
  const narrow = [["sender", emailOf(name)]];
  const { messages } = await testServer.request("cy", "GET /messages", { ...params, narrow });
  return messages.map(({ id }: Json) => id);
}

async function caller(): Promise<Json> {
  const payload_url = JSON.stringify(`${site.url}/x`);
  const expected = { full_name: "Caller", short_name: "caller", bot_type: 3, payload_url };
  return testServer.request("bo", "POST /bots", expected);
}

const post = (content: string, params: Params = {}) =>
  testServer.request("cy", "POST /messages", {
    ...{ type: "stream", to: "general", topic: "news", content },
    ...params,
  });

test("drops waiting push notifications and sends no further ones", async () => {
  const pushes = await PushServer.open();
  try {
    const device = await Device.open(pushes);
    await testServer.request("bo", "POST /users/me/push_subscriptions", device.subscription);
    pushes.statusFor = () => 503;
    await post("are you there?", { type: "direct", to: [testServer.idOf("bo")] });
    await untilPushed(testServer);
    expect(device.requests).toHaveLength(1);
    await deactivate();
    pushes.statusFor = () => 201;
    await post("@**all** and you?");
    await passTime(HOUR_SECONDS);
    await untilPushed(testServer);
    expect(device.requests).toHaveLength(1);
  } finally {
    pushes.close();
  }
});

test("stops calling the user's webhooks and ignores their responses", async () => {
  const bot = await caller();
  site.answerWith({ content: "too late" });
  const release = site.holdResponses();
  await post("@**Caller** are you there?");
  await site.untilCallCount(1);
  await post("@**Caller** and now?");
  await deactivate();
  await post("@**Caller** still?");
  release();
  await until(() => testServer.realm.read.webhook_calls.count() <= 0);
  expect(site.calls).toHaveLength(1);
  const params = { anchor: "newest", num_before: 9, num_after: 0 };
  const { messages } = await testServer.request("cy", "GET /messages", params);
  expect(messages.filter((message: Json) => message.sender_id === bot.user_id)).toEqual([]);
});

test("rejects incoming webhook calls with the key of the user's bot", async () => {
  const expected = { full_name: "Hook", short_name: "hook", bot_type: 2 };
  const { api_key } = await testServer.request("bo", "POST /bots", expected);
  const call = () => {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ text: "x" });
    const address = `${testServer.url}/api/v1/external/json?api_key=${api_key}`;
    return fetch(address, { method: "POST", headers, body });
  };
  expect((await call()).status).toBe(200);
  await deactivate();
  const { status, errCode: code, message: msg } = peopleErrors.signInDeactivated();
  const refusal = await call();
  expect(refusal.status).toBe(status);
  expect(await refusal.json()).toMatchObject({ code, msg });
});

test("ends the user's temporary file links, but not those of others", async () => {
  const file = await upload(testServer, "bo", { name: "x.txt", bytes: "secret" });
  await testServer.request("bo", "POST /messages", {
    ...{ type: "stream", to: "general", topic: "x", content: `[x](${file})` },
  });
  const linkBy = async (name: Name) =>
    (await testServer.request(name, `GET ${file}`)).url as string;
  const [linkOfBo, linkOfCy] = [await linkBy("bo"), await linkBy("cy")];
  expect((await read(testServer, null, linkOfBo)).status).toBe(200);
  await deactivate();
  const refusal = await read(testServer, null, linkOfBo);
  expect(refusal.status).toBe(400);
  expect(((await refusal.json()) as Json).msg).toBe(realmErrors.temporaryLinkInvalid().message);
  expect(await (await read(testServer, null, linkOfCy)).text()).toBe("secret");
});

test("discards uploads in progress", async () => {
  const headers = { Authorization: testServer.basicAuthorization("bo"), "Tus-Resumable": "1.0.0" };
  const begin = { ...headers, "Upload-Length": "6" };
  const startedUpload = await fetch(`${testServer.url}/api/v1/tus/`, {
    method: "POST",
    headers: begin,
  });
  const location = startedUpload.headers.get("location")!;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const type = { "Content-Type": "application/offset+octet-stream", "Upload-Offset": "0" };
  const patchInit = { method: "PATCH", headers: { ...headers, ...type }, body: readable };
  const response = fetch(location, patchInit);
  await writer.write(Buffer.from("sec"));
  const uploadOffset = async () =>
    (await fetch(location, { method: "HEAD", headers })).headers.get("upload-offset");
  await until(async () => (await uploadOffset()) === "3");
  await deactivate();
  await writer.write(Buffer.from("ret"));
  await writer.close();
  const refusal = await response;
  expect(refusal.ok).toBe(false);
  expect(((await refusal.json()) as Json).msg).toBe(DEACTIVATED.message);
  expect(testServer.realm.read.attachments.count()).toBe(0);
});

test("revokes the user's invitations and password reset links", async () => {
  const { invite_link } = await testServer.request("ada", "POST /invites/multiuse");
  const { pathname } = new URL(invite_link);
  const key = encryptedKey(testServer.realm);
  await testServer.realm.write((tx) => openReset(tx, tx.users.get(testServer.idOf("ada"))!, key));
  const paths = [pathname, `/accounts/password/reset/${key.key}/`];
  const states = () =>
    Promise.all(paths.map(async (path) => (await read(testServer, null, path)).status));
  expect(await states()).toEqual([200, 200]);
  await deactivate("ada");
  expect(await states()).toEqual([410, 410]);
  expect((await testServer.request("olga", "GET /invites")).invites).toEqual([]);
});

test("shows the user's presence to nobody any more", async () => {
  await testServer.request("bo", "POST /users/me/presence", { status: "active" });
  await deactivate();
  const params = { status: "active", last_update_id: -1 };
  const { presences } = await testServer.request("cy", "POST /users/me/presence", params);
  expect(presences).not.toHaveProperty(String(testServer.idOf("bo")));
});

test("applies to users who deactivate themselves, and to their bots", async () => {
  const poll = await holdPoll((line, params) => testServer.send("bo", line, params));
  await testServer.request("bo", "DELETE /users/me");
  await poll.ended;
  await expectSignedOut("bo", "GET /users/me");
  await expectSignedOut("bot", "GET /users/me");
});
