// Events about a renamed topic reach everyone who has one of its messages.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import type { Name } from "../users.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

/** More messages than the server checks one by one for their receivers. */
const CHANNELS = 600;

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

async function make(name: string, params: Params = {}): Promise<number> {
  const subscribers = [testServer.idOf("bo")];
  return (await testServer.request("bo", "POST /channels/create", { name, subscribers, ...params }))
    .id;
}

async function post(to: number): Promise<number> {
  const params = { type: "channel", to, topic: "old", content: "x" };
  return (await testServer.request("bo", "POST /messages", params)).id;
}

async function receiversOfRename(id: number, ...names: Name[]): Promise<Name[]> {
  const form = { event_types: ["update_message"] };
  const listeners = await Promise.all(names.map((name) => testServer.listen(name, form)));
  const params = { topic: "new", propagate_mode: "change_all" };
  await testServer.request("bo", `PATCH /messages/${id}`, params);
  const events = await Promise.all(listeners.map((listener) => listener.takeAll()));
  return names.filter((_, index) => events[index]!.length === 1);
}

test.each([0, CHANNELS])(
  "in a public channel, for a user who keeps one of %d more",
  async (extra) => {
    const open = await make(`open ${extra}`);
    const first = await post(open);
    const last = await post(open);
    await testServer.realm.write((tx) => {
      const bo = tx.users.get(testServer.idOf("bo"))!;
      for (let index = 0; index < extra; index++)
        sendMessage(tx, bo, { stream_id: open, topic: "old" }, "x");
    });
    const star = { messages: [last], op: "add", flag: "starred" };
    await testServer.request("cy", "POST /messages/flags", star);
    await testServer.request("mo", `POST /messages/${last}/reactions`, { emoji_name: "tada" });
    expect(await receiversOfRename(first, "bo", "cy", "mo", "ada")).toEqual(["bo", "cy", "mo"]);
  },
);

test("with protected history, for a user who subscribed in between", async () => {
  const secret = await make("secret", { invite_only: true });
  const first = await post(secret);
  const subscription = { subscriptions: [{ name: "secret" }], principals: [testServer.idOf("cy")] };
  await testServer.request("bo", "POST /users/me/subscriptions", subscription);
  await post(secret);
  const late = { ...subscription, principals: [testServer.idOf("mo")] };
  await testServer.request("bo", "POST /users/me/subscriptions", late);
  expect(await receiversOfRename(first, "bo", "cy", "mo")).toEqual(["bo", "cy"]);
});
