// Channels are created, found and changed, and the right users receive the events.
import { afterEach, beforeEach, expect, test } from "bun:test";
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

const EVERYONE: Name[] = ["olga", "ada", "bo", "cy", "gus"];
const ids = (...names: Name[]) => names.map((name) => testServer.idOf(name));

let count = 0;
/** Creates a channel with a new name. */
async function createChannel(
  requester: Name,
  subscribers: Name[],
  params: Params = {},
): Promise<Json> {
  const name = `channel ${++count}`;
  const input = { name, subscribers: ids(...subscribers), ...params };
  const { id } = await testServer.request(requester, "POST /channels/create", input);
  return { id, name };
}

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

const describeEvents = (events: Json[] | undefined) =>
  (events ?? []).map(({ type, op, property }) => [type, op, property].filter(Boolean).join(" "));

test("sends a new public channel to members and to subscribed guests", async () => {
  const { events } = await staysInSync(testServer, EVERYONE, () =>
    createChannel("bo", ["bo", "gus"]),
  );
  expect(describeEvents(events.cy)).toEqual(["stream create", "subscription peer_add"]);
  expect(describeEvents(events.bo)).toEqual(["stream create", "subscription add"]);
  expect(describeEvents(events.gus)).toEqual(["stream create", "subscription add"]);
  expect(events.cy![1]!["user_ids"]).toEqual(ids("bo", "gus"));
});

test("sends a new private channel to its subscribers and administrators", async () => {
  const { events } = await staysInSync(testServer, EVERYONE, () =>
    createChannel("bo", ["bo", "gus"], { invite_only: true }),
  );
  expect(describeEvents(events.cy)).toEqual([]);
  expect(describeEvents(events.ada)).toEqual(["stream create", "subscription peer_add"]);
  expect(describeEvents(events.gus)).toEqual(["stream create", "subscription add"]);
});

test("creates a channel with all passed settings", async () => {
  const { id, name } = await createChannel("olga", ["olga"], {
    description: "first\nsecond *line*",
    invite_only: true,
    history_public_to_subscribers: true,
    message_retention_days: 30,
    topics_policy: '"disable_empty_topic"',
    can_send_message_group: { direct_members: [], direct_subgroups: [3] },
    can_subscribe_group: { direct_members: ids("cy", "bo", "cy"), direct_subgroups: [] },
  });
  const { stream } = await testServer.request("bo", `GET /streams/${id}`);
  expect(stream).toMatchObject({
    stream_id: id,
    name,
    description: "first second *line*",
    rendered_description: "<p>first second <em>line</em></p>",
    creator_id: testServer.idOf("olga"),
    invite_only: true,
    history_public_to_subscribers: true,
    message_retention_days: 30,
    topics_policy: "disable_empty_topic",
    can_send_message_group: 3,
    stream_post_policy: 2,
    is_announcement_only: true,
    can_subscribe_group: { direct_members: ids("bo", "cy"), direct_subgroups: [] },
    can_administer_channel_group: { direct_members: ids("olga"), direct_subgroups: [] },
    subscriber_count: 1,
    stream_weekly_traffic: null,
  });
  expect(stream).not.toHaveProperty("recipient_id");
  expect(stream).not.toHaveProperty("is_default");
});

