// Moves into protected history, of which a user outside may read only one message.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

async function make(name: string, params: Params): Promise<number> {
  return (await testServer.request("bo", "POST /channels/create", { name, ...params })).id;
}

test("sends lost messages, and a moved one, to the user's client", async () => {
  const open = await make("open", { subscribers: [testServer.idOf("bo"), testServer.idOf("cy")] });
  const secret = await make("secret", {
    subscribers: [testServer.idOf("bo")],
    invite_only: true,
    can_subscribe_group: { direct_members: [testServer.idOf("mo")], direct_subgroups: [] },
  });
  const post = async (): Promise<number> => {
    const params = { type: "channel", to: open, topic: "t", content: "x" };
    return (await testServer.request("bo", "POST /messages", params)).id;
  };
  const first = await post();
  const join = { subscriptions: [{ name: "open" }] };
  await testServer.request("mo", `POST /messages/${first}/reactions`, { emoji_name: "tada" });
  await testServer.request("mo", "POST /users/me/subscriptions", join);
  const second = await post();
  await testServer.request("mo", "POST /messages/flags", {
    messages: [second],
    op: "add",
    flag: "starred",
  });

  const client_capabilities = { notification_settings_null: true, bulk_message_deletion: true };
  const event_types = ["delete_message", "update_message"];
  const listener = await testServer.listen("mo", { event_types, client_capabilities });
  const all = { stream_id: secret, propagate_mode: "change_all" };
  await testServer.request("bo", `PATCH /messages/${first}`, all);
  expect(await listener.takeAll()).toMatchObject([
    { type: "delete_message", stream_id: open, message_ids: [second] },
    { type: "update_message", new_stream_id: secret, message_ids: [first, second] },
  ]);
  await testServer.request("mo", `GET /messages/${first}`);
  await testServer.refused("mo", `GET /messages/${second}`);
  const starred = [{ operator: "is", operand: "starred" }];
  const request = { anchor: "newest", num_before: 9, num_after: 0, narrow: starred };
  expect((await testServer.request("mo", "GET /messages", request)).messages).toEqual([]);
});
