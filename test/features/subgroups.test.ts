// Subgroups, deactivated groups, and what membership makes visible.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

let count = 0;
async function createGroup(requester: Name, members: Name[], params: Params = {}): Promise<number> {
  const name = `ring ${++count}`;
  const input = { name, description: "", members: members.map(idOf), ...params };
  return (await testServer.request(requester, "POST /user_groups/create", input)).group_id;
}

async function closedChannel(requester: Name, params: Params): Promise<number> {
  const input = {
    name: `den ${++count}`,
    subscribers: [idOf(requester)],
    invite_only: true,
    ...params,
  };
  return (await testServer.request(requester, "POST /channels/create", input)).id;
}

const idOf = (name: Name) => testServer.idOf(name);
const role = (name: string) => testServer.realm.read.groups.findBy("name", `role:${name}`)!.id;
const describeEvents = (events: Json[] | undefined) =>
  (events ?? []).map(({ type, op }) => `${type} ${op}`);
const ascending = (ids: number[]) => ids.toSorted((a, b) => a - b);

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

test("nests groups at any depth, but never in a cycle", async () => {
  const [inner, middle, outer] = [
    await createGroup("bo", ["cy"]),
    await createGroup("bo", []),
    await createGroup("bo", ["mo"]),
  ];
  const { events } = await staysInSync(testServer, ["bo", "cy", "gus"], async () => {
    await testServer.request("bo", `POST /user_groups/${middle}/subgroups`, { add: [inner] });
    await testServer.request("bo", `POST /user_groups/${outer}/members`, {
      add_subgroups: [middle, role("owners")],
    });
  });
  expect(events.gus!.map(({ op, direct_subgroup_ids: ids }) => [op, ids])).toEqual([
    ["add_subgroups", [inner]],
    ["add_subgroups", ascending([middle, role("owners")])],
  ]);
  const getGroup = (id: number, line: string, params: Params = {}) =>
    testServer.request("bot", `GET /user_groups/${id}/${line}`, params);
  const all = ascending([inner, middle, role("owners")]);
  const { subgroups } = await testServer.request("bot", `GET /user_groups/${outer}/subgroups`);
  expect(subgroups).toEqual(all);
  const direct = await getGroup(outer, "subgroups", { direct_subgroup_only: true });
  expect(direct.subgroups).toEqual(ascending([middle, role("owners")]));
  const members = ascending([idOf("cy"), idOf("mo"), idOf("olga")]);
  expect((await getGroup(outer, "members")).members).toEqual(members);
  expect((await getGroup(outer, "members", { direct_member_only: true })).members).toEqual([
    idOf("mo"),
  ]);
  const memberPath = `members/${idOf("cy")}`;
  expect((await getGroup(outer, memberPath)).is_user_group_member).toBe(true);
  expect(
    (await getGroup(outer, memberPath, { direct_member_only: true })).is_user_group_member,
  ).toBe(false);
  expect((await getGroup(outer, `members/${idOf("bo")}`)).is_user_group_member).toBe(false);
  const add = (to: number, id: number) =>
    ["bo", `POST /user_groups/${to}/subgroups`, { add: [id] }] as const;
  await expectRefused(channelErrors.subgroupsInCircle(inner), ...add(inner, outer));
  await expectRefused(channelErrors.subgroupsInCircle(inner), ...add(inner, inner));
  await expectRefused(channelErrors.alreadySubgroup(middle), ...add(outer, middle));
  await staysInSync(testServer, ["bo", "gus"], () =>
    testServer.request("bo", `POST /user_groups/${outer}/members`, { delete_subgroups: [middle] }),
  );
  expect((await getGroup(outer, memberPath)).is_user_group_member).toBe(false);
  await testServer.request("bo", `POST /user_groups/${inner}/subgroups`, { add: [outer] });
  await testServer.request("olga", `DELETE /users/${idOf("cy")}`);
  const memberRoute = `GET /user_groups/${outer}/${memberPath}`;
  await expectRefused(channelErrors.userIsDeactivated(), "bot", memberRoute);
});