test("rejects an invalid channel", async () => {
  const make = (refusal: errors.Refusal, params: Params, requester: Name = "bo") =>
    expectRefused(refusal, requester, "POST /channels/create", {
      name: "no",
      subscribers: [],
      ...params,
    });
  const { name } = await createChannel("bo", []);
  await make(channelErrors.channelNameTaken(name.toUpperCase()), { name: name.toUpperCase() });
  await make(channelErrors.channelNameEmpty(), { name: "  " });
  await make(channelErrors.channelNameTooLong(60), { name: "n".repeat(61) });
  await make(channelErrors.channelNameUnprintable(2), { name: "a\u0007b" });
  await make(channelErrors.tooLong("description", 1024), { description: "d".repeat(1025) });
  await make(channelErrors.channelKindInvalid(), { invite_only: true, is_web_public: true });
  await make(channelErrors.channelKindInvalid(), { history_public_to_subscribers: false });
  await make(channelErrors.webPublicChannelsOff(), { is_web_public: true }, "olga");
  await make(channelErrors.defaultChannelPrivate(), { invite_only: true, is_default_stream: true });
  await make(channelErrors.insufficientPermission(), { is_default_stream: true });
  await make(peopleErrors.ownerRequired(), { message_retention_days: 3 }, "ada");
  await make(channelErrors.badVariable("message_retention_days", "-3"), {
    message_retention_days: -3,
  });
  await make(channelErrors.invalidValue("topics_policy"), { topics_policy: "whatever" });
  await make(channelErrors.channelFolderNotFound(), { folder_id: 1 });
  await make(channelErrors.userNotFound(), { subscribers: [9999] });
  await make(channelErrors.insufficientPermission(), { can_delete_any_message_group: 7 });
  const protectedKind = { invite_only: true, can_create_topic_group: 3 };
  await make(channelErrors.channelTopicsMustBeOpen(), protectedKind);
  await make(errors.guestsNotAllowed(), {}, "gus");
});

test("accepts every setting with its default value", async () => {
  const roleGroupId = (name: string) =>
    testServer.realm.read.groups.findBy("name", `role:${name}`)!.id;
  const nonFatal = {
    can_delete_any_message_group: roleGroupId("nobody"),
    can_delete_own_message_group: { direct_members: [], direct_subgroups: [] },
    topics_policy: "inherit",
    message_retention_days: "realm_default",
    folder_id: null,
  };
  const params = { name: "as anyway", subscribers: [], ...nonFatal };
  await testServer.request("bo", "POST /channels/create", params);
});

test("accepts only existing, permitted groups in group settings", async () => {
  const make = (refusal: errors.Refusal, value: unknown) =>
    expectRefused(refusal, "bo", "POST /channels/create", {
      name: "no",
      subscribers: [],
      can_subscribe_group: value,
    });
  const groupSetting = (direct_members: number[], direct_subgroups: number[]) =>
    ({ direct_members, direct_subgroups }) as const;
  await make(channelErrors.groupNotFound(), 999);
  await make(channelErrors.userGroupIdInvalid(999), groupSetting([], [2, 999]));
  await make(channelErrors.userIdInvalid(999), groupSetting([999], []));
  await make(channelErrors.groupSettingNotAllowed("can_subscribe_group", "role:everyone"), 7);
  await make(channelErrors.groupSettingNotAllowed("can_subscribe_group", "role:internet"), 8);
});

test("shows each user the channels that they can access", async () => {
  const open = await createChannel("bo", ["bo"]);
  const closedId = await createChannel("bo", ["bo", "gus"], { invite_only: true });
  const listChannelIds = async (name: Name, params: Params = {}) => {
    const { streams } = await testServer.request(name, "GET /streams", params);
    const streamIds: number[] = streams.map((stream: Json) => stream.stream_id);
    return [open.id, closedId.id].filter((id) => streamIds.includes(id));
  };
  expect(await listChannelIds("bo")).toEqual([open.id, closedId.id]);
  expect(await listChannelIds("cy")).toEqual([open.id]);
  expect(await listChannelIds("gus")).toEqual([closedId.id]);
  expect(await listChannelIds("ada")).toEqual([open.id]);
  expect(await listChannelIds("ada", { include_all: true })).toEqual([open.id, closedId.id]);
  expect(await listChannelIds("bo", { include_public: false })).toEqual([open.id, closedId.id]);
  expect(await listChannelIds("cy", { include_public: false })).toEqual([]);
  expect(await listChannelIds("bot", { include_public: false })).toEqual([]);
  const asOwner = { include_public: false, include_owner_subscribed: true };
  expect(await listChannelIds("bot", asOwner)).toEqual([open.id, closedId.id]);
  expect(await listChannelIds("cy", asOwner)).toEqual([]);

  const response = await testServer.request("cy", "GET /get_stream_id", {
    stream: open.name.toUpperCase(),
  });
  expect(response.stream_id).toBe(open.id);
  await expectRefused(
    channelErrors.channelNameNotFound(closedId.name),
    "cy",
    "GET /get_stream_id",
    {
      stream: closedId.name,
    },
  );
  await expectRefused(channelErrors.channelNotFound(), "cy", `GET /streams/${closedId.id}`);
  await expectRefused(channelErrors.channelNotFound(), "cy", `GET /streams/${closedId.id}/members`);
  const { subscribers } = await testServer.request("ada", `GET /streams/${closedId.id}/members`);
  expect(subscribers).toEqual(ids("bo", "gus"));
});

