// Typing notifications of edits: who receives them, and who may send them.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import type { Name } from "../users.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let general: number;
beforeEach(async () => {
  testServer = await startTestServer();
  general = testServer.realm.read.channels.findBy("name", "general")!.stream_id;
});
afterEach(() => testServer.close());

const post = async (name: Name, params: Params = {}): Promise<number> => {
  const message = { type: "stream", to: "general", topic: "tea", content: "words", ...params };
  return (await testServer.request(name, "POST /messages", message)).id;
};
const notifyEditing = (name: Name, id: number, op = "start") =>
  testServer.request(name, `POST /messages/${id}/typing`, { op });
const listen = (name: Name, capable = true) =>
  testServer.listen(name, {
    event_types: ["typing_edit_message"],
    client_capabilities: { empty_topic_name: capable },
  });
async function expectRefused(refusal: errors.Refusal, requester: Name, id: number, op = "start") {
  const { errCode: code, status, message: msg } = refusal;
  const rejection = await testServer.refused(requester, `POST /messages/${id}/typing`, { op });
  expect(rejection).toMatchObject({ status, code, msg });
}

test("sends subscribers that a message is being edited", async () => {
  const message_id = await post("bo");
  const [cy, gus] = [await listen("cy"), await listen("gus")];
  await notifyEditing("bo", message_id);
  const { id: _id, ...event } = await cy.next();
  expect(event).toEqual({
    type: "typing_edit_message",
    op: "start",
    sender_id: testServer.idOf("bo"),
    message_id,
    recipient: { type: "channel", channel_id: general, topic: "tea" },
  });
  await notifyEditing("bo", message_id, "stop");
  expect((await cy.next()).op).toBe("stop");
  expect(await gus.takeAll()).toEqual([]);
});

test("sends it to the users of a direct conversation too", async () => {
  const [bo, cy] = [testServer.idOf("bo"), testServer.idOf("cy")];
  const id = await post("bo", { type: "direct", to: [cy] });
  const [listener, ada] = [await listen("cy"), await listen("ada")];
  await notifyEditing("bo", id);
  expect(await listener.next()).toMatchObject({
    recipient: { type: "direct", user_ids: [bo, cy] },
  });
  expect(await ada.takeAll()).toEqual([]);
});

test("includes a name for the empty topic for clients that need one", async () => {
  const id = await post("bo", { topic: "" });
  const [plain, capable] = [await listen("cy", false), await listen("cy")];
  await notifyEditing("bo", id);
  expect((await plain.next()).recipient.topic).toBe("general chat");
  expect((await capable.next()).recipient.topic).toBe("");
});

test("sends nothing to users who cannot read the message or disabled it", async () => {
  const people = ["ada", "bo", "cy", "mo"] as const;
  const subscribers = people.map((name) => testServer.idOf(name));
  const vault = {
    name: "vault",
    subscribers,
    invite_only: true,
    history_public_to_subscribers: false,
  };
  await testServer.request("ada", "POST /channels/create", vault);
  const id = await post("bo", { to: "vault" });
  const params = { subscriptions: [{ name: "vault" }], principals: [testServer.idOf("gus")] };
  await testServer.request("ada", "POST /users/me/subscriptions", params);
  await testServer.request("mo", "PATCH /settings", { receives_typing_notifications: false });
  const [cy, gus, mo] = [await listen("cy"), await listen("gus"), await listen("mo")];
  await notifyEditing("bo", id);
  expect(await cy.takeAll()).toHaveLength(1);
  expect(await gus.takeAll()).toEqual([]);
  expect(await mo.takeAll()).toEqual([]);
});

test("sends nothing in a channel with more than a hundred subscribers", async () => {
  const id = await post("bo");
  await testServer.realm.write((tx) => {
    const sub = tx.subscriptions.get(testServer.idOf("bo"), general)!;
    const user = tx.users.get(testServer.idOf("bo"))!;
    for (let index = 0; index < 100; index++) {
      const user_id = tx.next("users");
      tx.users.put({ ...user, user_id, delivery_email: `p${index}@example.com` });
      tx.subscriptions.put({ ...sub, user_id });
    }
  });
  const cy = await listen("cy");
  await notifyEditing("bo", id);
  expect(await cy.takeAll()).toEqual([]);
});

test("requires permission to edit the message, to the second", async () => {
  const id = await post("bo");
  const direct = await post("bo", { type: "direct", to: [testServer.idOf("cy")] });
  await expectRefused(messageErrors.editNotAllowed(), "cy", id);
  await expectRefused(messageErrors.messageNotFound(), "ada", direct);
  await expectRefused(messageErrors.messageNotFound(), "bo", 9999);
  await expectRefused(errors.malformed("Invalid op"), "bo", id, "begin");
  const off = { send_private_typing_notifications: false, send_stream_typing_notifications: false };
  await testServer.request("bo", "PATCH /settings", off);
  await expectRefused(peopleErrors.typingOffInChannels(), "bo", id);
  await expectRefused(peopleErrors.typingOffInDirects(), "bo", direct);
  testServer.clock.passSeconds(605);
  await expectRefused(messageErrors.editTooLate(), "bo", id);
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    const settings = { ...realm.settings, allow_message_editing: false };
    tx.realm.put({ ...realm, settings });
  });
  await expectRefused(messageErrors.editingDisabled(), "bo", id);
  await testServer.request("ada", `DELETE /streams/${general}`);
  await expectRefused(messageErrors.messageNotFound(), "bo", id);
});
