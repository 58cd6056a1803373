// Default channels, the archive, topics policies, and notices of the bot about channels.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import { REALM_PERMISSIONS } from "../../src/features/rights/permission-rules.ts";
import { decodeGroupSetting } from "../../src/features/rights/setting.ts";
import type { RealmSettings } from "../../src/schema/records.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

let count = 0;
async function createChannel(
  requester: Name,
  subscribers: Name[],
  params: Params = {},
): Promise<Json> {
  const name = `spot ${++count}`;
  const input = { name, subscribers: subscribers.map((name) => testServer.idOf(name)), ...params };
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

const set = (settings: Partial<RealmSettings>) =>
  testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, ...settings } });
  });

const describeEvents = (events: Json[] | undefined) =>
  (events ?? []).map(({ type, op, property }) => [type, op, property].filter(Boolean).join(" "));

test("lets administrators set the default channels", async () => {
  const { id } = await createChannel("bo", []);
  const { events } = await staysInSync(testServer, ["bo", "gus"], () =>
    testServer.request("ada", "POST /default_streams", { stream_id: id }),
  );
  expect(describeEvents(events.bo)).toEqual(["default_streams"]);
  expect(describeEvents(events.gus)).toEqual([]);
  const response = await testServer.request("bo", "GET /streams", { include_default: true });
  const isDefault = response.streams.find((stream: Json) => stream.stream_id === id).is_default;
  expect(isDefault).toBe(true);
  const secondResult = await staysInSync(testServer, ["bo"], () =>
    testServer.request("ada", "POST /default_streams", { stream_id: id }),
  );
  expect(secondResult.events.bo).toEqual([]);
  await expectRefused(channelErrors.defaultChannelPrivate(), "bo", `PATCH /streams/${id}`, {
    is_private: true,
  });
  await staysInSync(testServer, ["bo"], () =>
    testServer.request("ada", "DELETE /default_streams", { stream_id: id }),
  );
  await expectRefused(channelErrors.defaultChannelsNotAllowed(), "bo", `PATCH /streams/${id}`, {
    is_default_stream: true,
  });
  const closedId = await createChannel("ada", ["ada"], { invite_only: true });
  await expectRefused(channelErrors.privateChannelMadeDefault(), "ada", "POST /default_streams", {
    stream_id: closedId.id,
  });
  await expectRefused(errors.mustBeAdministrator(), "bo", "POST /default_streams", {
    stream_id: id,
  });
});

test("keeps an archived channel for clients that support archived channels", async () => {
  const { id, name } = await createChannel("bo", ["bo"]);
  const { events } = await staysInSync(testServer, ["bo", "cy", "gus"], () =>
    testServer.request("bo", `DELETE /streams/${id}`),
  );
  expect(describeEvents(events.cy)).toEqual(["stream update is_archived"]);
  const plainListener = await testServer.listen("cy");
  const archiveListener = await testServer.listen("cy", {
    client_capabilities: '{"archived_channels": true}',
  });
  await expectRefused(channelErrors.channelAlreadyArchived(), "bo", `DELETE /streams/${id}`);
  await expectRefused(
    channelErrors.channelNotAccessible(name),
    "cy",
    "POST /users/me/subscriptions",
    {
      subscriptions: [{ name }],
    },
  );
  await expectRefused(channelErrors.channelNameTaken(name), "cy", "POST /channels/create", {
    name,
    subscribers: [],
  });
  expect((await testServer.request("cy", `GET /streams/${id}`)).stream.is_archived).toBe(true);
  const { streams } = await testServer.request("cy", "GET /streams");
  expect(streams.map((stream: Json) => stream.stream_id)).not.toContain(id);

  await staysInSync(testServer, ["cy"], () =>
    testServer.request("bo", `PATCH /streams/${id}`, { is_archived: false }),
  );
  expect(describeEvents(await plainListener.takeAll())).toEqual([
    "stream create",
    "subscription peer_add",
  ]);
  expect(describeEvents(await archiveListener.takeAll())).toEqual(["stream update is_archived"]);
  await expectRefused(channelErrors.channelNotArchived(), "bo", `PATCH /streams/${id}`, {
    is_archived: false,
  });
});

test("removes an archived channel from the organization's settings", async () => {
  const { id } = await createChannel("ada", ["ada"], { is_default_stream: true });
  await set({ new_stream_announcements_stream_id: id });
  const { events } = await staysInSync(testServer, ["bo"], () =>
    testServer.request("ada", `DELETE /streams/${id}`),
  );
  expect(describeEvents(events.bo)).toEqual([
    "realm update_dict default",
    "default_streams",
    "stream update is_archived",
  ]);
  expect(testServer.realm.read.settings.new_stream_announcements_stream_id).toBe(-1);
});

