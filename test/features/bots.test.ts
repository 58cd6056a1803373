// Owners create, list and deactivate their bots; few users can read a bot's key.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

let count = 0;
const NEW = "POST /bots";
const make = (requester: Name, params: Params = {}): Promise<Json> => {
  count++;
  return testServer.request(requester, NEW, {
    full_name: `Robot ${count}`,
    short_name: `robot${count}`,
    ...params,
  });
};

/** Sends a request with an API key alone. */
async function requestAs(email: string, key: string, line: string): Promise<Json> {
  const [method, path] = line.split(" ") as [string, string];
  const headers = { Authorization: `Basic ${btoa(`${email}:${key}`)}` };
  return (await fetch(`${testServer.url}/api/v1${path}`, { method, headers })).json();
}

async function expectRefused(
  refusal: errors.Refusal,
  requester: Name,
  line: string,
  params: Params = {},
) {
  const { errCode: code, status, message: msg } = refusal;
  expect(await testServer.refused(requester, line, params)).toMatchObject({ status, code, msg });
}

async function setGroup(setting: "can_create_bots_group" | "can_create_write_only_bots_group") {
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    const admins = tx.groups.findBy("name", "role:administrators")!.id;
    tx.realm.put({ ...realm, settings: { ...realm.settings, [setting]: admins } });
  });
}

test("creates a bot, sends events to everyone, and lets its owner read its key again", async () => {
  const { result: bot, events } = await staysInSync(testServer, ["bo", "ada", "cy", "gus"], () =>
    make("bo", { full_name: "Rob", short_name: "rob", default_sending_stream: "general" }),
  );
  const { user_id, api_key } = bot;
  expect(bot).toMatchObject({
    default_sending_stream: "general",
    default_events_register_stream: null,
    default_all_public_streams: false,
  });
  const person = { user_id, email: "rob-bot@127.0.0.1", full_name: "Rob", bot_type: 1 };
  const add = { type: "realm_user", op: "add", person };
  const members = { type: "user_group", op: "add_members", user_ids: [user_id] };
  const settings = { user_id, default_sending_stream: "general", services: [] };
  const ofBot = { type: "realm_bot", op: "add", bot: settings };
  expect(events.bo).toMatchObject([add, members, members, ofBot]);
  expect(events.ada).toMatchObject([add, members, members, ofBot]);
  expect(events.cy).toMatchObject([add, members, members]);
  expect(JSON.stringify(events)).not.toContain(api_key);

  const own = await requestAs("rob-bot@127.0.0.1", api_key, "GET /users/me");
  expect(own).toMatchObject({ user_id, is_bot: true, bot_owner_id: testServer.idOf("bo") });
  const { bots } = await testServer.request("bo", "GET /bots");
  expect(bots).toContainEqual({
    user_id,
    username: "rob-bot@127.0.0.1",
    full_name: "Rob",
    api_key,
    avatar_url: bot.avatar_url,
    default_sending_stream: "general",
    default_events_register_stream: null,
    default_all_public_streams: false,
    can_notify: testServer.realm.read.groups.findBy("name", "role:nobody")!.id,
  });
  for (const name of ["bo", "ada"] as const) {
    expect((await testServer.request(name, `GET /bots/${user_id}/api_key`)).api_key).toBe(api_key);
  }
  expect((await testServer.request("ada", "GET /bots")).bots).toEqual([]);
});

test("lets the owner, even a guest, and any administrator deactivate a bot", async () => {
  const { user_id } = await make("bo");
  const line = `DELETE /bots/${user_id}`;
  for (const name of ["cy", "gus", "bot"] as const) {
    await expectRefused(channelErrors.insufficientPermission(), name, line);
  }
  const admin = await make("ada");
  await testServer.request("ada", `PATCH /bots/${admin.user_id}`, { role: 200 });
  const { delivery_email } = testServer.realm.read.users.get(admin.user_id)!;
  expect(await requestAs(delivery_email, admin.api_key, line)).toMatchObject({ result: "success" });
  expect((await testServer.request("bo", `GET /users/${user_id}`)).user.is_active).toBe(false);
  const other = await make("bo");
  await testServer.request("olga", `PATCH /users/${testServer.idOf("bo")}`, { role: 600 });
  await testServer.request("bo", `DELETE /bots/${other.user_id}`);
  await testServer.request("olga", `PATCH /users/${testServer.idOf("bo")}`, { role: 400 });
  await testServer.request("olga", `PATCH /bots/${testServer.idOf("bot")}`, { role: 400 });
});

