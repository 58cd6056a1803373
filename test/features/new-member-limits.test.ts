// Limits for new members who signed up by themselves, and for nobody else.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/messages.ts";
import { joinByInvitation, signUp } from "../../src/features/invitations/join.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import { hashOfSecret } from "../../src/server/caller/secrets.ts";
import type { User } from "../../src/schema/records.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";

let testServer: TestServer;
let nia: User;
beforeEach(async () => {
  testServer = await startTestServer();
  await testServer.request("olga", "PATCH /realm", { invite_required: false });
  nia = await testServer.realm.write((tx) =>
    signUp(tx, { email: "nia@example.com", full_name: "Nia New" }),
  );
});
afterEach(() => testServer.close());

const currentReader = () => testServer.realm.read;
/** Runs the transaction of the send endpoint. */
const send = (user_id: number, recipient: object, content = "hello") => {
  return testServer.realm.write((tx) =>
    sendMessage(tx, tx.users.get(user_id)!, recipient as never, content),
  );
};
const generalTopic = () => ({
  stream_id: currentReader().channels.findBy("name", "general")!.stream_id,
  topic: "spam",
});
const directTo = (...user_ids: number[]) => ({ user_ids });
const set = (settings: Params) => testServer.request("olga", "PATCH /realm", settings);
const link = (index: number) => `[x](https://site${index}.test/)`;

test("limits messages per hour, for each user separately", async () => {
  await set({ newcomer_messages_per_hour: 3 });
  for (let offset = 0; offset < 3; offset += 1) await send(nia.user_id, generalTopic());
  const refusal = errors.newMemberMessages(3);
  await expect(send(nia.user_id, generalTopic())).rejects.toThrow(refusal.message);
  await expect(send(nia.user_id, directTo(testServer.idOf("bo")))).rejects.toThrow(refusal.message);
  for (let offset = 0; offset < 5; offset += 1) await send(testServer.idOf("bo"), generalTopic());
  testServer.clock.passSeconds(3600);
  await send(nia.user_id, generalTopic());
  await set({ newcomer_messages_per_hour: 0 });
  await expect(send(nia.user_id, generalTopic())).rejects.toThrow(
    errors.newMemberMessages(0).message,
  );
  await set({ newcomer_hours: 0 });
  await send(nia.user_id, generalTopic());
});

test("limits links to other sites, including in edits, but not to this server", async () => {
  const browser = new Browser(testServer);
  await browser.open("/register/");
  const account = { full_name: "Max Machine", email: "max@example.com", password: PASSWORD };
  expect((await browser.submit("/register/", account)).location).toBe("/");
  const signIn = { username: account.email, password: PASSWORD };
  const { api_key } = await testServer.request(null, "POST /fetch_api_key", signIn);
  const request = async (method: string, path: string, params: Record<string, string>) => {
    const headers = { Authorization: `Basic ${btoa(`${account.email}:${api_key}`)}` };
    const body = new URLSearchParams(params);
    const response = await fetch(`${testServer.url}/api/v1${path}`, { method, headers, body });
    return (await response.json()) as Json;
  };
  const post = { type: "channel", to: "general", topic: "spam" };
  const own = `${testServer.url}/#narrow/channel/1 ${testServer.url}/x [y](/user_avatars/1)`;
  const threeLinks = `${link(1)} ${link(2)} ${link(2)} ${own}`;
  const { id } = await request("POST", "/messages", { ...post, content: threeLinks });
  expect(id).toBeGreaterThan(0);
  const three = `${link(1)} ${link(2)} https://third.test/`;
  const { message: msg } = errors.newMemberLinks(2);
  const refusal = { code: "BAD_REQUEST", msg };
  expect(await request("POST", "/messages", { ...post, content: three })).toMatchObject(refusal);
  expect(await request("PATCH", `/messages/${id}`, { content: three })).toMatchObject(refusal);
  const { content } = (
    await testServer.request("bo", `GET /messages/${id}`, { apply_markdown: false })
  ).message;
  expect(content).toBe(threeLinks);
  await send(testServer.idOf("bo"), generalTopic(), three);
});

test("limits new conversations, but not existing ones", async () => {
  await set({ newcomer_conversations: 2 });
  const [ada, bo, cy] = [testServer.idOf("ada"), testServer.idOf("bo"), testServer.idOf("cy")];
  await send(bo, directTo(nia.user_id));
  await send(nia.user_id, directTo(cy));
  await send(nia.user_id, directTo(cy));
  await send(nia.user_id, directTo(ada));
  const refusal = errors.newMemberConversations(2);
  await expect(send(nia.user_id, directTo(ada, cy))).rejects.toThrow(refusal.message);
  await send(nia.user_id, directTo(bo));
  await send(nia.user_id, directTo(nia.user_id));
});

