// The organization: its initial state, and what clients and visitors see of it.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { alreadySetUp, realmNameInvalid, serverNotReady } from "../../src/contract/errors/realm.ts";
import { VERSION } from "../../src/contract/version.ts";
import { directMembers, userGroupsSnapshot } from "../../src/features/groups/wire.ts";
import { createOrganization } from "../../src/features/organization/actions.ts";
import { legacySettings } from "../../src/features/realm/rules.ts";
import { shownSetting } from "../../src/features/rights/setting-wire.ts";
import type { RealmSettings } from "../../src/schema/records.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { realmFields } from "./realm-fields.ts";

let testServer: TestServer;
let snapshot: Json;

beforeEach(async () => {
  testServer = await startTestServer();
  const expected = ["realm", "realm_user", "realm_user_groups", "custom_profile_fields"];
  snapshot = await testServer.request("gus", "POST /register", { fetch_event_types: expected });
});

afterEach(() => testServer.close());

test("returns every field of the organization in the snapshot, with the right type", () => {
  for (const [name, isExpected] of Object.entries(realmFields)) {
    expect([name, name in snapshot, isExpected(snapshot[name])]).toEqual([name, true, true]);
  }
});

test("returns no removed field of the protocol and no internal field", () => {
  for (const removed of [
    "realm_icon_version",
    "realm_giphy_rating",
    "realm_user_group_edit_policy",
  ]) {
    expect(snapshot).not.toHaveProperty(removed);
  }
});

test("returns fields with the protocol's name in both spellings", () => {
  expect(snapshot.service_plan_is_not_limited).toBe(true);
  const { realm_zulip_update_announcements_stream_id: id } = snapshot;
  expect(snapshot.realm_service_update_announcements_stream_id).toBe(id);
});

test("creates a new organization with three public default channels", () => {
  const { read } = testServer.realm;
  const channels = [...read.channels.range()].toSorted((a, b) => a.stream_id - b.stream_id);
  expect(channels.map((channel) => channel.name)).toEqual(["general", "Skein", "sandbox"]);
  expect(channels.every((channel) => channel.is_default && !channel.invite_only)).toBe(true);
  expect(snapshot.realm_new_stream_announcements_stream_id).toBe(channels[0]!.stream_id);
  const olga = read.subscriptions.listBy("user", testServer.idOf("olga"));
  expect(olga.filter((sub) => sub.active)).toHaveLength(3);
});

test("creates a new organization without a call provider", () => {
  expect(snapshot.realm_video_chat_provider).toBe(0);
});

test("lists its system bots separately, without groups and channels", () => {
  const bots: Json[] = snapshot.cross_realm_bots;
  const names = bots.map((bot) => bot.full_name);
  expect(names).toEqual(["Notification Bot", "Welcome Bot", "Email Gateway"]);
  for (const { user_id } of bots) {
    expect(testServer.realm.read.subscriptions.listBy("user", user_id)).toEqual([]);
    const groups: Json[] = snapshot.realm_user_groups;
    expect(groups.filter((group) => group.members.includes(user_id))).toEqual([]);
    expect(snapshot.realm_users.some((user: Json) => user.user_id === user_id)).toBe(false);
  }
});

test("nests each system group in the next, with the users of its role", () => {
  const groups: Json[] = snapshot.realm_user_groups;
  const groupsByName = Object.fromEntries(groups.map((group) => [group.name, group]));
  const chain = [
    "role:owners",
    "role:administrators",
    "role:moderators",
    "role:fullmembers",
    "role:members",
    "role:everyone",
    "role:internet",
  ];
  expect(groups.map((group) => group.name)).toEqual(["role:nobody", ...chain]);
  for (const [index, name] of chain.entries()) {
    const below = index === 0 ? [] : [groupsByName[chain[index - 1]!].id];
    expect(groupsByName[name].direct_subgroup_ids).toEqual(below);
    expect(groupsByName[name].can_manage_group).toBe(groupsByName["role:nobody"].id);
  }
  const idsOfUsers = (...people: Parameters<TestServer["idOf"]>[0][]) =>
    people.map((name) => testServer.idOf(name));
  expect(groupsByName["role:owners"].members).toEqual(idsOfUsers("olga"));
  expect(groupsByName["role:administrators"].members).toEqual(idsOfUsers("ada"));
  expect(groupsByName["role:moderators"].members).toEqual(idsOfUsers("mo"));
  expect(groupsByName["role:members"].members).toEqual(
    idsOfUsers("bo", "cy", "bot").toSorted((a, b) => a - b),
  );
  expect(groupsByName["role:fullmembers"].members).toEqual(groupsByName["role:members"].members);
  expect(groupsByName["role:everyone"].members).toEqual(idsOfUsers("gus"));
  expect(groupsByName["role:internet"].members).toEqual([]);
});

test("sends deactivated groups only to clients that support them", async () => {
  const { read } = testServer.realm;
  await testServer.realm.write((tx) => {
    const group = { ...tx.groups.findBy("name", "role:nobody")!, is_system_group: false };
    tx.groups.put({ ...group, id: 900, name: "former", deactivated: true });
    tx.group_members.put({ group_id: 900, user_id: testServer.idOf("cy") });
  });
  const names = (groups: { name: string }[]) => groups.map((group) => group.name);
  expect(names(userGroupsSnapshot(read).realm_user_groups)).not.toContain("former");
  const group = userGroupsSnapshot(read, true).realm_user_groups.find(({ id }) => id === 900);
  expect(group).toMatchObject({
    name: "former",
    deactivated: true,
    members: [testServer.idOf("cy")],
  });
});

