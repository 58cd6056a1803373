// Channel folders, the channels in them, and custom emoji.
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

const EVERYONE: Name[] = ["ada", "bo", "gus"];
const POST = "POST /channel_folders/create";

let created = 0;
async function createFolder(params: Params = {}): Promise<Json> {
  const expected = { name: `folder ${++created}`, description: "", ...params };
  const { channel_folder_id: id } = await testServer.request("ada", POST, expected);
  return { id, name: expected.name, line: `PATCH /channel_folders/${id}` };
}

async function createChannel(requester: Name, params: Params = {}): Promise<number> {
  const input = {
    name: `channel ${++created}`,
    subscribers: [testServer.idOf(requester)],
    ...params,
  };
  return (await testServer.request(requester, "POST /channels/create", input)).id;
}

async function listFolders(include_archived = false): Promise<Json[]> {
  return (await testServer.request("gus", "GET /channel_folders", { include_archived }))
    .channel_folders;
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

test("lets an administrator create a folder, with events to everyone", async () => {
  const { events, result } = await staysInSync(testServer, EVERYONE, () =>
    createFolder({ name: " Plans ", description: "what *comes*" }),
  );
  const object = {
    id: result.id,
    name: "Plans",
    description: "what *comes*",
    rendered_description: "<p>what <em>comes</em></p>",
    date_created: expect.any(Number),
    creator_id: testServer.idOf("ada"),
    is_archived: false,
    order: expect.any(Number),
  };
  const event = { type: "channel_folder", op: "add", channel_folder: object };
  expect(events.gus).toMatchObject([event]);
  expect(await listFolders()).toContainEqual(object);
});

test("sends only changed fields, and nothing if nothing changed", async () => {
  const { id, name, line } = await createFolder({ description: "before" });
  const change = { name: "Renamed", description: "after" };
  const { events } = await staysInSync(testServer, EVERYONE, () =>
    testServer.request("ada", line, change),
  );
  const data = { name: "Renamed", description: "after", rendered_description: "<p>after</p>" };
  expect(events.bo).toMatchObject([{ op: "update", channel_folder_id: id, data }]);
  const secondResult = await staysInSync(testServer, ["bo"], () =>
    testServer.request("ada", line, change),
  );
  expect(secondResult.events.bo).toEqual([]);
  await testServer.request("ada", line, { name: name.toUpperCase() });
});

test("rejects archiving a folder in use, and channels in an archived one", async () => {
  const { id, name, line } = await createFolder();
  const stream_id = await createChannel("bo", { folder_id: id });
  expect((await testServer.request("bo", `GET /streams/${stream_id}`)).stream.folder_id).toBe(id);
  await expectRefused(channelErrors.channelFolderInUse(), "ada", line, { is_archived: true });

  const patch = `PATCH /streams/${stream_id}`;
  const { events } = await staysInSync(testServer, EVERYONE, () =>
    testServer.request("bo", patch, { folder_id: null }),
  );
  expect(events.ada).toMatchObject([{ type: "stream", property: "folder_id", value: null }]);
  const archived = await staysInSync(testServer, EVERYONE, () =>
    testServer.request("ada", line, { is_archived: true }),
  );
  expect(archived.events.bo).toMatchObject([{ op: "update", data: { is_archived: true } }]);
  expect((await listFolders()).map((item) => item.id)).not.toContain(id);
  expect((await listFolders(true)).map((item) => item.id)).toContain(id);
  await expectRefused(channelErrors.channelFolderNotFound(), "bo", patch, { folder_id: id });
  await expectRefused(channelErrors.channelFolderNotFound(), "bo", "POST /channels/create", {
    ...{ name: "no", subscribers: [], folder_id: id },
  });

  const other = await createFolder({ name });
  await expectRefused(channelErrors.channelFolderNameTaken(name), "ada", line, {
    is_archived: false,
  });
  await testServer.request("ada", other.line, { is_archived: true });
  await staysInSync(testServer, EVERYONE, () =>
    testServer.request("ada", line, { is_archived: false }),
  );
  await staysInSync(testServer, EVERYONE, () => testServer.request("bo", patch, { folder_id: id }));
  await expectRefused(channelErrors.channelNotAdministered(), "cy", patch, { folder_id: null });
});

test("returns folders in the order that an administrator sets", async () => {
  for (let count = 0; count < 3; count++) await createFolder();
  const order = (await listFolders(true)).map((item) => item.id).reverse();
  const { events } = await staysInSync(testServer, EVERYONE, () =>
    testServer.request("ada", "PATCH /channel_folders", { order }),
  );
  expect(events.gus).toMatchObject([{ type: "channel_folder", op: "reorder", order }]);
  expect((await listFolders(true)).map((item) => item.id)).toEqual(order);
  const quiet = await staysInSync(testServer, ["bo"], () =>
    testServer.request("ada", "PATCH /channel_folders", { order }),
  );
  expect(quiet.events.bo).toEqual([]);
  for (const wrong of [[], order.slice(1), [...order, 9999], [...order.slice(1), order[1]]]) {
    await expectRefused(channelErrors.orderInvalid(), "ada", "PATCH /channel_folders", {
      order: wrong,
    });
  }
  const { id } = await createFolder();
  expect((await listFolders(true)).at(-1).id).toBe(id);
});

test("rejects an invalid folder", async () => {
  const { name, line } = await createFolder();
  const cases: [Params, errors.Refusal][] = [
    [{ name: "  " }, channelErrors.channelFolderNameEmpty()],
    [{ name: "n".repeat(61) }, channelErrors.tooLong("name", 60)],
    [{ name: "a\u0007b" }, channelErrors.channelFolderNameUnprintable(2)],
    [{ name: "ok", description: "d".repeat(1025) }, channelErrors.tooLong("description", 1024)],
  ];
  for (const [wrong, refusal] of cases) {
    await expectRefused(refusal, "ada", POST, { description: "", ...wrong });
    await expectRefused(refusal, "ada", line, wrong);
  }
  const upperCaseName = name.toUpperCase();
  await expectRefused(channelErrors.channelFolderNameTaken(upperCaseName), "ada", POST, {
    ...{ name: upperCaseName, description: "" },
  });
  await expectRefused(errors.missingParameter("description"), "ada", POST, { name: "x" });
  await expectRefused(
    channelErrors.channelFolderNotFound(),
    "ada",
    "PATCH /channel_folders/9999",
    {},
  );
  for (const refusal of [POST, line, "PATCH /channel_folders"]) {
    await expectRefused(errors.mustBeAdministrator(), "mo", refusal, {});
  }
});

test("serves the defaults when there are no custom emoji", async () => {
  expect(await testServer.request("gus", "GET /realm/emoji")).toMatchObject({ emoji: {} });
  const snapshot = await testServer.request("bo", "POST /register", {
    fetch_event_types: ["realm_emoji"],
  });
  expect(snapshot.realm_emoji).toEqual({});
});