test("lets channel administrators rename and describe it", async () => {
  const { id, name } = await createChannel("bo", ["bo"]);
  const line = `PATCH /streams/${id}`;
  const { events } = await staysInSync(testServer, ["bo", "cy"], () =>
    testServer.request("bo", line, { new_name: `${name} two`, description: "for **peas**" }),
  );
  expect(events.cy![0]).toMatchObject({
    property: "description",
    rendered_description: "<p>for <strong>peas</strong></p>",
  });
  expect(events.cy![1]).toMatchObject({ property: "name", name, value: `${name} two` });
  await expectRefused(channelErrors.channelNameUnchanged(), "bo", line, {
    new_name: `${name} two`,
  });
  const other = await createChannel("bo", []);
  await expectRefused(channelErrors.channelRenamedToTaken(), "bo", line, { new_name: other.name });
  await expectRefused(channelErrors.channelNotAdministered(), "cy", line, { new_name: "mine" });
  await testServer.request("bo", line, { new_name: `${name} TWO` });
});

test("makes a channel private and public again, with events to each user", async () => {
  const { id } = await createChannel("bo", ["bo", "gus"]);
  const line = `PATCH /streams/${id}`;
  const hiding = await staysInSync(testServer, EVERYONE, () =>
    testServer.request("bo", line, { is_private: true }),
  );
  expect(describeEvents(hiding.events.cy)).toEqual(["stream delete"]);
  expect(describeEvents(hiding.events.gus)).toEqual(["stream update invite_only"]);
  expect(hiding.events.gus![0]).toMatchObject({
    value: true,
    history_public_to_subscribers: false,
  });
  const showing = await staysInSync(testServer, EVERYONE, () =>
    testServer.request("bo", line, { is_private: false }),
  );
  expect(describeEvents(showing.events.cy)).toEqual(["stream create", "subscription peer_add"]);
  await expectRefused(channelErrors.channelKindInvalid(), "bo", line, {
    history_public_to_subscribers: false,
  });
  const { id: closedId } = await createChannel("bo", ["bo"], { invite_only: true });
  await expectRefused(channelErrors.channelContentRequired(), "ada", `PATCH /streams/${closedId}`, {
    is_private: false,
  });
  await expectRefused(channelErrors.defaultChannelPrivate(), "ada", `PATCH /streams/${closedId}`, {
    is_default_stream: true,
  });
});

test("grants access to a private channel through a permission", async () => {
  const { id } = await createChannel("bo", ["bo"], { invite_only: true });
  const line = `PATCH /streams/${id}`;
  const cy = { direct_members: ids("cy"), direct_subgroups: [] };
  const opening = await staysInSync(testServer, EVERYONE, () =>
    testServer.request("bo", line, { can_add_subscribers_group: { new: cy, old: 1 } }),
  );
  expect(describeEvents(opening.events.cy)).toEqual(["stream create", "subscription peer_add"]);
  expect(describeEvents(opening.events.ada)).toEqual(["stream update can_add_subscribers_group"]);
  const sending = await staysInSync(testServer, ["bo", "cy"], () =>
    testServer.request("bo", line, { can_send_message_group: { new: 3 } }),
  );
  expect(describeEvents(sending.events.cy)).toEqual([
    "stream update can_send_message_group",
    "stream update stream_post_policy",
    "stream update is_announcement_only",
  ]);
  const closing = await staysInSync(testServer, EVERYONE, () =>
    testServer.request("bo", line, { can_add_subscribers_group: { new: 1, old: cy } }),
  );
  expect(describeEvents(closing.events.cy)).toEqual(["stream delete"]);
  const stale = { can_add_subscribers_group: { new: cy, old: cy } };
  await expectRefused(channelErrors.expectationMismatch("old"), "bo", line, stale);
  await expectRefused(channelErrors.channelContentRequired(), "ada", line, {
    can_subscribe_group: { new: cy },
  });
});