test("ends after a day or with a role, and does not apply to invited users", async () => {
  await set({ newcomer_messages_per_hour: 1 });
  await send(nia.user_id, generalTopic());
  await expect(send(nia.user_id, generalTopic())).rejects.toThrow("New members can send");
  await testServer.request("olga", `PATCH /users/${nia.user_id}`, { role: 300 });
  await send(nia.user_id, generalTopic());
  await testServer.request("olga", `PATCH /users/${nia.user_id}`, { role: 400 });
  await expect(send(nia.user_id, generalTopic())).rejects.toThrow("New members can send");
  testServer.clock.passSeconds(24 * 3600);
  for (let offset = 0; offset < 3; offset += 1) await send(nia.user_id, generalTopic());

  const { invite_link } = await testServer.request("ada", "POST /invites/multiuse");
  const hash = hashOfSecret(String(invite_link).split("/").at(-2)!);
  const guest = { email: "ivo@example.com", full_name: "Ivo Invited" };
  const ivo = await testServer.realm.write((tx) => joinByInvitation(tx, hash, guest));
  for (let offset = 0; offset < 3; offset += 1) await send(ivo.user_id, generalTopic());
});

test("accepts whole numbers within limits in the settings, with events", async () => {
  expect(await testServer.request("bo", "POST /register")).toMatchObject({
    ...{ realm_newcomer_hours: 24, realm_newcomer_messages_per_hour: 30 },
    ...{ realm_newcomer_links_per_message: 2, realm_newcomer_conversations: 5 },
  });
  await set({ newcomer_hours: 48, newcomer_links_per_message: 0 });
  expect(await testServer.request("bo", "POST /register")).toMatchObject({
    ...{ realm_newcomer_hours: 48, realm_newcomer_links_per_message: 0 },
  });
  for (const wrong of [-1, 10_001, "x"]) {
    expect(
      await testServer.refused("olga", "PATCH /realm", { newcomer_hours: wrong }),
    ).toMatchObject({
      status: 400,
    });
  }
});

test("lets a moderator deactivate a new user with all messages, but no other user", async () => {
  const all = {
    delete_public_channel_messages: true,
    delete_private_channel_messages: true,
    delete_direct_messages: true,
  };
  const ids = [
    (await send(nia.user_id, generalTopic())).id,
    (await send(nia.user_id, directTo(testServer.idOf("bo")))).id,
  ];
  const response = await send(testServer.idOf("bo"), directTo(nia.user_id));
  const deactivationPath = (user_id: number) => `DELETE /users/${user_id}`;
  for (const requester of ["bo", "gus"] as const) {
    const { msg } = await testServer.refused(requester, deactivationPath(nia.user_id), {
      actions: all,
    });
    expect(msg).toBe("Insufficient permission");
  }
  for (const other of ["bo", "ada", "gus"] as const) {
    const { msg } = await testServer.refused("mo", deactivationPath(testServer.idOf(other)), {
      actions: all,
    });
    expect(msg).toBe("Insufficient permission");
  }
  await testServer.request("mo", deactivationPath(nia.user_id), { actions: all });
  // A restart deletes what is still to be deleted.
  await testServer.restart();
  await until(() => !ids.some((id) => currentReader().messages.has(id)));
  expect([
    currentReader().users.get(nia.user_id)!.is_active,
    currentReader().messages.has(response.id),
  ]).toEqual([false, true]);
  const entries = [...currentReader().audit.range()].filter(({ on_id }) => on_id === nia.user_id);
  expect(entries.map(({ act, actor_id }) => [act, actor_id]).slice(-2)).toEqual([
    ["user_messages_deleted", testServer.idOf("mo")],
    ["user_deactivated", testServer.idOf("mo")],
  ]);
});

test("lets only administrators do that a day later", async () => {
  testServer.clock.passSeconds(24 * 3600);
  const line = `DELETE /users/${nia.user_id}`;
  expect((await testServer.refused("mo", line)).msg).toBe("Insufficient permission");
  await testServer.request("ada", line);
});

test("notifies moderators of users who joined without an invitation, and nobody else", async () => {
  const line = `GET /users/${nia.user_id}`;
  for (const name of ["bo", "gus", "bot"] as const) {
    const response = await testServer.send(name, line);
    expect(JSON.stringify(await response.json())).not.toContain("signed_up");
  }
  for (const name of ["olga", "ada", "mo"] as const) {
    expect((await testServer.request(name, line)).user.signed_up).toBe(true);
    const { user } = await testServer.request(name, `GET /users/${testServer.idOf("bo")}`);
    expect(user.signed_up).toBeUndefined();
  }
});

test.each([
  ["de", { default_language: "de", twenty_four_hour_time: true }],
  ["en", {}],
])("who joins with a browser in %j reads words and times as there", async (language, expected) => {
  const browser = new Browser(testServer, { "Accept-Language": language });
  await browser.open("/register/");
  const account = { full_name: "Kim", email: "kim@example.com", password: PASSWORD };
  expect((await browser.submit("/register/", account)).location).toBe("/");
  expect(currentReader().users.findBy("email", "kim@example.com")!.settings ?? {}).toEqual(
    expected,
  );
});
