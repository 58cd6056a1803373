// Effects of the organization's settings: waiting periods, visibility, defaults, display names.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const role = (name: string) => testServer.realm.read.groups.findBy("name", `role:${name}`)!.id;
const change = (params: Params, requester: Name = "olga") =>
  testServer.request(requester, "PATCH /realm", params);
const everyone: Name[] = ["olga", "bo", "gus"];
const groupOfBo = () => ({ direct_members: [testServer.idOf("bo")], direct_subgroups: [] });

async function expectRefused(
  refusal: errors.Refusal,
  requester: Name,
  line: string,
  params: Params = {},
) {
  const { errCode: code, status, message: msg, extra } = refusal;
  expect(await testServer.refused(requester, line, params)).toMatchObject({
    status,
    code,
    msg,
    ...extra,
  });
}

test("applies the waiting period of new members", async () => {
  const { events } = await staysInSync(testServer, everyone, () =>
    change({ waiting_period_threshold: 3 }),
  );
  expect(events.bo!.map(({ type, op }) => `${type} ${op}`)).toEqual([
    "realm update",
    "user_group remove_members",
  ]);
  expect(events.bo![1]!["group_id"]).toBe(role("fullmembers"));
  await testServer.request("olga", "POST /channels/create", {
    name: "veterans",
    subscribers: [testServer.idOf("olga")],
    invite_only: true,
    can_subscribe_group: role("fullmembers"),
  });
  const promotion = await staysInSync(testServer, everyone, async () => {
    testServer.clock.passSeconds(3 * 86_400);
    testServer.realm.onDue();
    await until(() => testServer.realm.read.due.count() <= 0);
  });
  const payload = promotion.events.gus!.filter(({ type }) => type === "user_group");
  for (const event of payload) {
    expect(event).toMatchObject({ op: "add_members", group_id: role("fullmembers") });
  }
  const bots = ["bo", "cy", "bot"] as const;
  expect(payload.flatMap(({ user_ids }) => user_ids)).toEqual(
    bots.map((name) => testServer.idOf(name)),
  );
  expect(promotion.events.bo!.map(({ type, op }) => `${type} ${op}`)).toContain("stream create");
  expect(promotion.events.gus!.map(({ type, op }) => `${type} ${op}`)).not.toContain(
    "stream create",
  );
  const none = await staysInSync(testServer, everyone, () =>
    change({ waiting_period_threshold: 0 }),
  );
  expect(none.events.bo!.map(({ type }) => type)).toEqual(["realm"]);
});

test("shows guests everyone, or only users they have contact with", async () => {
  const changes = await staysInSync(testServer, everyone, () =>
    change({ can_access_all_users_group: { new: role("members") } }),
  );
  const removal = changes.events.gus!.filter(
    ({ type, op }) => type === "realm_user" && op === "remove",
  );
  expect(removal.map(({ person }) => person.user_id)).toContain(testServer.idOf("bo"));
  expect(changes.events.bo!.map(({ type }) => type)).toEqual(["realm"]);
  const all = await staysInSync(testServer, everyone, () =>
    change({ can_access_all_users_group: { new: role("everyone") } }),
  );
  const seen = all.events.gus!.filter(({ type, op }) => type === "realm_user" && op === "add");
  expect(seen.map(({ person }) => person.user_id)).toContain(testServer.idOf("bo"));
  await expectRefused(
    channelErrors.groupSettingNotAllowed("can_access_all_users_group", "role:moderators"),
    "olga",
    "PATCH /realm",
    { can_access_all_users_group: { new: role("moderators") } },
  );
});

test("shows everyone to a former guest, and hides strangers from a new one", async () => {
  await change({ can_access_all_users_group: { new: role("members") } });
  const roleOf = (value: number) => async () => {
    await testServer.request("olga", `PATCH /users/${testServer.idOf("gus")}`, { role: value });
  };
  const userIdsIn = (events: Record<string, any>[], op: string) =>
    events
      .filter((event) => event["type"] === "realm_user" && event["op"] === op)
      .map(({ person }) => person.user_id as number);
  const demotion = (await staysInSync(testServer, ["gus", "bo"], roleOf(400))).events;
  expect(userIdsIn(demotion.gus!, "add")).toContain(testServer.idOf("bo"));
  expect(userIdsIn(demotion.gus!, "add")).not.toContain(testServer.idOf("bot"));
  expect(userIdsIn(demotion.bo!, "add")).toEqual([]);
  const loss = (await staysInSync(testServer, ["gus", "bo"], roleOf(600))).events;
  expect(userIdsIn(loss.gus!, "remove")).toEqual(userIdsIn(demotion.gus!, "add"));
  await change({ can_access_all_users_group: { new: role("everyone") } });
});

test("applies the organization's default settings to new users", async () => {
  const path = "PATCH /realm/user_settings_defaults";
  const { events } = await staysInSync(testServer, everyone, async () => {
    await testServer.request("ada", path, {
      color_scheme: 2,
      enter_sends: true,
      user_list_style: 3,
    });
    await change({ default_language: "de" }, "ada");
  });
  expect(events.gus!.map(({ type, property, value }) => [type, property, value])).toEqual([
    ["realm_user_settings_defaults", "color_scheme", 2],
    ["realm_user_settings_defaults", "enter_sends", true],
    ["realm", "default_language", "de"],
    ["realm_user_settings_defaults", "default_language", "de"],
  ]);
  const nia = { email: "nia@example.com", full_name: "Nia New", password: "quite-long-secret" };
  const { user_id } = await testServer.request("olga", "POST /users", nia);
  const { settings } = testServer.realm.read.users.get(user_id)!;
  expect(settings).toEqual({ color_scheme: 2, enter_sends: true, default_language: "de" });
  expect(testServer.realm.read.users.get(testServer.idOf("bo"))!.settings).toEqual({});
  await expectRefused(errors.mustBeAdministrator(), "mo", path, { color_scheme: 3 });
  await expectRefused(channelErrors.invalidValue("color_scheme"), "ada", path, { color_scheme: 4 });
  const { ignored_parameters_unsupported: ignored } = await testServer.request("ada", path, {
    timezone: "Asia/Tokyo",
    enable_login_emails: false,
  });
  expect(ignored).toEqual(["enable_login_emails", "timezone"]);
  await staysInSync(testServer, everyone, () =>
    testServer.request("ada", path, { color_scheme: 1 }),
  );
});

test("includes a user in a setting only while active", async () => {
  await change({ can_create_bots_group: { new: groupOfBo() } });
  await testServer.request("bo", "POST /user_groups/create", {
    name: "bo's",
    description: "",
    members: [],
  });
  await staysInSync(testServer, ["olga", "cy"], () =>
    testServer.request("ada", `DELETE /users/${testServer.idOf("bo")}`),
  );
  const { realm_can_create_bots_group } = await testServer.request("cy", "POST /register");
  expect(realm_can_create_bots_group).toEqual({ direct_members: [], direct_subgroups: [] });
  await staysInSync(testServer, ["olga", "cy"], () =>
    testServer.request("ada", `POST /users/${testServer.idOf("bo")}/reactivate`),
  );
});
