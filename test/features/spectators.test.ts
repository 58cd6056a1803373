// Spectators: their snapshot, visible users, and organizations without public content.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";
import { read, upload } from "./upload-fixture.ts";

let testServer: TestServer;
const channels = new Map<string, number>();
const KINDS: Record<string, Params> = {
  square: { is_web_public: true },
  hall: {},
  den: { invite_only: true },
};

async function createChannels(server: TestServer): Promise<Map<string, number>> {
  await server.request("olga", "PATCH /realm", { enable_spectator_access: true });
  const created = new Map<string, number>();
  for (const [name, kind] of Object.entries(KINDS)) {
    const subscribers = [server.idOf("bo"), server.idOf("cy")];
    const params = { name, subscribers, ...kind };
    created.set(name, (await server.request("olga", "POST /channels/create", params)).id);
  }
  return created;
}

beforeEach(async () => {
  testServer = await startTestServer();
  for (const [name, id] of await createChannels(testServer)) channels.set(name, id);
});
afterEach(() => testServer.close());

const { message: REFUSAL_MESSAGE, errCode: NOT_IN_CODE } = errors.spectatorsNotAllowed();
const register = (params: Params = {}) => testServer.request(null, "POST /register", params);
const namesOf = (found: Json[]) => found.map(({ name }) => name).sort();
const squarePath = () => `/streams/${channels.get("square")}`;

const post = async (requester: Name, to: string, topic: string, content: string): Promise<number> =>
  (await testServer.request(requester, "POST /messages", { type: "channel", to, topic, content }))
    .id;

async function expectClosed(server: TestServer, line: string, params: Params = {}): Promise<void> {
  const response = await server.send(null, line, params);
  // Avatar addresses are hidden too.
  const scheme = line.includes(" //") ? "Session" : "Basic";
  expect(response.headers.get("www-authenticate")).toBe(`${scheme} realm="zulip"`);
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code: NOT_IN_CODE, msg: REFUSAL_MESSAGE });
}

test("does not trigger a browser's password prompt on a rejected page", async () => {
  const { status, headers } = await testServer.send(null, "GET //json/messages/1");
  expect([status, headers.get("www-authenticate")]).toEqual([401, 'Session realm="zulip"']);
});

const PUBLIC_NARROW = { narrow: [["channels", "web-public"]], anchor: "newest", num_before: 9 };

/** Checks the requests that a spectator can send. */
async function isAllShut(server: TestServer, message: number, stream_id: number): Promise<void> {
  await expectClosed(server, "POST /register");
  await expectClosed(server, "GET /messages", PUBLIC_NARROW);
  await expectClosed(server, `GET /messages/${message}`);
  await expectClosed(server, `GET /users/me/${stream_id}/topics`);
  await expectClosed(server, "GET /streams");
  await expectClosed(server, "GET /users");
  await expectClosed(server, `GET /users/${server.idOf("bo")}`);
  await expectClosed(server, "GET /realm/emoji");
  await expectClosed(server, `GET //avatar/${server.idOf("bo")}`);
  const { realm_web_public_access_enabled } = await server.request(null, "GET /server_settings");
  expect(realm_web_public_access_enabled).toBe(false);
}

test("starts a spectator with web-public channels and without a queue", async () => {
  const state = await register();
  expect(state).toMatchObject({ queue_id: null, last_event_id: -1, max_message_id: -1 });
  expect(state).toMatchObject({
    realm_presence_disabled: true,
    realm_enable_spectator_access: true,
  });
  expect(state).toMatchObject({ server_web_public_streams_enabled: true, user_id: 0 });
  expect(state).not.toContainAnyKeys(["streams", "idle_queue_timeout_secs"]);
  expect(namesOf(state.subscriptions)).toEqual(["square"]);
  expect(state.subscriptions[0]).toMatchObject({
    stream_id: channels.get("square"),
    stream_weekly_traffic: null,
    color: "#c2c2c2",
    is_muted: false,
    in_home_view: true,
    desktop_notifications: false,
    wildcard_mentions_notify: true,
  });
  expect(state.subscriptions[0]).not.toContainAnyKeys(["subscribers", "partial_subscribers"]);
  expect(
    (await testServer.request(null, "GET /server_settings")).realm_web_public_access_enabled,
  ).toBe(true);
});

