// Presence: reports of clients, their responses, and who receives events.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { insufficientPermission, userNotFound } from "../../src/contract/errors/channels.ts";
import type { Refusal } from "../../src/contract/errors/general.ts";
import {
  noPresenceData,
  presenceNotOfBots,
  statusInvalid,
} from "../../src/contract/errors/people.ts";
import type { RealmSettings } from "../../src/schema/records.ts";
import type { Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const errorBody = (refusal: Refusal) => ({ msg: refusal.message, code: refusal.errCode });
const ping = (name: Name, params: object = {}) =>
  testServer.request(name, "POST /users/me/presence", {
    status: "active",
    last_update_id: -1,
    ...params,
  });
const userIdString = (name: Name) => String(testServer.idOf(name));
const presenceOf = (name: Name) => `GET /users/${userIdString(name)}/presence`;

const change = (settings: Partial<RealmSettings>) =>
  testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, ...settings } });
  });

test("shows a user's presence to others after a ping", async () => {
  const first = await ping("bo");
  expect(Object.keys(first.presences)).toEqual([userIdString("bo")]);
  const second = await ping("cy", {
    status: "idle",
    last_update_id: first.presence_last_update_id,
  });
  expect(Object.keys(second.presences)).toEqual([userIdString("cy")]);
  expect(second.presence_last_update_id).toBeGreaterThan(first.presence_last_update_id);
  const all = await ping("ada", { ping_only: false });
  expect(Object.keys(all.presences)).toEqual([
    userIdString("ada"),
    userIdString("bo"),
    userIdString("cy"),
  ]);
  expect(all.presences[userIdString("bo")].active_timestamp).toBeCloseTo(all.server_timestamp, -1);
});

test("returns changes since an update id, each user once", async () => {
  let response = (await ping("bo")).presence_last_update_id;
  const noChanges = await ping("bo", { last_update_id: response });
  expect(noChanges).toMatchObject({ presences: {}, presence_last_update_id: response });
  for (let minute = 0; minute < 3; minute++) {
    await ping("cy", { ping_only: true });
    testServer.clock.passSeconds(60);
  }
  const changes = await ping("ada", { last_update_id: response });
  expect(Object.keys(changes.presences)).toEqual([userIdString("ada"), userIdString("cy")]);
  response = changes.presence_last_update_id;
  const ping_only = await ping("ada", { last_update_id: response, ping_only: true });
  const nothingNew = { presence_last_update_id: response };
  expect(ping_only).toEqual({ result: "success", msg: "", ...nothingNew });
});

test("does not store times within a minute of the stored ones", async () => {
  const { presence_last_update_id, presences } = await ping("bo");
  testServer.clock.passSeconds(54);
  const response = await ping("bo", { last_update_id: presence_last_update_id });
  expect(response.presences).toEqual({});
  testServer.clock.passSeconds(2);
  const laterPing = await ping("bo", { status: "idle", last_update_id: presence_last_update_id });
  const times = laterPing.presences[userIdString("bo")];
  expect(times.active_timestamp).toBe(presences[userIdString("bo")].active_timestamp);
  expect(times.idle_timestamp).toBeGreaterThan(times.active_timestamp + 50);
});

test("uses the date of joining for users who were never active", async () => {
  const joinDate = testServer.realm.read.users.get(testServer.idOf("bo"))!.date_joined;
  testServer.clock.passSeconds(600);
  const { presences } = await ping("bo", { status: "idle" });
  expect(presences[userIdString("bo")].active_timestamp).toBe(joinDate);
});

test("keys the older format by address", async () => {
  await ping("cy", { status: "idle" });
  testServer.clock.passSeconds(100);
  await ping("cy", { status: "idle" });
  const legacy = await testServer.request("bo", "POST /users/me/presence", { status: "active" });
  expect(legacy.presences["bo@example.com"]).toMatchObject({
    aggregated: { client: "website", status: "active" },
    website: { client: "website", status: "active", pushable: false },
  });
  expect(legacy.presences["cy@example.com"].aggregated.status).toBe("idle");
  const realm = await testServer.request("gus", "GET /realm/presence");
  expect(realm.presences).toEqual(legacy.presences);
  expect(realm.server_timestamp).toBeNumber();
  const slim = await testServer.request("bo", "POST /users/me/presence", {
    status: "active",
    slim_presence: true,
    new_user_input: true,
  });
  expect(Object.keys(slim.presences)).toEqual([userIdString("bo"), userIdString("cy")]);
});

test("returns the requested days of history", async () => {
  await ping("cy");
  testServer.clock.passSeconds(3 * 86_400);
  const names = async (days?: number) =>
    Object.keys((await ping("bo", { history_limit_days: days })).presences);
  expect(await names()).toEqual([userIdString("bo"), userIdString("cy")]);
  expect(await names(2)).toEqual([userIdString("bo")]);
  expect(await names(0)).toEqual([]);
  testServer.clock.passSeconds(12 * 86_400);
  expect(await names()).toEqual([userIdString("bo")]);
});

test("returns one user's presence, in both formats", async () => {
  await ping("cy");
  const { presence, server_timestamp } = await testServer.request("bo", presenceOf("cy"));
  expect(presence).toMatchObject({
    website: { status: "active" },
    aggregated: { status: "active", timestamp: presence.active_timestamp },
  });
  expect(server_timestamp).toBeNumber();
  testServer.clock.passSeconds(300);
  const laterPresence = await testServer.request("bo", "GET /users/cy@example.com/presence");
  expect(laterPresence.presence.aggregated.status).toBe("offline");
});

