// What follows from the organization's settings: waiting, sight, first settings, names that go.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import type { Name } from "../cast.ts";
import { staysInSync } from "../sync.ts";
import { openTown, type Params, type Town } from "../town.ts";

let town: Town;
beforeEach(async () => {
  town = await openTown();
});
afterEach(() => town.close());

const role = (name: string) => town.realm.read.groups.one("name", `role:${name}`)!.id;
const change = (params: Params, by: Name = "olga") => town.ask(by, "PATCH /realm", params);
const everyone: Name[] = ["olga", "bo", "gus"];
const ofBo = () => ({ direct_members: [town.idOf("bo")], direct_subgroups: [] });

async function isRefused(refusal: errors.Refusal, by: Name, line: string, params: Params = {}) {
  const { errCode: code, status, message: msg, extra } = refusal;
  expect(await town.refused(by, line, params)).toMatchObject({ status, code, msg, ...extra });
}

test("newcomers wait as long as the owner says, and then they are full members", async () => {
  const { heard } = await staysInSync(town, everyone, () =>
    change({ waiting_period_threshold: 3 }),
  );
  expect(heard.bo!.map(({ type, op }) => `${type} ${op}`)).toEqual([
    "realm update",
    "user_group remove_members",
  ]);
  expect(heard.bo![1]!["group_id"]).toBe(role("fullmembers"));
  await town.ask("olga", "POST /channels/create", {
    name: "veterans",
    subscribers: [town.idOf("olga")],
    invite_only: true,
    can_subscribe_group: role("fullmembers"),
  });
  const full = await staysInSync(town, everyone, async () => {
    town.clock.pass(3 * 86_400);
    town.realm.onDue();
    while (town.realm.read.due.count() > 0) await Bun.sleep(1);
  });
  const told = full.heard.gus!.filter(({ type }) => type === "user_group");
  for (const event of told) {
    expect(event).toMatchObject({ op: "add_members", group_id: role("fullmembers") });
  }
  const bots = ["bo", "cy", "bot"] as const;
  expect(told.flatMap(({ user_ids }) => user_ids)).toEqual(bots.map((name) => town.idOf(name)));
  expect(full.heard.bo!.map(({ type, op }) => `${type} ${op}`)).toContain("stream create");
  expect(full.heard.gus!.map(({ type, op }) => `${type} ${op}`)).not.toContain("stream create");
  const none = await staysInSync(town, everyone, () => change({ waiting_period_threshold: 0 }));
  expect(none.heard.bo!.map(({ type }) => type)).toEqual(["realm"]);
});

test("guests see everyone, or those they deal with", async () => {
  const some = await staysInSync(town, everyone, () =>
    change({ can_access_all_users_group: { new: role("members") } }),
  );
  const gone = some.heard.gus!.filter(({ type, op }) => type === "realm_user" && op === "remove");
  expect(gone.map(({ person }) => person.user_id)).toContain(town.idOf("bo"));
  expect(some.heard.bo!.map(({ type }) => type)).toEqual(["realm"]);
  const all = await staysInSync(town, everyone, () =>
    change({ can_access_all_users_group: { new: role("everyone") } }),
  );
  const seen = all.heard.gus!.filter(({ type, op }) => type === "realm_user" && op === "add");
  expect(seen.map(({ person }) => person.user_id)).toContain(town.idOf("bo"));
  await isRefused(
    channelErrors.groupSettingNotAllowed("can_access_all_users_group", "role:moderators"),
    "olga",
    "PATCH /realm",
    { can_access_all_users_group: { new: role("moderators") } },
  );
});

test("who is a guest no more finds everyone, and loses strangers as a guest again", async () => {
  await change({ can_access_all_users_group: { new: role("members") } });
  const roleOf = (value: number) => async () => {
    await town.ask("olga", `PATCH /users/${town.idOf("gus")}`, { role: value });
  };
  const people = (heard: Record<string, any>[], op: string) =>
    heard
      .filter((event) => event["type"] === "realm_user" && event["op"] === op)
      .map(({ person }) => person.user_id as number);
  const found = (await staysInSync(town, ["gus", "bo"], roleOf(400))).heard;
  expect(people(found.gus!, "add")).toContain(town.idOf("bo"));
  expect(people(found.gus!, "add")).not.toContain(town.idOf("bot"));
  expect(people(found.bo!, "add")).toEqual([]);
  const lost = (await staysInSync(town, ["gus", "bo"], roleOf(600))).heard;
  expect(people(lost.gus!, "remove")).toEqual(people(found.gus!, "add"));
  await change({ can_access_all_users_group: { new: role("everyone") } });
});

test("who is new starts with the settings that the organization wants", async () => {
  const path = "PATCH /realm/user_settings_defaults";
  const { heard } = await staysInSync(town, everyone, async () => {
    await town.ask("ada", path, { color_scheme: 2, enter_sends: true, user_list_style: 3 });
    await change({ default_language: "de" }, "ada");
  });
  expect(heard.gus!.map(({ type, property, value }) => [type, property, value])).toEqual([
    ["realm_user_settings_defaults", "color_scheme", 2],
    ["realm_user_settings_defaults", "enter_sends", true],
    ["realm", "default_language", "de"],
    ["realm_user_settings_defaults", "default_language", "de"],
  ]);
  const nia = { email: "nia@example.com", full_name: "Nia New", password: "quite-long-secret" };
  const { user_id } = await town.ask("olga", "POST /users", nia);
  const { settings } = town.realm.read.users.get(user_id)!;
  expect(settings).toEqual({ color_scheme: 2, enter_sends: true, default_language: "de" });
  expect(town.realm.read.users.get(town.idOf("bo"))!.settings).toEqual({});
  await isRefused(errors.mustBeAdministrator(), "mo", path, { color_scheme: 3 });
  await isRefused(channelErrors.invalidValue("color_scheme"), "ada", path, { color_scheme: 4 });
  const { ignored_parameters_unsupported: ignored } = await town.ask("ada", path, {
    timezone: "Asia/Tokyo",
    enable_login_emails: false,
  });
  expect(ignored).toEqual(["enable_login_emails", "timezone"]);
  await staysInSync(town, everyone, () => town.ask("ada", path, { color_scheme: 1 }));
});

test("a setting that names a person shows them only while they are here", async () => {
  await change({ can_create_bots_group: { new: ofBo() } });
  await town.ask("bo", "POST /user_groups/create", { name: "bo's", description: "", members: [] });
  await staysInSync(town, ["olga", "cy"], () =>
    town.ask("ada", `DELETE /users/${town.idOf("bo")}`),
  );
  const { realm_can_create_bots_group } = await town.ask("cy", "POST /register");
  expect(realm_can_create_bots_group).toEqual({ direct_members: [], direct_subgroups: [] });
  await staysInSync(town, ["olga", "cy"], () =>
    town.ask("ada", `POST /users/${town.idOf("bo")}/reactivate`),
  );
});