test("returns empty values for personal fields, and omits none", async () => {
  await testServer.request("bo", "POST /users/me/alert_words", { alert_words: ["web"] });
  await testServer.request("bo", "POST /users/me/status", { status_text: "here" });
  const params = { name: "crew", description: "", members: [testServer.idOf("bo")] };
  await testServer.request("olga", "POST /user_groups/create", params);
  const state = await register();
  const own = await testServer.request("bo", "POST /register", {});
  const absent = Object.keys(own).filter((name) => !(name in state));
  expect(absent.sort()).toEqual(["idle_queue_timeout_secs", "streams"]);
  const empty = `alert_words custom_profile_fields drafts muted_topics muted_users navigation_views
    onboarding_steps realm_bots realm_default_streams realm_domains recent_private_conversations
    reminders saved_snippets scheduled_messages starred_messages unsubscribed never_subscribed
    user_topics channel_folders`;
  for (const name of empty.split(/\s+/)) expect([name, state[name]]).toEqual([name, []]);
  expect(state).toMatchObject({ presences: {}, user_status: {}, devices: {} });
  expect(state.unread_msgs).toMatchObject({ count: 0, mentions: [], streams: [], pms: [] });
  expect(state.user_settings).toMatchObject({ default_language: "en", timezone: "" });
  const groups: string[] = namesOf(state.realm_user_groups);
  expect(groups.every((name) => name.startsWith("role:"))).toBe(true);
  expect(state.realm_new_stream_announcements_stream_id).toBe(-1);
});

test("returns only the requested types", async () => {
  const state = await register({ fetch_event_types: ["subscription", "stream"] });
  expect(state).toContainKeys(["subscriptions", "zulip_feature_level"]);
  expect(state).not.toContainAnyKeys(["realm_users", "realm_name", "streams"]);
  expect(await register({ event_types: ["constructor"] })).not.toHaveProperty("subscriptions");
});

test("notForSpectators is returned for requests of gravatars or subscribers", async () => {
  for (const [name, value] of [
    ["client_gravatar", true],
    ["include_subscribers", true],
    ["include_subscribers", "partial"],
  ] as const) {
    const input = typeof value === "string" ? JSON.stringify(value) : value;
    const { message: msg } = errors.notForSpectators(name);
    expect(await testServer.refused(null, "POST /register", { [name]: input })).toMatchObject({
      status: 400,
      code: "BAD_REQUEST",
      msg,
    });
  }
  await register({ client_gravatar: false, include_subscribers: false });
  const { message: msg } = errors.notAuthorizedForQuery();
  expect(
    await testServer.refused(null, "POST /register", { all_public_streams: true }),
  ).toMatchObject({
    msg,
  });
});

/** Bo uses a gravatar, which reveals his address, and shows his time zone. */
async function makeBoVisible(): Promise<void> {
  await testServer.realm.write((tx) => {
    const bo = tx.users.get(testServer.idOf("bo"))!;
    tx.users.put({ ...bo, avatar_source: "G", settings: { timezone: "Asia/Tokyo" } });
  });
}

test("shows a spectator all users without email addresses", async () => {
  await makeBoVisible();
  const params = { client_gravatar: true, include_custom_profile_fields: true };
  const { members } = await testServer.request(null, "GET /users", params);
  const { realm_users } = await register();
  const { user } = await testServer.request(null, `GET /users/${testServer.idOf("bo")}`, params);
  expect(members.map((person: Json) => person.user_id)).toContain(testServer.idOf("gus"));
  for (const person of [...members, ...realm_users, user]) {
    expect(person.email).toBe(`user${person.user_id}@127.0.0.1`);
    expect(person.delivery_email).toBeNull();
    expect(person.date_joined).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(person.avatar_url).toStartWith("/user_avatars/generated/");
    expect(person).not.toContainAnyKeys(["timezone", "profile_data"]);
  }
  expect(user).toMatchObject({ full_name: "Bo Member", role: 400 });
  const received = JSON.stringify([members, await register()]);
  expect(received).not.toContain("example.com");
  const { message: msg } = channelErrors.userNotFound();
  expect(await testServer.refused(null, "GET /users/99999")).toMatchObject({ status: 400, msg });
  for (const line of ["GET /users/bo@example.com", "GET /users/me", "GET /user_groups"]) {
    expect(await testServer.refused(null, line)).toMatchObject({
      status: 401,
      code: "UNAUTHORIZED",
    });
  }
});

test("sends events of users to signed-in users as before", async () => {
  await makeBoVisible();
  const { members } = await testServer.request("gus", "GET /users", { client_gravatar: false });
  const bo = members.find(({ user_id }: Json) => user_id === testServer.idOf("bo"));
  expect(bo).toMatchObject({ email: "bo@example.com", timezone: "Asia/Tokyo" });
  expect(bo.avatar_url).toStartWith("https://secure.gravatar.com/");
});

test("GET /streams lists web-public channels", async () => {
  const list = async (params: Params) =>
    namesOf((await testServer.request(null, "GET /streams", params)).streams);
  expect(await list({})).toEqual(["square"]);
  expect(await list({ include_all: true, exclude_archived: false })).toEqual(["square"]);
  const none = { include_public: false };
  expect(await list(none)).toEqual([]);
  expect(await list({ ...none, include_web_public: true })).toEqual(["square"]);
  expect(await list({ ...none, include_can_access_content: true })).toEqual(["square"]);
  expect(await list({ ...none, include_owner_subscribed: true })).toEqual([]);
  const { streams } = await testServer.request(null, "GET /streams");
  testServer.clock.passSeconds(30 * 86_400);
  const [later] = (await testServer.request(null, "GET /streams")).streams;
  expect([streams[0].stream_weekly_traffic, later.stream_weekly_traffic]).toEqual([null, null]);
  expect((await testServer.request("bo", `GET ${squarePath()}`)).stream.stream_weekly_traffic).toBe(
    0,
  );
});