test("reveals a bot's key only to its owner and administrators", async () => {
  const { user_id } = await make("bo");
  for (const line of [
    `GET /bots/${user_id}/api_key`,
    `POST /bots/${user_id}/api_key/regenerate`,
    `PATCH /bots/${user_id}`,
  ]) {
    await expectRefused(channelErrors.insufficientPermission(), "cy", line);
    await expectRefused(errors.guestsNotAllowed(), "gus", line);
    await expectRefused(errors.botsNotAllowed(), "bot", line);
    const [method, path] = line.split(" ") as [string, string];
    for (const nobody of [testServer.idOf("cy"), 9999]) {
      const other = `${method} ${path.replace(String(user_id), String(nobody))}`;
      await expectRefused(channelErrors.botNotFound(), "olga", other);
    }
  }
});

test("lets only an owner manage the key of a bot with an owner's role", async () => {
  const { user_id } = await make("olga");
  await testServer.request("olga", `PATCH /bots/${user_id}`, { role: 100 });
  await expectRefused(peopleErrors.ownerRequired(), "ada", `GET /bots/${user_id}/api_key`);
  await expectRefused(peopleErrors.ownerRequired(), "ada", `PATCH /bots/${user_id}`, {
    bot_owner_id: testServer.idOf("ada"),
  });
  await testServer.request("olga", `DELETE /bots/${user_id}`);
});

test("replaces all old keys, regardless of who requests a new one", async () => {
  const { user_id, api_key } = await make("bo");
  const email = testServer.realm.read.users.get(user_id)!.delivery_email;
  const secondResponse = await testServer.request("bo", `POST /bots/${user_id}/api_key/regenerate`);
  expect(secondResponse.api_key).not.toBe(api_key);
  expect(await requestAs(email, api_key, "GET /users/me")).toMatchObject({ code: "UNAUTHORIZED" });
  const own = await requestAs(email, secondResponse.api_key, "POST /users/me/api_key/regenerate");
  const read = await testServer.request("bo", `GET /bots/${user_id}/api_key`);
  expect(read.api_key).toBe(own.api_key);
  expect(await requestAs(email, own.api_key, "GET /users/me")).toMatchObject({ user_id });
});

test("deactivates a bot by its owner or with its owner, and reactivates it", async () => {
  const { user_id } = await make("bo", { full_name: "Solo" });
  const line = `DELETE /bots/${user_id}`;
  const { events } = await staysInSync(testServer, ["bo", "cy"], () =>
    testServer.request("bo", line),
  );
  expect(events.cy!.at(-1)).toMatchObject({
    type: "realm_user",
    op: "update",
    person: { user_id, is_active: false },
  });
  await expectRefused(channelErrors.userIsDeactivated(), "bo", line);
  expect(JSON.stringify((await testServer.request("bo", "GET /bots")).bots)).not.toContain("Solo");

  const restore = `POST /users/${user_id}/reactivate`;
  const namesake = await make("cy", { full_name: "Solo" });
  await expectRefused(peopleErrors.botNamesakeActive("Solo"), "bo", restore);
  await testServer.request("cy", `DELETE /bots/${namesake.user_id}`);
  await staysInSync(testServer, ["bo", "cy"], () => testServer.request("bo", restore));
  expect(testServer.realm.read.users.get(user_id)!.is_active).toBe(true);
});

test("lets only owners take over an owner's bot", async () => {
  const { user_id } = await make("mo");
  const role = (to: number) =>
    testServer.request("olga", `PATCH /users/${testServer.idOf("mo")}`, { role: to });
  await role(100);
  await testServer.request("olga", `PATCH /bots/${user_id}`, { role: 100 });
  await testServer.request("olga", `DELETE /users/${testServer.idOf("mo")}`);
  expect(testServer.realm.read.users.get(user_id)!.is_active).toBe(false);
  await expectRefused(peopleErrors.ownerRequired(), "ada", `POST /users/${user_id}/reactivate`);
  await testServer.request("olga", `POST /users/${user_id}/reactivate`);
  expect(testServer.realm.read.users.get(user_id)!.bot_owner_id).toBe(testServer.idOf("olga"));
  await testServer.request("olga", `DELETE /bots/${user_id}`);
  await testServer.request("olga", `POST /users/${testServer.idOf("mo")}/reactivate`);
  await role(300);
});