test("rejects removing other groups, and users who are not managers", async () => {
  const [first, other] = [await createGroup("bo", []), await createGroup("bo", [])];
  const path = `POST /user_groups/${first}/subgroups`;
  await expectRefused(channelErrors.noSubgroupChange(), "bo", path);
  await expectRefused(channelErrors.notSubgroup(other), "bo", path, { delete: [other] });
  await expectRefused(channelErrors.userGroupIdInvalid(999), "bo", path, { add: [999] });
  await expectRefused(channelErrors.userGroupIdInvalid(999), "bo", path, { delete: [999] });
  await expectRefused(channelErrors.insufficientPermission(), "cy", path, { add: [other] });
  await expectRefused(channelErrors.groupNotFound(), "bo", "GET /user_groups/999/members");
  await expectRefused(errors.guestsNotAllowed(), "gus", "GET /user_groups");
  const unknown = `GET /user_groups/${first}/members/999`;
  await expectRefused(channelErrors.userNotFound(), "bo", unknown);
});

test("deactivates and reactivates an unused group", async () => {
  const id = await createGroup("bo", ["cy"]);
  const path = `POST /user_groups/${id}/deactivate`;
  await expectRefused(channelErrors.insufficientPermission(), "cy", path);
  const plainListener = await testServer.listen("gus");
  const { events } = await staysInSync(testServer, ["bo", "gus"], () =>
    testServer.request("bo", path),
  );
  expect(events.gus![0]).toMatchObject({ op: "update", data: { deactivated: true } });
  expect(await plainListener.next()).toMatchObject({
    type: "user_group",
    op: "remove",
    group_id: id,
  });
  await expectRefused(channelErrors.groupDeactivated(), "bo", path);
  await expectRefused(channelErrors.groupDeactivated(), "bo", `GET /user_groups/${id}/members`);
  const other = await createGroup("bo", []);
  await expectRefused(
    channelErrors.groupDeactivated(),
    "bo",
    `POST /user_groups/${other}/subgroups`,
    {
      add: [id],
    },
  );
  const { user_groups } = await testServer.request("bo", "GET /user_groups");
  expect(user_groups.some((group: Json) => group.id === id)).toBe(false);
  const storing = await staysInSync(testServer, ["bo", "gus"], async () => {
    await testServer.request("bo", `PATCH /user_groups/${id}`, { description: "Out of use." });
    await testServer.request("bo", `POST /user_groups/${id}/members`, { add: [idOf("mo")] });
  });
  expect(describeEvents(storing.events.gus)).toEqual([
    "user_group update",
    "user_group add_members",
  ]);
  const client_capabilities = '{"include_deactivated_groups": true}';
  const capableListener = await testServer.listen("cy", { client_capabilities });
  const restoring = await staysInSync(testServer, ["bo", "gus"], () =>
    testServer.request("bo", `PATCH /user_groups/${id}`, { deactivated: false }),
  );
  expect(await capableListener.next()).toMatchObject({
    op: "update",
    data: { deactivated: false },
  });
  expect(restoring.events.bo![0]).toMatchObject({ op: "update", data: { deactivated: false } });
  expect(describeEvents(await plainListener.takeAll())).toEqual([
    "user_group add",
    "user_group add",
  ]);
});

test("rejects deactivating a group in use", async () => {
  const id = await createGroup("bo", []);
  const holder = await createGroup("bo", [], { subgroups: [id] });
  const settings = { can_add_members_group: id };
  const managed = await createGroup("bo", [], settings);
  const channel_id = await closedChannel("bo", {
    can_subscribe_group: { direct_members: [idOf("cy")], direct_subgroups: [id] },
  });
  await testServer.request("olga", "PATCH /realm", { can_create_bots_group: { new: id } });
  const objections = [
    { type: "subgroup", supergroup_ids: [holder] },
    { type: "channel", channel_id, settings: ["can_subscribe_group"] },
    { type: "user_group", group_id: managed, settings: ["can_add_members_group"] },
    { type: "realm", settings: ["can_create_bots_group"] },
  ];
  const refusal = await testServer.refused("bo", `POST /user_groups/${id}/deactivate`);
  expect(refusal).toMatchObject({ code: "CANNOT_DEACTIVATE_GROUP_IN_USE", objections });
  await expectRefused(
    channelErrors.groupInUse(objections),
    "bo",
    `POST /user_groups/${id}/deactivate`,
  );
  await testServer.request("olga", "PATCH /realm", {
    can_create_bots_group: { new: role("members") },
  });
  await testServer.request("bo", `DELETE /streams/${channel_id}`);
  await testServer.request("bo", `POST /user_groups/${managed}/deactivate`);
  await testServer.request("bo", `POST /user_groups/${holder}/deactivate`);
  await testServer.request("bo", `POST /user_groups/${id}/deactivate`);
});

