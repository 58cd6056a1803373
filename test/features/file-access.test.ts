// Access to files: for the owner, and for current readers of messages with a link.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";
import { read, striped, upload } from "./upload-fixture.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
  for (const [name, params] of Object.entries({
    square: {},
    shed: { invite_only: true, history_public_to_subscribers: true },
  })) {
    const subscribers = [testServer.idOf("bo"), testServer.idOf("cy")];
    await testServer.request("bo", "POST /channels/create", { name, subscribers, ...params });
  }
});
afterEach(() => testServer.close());

let count = 0;
const uploadSecret = () =>
  upload(testServer, "bo", { name: `file ${++count}.txt`, bytes: "secret" });
const EVERYONE: Name[] = ["olga", "ada", "mo", "bo", "cy", "gus", "bot"];

async function readers(url: string): Promise<Name[]> {
  const allowed: Name[] = [];
  for (const name of EVERYONE) {
    const { status } = await read(testServer, name, url);
    expect([200, 403]).toContain(status);
    if (status === 200) allowed.push(name);
  }
  return allowed;
}

const post = async (requester: Name, to: string, content: string) =>
  (
    await testServer.request(requester, "POST /messages", {
      type: "channel",
      to,
      topic: "t",
      content,
    })
  ).id;
const sendDirect = async (requester: Name, to: Name, content: string) =>
  (
    await testServer.request(requester, "POST /messages", {
      type: "direct",
      to: [testServer.idOf(to)],
      content,
    })
  ).id;
const edit = (id: number, params: Params) =>
  testServer.request("bo", `PATCH /messages/${id}`, params);
const attachmentOf = async (url: string) => {
  const { attachments } = await testServer.request("bo", "GET /attachments");
  return attachments.find((attachment: { path_id: string }) => url.endsWith(attachment.path_id));
};

test("only the owner can read a file that no message links to", async () => {
  const url = await uploadSecret();
  expect(await readers(url)).toEqual(["bo"]);
  const denied = await read(testServer, null, url);
  expect([denied.status, denied.headers.get("content-type")]).toEqual([
    403,
    "text/plain; charset=utf-8",
  ]);
  const asPicture = await read(testServer, "cy", url, { Accept: "image/webp,image/*" });
  expect([asPicture.status, asPicture.headers.get("content-type")]).toEqual([403, "image/png"]);
  const page = await read(testServer, null, url, { Accept: "text/html,*/*" });
  expect([page.status, page.headers.get("location")]).toEqual([
    302,
    `/login/?next=${encodeURIComponent(url)}`,
  ]);
  const outsider = { Authorization: `Basic ${btoa("bo@example.com:" + "x".repeat(32))}` };
  expect((await read(testServer, null, url, outsider)).status).toBe(401);
  expect((await read(testServer, null, `${url}?api_key=${testServer.keyOf("bo")}`)).status).toBe(
    200,
  );
  expect((await read(testServer, null, `${url}?api_key=${testServer.keyOf("cy")}`)).status).toBe(
    403,
  );
  expect((await read(testServer, "bo", `${url}x`)).status).toBe(404);
});

test("members and subscribed guests can read a file in a public channel", async () => {
  const url = await uploadSecret();
  const { events } = await staysInSync(testServer, ["bo", "cy"], () =>
    post("bo", "square", `[f](${url})`),
  );
  expect(events.bo!.map((event) => event["type"])).toContain("attachment");
  const update = events.bo!.find((event) => event["type"] === "attachment")!;
  const { id } = events.bo!.find((event) => event["type"] === "message")!["message"];
  expect(update).toMatchObject({ op: "update", attachment: { message_ids: [id] } });
  expect(update["id"]).toBeLessThan(events.bo!.find((e) => e["type"] === "message")!["id"]);
  expect(events.cy!.map((event) => event["type"])).toEqual(["message"]);
  expect(await readers(url)).toEqual(["olga", "ada", "mo", "bo", "cy", "bot"]);
});

test("subscribers can read a file in a private channel while they are subscribed", async () => {
  const url = await uploadSecret();
  await post("bo", "shed", `see ${testServer.url}${url}`);
  expect(await readers(url)).toEqual(["bo", "cy"]);
  await testServer.request("cy", "DELETE /users/me/subscriptions", { subscriptions: ["shed"] });
  expect(await readers(url)).toEqual(["bo"]);
  const principals = [testServer.idOf("cy"), testServer.idOf("mo")];
  const subscriptions = [{ name: "shed" }];
  await testServer.request("bo", "POST /users/me/subscriptions", { subscriptions, principals });
  expect(await readers(url)).toEqual(["mo", "bo", "cy"]);
});

test("users of a direct message can read its file, and can share it", async () => {
  const url = await uploadSecret();
  const secret = await uploadSecret();
  await sendDirect("bo", "gus", `[f](${url})`);
  expect(await readers(url)).toEqual(["bo", "gus"]);
  await sendDirect("cy", "mo", `[f](${url}) and ![g](${secret})`);
  expect(await readers(url)).toEqual(["bo", "gus"]);
  expect(await readers(secret)).toEqual(["bo"]);
  const { events } = await staysInSync(testServer, ["bo", "gus"], () =>
    sendDirect("gus", "cy", `look [f](${url})`),
  );
  expect(await readers(url)).toEqual(["bo", "cy", "gus"]);
  expect(events.bo!.map((event) => event["type"])).toContain("attachment");
  expect((await attachmentOf(url)).message_ids).toHaveLength(2);
});

