// User groups are created, changed and deactivated, and have members.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import { GROUP_NAME_LENGTH_MAX, RESERVED_BEGINNINGS } from "../../src/features/groups/rules.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

let count = 0;
async function createGroup(requester: Name, members: Name[], params: Params = {}): Promise<Json> {
  const name = `circle ${++count}`;
  const input = { name, description: "", members: members.map(idOf), ...params };
  const { group_id } = await testServer.request(requester, "POST /user_groups/create", input);
  return { id: group_id, name: input.name };
}

const idOf = (name: Name) => testServer.idOf(name);
const role = (name: string) => testServer.realm.read.groups.findBy("name", `role:${name}`)!.id;
const describeEvents = (events: Json[] | undefined) =>
  (events ?? []).map(({ type, op }) => `${type} ${op}`);

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

async function getGroup(id: number): Promise<Json> {
  const { user_groups } = await testServer.request("bot", "GET /user_groups", {
    include_deactivated_groups: true,
  });
  return user_groups.find((group: Json) => group.id === id);
}

const everyone: Name[] = ["olga", "bo", "cy", "gus", "bot"];

test("lets a member create a group, with events to everyone", async () => {
  const inner = await createGroup("ada", ["mo"]);
  const params = { name: "Cooks ", description: "They cook.", subgroups: [inner.id] };
  const { events, result } = await staysInSync(testServer, everyone, () =>
    createGroup("bo", ["cy"], params),
  );
  expect(describeEvents(events.gus)).toEqual(["user_group add"]);
  const nobody = role("nobody");
  const creator = { direct_members: [idOf("bo")], direct_subgroups: [] };
  expect(events.cy![0]!["group"]).toEqual({
    id: result.id,
    name: "Cooks",
    description: "They cook.",
    date_created: expect.any(Number),
    creator_id: idOf("bo"),
    members: [idOf("cy")],
    direct_subgroup_ids: [inner.id],
    is_system_group: false,
    deactivated: false,
    can_add_members_group: creator,
    can_manage_group: creator,
    can_join_group: nobody,
    can_remove_members_group: nobody,
    can_leave_group: role("everyone"),
    can_mention_group: role("everyone"),
  });
  expect(await getGroup(result.id)).toEqual(events.cy![0]!["group"]);
});

test("rejects an invalid group", async () => {
  const { name } = await createGroup("bo", []);
  const make = (params: Params) => ({ name: "x", description: "", members: [], ...params });
  const expectCreateRefused = (refusal: errors.Refusal, params: Params, requester: Name = "bo") =>
    expectRefused(refusal, requester, "POST /user_groups/create", make(params));
  await expectCreateRefused(channelErrors.groupNameTaken(name), { name });
  await expectCreateRefused(channelErrors.groupNameEmpty(), { name: " " });
  const long = "n".repeat(GROUP_NAME_LENGTH_MAX + 1);
  await expectCreateRefused(channelErrors.groupNameTooLong(GROUP_NAME_LENGTH_MAX), { name: long });
  for (const beginning of RESERVED_BEGINNINGS) {
    await expectCreateRefused(channelErrors.groupNameBegins(beginning), { name: `${beginning}x` });
  }
  await expectCreateRefused(channelErrors.userIdInvalid(999), { members: [999] });
  await expectCreateRefused(channelErrors.userGroupIdInvalid(999), { subgroups: [999] });
  await expectCreateRefused(channelErrors.tooLong("description", 1024), {
    description: "d".repeat(1025),
  });
  for (const [setting, forbidden] of [
    ["can_manage_group", "everyone"],
    ["can_manage_group", "internet"],
    ["can_mention_group", "internet"],
    ["can_mention_group", "owners"],
  ] as const) {
    const refusal = channelErrors.groupSettingNotAllowed(setting, `role:${forbidden}`);
    await expectCreateRefused(refusal, { [setting]: role(forbidden) });
  }
  await expectCreateRefused(errors.guestsNotAllowed(), {}, "gus");
  await testServer.request("olga", "PATCH /realm", {
    can_create_groups: { new: role("moderators") },
  });
  await expectCreateRefused(channelErrors.insufficientPermission(), {});
  await testServer.request("olga", "PATCH /realm", { can_create_groups: { new: role("members") } });
});

test("lets group managers change its name, description and permissions", async () => {
  const { id } = await createGroup("bo", ["cy"]);
  const change = (params: Params) => testServer.request("bo", `PATCH /user_groups/${id}`, params);
  const { events } = await staysInSync(testServer, everyone, () =>
    change({
      name: `menders ${id}`,
      description: "They mend.",
      can_manage_group: { new: idsOnly("cy"), old: idsOnly("bo") },
      can_join_group: { new: { direct_members: [], direct_subgroups: [role("members")] } },
    }),
  );
  expect(events.gus!.map(({ op, data }) => [op, data])).toEqual([
    ["update", { name: `menders ${id}` }],
    ["update", { description: "They mend." }],
    ["update", { can_join_group: role("members") }],
    ["update", { can_manage_group: idsOnly("cy") }],
  ]);
  await expectRefused(channelErrors.insufficientPermission(), "bo", `PATCH /user_groups/${id}`, {
    name: "x",
  });
  const secondResult = await staysInSync(testServer, ["cy"], () =>
    testServer.request("cy", `PATCH /user_groups/${id}`, {
      name: `menders ${id}`,
      can_manage_group: { new: idsOnly("cy") },
    }),
  );
  expect(secondResult.events.cy).toEqual([]);
  // Owners manage every group.
  await testServer.request("olga", `PATCH /user_groups/${id}`, { description: "" });
});