test("shows a folder with its web-public channels", async () => {
  const ids: number[] = [];
  for (const name of ["open", "inner"]) {
    const params = { name, description: "" };
    const response = await testServer.request("ada", "POST /channel_folders/create", params);
    ids.push(response.channel_folder_id);
  }
  await testServer.request("olga", `PATCH ${squarePath()}`, { folder_id: ids[0] });
  await testServer.request("olga", `PATCH /streams/${channels.get("hall")}`, { folder_id: ids[1] });
  expect(namesOf((await register()).channel_folders)).toEqual(["open"]);
});

test("shows avatars and custom emoji, and finds no user by email address", async () => {
  expect((await testServer.request(null, "GET /realm/emoji")).emoji).toEqual({});
  const led = await read(testServer, null, `/avatar/${testServer.idOf("bo")}`);
  expect([led.status, led.headers.get("location")]).toEqual([
    302,
    expect.stringContaining(`/user_avatars/generated/${testServer.idOf("bo")}.png`),
  ]);
  await expectClosed(testServer, "GET //avatar/bo@example.com/medium");
});

test("rejects wrong credentials, and webhook bots", async () => {
  const response = await fetch(`${testServer.url}/api/v1/users`, {
    headers: { Authorization: `Basic ${btoa(`bo@example.com:${"z".repeat(32)}`)}` },
  });
  expect([response.status, (await response.json()) as Json]).toMatchObject([
    401,
    { code: "UNAUTHORIZED" },
  ]);
  await testServer.realm.write((tx) => {
    tx.users.put({ ...tx.users.get(testServer.idOf("bot"))!, bot_type: 2 });
  });
  const { message: msg } = errors.webhookBotNotAllowed();
  for (const line of ["GET /users", "GET /messages", "POST /register", "GET //avatar/9"]) {
    expect(await testServer.refused("bot", line)).toMatchObject({ status: 401, msg });
  }
});

test("hides a channel that is archived or no longer web-public", async () => {
  const [id, message] = [channels.get("square")!, await post("bo", "square", "t", "hello")];
  const url = await upload(testServer, "bo", { name: "a.txt", bytes: "web" });
  await post("bo", "square", "t", `[a](${url})`);
  const canOpen = async () => (await read(testServer, null, url)).status === 200;
  const expectClosedBy = async (line: string, params: Params, back: string, repeated: Params) => {
    expect(await canOpen()).toBe(true);
    await testServer.request("olga", line, params);
    await isAllShut(testServer, message, id);
    expect(await canOpen()).toBe(false);
    await testServer.request("olga", back, repeated);
    await testServer.request(null, `GET /messages/${message}`);
  };
  const [off, on] = [{ enable_spectator_access: false }, { enable_spectator_access: true }];
  await expectClosedBy("PATCH /realm", off, "PATCH /realm", on);
  const [inward, outward] = [{ is_web_public: false }, { is_web_public: true }];
  await expectClosedBy(`PATCH ${squarePath()}`, inward, `PATCH ${squarePath()}`, outward);
  await expectClosedBy(`DELETE ${squarePath()}`, {}, `PATCH ${squarePath()}`, {
    is_archived: false,
  });
});

test("shows nothing of a deactivated organization", async () => {
  const own = await startTestServer();
  try {
    const id = (await createChannels(own)).get("square")!;
    await own.request(null, "POST /register");
    await own.request("olga", "POST /realm/deactivate", { deletion_delay_days: "null" });
    await isAllShut(own, 1, id);
  } finally {
    await own.close();
  }
});

test("webPublicChannelsOff: no channel is web-public unless the operator allows it", async () => {
  const own = await startTestServer({ web_public_streams: false });
  try {
    await own.request("olga", "PATCH /realm", { enable_spectator_access: true });
    const params = { name: "square", subscribers: [own.idOf("bo")] };
    const { message: msg } = channelErrors.webPublicChannelsOff();
    const request = { ...params, is_web_public: true };
    expect(await own.refused("olga", "POST /channels/create", request)).toMatchObject({ msg });
    const { id } = await own.request("olga", "POST /channels/create", params);
    const webPublic = { is_web_public: true };
    expect(await own.refused("olga", `PATCH /streams/${id}`, webPublic)).toMatchObject({ msg });
    await own.realm.write((tx) => {
      tx.channels.put({ ...tx.channels.get(id)!, is_web_public: true });
    });
    await isAllShut(own, 1, id);
    const { server_web_public_streams_enabled, can_create_web_public_streams } = await own.request(
      "olga",
      "POST /register",
    );
    expect([server_web_public_streams_enabled, can_create_web_public_streams]).toEqual([
      false,
      false,
    ]);
  } finally {
    await own.close();
  }
});