test("requires a unique name and address and a known type for a bot", async () => {
  await make("bo", { full_name: "Taken", short_name: "taken" });
  const cases: [Params, errors.Refusal][] = [
    [{ full_name: "Taken" }, peopleErrors.botNameTaken()],
    [{ short_name: "TAKEN" }, peopleErrors.emailTaken()],
    [{ short_name: " " }, peopleErrors.emailInvalid()],
    [{ short_name: "a b" }, peopleErrors.emailInvalid()],
    [{ full_name: "x" }, peopleErrors.fullNameTooShort()],
    [{ bot_type: 5 }, peopleErrors.botTypeInvalid()],
    [{ bot_type: 4 }, peopleErrors.embeddedBotsDisabled()],
    [{ bot_type: 2, service_name: "mill" }, peopleErrors.integrationNotFound("mill")],
    [{ bot_type: 3 }, peopleErrors.payloadUrlInvalid()],
    [{ bot_type: 3, payload_url: '"ftp://x"' }, peopleErrors.payloadUrlInvalid()],
    [{ bot_type: 3, payload_url: '"https://a:b@x"' }, peopleErrors.payloadUrlInvalid()],
    [
      { bot_type: 3, payload_url: '"https://x.example"', interface_type: 3 },
      peopleErrors.interfaceInvalid(),
    ],
    [{ default_sending_stream: "nowhere" }, channelErrors.channelNameNotFound("nowhere")],
  ];
  for (const [wrong, refusal] of cases) {
    const params = { full_name: "Right", short_name: "right", ...wrong };
    await expectRefused(refusal, "bo", NEW, params);
  }
  await expectRefused(errors.missingParameter("short_name"), "bo", NEW, { full_name: "Right" });
});

test("follows the organization's setting of who can create bots", async () => {
  const own = await startTestServer();
  const before = testServer;
  testServer = own;
  try {
    const { user_id } = await make("bo");
    await setGroup("can_create_bots_group");
    const params = { full_name: "Nope", short_name: "nope" };
    await expectRefused(channelErrors.insufficientPermission(), "bo", NEW, params);
    await testServer.request("bo", `DELETE /bots/${user_id}`);
    const restore = `POST /users/${user_id}/reactivate`;
    await expectRefused(channelErrors.insufficientPermission(), "bo", restore);
    const hook = await make("bo", { bot_type: 2 });
    const email = testServer.realm.read.users.get(hook.user_id)!.delivery_email;
    const received = await requestAs(email, hook.api_key, "GET /users/me");
    expect(received.msg).toBe(errors.webhookBotNotAllowed().message);
    await setGroup("can_create_write_only_bots_group");
    await expectRefused(channelErrors.insufficientPermission(), "bo", NEW, {
      ...params,
      bot_type: 2,
    });
    await make("ada", { bot_type: 1 });
  } finally {
    testServer = before;
    await own.close();
  }
});

test("encrypts keys of bots with a private file, without which they are lost", async () => {
  const own = await startTestServer();
  const params = { full_name: "Rob", short_name: "rob" };
  const { user_id, api_key } = await own.request("bo", NEW, params);
  const file = join(own.directory, "data", "secrets");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await own.restart();
  expect((await own.request("bo", `GET /bots/${user_id}/api_key`)).api_key).toBe(api_key);
  const database = readFileSync(join(own.directory, "data", "data.mdb"));
  expect(database.includes(api_key)).toBe(false);

  rmSync(file);
  await own.restart();
  const unreadable = await own.refused("bo", `GET /bots/${user_id}/api_key`);
  expect(unreadable.msg).toBe(peopleErrors.botKeyUnreadable().message);
  const { bots } = await own.request("bo", "GET /bots");
  expect(bots).toMatchObject([{ user_id: own.idOf("bot"), api_key: null }, { api_key: null }]);
  const secondResponse = await own.request("bo", `POST /bots/${user_id}/api_key/regenerate`);
  const read = await own.request("bo", `GET /bots/${user_id}/api_key`);
  expect(read.api_key).toBe(secondResponse.api_key);
  await own.close();
});