test("makes a new user a member, but not yet a full one", async () => {
  const settings = await change({ waiting_period_threshold: 3 });
  const fullMembersId = testServer.realm.read.groups.findBy("name", "role:fullmembers")!;
  expect(directMembers(testServer.realm.read, fullMembersId)).toEqual([]);
  testServer.clock.passSeconds(3 * 86_400);
  expect(directMembers(testServer.realm.read, fullMembersId)).toContain(testServer.idOf("bo"));
  await change(settings);
});

test("keeps older names of settings in sync", async () => {
  const { read } = testServer.realm;
  const nameOf = (id: number) => read.groups.get(id)?.name;
  const readState = (changes: Partial<RealmSettings>) =>
    legacySettings({ ...read.settings, ...changes }, nameOf);
  const groupIdNamed = (name: string) => read.groups.findBy("name", name)!.id;
  const mention = (name: string) =>
    readState({ can_mention_many_users_group: groupIdNamed(name) }).realm_wildcard_mention_policy;
  const roles = ["everyone", "members", "fullmembers", "administrators", "nobody", "moderators"];
  expect(roles.map((role) => mention(`role:${role}`))).toEqual([1, 2, 3, 5, 6, 7]);
  const setting = { direct_members: [1], direct_subgroups: [] };
  expect(readState({ can_mention_many_users_group: setting }).realm_wildcard_mention_policy).toBe(
    2,
  );
  const create = (name: string) =>
    readState({ can_create_public_channel_group: groupIdNamed(name) })
      .realm_create_public_stream_policy;
  const makers = ["members", "administrators", "fullmembers", "moderators", "nobody"];
  expect(makers.map((role) => create(`role:${role}`))).toEqual([1, 2, 3, 4, 2]);
  expect(readState({ topics_policy: "disable_empty_topic" }).realm_mandatory_topics).toBe(true);
  const hidden = readState({ message_edit_history_visibility_policy: "none" });
  expect(hidden.realm_allow_edit_history).toBe(false);
});

test("shows only active users in a setting", async () => {
  const setting = { direct_members: [testServer.idOf("bo"), 9999], direct_subgroups: [] };
  const shown = { direct_members: [testServer.idOf("bo")], direct_subgroups: [] };
  expect(shownSetting(testServer.realm.read, setting)).toEqual(shown);
  const before = await change({ can_create_groups: setting });
  const { realm_can_create_groups } = await testServer.request("bo", "POST /register", {
    fetch_event_types: ["realm"],
  });
  expect(realm_can_create_groups).toEqual(shown);
  await change(before);
});

test("returns the server's settings without authentication", async () => {
  const response = await testServer.request(null, "GET /server_settings");
  expect(response).toMatchObject({
    realm_name: "Town",
    realm_url: testServer.url,
    realm_uri: testServer.url,
    realm_description: "",
    zulip_feature_level: 500,
    service_feature_level: 500,
    skein_version: VERSION,
    email_auth_enabled: true,
    is_incompatible: false,
  });
  expect(response.authentication_methods).toMatchObject({ password: true, ldap: false });
  expect(
    (await fetch(new URL(response.realm_icon, testServer.url))).headers.get("content-type"),
  ).toBe("image/png");
});

test("returns a description as HTML, with HTML in it escaped", async () => {
  const before = await change({ description: "**Ours** <b>&" });
  const response = await testServer.request(null, "GET /server_settings");
  expect(response.realm_description).toBe("<p><strong>Ours</strong> &lt;b&gt;&amp;</p>");
  await change(before);
});

test("informs an unsupported client", async () => {
  const headers = { "User-Agent": "ZulipInvalid/1.0" };
  const response = await fetch(`${testServer.url}/api/v1/server_settings`, { headers });
  expect(await response.json()).toMatchObject({ is_incompatible: true });
});

test("requires a name for the organization that is not blank or too long", async () => {
  const owner = { email: "o@example.com", full_name: "Other" };
  const create = (name: string) =>
    testServer.realm.write((tx) => {
      if (name !== "again") tx.realm.delete(1);
      createOrganization(tx, { name, owner });
    });
  await expect(create("again")).rejects.toThrow(alreadySetUp().message);
  await expect(create("  ")).rejects.toThrow(realmNameInvalid().message);
  await expect(create("x".repeat(41))).rejects.toThrow(realmNameInvalid().message);
  expect(testServer.realm.read.settings.name).toBe("Town");
});

test("reports to monitoring that it is alive and ready, and when it stops", async () => {
  for (const line of ["GET //livez", "GET //readyz", "GET //health"]) {
    expect((await testServer.send(null, line)).status).toBe(200);
  }
  testServer.realm.hub.isStopping = true;
  expect((await testServer.send(null, "GET //livez")).status).toBe(200);
  expect((await testServer.send(null, "GET //readyz")).status).toBe(503);
  const refusal = await testServer.refused(null, "GET //health");
  const msg = serverNotReady().message;
  expect(refusal).toMatchObject({ status: 500, code: "SERVER_NOT_READY", msg });
  testServer.realm.hub.isStopping = false;
});

test("serves the list of emoji publicly, compressed and cacheable for ever", async () => {
  const address = new URL(snapshot.server_emoji_data_url);
  expect(address.pathname).toBe("/static/emoji.json");
  const packed = await fetch(address, { headers: { "Accept-Encoding": "gzip" } });
  expect(packed.headers.get("cache-control")).toContain("immutable");
  const { code_to_names } = (await packed.json()) as Json;
  expect(code_to_names["1f600"]).toContain("grinning");
  const plain = await testServer.send(null, "GET //static/emoji.json");
  expect(((await plain.json()) as Json).code_to_names).toEqual(code_to_names);
});

/** Returns the previous settings. */
function change(changes: Partial<RealmSettings>): Promise<RealmSettings> {
  return testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, ...changes } });
    return realm.settings;
  });
}