test("rejects users without presence", async () => {
  const cases: [string, Refusal][] = [
    ["GET /users/999/presence", userNotFound()],
    ["GET /users/no@example.com/presence", userNotFound()],
    [presenceOf("bot"), presenceNotOfBots()],
    [presenceOf("cy"), noPresenceData(userIdString("cy"))],
  ];
  for (const [line, refusal] of cases) {
    expect(await testServer.refused("bo", line)).toMatchObject(errorBody(refusal));
  }
  const bad = await testServer.refused("bo", "POST /users/me/presence", { status: "asleep" });
  expect(bad).toMatchObject(errorBody(statusInvalid("asleep")));
  expect(
    await testServer.refused("bot", "POST /users/me/presence", { status: "idle" }),
  ).toMatchObject({
    msg: "This endpoint does not accept bot requests.",
  });
  await testServer.request("ada", `DELETE /users/${userIdString("cy")}`);
  expect(await testServer.refused("bo", presenceOf("cy"))).toMatchObject(errorBody(userNotFound()));
});

test("sends an event of becoming active, but not of staying active", async () => {
  const event_types = ["presence"];
  const legacy = await testServer.listen("cy", { event_types });
  const slim = await testServer.listen("cy", { event_types, slim_presence: true });
  const modern = await testServer.listen("cy", {
    event_types,
    client_capabilities: { simplified_presence_events: true },
  });
  await ping("bo");
  const [oldEvent] = await legacy.takeAll();
  expect(oldEvent).toMatchObject({
    type: "presence",
    user_id: testServer.idOf("bo"),
    email: "bo@example.com",
    presence: { website: { client: "website", status: "active", pushable: false } },
  });
  const [thin] = await slim.takeAll();
  expect(Object.keys(thin)).toEqual(["type", "user_id", "server_timestamp", "presence", "id"]);
  const [changes] = await modern.takeAll();
  expect(Object.keys(changes)).toEqual(["type", "presences", "id"]);
  expect(Object.keys(changes.presences)).toEqual([userIdString("bo")]);

  for (const seconds of [60, 60, 131]) {
    testServer.clock.passSeconds(seconds);
    await ping("bo");
  }
  expect(await legacy.takeAll()).toHaveLength(1);
});

test("hides the presence of a user who disables it, and shows it again", async () => {
  const listener = await testServer.listen("cy", {
    event_types: ["presence"],
    slim_presence: true,
  });
  await ping("bo");
  await testServer.request("bo", "PATCH /settings", { presence_enabled: false });
  const [, removed] = await listener.takeAll();
  expect(removed.server_timestamp - removed.presence.website.timestamp).toBeGreaterThanOrEqual(265);
  const { presences } = await ping("bo");
  expect(presences[userIdString("bo")].idle_timestamp).toBe(removed.presence.website.timestamp);
  await testServer.request("bo", "PATCH /settings", { presence_enabled: true });
  const [back] = await listener.takeAll();
  expect(back.server_timestamp - back.presence.website.timestamp).toBeLessThan(5);
});

test("lets an organization disable presence", async () => {
  await ping("bo");
  await change({ presence_disabled: true });
  const listener = await testServer.listen("cy", { event_types: ["presence"] });
  expect(await ping("mo")).toMatchObject({ presences: {}, presence_last_update_id: -1 });
  expect(await listener.takeAll()).toEqual([]);
});

test("hides the presence of users whom a limited guest cannot see", async () => {
  await change({
    can_access_all_users_group: testServer.realm.read.groups.findBy("name", "role:members")!.id,
  });
  const listener = await testServer.listen("gus", { event_types: ["presence"] });
  await ping("bo");
  expect((await ping("gus")).presences).not.toHaveProperty(userIdString("bo"));
  expect(await testServer.refused("gus", presenceOf("bo"))).toMatchObject(
    errorBody(insufficientPermission()),
  );
  const received = (await listener.takeAll()).map((event) => event.user_id);
  expect(received).toEqual([testServer.idOf("gus")]);
});

test("returns presence in the requested format in the snapshot", async () => {
  await ping("bo");
  const fetch_event_types = ["presence"];
  const legacy = await testServer.request("cy", "POST /register", { fetch_event_types });
  expect(Object.keys(legacy.presences)).toEqual(["bo@example.com"]);
  const slim = await testServer.request("cy", "POST /register", {
    fetch_event_types,
    slim_presence: true,
  });
  expect(Object.keys(slim.presences)).toEqual([userIdString("bo")]);
  expect(slim.presence_last_update_id).toBeGreaterThan(0);
  const none = await testServer.request("cy", "POST /register", {
    fetch_event_types,
    presence_history_limit_days: 0,
  });
  expect(none).toMatchObject({ presences: {}, presence_last_update_id: -1 });
});

test("keeps presence after a restart, and never reuses update ids", async () => {
  const before = await ping("bo");
  await testServer.restart();
  const after = await ping("cy", { last_update_id: before.presence_last_update_id });
  expect(Object.keys(after.presences)).toEqual([userIdString("cy")]);
  expect(after.presence_last_update_id).toBeGreaterThan(before.presence_last_update_id);
  const all = await ping("cy");
  expect(all.presences[userIdString("bo")]).toEqual(before.presences[userIdString("bo")]);
});

test("ignores update ids of other data", async () => {
  const { presences } = await ping("bo", { last_update_id: 4_000_000_000 });
  expect(Object.keys(presences)).toEqual([userIdString("bo")]);
});
