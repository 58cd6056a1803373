// An account is deactivated, and its profile or its messages are erased too.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as refusals from "../../src/contract/errors/people.ts";
import type { Name } from "../users.ts";
import { deliverDueMail, startTestServerWithMail } from "../mail/mail-server.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const PROFILE = { actions: { delete_profile: true } };
const deactivate = (name: Name, params: Params, requester: Name = "ada") =>
  testServer.request(requester, `DELETE /users/${testServer.idOf(name)}`, params);
const stillExists = (id: number) => testServer.realm.read.messages.has(id);

async function createChannel(name: string, invite_only: boolean): Promise<void> {
  const subscribers = ["bo", "cy", "ada"].map((name) => testServer.idOf(name as Name));
  await testServer.request("ada", "POST /channels/create", { name, subscribers, invite_only });
}

async function post(name: Name, to: string | Name[], content = "hello"): Promise<number> {
  const where =
    typeof to === "string"
      ? { type: "stream", to, topic: "weather" }
      : { type: "direct", to: to.map((name) => testServer.idOf(name)) };
  return (await testServer.request(name, "POST /messages", { ...where, content })).id;
}

test("removes all personal data of a deleted profile", async () => {
  const { id: field } = await testServer.request("ada", "POST /realm/profile_fields", {
    ...{ field_type: 1, name: "Pet" },
  });
  await testServer.request("cy", "PATCH /users/me/profile_data", {
    data: [{ id: field, value: "cat" }],
  });
  await testServer.request("cy", "POST /users/me/status", {
    status_text: "out",
    emoji_name: "tada",
  });
  await testServer.request("cy", "PATCH /settings", {
    ...{ timezone: "Europe/Oslo", email_address_visibility: 4 },
  });
  await testServer.request("cy", "POST /saved_snippets", { title: "mine", content: "secret" });
  await testServer.request("cy", "POST /drafts", {
    drafts: [{ type: "stream", to: [1], topic: "x", content: "secret" }],
  });
  const details = await post("cy", "general");
  const { events } = await staysInSync(testServer, ["bo", "ada", "gus"], () =>
    deactivate("cy", PROFILE),
  );
  const user_id = testServer.idOf("cy");
  expect(events.bo).toContainEqual(
    expect.objectContaining({ type: "realm_user", person: { user_id, is_deleted: true } }),
  );
  const { user } = await testServer.request("bo", `GET /users/${user_id}`, {
    include_custom_profile_fields: true,
  });
  const email = `deleteduser${user_id}@${new URL(testServer.url).hostname}`;
  expect(user).toMatchObject({
    ...{ full_name: "Deleted user", email, delivery_email: email, timezone: "" },
    ...{ is_active: false, is_deleted: true, profile_data: {} },
  });
  const { read } = testServer.realm;
  expect([...read.drafts.range({ from: [user_id], to: [user_id + 1] })]).toEqual([]);
  expect([...read.saved_snippets.range({ from: [user_id], to: [user_id + 1] })]).toEqual([]);
  expect(read.api_keys.listBy("user", user_id)).toEqual([]);
  expect(read.passwords.has(user_id)).toBe(false);
  expect(stillExists(details)).toBe(true);
  const { message } = await testServer.request("bo", `GET /messages/${details}`);
  expect(message.sender_full_name).toBe("Deleted user");

  const { msg } = await testServer.refused("ada", `POST /users/${user_id}/reactivate`);
  expect(msg).toBe(refusals.deletedForGood().message);
});

test("deletes the requested parts of a user's messages", async () => {
  await createChannel("open", false);
  await createChannel("closed", true);
  const ids = {
    open: await post("bo", "open"),
    closed: await post("bo", "closed"),
    direct: await post("bo", ["cy"]),
    answer: await post("cy", ["bo"]),
    ofCy: await post("cy", "open"),
  };
  const { events } = await staysInSync(testServer, ["cy", "ada", "gus"], async () => {
    await deactivate("bo", { actions: { delete_private_channel_messages: true } });
    await deliverDueMail(testServer);
  });
  const deletionEvent = { type: "delete_message", message_ids: [ids.closed] };
  expect(events.cy!.filter(({ type }) => type === "delete_message")).toMatchObject([deletionEvent]);
  expect(events.gus!.filter(({ type }) => type === "delete_message")).toEqual([]);
  expect(Object.values(ids).map(stillExists)).toEqual([true, false, true, true, true]);
  expect(testServer.realm.read.users.get(testServer.idOf("bo"))!.is_deleted).toBeUndefined();

  await testServer.request("ada", `POST /users/${testServer.idOf("bo")}/reactivate`);
  await deactivate("bo", {
    actions: { delete_public_channel_messages: true, delete_direct_messages: true },
  });
  await deliverDueMail(testServer);
  expect(Object.values(ids).map(stillExists)).toEqual([false, false, false, true, true]);
});

test("deletes many messages in batches, and keeps later ones", async () => {
  await createChannel("open", false);
  const before: number[] = [];
  for (let n = 0; n < 230; n++) before.push(await post("bo", "open"));
  await deactivate("bo", { actions: { delete_public_channel_messages: true } });
  await testServer.request("ada", `POST /users/${testServer.idOf("bo")}/reactivate`);
  const after = await post("bo", "open");
  await deliverDueMail(testServer);
  expect(before.filter(stillExists)).toEqual([]);
  expect(stillExists(after)).toBe(true);
});

test("deletes nothing unless the account is deactivated", async () => {
  const id = await post("bo", "general");
  const all = { delete_profile: true, delete_public_channel_messages: true };
  const line = `DELETE /users/${testServer.idOf("bo")}`;
  expect((await testServer.refused("cy", line, { actions: all })).msg).toBe(
    "Insufficient permission",
  );
  const { msg } = await testServer.refused("ada", line, { actions: { delete_profile: "yes" } });
  expect(msg).toBe('actions["delete_profile"] is not a boolean');
  await deliverDueMail(testServer);
  expect(stillExists(id)).toBe(true);
  await deactivate("bo", {});
  expect(testServer.realm.read.users.get(testServer.idOf("bo"))!.full_name).toBe("Bo Member");
});

test("sends the email to the erased user's former address", async () => {
  const { testServer: own, mailServer } = await startTestServerWithMail();
  const line = `DELETE /users/${own.idOf("bo")}`;
  await own.request("ada", line, { ...PROFILE, deactivation_notification_comment: "As you asked" });
  await deliverDueMail(own);
  expect(mailServer.mailTo("bo@example.com").map(({ mail }) => mail.text)).toMatchObject([
    expect.stringContaining("As you asked"),
  ]);
  await own.close();
  await mailServer.close();
});