const idsOnly = (...names: Name[]) => ({
  direct_members: names.map(idOf).sort((a, b) => a - b),
  direct_subgroups: [],
});

test("rejects an invalid change as a whole", async () => {
  const { id, name } = await createGroup("bo", []);
  const other = await createGroup("bo", []);
  const path = `PATCH /user_groups/${id}`;
  await expectRefused(channelErrors.noNewGroupData(), "bo", path);
  await expectRefused(channelErrors.groupNameTaken(other.name), "bo", path, { name: other.name });
  await expectRefused(channelErrors.groupNotFound(), "bo", "PATCH /user_groups/999", { name: "x" });
  await expectRefused(
    channelErrors.insufficientPermission(),
    "olga",
    `PATCH /user_groups/${role("owners")}`,
    {
      name: "bosses",
    },
  );
  await expectRefused(channelErrors.expectationMismatch("old"), "bo", path, {
    name: "renamed",
    can_join_group: { new: role("members"), old: role("moderators") },
  });
  await expectRefused(channelErrors.groupNotFound(), "bo", path, { can_join_group: { new: 999 } });
  expect((await getGroup(id)).name).toBe(name);
});

test("adds and removes members, and notifies them through the notification bot", async () => {
  const { id, name } = await createGroup("bo", []);
  const path = `POST /user_groups/${id}/members`;
  const { events } = await staysInSync(testServer, ["olga", "bo", "cy", "mo", "bot"], () =>
    testServer.request("bo", path, { add: [idOf("cy"), idOf("bo"), idOf("bot"), idOf("cy")] }),
  );
  expect(describeEvents(events.mo)).toEqual(["user_group add_members"]);
  expect(describeEvents(events.bo)).toEqual(["user_group add_members"]);
  expect(describeEvents(events.bot)).toEqual(["user_group add_members"]);
  expect(describeEvents(events.cy)).toEqual(["user_group add_members", "message undefined"]);
  const text = `@_**Bo Member|${idOf("bo")}** added you to the group @_*${name}*.`;
  expect(events.cy![1]!["message"].content).toContain(`data-user-group-id="${id}"`);
  const { messages } = await testServer.request("cy", "GET /messages", {
    anchor: "newest",
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
  });
  expect(messages[0].content).toBe(text);
  await testServer.request("bo", `PATCH /user_groups/${id}`, {
    can_remove_members_group: { new: idsOnly("bo") },
  });
  const removal = await staysInSync(testServer, ["bo", "cy"], () =>
    testServer.request("bo", path, { delete: [idOf("cy")] }),
  );
  expect(describeEvents(removal.events.cy)).toEqual([
    "user_group remove_members",
    "message undefined",
  ]);
  expect((await getGroup(id)).members).toEqual([idOf("bo"), idOf("bot")].sort((a, b) => a - b));
});

test("lets users join and leave by themselves if the group allows it", async () => {
  const { id } = await createGroup("ada", [], { can_join_group: role("members") });
  const path = `POST /user_groups/${id}/members`;
  const joining = await staysInSync(testServer, ["cy"], () =>
    testServer.request("cy", path, { add: [idOf("cy")] }),
  );
  expect(describeEvents(joining.events.cy)).toEqual(["user_group add_members"]);
  await expectRefused(channelErrors.insufficientPermission(), "cy", path, { add: [idOf("bo")] });
  await expectRefused(channelErrors.insufficientPermission(), "cy", path, {
    add: [idOf("cy"), idOf("bo")],
  });
  await testServer.request("cy", path, { delete: [idOf("cy")] });
  await testServer.request("ada", `PATCH /user_groups/${id}`, {
    can_join_group: { new: role("nobody") },
  });
  await expectRefused(channelErrors.insufficientPermission(), "cy", path, { add: [idOf("cy")] });
});

test("leaves the member list unchanged if a change is rejected", async () => {
  const { id } = await createGroup("ada", ["cy"]);
  const path = `POST /user_groups/${id}/members`;
  await expectRefused(channelErrors.noMembershipChange(), "ada", path);
  const [bo, cy] = [idOf("bo"), idOf("cy")];
  await expectRefused(channelErrors.alreadyMember(cy), "ada", path, { add: [bo, cy] });
  await expectRefused(channelErrors.notMember(bo), "ada", path, { delete: [bo] });
  await expectRefused(channelErrors.userIdInvalid(999), "ada", path, { add: [bo, 999] });
  await expectRefused(channelErrors.insufficientPermission(), "bo", path, { delete: [cy] });
  const system = `POST /user_groups/${role("members")}/members`;
  await expectRefused(channelErrors.insufficientPermission(), "olga", system, {
    add: [idOf("gus")],
  });
  await expectRefused(channelErrors.groupNotFound(), "ada", "POST /user_groups/999/members", {
    add: [bo],
  });
  await expectRefused(channelErrors.notMember(bo), "ada", path, {
    add: [idOf("mo")],
    delete: [bo],
  });
  expect((await getGroup(id)).members).toEqual([cy]);
});
