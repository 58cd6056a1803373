// Default channel groups, and the email address of a channel.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const POST = "POST /default_stream_groups/create";

let count = 0;
async function createChannel(params: Params = {}, requester: Name = "ada"): Promise<Json> {
  const name = `place ${++count}`;
  const input = { name, subscribers: [testServer.idOf(requester)], ...params };
  return { ...(await testServer.request(requester, "POST /channels/create", input)), name };
}

async function createDefaultGroup(...stream_names: string[]): Promise<Json> {
  const group_name = `group ${++count}`;
  const { id } = await testServer.request("ada", POST, {
    group_name,
    description: "d",
    stream_names,
  });
  return { id, name: group_name, line: `/default_stream_groups/${id}` };
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

const groupsOf = async (name: Name) =>
  (
    await testServer.request(name, "POST /register", {
      fetch_event_types: ["default_stream_groups"],
    })
  ).realm_default_stream_groups;

test("creates, changes and deletes a group, with events to members", async () => {
  const [first, other] = [await createChannel(), await createChannel()];
  const { result, events } = await staysInSync(testServer, ["bo", "gus"], () =>
    createDefaultGroup(first.name),
  );
  const { id, name, line } = result;
  const object = { id, name, description: "d", streams: [first.id] };
  const event = { type: "default_stream_groups", default_stream_groups: [object] };
  expect(events.bo).toMatchObject([event]);
  expect(events.gus).toEqual([]);
  expect(await groupsOf("gus")).toEqual([]);

  const reworded = { new_group_name: "Start", new_description: "first" };
  await staysInSync(testServer, ["bo", "gus"], () =>
    testServer.request("ada", `PATCH ${line}`, reworded),
  );
  const streams = (op: string, stream_names: string[]) =>
    staysInSync(testServer, ["bo", "gus"], () =>
      testServer.request("ada", `PATCH ${line}/streams`, { op, stream_names }),
    );
  await streams("add", [other.name.toUpperCase()]);
  await streams("remove", [first.name]);
  expect(await groupsOf("bo")).toEqual([
    { id, name: "Start", description: "first", streams: [other.id] },
  ]);
  expect((await streams("add", [])).events.bo).toEqual([]);

  await staysInSync(testServer, ["bo", "gus"], () => testServer.request("ada", `DELETE ${line}`));
  expect(await groupsOf("bo")).toEqual([]);
});

test("removes archived channels from groups, and rejects private ones", async () => {
  const { id, name } = await createChannel();
  const groups = [await createDefaultGroup(name), await createDefaultGroup(name)];
  await expectRefused(channelErrors.defaultChannelPrivate(), "ada", `PATCH /streams/${id}`, {
    is_private: true,
  });
  const { events } = await staysInSync(testServer, ["bo"], () =>
    testServer.request("ada", `DELETE /streams/${id}`),
  );
  expect(events.bo!.map(({ type }) => type)).toEqual(["default_stream_groups", "stream"]);
  const hiddenChannel = await createChannel({ invite_only: true });
  const line = `PATCH ${groups[0].line}/streams`;
  const adding = { op: "add", stream_names: [hiddenChannel.name] };
  await expectRefused(channelErrors.privateChannelMadeDefault(), "ada", line, adding);
  for (const group of groups) await testServer.request("ada", `DELETE ${group.line}`);
});

test("sends groups to a former guest, and removes them from a new guest", async () => {
  const { name } = await createChannel();
  const { line } = await createDefaultGroup(name);
  const path = `PATCH /users/${testServer.idOf("gus")}`;
  await staysInSync(testServer, ["gus"], () => testServer.request("ada", path, { role: 400 }));
  expect(await groupsOf("gus")).toHaveLength(1);
  await staysInSync(testServer, ["gus"], () => testServer.request("ada", path, { role: 600 }));
  await testServer.request("ada", `DELETE ${line}`);
});

test("rejects an invalid group", async () => {
  const [{ name: plain }, { name: byDefault }] = [
    await createChannel(),
    await createChannel({ is_default_stream: true }),
  ];
  const { name, line } = await createDefaultGroup(plain);
  const make = (refusal: errors.Refusal, params: Params) =>
    expectRefused(refusal, "ada", POST, { group_name: "new", stream_names: [], ...params });
  await make(channelErrors.channelGroupNameInvalid(""), { group_name: " " });
  await make(channelErrors.channelGroupNameTooLong(60), { group_name: "n".repeat(61) });
  await make(channelErrors.channelGroupNameTaken(name), { group_name: name });
  await make(channelErrors.tooLong("description", 1024), { description: "d".repeat(1025) });
  await make(channelErrors.channelNameNotFound("nowhere"), { stream_names: ["nowhere"] });
  await make(channelErrors.channelGroupOfDefault(byDefault, "new"), { stream_names: [byDefault] });

  const patch = (refusal: errors.Refusal, path: string, params: Params) =>
    expectRefused(refusal, "ada", `PATCH ${path}`, params);
  await patch(channelErrors.channelGroupUnchanged(), line, {});
  await patch(channelErrors.channelGroupNameUnchanged(name), line, { new_group_name: name });
  const missingGroup = "/default_stream_groups/9999";
  await patch(channelErrors.channelGroupNotFound(9999), missingGroup, { new_group_name: "x" });
  await expectRefused(channelErrors.channelGroupNotFound(9999), "ada", `DELETE ${missingGroup}`);
  const streams = `${line}/streams`;
  const channelNames = { stream_names: [plain] };
  await patch(channelErrors.channelAlreadyInGroup(plain, name), streams, {
    op: "add",
    ...channelNames,
  });
  await patch(channelErrors.channelGroupOperationInvalid(), streams, {
    op: "move",
    ...channelNames,
  });
  const other = { op: "remove", stream_names: [byDefault] };
  await patch(channelErrors.channelNotInGroup(byDefault, name), streams, other);
  for (const row of [POST, `PATCH ${line}`, `DELETE ${line}`, `PATCH ${streams}`]) {
    await expectRefused(errors.mustBeAdministrator(), "mo", row, {});
  }
});

test("returns a channel's email address only to users who can post in it", async () => {
  const { id } = await createChannel({ can_send_message_group: 3 }, "bo");
  const line = `GET /streams/${id}/email_address`;
  await expectRefused(messageErrors.postingNotAllowed(), "cy", line);
  await expectRefused(channelErrors.channelNotFound(), "gus", line);
  await testServer.request("bo", `PATCH /streams/${id}`, { can_send_message_group: { new: 7 } });
  for (const sender of [undefined, "bo", "bot"] as const) {
    const sender_id = sender && testServer.idOf(sender);
    expect((await testServer.request("bo", line, { sender_id })).email).toBe("");
  }
  expect((await testServer.request("bo", `GET //api/v1//streams/${id}/email_address`)).email).toBe(
    "",
  );
  await expectRefused(channelErrors.botNotFound(), "bo", line, { sender_id: 9999 });
  await expectRefused(channelErrors.botNotFound(), "bo", line, {
    sender_id: testServer.idOf("cy"),
  });
  await expectRefused(channelErrors.insufficientPermission(), "cy", line, {
    sender_id: testServer.idOf("bot"),
  });
});

test("lets members change none of them", async () => {
  const { id } = await createDefaultGroup();
  const refusals = [
    await testServer.refused("bo", `PATCH /default_stream_groups/${id}`, {
      new_group_name: "Mine",
    }),
    await testServer.refused("bo", `PATCH /default_stream_groups/${id}/streams`, {
      op: "add",
      stream_names: [],
    }),
    await testServer.refused("bo", `DELETE /default_stream_groups/${id}`),
  ];
  for (const refusal of refusals) expect(refusal.code).toBe("UNAUTHORIZED_PRINCIPAL");
});
