// A bot never has more permissions than its owner currently has.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import type { Refusal } from "../../src/contract/errors/general.ts";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let bot_id: number;
let line: string;
beforeEach(async () => {
  testServer = await startTestServer();
  bot_id = testServer.idOf("bot");
  line = `PATCH /bots/${bot_id}`;
});
afterEach(() => testServer.close());

const LISTENERS = ["bo", "cy", "olga"] as const;
const act = (requester: Name, requested: string, params: Params = {}) =>
  staysInSync(testServer, LISTENERS, () => testServer.request(requester, requested, params));

async function expectRefused(
  refusal: Refusal,
  requester: Name,
  requested: string,
  params: Params = {},
) {
  const { errCode: code, status, message: msg } = refusal;
  expect(await testServer.refused(requester, requested, params)).toMatchObject({
    status,
    code,
    msg,
  });
}

const roleOf = (user_id: number) => testServer.realm.read.users.get(user_id)!.role;
const setRole = (name: Name, role: number) =>
  act("olga", `PATCH /users/${testServer.idOf(name)}`, { role });

async function keyOfBot(owner: Name): Promise<string> {
  const { bots } = await testServer.request(owner, "GET /bots");
  return bots.find((bot: Json) => bot.user_id === bot_id).api_key;
}

async function sendsWith(key: string, to: number): Promise<number> {
  const email = testServer.realm.read.users.get(bot_id)!.delivery_email;
  const body = new URLSearchParams({ type: "stream", to: `${to}`, topic: "t", content: "in" });
  const headers = { Authorization: `Basic ${btoa(`${email}:${key}`)}` };
  const params = { method: "POST", headers, body };
  return (await fetch(`${testServer.url}/api/v1/messages`, params)).status;
}

test("lets no member transfer a bot, and does not reveal which users exist", async () => {
  for (const bot_owner_id of [testServer.idOf("ada"), testServer.idOf("cy"), 9999]) {
    await expectRefused(channelErrors.insufficientPermission(), "bo", line, { bot_owner_id });
  }
  await testServer.request("bo", line, { bot_owner_id: testServer.idOf("bo") });
});

test("ends a transferred bot's keys that its former owner knows", async () => {
  const secret = { name: "cellar", subscribers: [testServer.idOf("ada")], invite_only: true };
  const { id } = await testServer.request("ada", "POST /channels/create", secret);
  const oldKey = testServer.keyOf("bot");
  expect(await sendsWith(oldKey, id)).toBe(400);
  await act("ada", line, { bot_owner_id: testServer.idOf("ada") });
  expect(await sendsWith(oldKey, id)).toBe(401);
  const key = await keyOfBot("ada");
  expect(key).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(await sendsWith(key, id)).toBe(200);
});

test("ends them too if another user reactivates a bot whose owner is deactivated", async () => {
  const oldKey = testServer.keyOf("bot");
  await testServer.request("ada", `DELETE /users/${testServer.idOf("bo")}`);
  await testServer.request("ada", `POST /users/${bot_id}/reactivate`);
  expect(await sendsWith(oldKey, 1)).toBe(401);
  expect(await sendsWith(await keyOfBot("ada"), 1)).toBe(200);
});

test("makes a bot a guest with its owner, without access to public channels", async () => {
  await testServer.request("olga", "POST /channels/create", { name: "garden", subscribers: [] });
  const channel = testServer.realm.read.channels.findBy("name", "garden")!.stream_id;
  const params = { type: "stream", to: channel, topic: "t", content: "x" };
  await testServer.request("bot", "POST /messages", params);
  await setRole("bo", 600);
  expect(roleOf(bot_id)).toBe(600);
  expect((await testServer.refused("bot", "POST /messages", params)).status).toBe(400);
  const narrow = [{ operator: "channel", operand: channel }];
  const fetched = { narrow, anchor: "newest", num_before: 5, num_after: 0 };
  expect((await testServer.refused("bot", "GET /messages", fetched)).status).toBe(400);
});

test("never gives a bot a higher role than its owner's", async () => {
  const above = peopleErrors.botAboveOwner();
  for (const requested of [line, `PATCH /users/${bot_id}`]) {
    await expectRefused(above, "olga", requested, { role: 300 });
  }
  await setRole("bo", 200);
  await act("olga", line, { role: 200 });
  await setRole("bo", 300);
  expect(roleOf(bot_id)).toBe(300);
  await act("ada", line, { bot_owner_id: testServer.idOf("cy") });
  expect(roleOf(bot_id)).toBe(400);
});

test("lowers the role of a deactivated bot too", async () => {
  await testServer.request("bo", `DELETE /bots/${bot_id}`);
  await setRole("bo", 600);
  await testServer.request("olga", `POST /users/${bot_id}/reactivate`);
  expect(roleOf(bot_id)).toBe(600);
});

test("lowers the role of a bot above its owner's from an earlier version", async () => {
  await testServer.request("olga", "POST /channels/create", { name: "garden", subscribers: [] });
  const { stream_id } = testServer.realm.read.channels.findBy("name", "garden")!;
  const key = testServer.keyOf("bot");
  await setRole("bo", 600);
  await testServer.realm.write((tx) => tx.users.put({ ...tx.users.get(bot_id)!, role: 200 }));
  expect(await sendsWith(key, stream_id)).toBe(400);
  expect((await testServer.refused("bot", "PATCH /realm", { name: "Botland" })).status).toBe(400);
  const listener = await testServer.listen("olga");
  await testServer.restart();
  expect(roleOf(bot_id)).toBe(600);
  const received = (await listener.takeAll()).filter(({ type }: Json) => type === "realm_user");
  expect(received).toMatchObject([{ person: { user_id: bot_id, role: 600 } }]);
  expect(await sendsWith(key, stream_id)).toBe(400);
});
