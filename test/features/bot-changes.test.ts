// Changes to bots, and their default values.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let user_id: number;
let line: string;
beforeEach(async () => {
  testServer = await startTestServer();
  user_id = testServer.idOf("bot");
  line = `PATCH /bots/${user_id}`;
});
afterEach(() => testServer.close());

const LISTENERS = ["bo", "cy", "ada"] as const;
const change = (requester: Name, params: Params) =>
  staysInSync(testServer, LISTENERS, () => testServer.request(requester, line, params));

async function expectRefused(
  refusal: errors.Refusal,
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

test("renames a bot to a name that no active account has", async () => {
  const { result, events } = await change("bo", { full_name: "Botticelli" });
  expect(result).toMatchObject({ full_name: "Botticelli", bot_owner: "bo@example.com" });
  const person = { user_id, full_name: "Botticelli" };
  expect(events.cy).toMatchObject([{ type: "realm_user", op: "update", person }]);
  await expectRefused(peopleErrors.botNameTaken(), "bo", line, { full_name: "Cy Member" });
  const { events: nothing } = await change("bo", { full_name: "Botticelli" });
  expect(nothing.cy).toEqual([]);
});

test("changes the email address of a bot, which then signs in with it", async () => {
  const params = { full_name: "Mover", short_name: "mover" };
  const created = await testServer.request("bo", "POST /bots", params);
  const other = `PATCH /bots/${created.user_id}`;
  const { events } = await staysInSync(testServer, LISTENERS, () =>
    testServer.request("bo", other, { short_name: "moved" }),
  );
  const email = "moved-bot@127.0.0.1";
  const change = { type: "realm_user", op: "update" };
  expect(events.cy).toMatchObject([
    { ...change, person: { user_id: created.user_id, delivery_email: email } },
    { ...change, person: { user_id: created.user_id, new_email: email } },
  ]);
  const headers = { Authorization: `Basic ${btoa(`${email}:${created.api_key}`)}` };
  expect((await fetch(`${testServer.url}/api/v1/users/me`, { headers })).status).toBe(200);
  await testServer.request("bo", other, { short_name: "Moved" });
  await expectRefused(peopleErrors.emailInvalid(), "bo", other, { short_name: "" });

  await testServer.realm.write((tx) => {
    tx.users.put({ ...tx.users.get(created.user_id)!, avatar_source: "G" });
  });
  const listener = await testServer.listen("cy");
  await testServer.request("bo", other, { short_name: "settled" });
  expect(await listener.takeAll()).toMatchObject([
    { person: { delivery_email: "settled-bot@127.0.0.1" } },
    { person: { new_email: "settled-bot@127.0.0.1" } },
    { person: { avatar_source: "G", avatar_version: 2 } },
  ]);
});

test("transfers a bot to another user, who receives the event", async () => {
  const cy = testServer.idOf("cy");
  const created = await testServer.request("bo", "POST /bots", {
    full_name: "Gift",
    short_name: "gift",
  });
  const { user_id } = created;
  const line = `PATCH /bots/${user_id}`;
  const change = (requester: Name, params: Params) =>
    staysInSync(testServer, LISTENERS, () => testServer.request(requester, line, params));
  const { result, events } = await change("ada", { bot_owner_id: cy });
  expect(result.bot_owner).toBe("cy@example.com");
  const update = { type: "realm_user", op: "update", person: { user_id, bot_owner_id: cy } };
  expect(events.bo).toMatchObject([{ type: "realm_bot", op: "delete", bot: { user_id } }, update]);
  expect(events.cy).toMatchObject([{ type: "realm_bot", op: "add", bot: { user_id } }, update]);
  expect(events.ada).toMatchObject([update]);
  await expectRefused(channelErrors.insufficientPermission(), "bo", line, {
    bot_owner_id: testServer.idOf("bo"),
  });
  await change("ada", { bot_owner_id: testServer.idOf("ada") });
  await change("ada", { bot_owner_id: testServer.idOf("bo") });

  const ownerMissing = peopleErrors.newBotOwnerNotFound();
  await expectRefused(ownerMissing, "ada", line, { bot_owner_id: 9999 });
  await expectRefused(peopleErrors.newBotOwnerIsBot(), "ada", line, { bot_owner_id: user_id });
  await testServer.request("ada", `DELETE /users/${testServer.idOf("gus")}`);
  const ownerRemoved = { bot_owner_id: testServer.idOf("gus") };
  await expectRefused(peopleErrors.newBotOwnerDeactivated(), "ada", line, ownerRemoved);
});

test("lets an administrator change a bot's role, but not its owner", async () => {
  await expectRefused(channelErrors.insufficientPermission(), "bo", line, { role: 300 });
  await change("ada", { role: 600 });
  await change("ada", { role: 400 });
});

test("accepts default channels that the bot's owner can read, by their current names", async () => {
  await testServer.request("bo", "POST /channels/create", { name: "garden", subscribers: [] });
  const input = {
    default_sending_stream: "garden",
    default_events_register_stream: "garden",
    default_all_public_streams: true,
  };
  const { result, events } = await change("bo", input);
  expect(result).toMatchObject(input);
  expect(events.bo).toMatchObject([
    { type: "realm_bot", op: "update", bot: { user_id, ...input } },
  ]);
  expect(events.ada).toMatchObject([{ bot: { user_id, ...input } }]);
  expect(events.cy).toEqual([]);
  expect((await change("bo", input)).events.bo).toEqual([]);

  const { stream_id } = await testServer.request("bo", "GET /get_stream_id", { stream: "garden" });
  const renamed = await staysInSync(testServer, ["bo", "cy"], () =>
    testServer.request("ada", `PATCH /streams/${stream_id}`, { new_name: "orchard" }),
  );
  const payload = renamed.events.bo!.filter(({ type }) => type === "realm_bot");
  const names = { default_sending_stream: "orchard", default_events_register_stream: "orchard" };
  expect(payload).toMatchObject([{ op: "update", bot: { user_id, ...names } }]);

  const cleared = await change("bo", { default_sending_stream: "" });
  expect(cleared.result).toMatchObject({ ...names, default_sending_stream: null });
  const secret = { name: "cellar", subscribers: [testServer.idOf("ada")], invite_only: true };
  await testServer.request("ada", "POST /channels/create", secret);
  const refusal = channelErrors.channelNameNotFound("cellar");
  await expectRefused(refusal, "bo", line, { default_sending_stream: "cellar" });
});

test("registers a bot with its configured defaults if it passes none", async () => {
  await testServer.request("bo", line, {
    default_events_register_stream: "sandbox",
    default_all_public_streams: true,
  });
  const listener = await testServer.listen("bot", { event_types: ["message"] });
  const message = { type: "stream", topic: "x", content: "hello" };
  await testServer.request("bo", "POST /messages", { ...message, to: "general" });
  const { id } = await testServer.request("bo", "POST /messages", { ...message, to: "sandbox" });
  expect(await listener.takeAll()).toMatchObject([{ type: "message", message: { id } }]);
  await testServer.request("bo", line, {
    default_events_register_stream: "",
    default_all_public_streams: false,
  });
});

test("accepts an endpoint URL only for outgoing webhooks", async () => {
  const params = { full_name: "Caller", short_name: "caller", bot_type: 3, interface_type: 2 };
  const payload_url = JSON.stringify("https://hooks.example/a");
  const { result: bot, events } = await staysInSync(testServer, LISTENERS, () =>
    testServer.request("bo", "POST /bots", { ...params, payload_url }),
  );
  const service = { base_url: "https://hooks.example/a", interface: 2, token: expect.any(String) };
  expect(events.bo!.at(-1)).toMatchObject({ op: "add", bot: { services: [service] } });

  const other = `PATCH /bots/${bot.user_id}`;
  const newUrl = JSON.stringify("https://hooks.example/b");
  const change = await staysInSync(testServer, LISTENERS, () =>
    testServer.request("bo", other, { service_payload_url: newUrl, service_interface: 1 }),
  );
  expect(change.result).toMatchObject({
    service_payload_url: "https://hooks.example/b",
    service_interface: 1,
  });
  const services = [{ ...service, base_url: "https://hooks.example/b", interface: 1 }];
  expect(change.events.bo).toMatchObject([{ op: "update", bot: { services } }]);
  expect(change.events.cy).toEqual([]);

  const wrong = peopleErrors.payloadUrlInvalid();
  await expectRefused(wrong, "bo", other, { service_payload_url: '"nowhere"' });
  await expectRefused(peopleErrors.interfaceInvalid(), "bo", other, { service_interface: 9 });
  await expectRefused(peopleErrors.botTypeInvalid(), "bo", line, { service_interface: 1 });
});

test("sends all bots to a new administrator, and removes them afterwards", async () => {
  await testServer.request("bo", "POST /bots", { full_name: "Another", short_name: "another" });
  const change = (role: number) => () =>
    testServer.request("olga", `PATCH /users/${testServer.idOf("cy")}`, { role });
  const { events } = await staysInSync(testServer, ["cy", "ada"], change(200));
  expect(events.cy!.filter(({ type }) => type === "realm_bot").length).toBeGreaterThan(1);
  await staysInSync(testServer, ["cy", "ada"], change(400));
});