test("makes an archived channel a default channel only when it is unarchived", async () => {
  const { id } = await createChannel("ada", ["ada"]);
  await testServer.request("ada", `DELETE /streams/${id}`);
  const refusal = channelErrors.channelNotFound();
  const path = `PATCH /streams/${id}`;
  await expectRefused(refusal, "ada", "POST /default_streams", { stream_id: id });
  await expectRefused(refusal, "ada", path, { is_default_stream: true });
  await testServer.realm.write((tx) => {
    tx.channels.put({ ...tx.channels.get(id)!, is_default: true });
  });
  const defaultIds = async () =>
    (await testServer.request("bo", "POST /register")).realm_default_streams;
  expect(await defaultIds()).not.toContain(id);
  await staysInSync(testServer, ["bo"], () =>
    testServer.request("ada", path, { is_archived: false }),
  );
  expect(await defaultIds()).not.toContain(id);
  await testServer.request("ada", `DELETE /streams/${id}`);
  const { events } = await staysInSync(testServer, ["bo"], () =>
    testServer.request("ada", path, { is_archived: false, is_default_stream: true }),
  );
  expect(describeEvents(events.bo)).toEqual(["stream update is_archived", "default_streams"]);
  expect(await defaultIds()).toContain(id);
});

test("archives a private channel without subscribers", async () => {
  const { id } = await createChannel("ada", [], { invite_only: true });
  await testServer.request("ada", `DELETE /streams/${id}`);
  const refusal = channelErrors.privateChannelWithoutSubscribers();
  await expectRefused(refusal, "ada", `PATCH /streams/${id}`, { is_archived: false });
});

test("requires the moderation request channel to be private", async () => {
  const { id } = await createChannel("ada", ["ada"], { invite_only: true });
  await set({ moderation_request_channel_id: id });
  const refusal = channelErrors.moderationChannelPublic();
  await expectRefused(refusal, "ada", `PATCH /streams/${id}`, { is_private: false });
});

test("allows no other topic in a channel with only the empty topic", async () => {
  const { id } = await createChannel("bo", ["bo"]);
  const line = `PATCH /streams/${id}`;
  const { events } = await staysInSync(testServer, ["bo"], () =>
    testServer.request("bo", line, { topics_policy: "empty_topic_only" }),
  );
  expect(describeEvents(events.bo)).toEqual(["stream update topics_policy"]);
  await testServer.request("bo", line, { topics_policy: "inherit" });
  await testServer.request("bo", "POST /messages", {
    type: "stream",
    to: id,
    topic: "t",
    content: "hi",
  });
  await expectRefused(channelErrors.namedTopicsExist("general chat"), "bo", line, {
    topics_policy: "empty_topic_only",
  });
});

test("posts notices about new and changed channels", async () => {
  const board = await createChannel("ada", ["cy"]);
  await set({
    new_stream_announcements_stream_id: board.id,
    send_channel_events_messages: true,
  });
  const listener = await testServer.listen("cy", {
    event_types: ["message"],
    apply_markdown: false,
  });
  const received = await createChannel("bo", ["cy"], { announce: true, description: "for peas" });
  await createChannel("bo", ["bo"], { announce: true, invite_only: true });
  await testServer.request("bo", `PATCH /streams/${received.id}`, { new_name: "peas" });
  await set({ send_channel_events_messages: false });
  const lines = (await listener.takeAll()).map(({ message }) => message);
  expect(lines.map((message) => [message.display_recipient, message.subject])).toEqual([
    [board.name, "new channels"],
    [received.name, "channel events"],
    ["peas", "channel events"],
  ]);
  expect(lines[0].content).toContain(`#**${received.name}**`);
  expect(lines[1].content).toContain("for peas");
  expect(lines[2].content).toContain(`**${received.name}** to **peas**`);
});

test("accepts only system groups for some settings, and no deactivated group for any", async () => {
  await testServer.realm.write((tx) => {
    const group = tx.groups.findBy("name", "role:members")!;
    tx.groups.put({ ...group, id: 90, name: "crew", is_system_group: false });
    tx.groups.put({ ...group, id: 91, name: "old", is_system_group: false, deactivated: true });
  });
  const { can_access_all_users_group: permission, can_create_groups } = REALM_PERMISSIONS;
  const decode = (value: number) => () =>
    decodeGroupSetting(testServer.realm.read, "can_access_all_users_group", permission, value);
  const refusal = channelErrors.systemGroupRequired("can_access_all_users_group");
  expect(decode(90)).toThrow(refusal);
  const isAbsent = () => decodeGroupSetting(testServer.realm.read, "x", can_create_groups, 91);
  expect(isAbsent).toThrow(channelErrors.groupDeactivated());
  expect(decodeGroupSetting(testServer.realm.read, "x", can_create_groups, 90)).toBe(90);
});
