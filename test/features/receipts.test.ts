// Read receipts: which users are listed as having read a message.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let stream_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

let channels = 0;
beforeEach(async () => {
  await allow(true);
  const subscribers = (["bo", "cy", "mo", "gus"] as const).map((name) => testServer.idOf(name));
  const params = { name: `garden ${++channels}`, subscribers };
  stream_id = (await testServer.request("bo", "POST /channels/create", params)).id;
});

const allow = (enable_read_receipts: boolean) =>
  testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, enable_read_receipts } });
  });

async function post(params: Params = {}): Promise<number> {
  const message = { type: "channel", to: stream_id, topic: "t", content: "x", ...params };
  return (await testServer.request("bo", "POST /messages", { read_by_sender: true, ...message }))
    .id;
}

const read = (name: Name, id: number) =>
  testServer.request(name, "POST /messages/flags", { messages: [id], op: "add", flag: "read" });

async function readers(requester: Name, id: number): Promise<Name[]> {
  const { user_ids } = await testServer.request(requester, `GET /messages/${id}/read_receipts`);
  const names: Name[] = ["olga", "ada", "mo", "bo", "cy", "gus", "bot"];
  return names.filter((name) => user_ids.includes(testServer.idOf(name)));
}

test("list users who have read the message, without the sender", async () => {
  const id = await post();
  expect(await readers("bo", id)).toEqual([]);
  await read("cy", id);
  await read("gus", id);
  expect(await readers("bo", id)).toEqual(["cy", "gus"]);
  expect(await readers("olga", id)).toEqual(["cy", "gus"]);
});

test("count only users who have the message among their own", async () => {
  const id = await post({ content: "@**Botty**" });
  await read("ada", id);
  expect(await readers("bo", id)).toEqual([]);
  await testServer.request("ada", "POST /messages/flags", {
    messages: [id],
    op: "add",
    flag: "starred",
  });
  await testServer.request("bot", "POST /mark_all_as_read");
  await testServer.request("cy", "POST /mark_all_as_read");
  await testServer.request("cy", "DELETE /users/me/subscriptions", {
    subscriptions: [`garden ${channels}`],
  });
  expect(await readers("bo", id)).toEqual(["ada", "cy", "bot"]);
});

test("list the users of a direct message", async () => {
  const id = await post({ type: "direct", to: [testServer.idOf("cy"), testServer.idOf("mo")] });
  await read("mo", id);
  expect(await readers("cy", id)).toEqual(["mo"]);
});

test("omits users who disabled receipts, and muted users", async () => {
  const id = await post();
  for (const name of ["cy", "mo", "gus"] as const) await read(name, id);
  await testServer.request("mo", "PATCH /settings", { send_read_receipts: false });
  expect(await readers("bo", id)).toEqual(["cy", "gus"]);
  await testServer.request("mo", "PATCH /settings", { send_read_receipts: true });

  await testServer.request("bo", `POST /users/me/muted_users/${testServer.idOf("cy")}`);
  await testServer.request("gus", `POST /users/me/muted_users/${testServer.idOf("bo")}`);
  expect(await readers("bo", id)).toEqual(["mo"]);
  expect(await readers("mo", id)).toEqual(["mo", "cy", "gus"]);
  await testServer.request("bo", `DELETE /users/me/muted_users/${testServer.idOf("cy")}`);
  await testServer.request("gus", `DELETE /users/me/muted_users/${testServer.idOf("bo")}`);

  await testServer.request("olga", `DELETE /users/${testServer.idOf("mo")}`);
  expect(await readers("bo", id)).toEqual(["cy", "gus"]);
  await testServer.request("olga", `POST /users/${testServer.idOf("mo")}/reactivate`);
});

test("require access to the message and an organization with receipts", async () => {
  const expectRefused = async (refusal: errors.Refusal, name: Name, id: number) => {
    const refusedResponse = await testServer.refused(name, `GET /messages/${id}/read_receipts`);
    expect(refusedResponse).toMatchObject({
      code: refusal.errCode,
      msg: refusal.message,
      status: 400,
    });
  };
  const id = await post({ type: "direct", to: [testServer.idOf("cy")] });
  await expectRefused(messageErrors.messageNotFound(), "olga", id);
  await allow(false);
  await expectRefused(messageErrors.messageNotFound(), "olga", id);
  await expectRefused(messageErrors.readReceiptsDisabled(), "bo", id);
});