test("shows and hides channels when a group gives access", async () => {
  const inner = await createGroup("bo", []);
  const outer = await createGroup("bo", [], {
    subgroups: [inner],
    can_remove_members_group: { direct_members: [idOf("bo")], direct_subgroups: [] },
  });
  const id = await closedChannel("ada", { can_subscribe_group: outer });
  const members = `POST /user_groups/${outer}/members`;
  const gain = await staysInSync(testServer, ["ada", "bo", "cy", "gus"], () =>
    testServer.request("bo", members, { add: [idOf("cy"), idOf("gus")] }),
  );
  expect(describeEvents(gain.events.cy)).toEqual([
    "user_group add_members",
    "stream create",
    "subscription peer_add",
    "message undefined",
  ]);
  // Groups never help guests.
  expect(describeEvents(gain.events.gus)).toEqual(["user_group add_members", "message undefined"]);
  expect(describeEvents(gain.events.ada)).toEqual(["user_group add_members"]);
  const nested = await staysInSync(testServer, ["cy", "mo"], async () => {
    const others = await createGroup("bo", ["mo", "cy"]);
    await testServer.request("bo", `POST /user_groups/${inner}/subgroups`, { add: [others] });
  });
  expect(describeEvents(nested.events.mo)).toContain("stream create");
  expect(describeEvents(nested.events.cy)).not.toContain("stream create");
  const loss = await staysInSync(testServer, ["bo", "cy", "mo"], async () => {
    await testServer.request("bo", members, { delete: [idOf("cy")] });
    await testServer.request("bo", members, { delete_subgroups: [inner] });
  });
  expect(describeEvents(loss.events.cy).filter((kind) => kind === "stream delete")).toHaveLength(1);
  expect(describeEvents(loss.events.mo).filter((kind) => kind === "stream delete")).toHaveLength(1);
  await expectRefused(channelErrors.channelNotFound(), "cy", `GET /streams/${id}`);
});

test("applies a mention to the members at the time of the message", async () => {
  const id = await createGroup("bo", ["cy"], {
    can_remove_members_group: { direct_members: [idOf("bo")], direct_subgroups: [] },
  });
  const { id: first } = await post(`hello @*ring ${count}*`);
  const members = `POST /user_groups/${id}/members`;
  await staysInSync(testServer, ["cy", "mo"], () =>
    testServer.request("bo", members, { add: [idOf("mo")], delete: [idOf("cy")] }),
  );
  const { id: second } = await post(`again @*ring ${count}*`);
  const flags = async (name: Name, message_id: number) => {
    const { message } = await testServer.request(name, `GET /messages/${message_id}`);
    return message.flags.includes("mentioned");
  };
  const read = async () => [
    [await flags("cy", first), await flags("cy", second)],
    [await flags("mo", first), await flags("mo", second)],
  ];
  const expectedMembers = [
    [true, false],
    [false, true],
  ];
  expect(await read()).toEqual(expectedMembers);
  await staysInSync(testServer, ["cy", "mo"], async () => {
    await testServer.request("bo", members, { add: [idOf("cy")] });
    await testServer.request("bo", members, { delete: [idOf("mo")] });
    await testServer.request("bo", members, { add: [idOf("mo")] });
  });
  expect(await read()).toEqual(expectedMembers);
  const mentionedIds = async (name: Name) => {
    const narrow = [{ operator: "is", operand: "mentioned" }];
    const params = { narrow, anchor: "newest", num_before: 10, num_after: 0 };
    const { messages } = await testServer.request(name, "GET /messages", params);
    return messages.map((message: Json) => message.id);
  };
  expect(await mentionedIds("cy")).toContain(first);
  expect(await mentionedIds("cy")).not.toContain(second);
  expect(await mentionedIds("mo")).not.toContain(first);
  expect(await mentionedIds("mo")).toContain(second);
});

const post = (content: string) =>
  testServer.request("bo", "POST /messages", {
    type: "stream",
    to: "general",
    topic: "rings",
    content,
  });