test("an edit releases and claims files, and returns files that nothing links to", async () => {
  const [stored, droppedId, added] = [
    await uploadSecret(),
    await uploadSecret(),
    await uploadSecret(),
  ];
  const id = await post("bo", "square", `[a](${stored}) [b](${droppedId})`);
  const content = `[a](${stored}) [c](${added})`;
  const { result, events } = await staysInSync(testServer, ["bo", "cy"], () =>
    edit(id, { content }),
  );
  const removedAttachment = await attachmentOf(droppedId);
  expect(result.detached_uploads).toEqual([removedAttachment]);
  expect(removedAttachment).toMatchObject({ message_ids: [] });
  const eventTypes = (name: Name) => events[name]!.map((event) => event["type"]);
  expect(eventTypes("bo")).toEqual(["attachment", "attachment", "update_message"]);
  expect(eventTypes("cy")).toEqual(["update_message"]);
  expect(await readers(droppedId)).toEqual(["bo"]);
  expect(await readers(added)).toContain("cy");
  expect((await edit(id, { topic: "elsewhere" })).detached_uploads).toEqual([]);
  const both = await edit(id, { topic: "back", content: `[c](${added})` });
  expect(both.detached_uploads).toMatchObject([{ message_ids: [] }]);
  expect((await attachmentOf(added)).message_ids).toEqual([id]);
});

test("deleting a message releases its files without an event", async () => {
  const url = await uploadSecret();
  const [first, second] = [
    await post("bo", "square", `[a](${url})`),
    await post("bo", "shed", `[a](${url})`),
  ];
  const { events } = await staysInSync(testServer, ["bo"], () =>
    testServer.request("ada", `DELETE /messages/${first}`),
  );
  expect(events.bo!.map((event) => event["type"])).not.toContain("attachment");
  expect((await attachmentOf(url)).message_ids).toEqual([second]);
  expect(await readers(url)).not.toContain("ada");
});

test("deleting a file leaves the messages that link to it unchanged", async () => {
  const url = await uploadSecret();
  const id = await post("bo", "square", `[a](${url})`);
  const file = await attachmentOf(url);
  await testServer.request("bo", `DELETE /attachments/${file.id}`);
  const { message } = await testServer.request("cy", `GET /messages/${id}`);
  expect(message.content).toContain(`href="${url}"`);
  expect((await read(testServer, "cy", url)).status).toBe(404);
});

test("has:attachment finds messages with files", async () => {
  const url = await uploadSecret();
  const id = await post("bo", "square", `[a](${url})`);
  await post("bo", "square", "[a](/user_uploads/1/00/nothing/a.txt)");
  const findWithAttachment = async () => {
    const narrow = [{ operator: "has", operand: "attachment" }];
    const response = await testServer.request("bo", "GET /messages", {
      anchor: "newest",
      num_before: 1,
      num_after: 0,
      narrow,
    });
    return response.messages[0]?.id;
  };
  expect(await findWithAttachment()).toBe(id);
  await edit(id, { content: "without" });
  expect(await findWithAttachment()).not.toBe(id);
});

test("GET //user_uploads/temporary/x/y lets anyone read a file for a minute", async () => {
  const url = await upload(testServer, "bo", {
    name: "a.png",
    bytes: striped(3, 3),
    type: "image/png",
  });
  const path = url.replace("/user_uploads/1/", "");
  const { url: link } = await testServer.request("bo", `GET /user_uploads/1/${path}`);
  expect(link).toMatch(/^\/user_uploads\/temporary\/[\w.-]+\/a\.png$/);
  expect((await read(testServer, null, link)).headers.get("content-type")).toBe("image/png");
  const readState = async (address: string) => (await read(testServer, null, address)).json();
  const { message: msg } = realmErrors.temporaryLinkInvalid();
  const [, id = ""] = /temporary\/(\d+)\./.exec(link)!;
  expect(await readState(link.replace(`/${id}.`, `/${Number(id) - 1}.`))).toMatchObject({ msg });
  expect(await readState("/user_uploads/temporary/x/a.png")).toMatchObject({ msg });
  expect(await readState(link.replace("a.png", "b.png"))).toMatchObject({
    msg: realmErrors.temporaryNameInvalid().message,
  });
  testServer.clock.passSeconds(30);
  expect((await read(testServer, null, link)).status).toBe(200);
  testServer.clock.passSeconds(31);
  expect(await readState(link)).toMatchObject({ msg, code: "BAD_REQUEST" });
  const { status, message } = realmErrors.fileNotFound();
  expect(await testServer.refused("cy", `GET /user_uploads/1/${path}`)).toMatchObject({
    status,
    msg: message,
  });
});

test("GET //user_uploads/${path} of a web-public channel can be read by spectators", async () => {
  const url = await uploadSecret();
  await post("bo", "square", `[a](${url})`);
  expect((await read(testServer, null, url)).status).toBe(403);
  await testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
  expect((await read(testServer, null, url)).status).toBe(403);
  await testServer.realm.write((tx) => {
    const channel = tx.channels.findBy("name", "square")!;
    tx.channels.put({ ...channel, is_web_public: true });
  });
  expect((await read(testServer, null, url)).status).toBe(200);
});
