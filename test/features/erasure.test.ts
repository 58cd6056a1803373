// Erasing a user by command: the report of what is removed or kept, and the removal.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { executeCommand, acceptCommands } from "../../src/commands/control.ts";
import { verifyChain } from "../../src/features/audit/chain.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { upload } from "./upload-fixture.ts";

let testServer: TestServer;
let socket: { stop(): Promise<void> };

beforeEach(async () => {
  testServer = await startTestServer();
  // No process command is used here.
  socket = acceptCommands(testServer.realm, {} as Parameters<typeof acceptCommands>[1]);
});

afterEach(async () => {
  await socket.stop();
  await testServer.close();
});

const ALL = {
  delete_public_channel_messages: true,
  delete_private_channel_messages: true,
  delete_direct_messages: true,
};

/** Bo has one of each kind of private row, and one message in each kind of place. */
async function fill(): Promise<number> {
  const bo = testServer.idOf("bo");
  for (const [name, invite_only] of [
    ["hall", false],
    ["den", true],
  ] as const) {
    const subscribers = [bo, testServer.idOf("olga")];
    await testServer.request("olga", "POST /channels/create", { name, invite_only, subscribers });
    const to = { type: "channel", to: name, topic: "t" };
    await testServer.request("bo", "POST /messages", { ...to, content: `in ${name}` });
  }
  const direct = { type: "direct", to: [testServer.idOf("cy")] };
  const { id } = await testServer.request("bo", "POST /messages", {
    ...direct,
    content: "between",
  });
  const url = await upload(testServer, "bo", { name: "a.txt", bytes: "a" });
  await testServer.request("bo", "POST /messages", { ...direct, content: `[a.txt](${url})` });
  const draft = { type: "private", to: [bo], topic: "", content: "draft", timestamp: 1 };
  await testServer.request("bo", "POST /drafts", { drafts: [draft] });
  await testServer.request("bo", "POST /saved_snippets", { title: "t", content: "snippet" });
  await testServer.request("bo", "POST /users/me/alert_words", { alert_words: ["lantern"] });
  const deliveryTime = testServer.realm.read.now + 3_600;
  const due = { scheduled_delivery_timestamp: deliveryTime, content: "later" };
  await testServer.request("bo", "POST /scheduled_messages", { ...direct, ...due });
  const reminder = { message_id: id, scheduled_delivery_timestamp: deliveryTime };
  await testServer.request("bo", "POST /reminders", reminder);
  return bo;
}

const asCounts = (rows: readonly { what: string; count: number }[]) =>
  Object.fromEntries(rows.map(({ what, count }) => [what, count]));

const PRIVATE = {
  ...{ drafts: 1, "saved snippets": 1, "alert words": 1, "scheduled messages": 1, reminders: 1 },
};
const MESSAGES = {
  ...{ "messages in public channels": 1, "messages in private channels": 1, "direct messages": 2 },
};

test("reports what is removed and what others keep before and after an erasure", async () => {
  const user_id = await fill();
  const { data } = testServer.realm.config;
  const retained = { delete_profile: true };
  const plan = await executeCommand(data, "planErasure", { user_id, actions: retained });
  expect(asCounts(plan.removed)).toMatchObject(PRIVATE);
  expect(asCounts(plan.removed)).not.toHaveProperty("direct messages");
  expect(asCounts(plan.kept)).toMatchObject({ ...MESSAGES, "uploaded files": 1 });
  for (const { why } of plan.kept) expect(why).not.toBe("");
  const all = await executeCommand(data, "planErasure", {
    user_id,
    actions: { ...retained, ...ALL },
  });
  expect(asCounts(all.removed)).toMatchObject({ ...PRIVATE, ...MESSAGES });
  expect(testServer.realm.read.users.get(user_id)!.is_deleted).toBeUndefined();
  const erasure = await executeCommand(data, "eraseUser", { user_id, actions: retained });
  const { emptied } = await verifyChain(testServer.realm.read);
  expect(emptied).toBeGreaterThan(1);
  const kept = plan.kept.map((row) => {
    return row.what === "entries in the audit log" ? { ...row, count: emptied } : row;
  });
  expect(erasure).toEqual({ user_id, ...plan, kept });
});

test("erases what only the user could read, with its pending jobs", async () => {
  const user_id = await fill();
  const { data } = testServer.realm.config;
  const jobs = () => [...testServer.realm.read.due.range()].map(({ kind }) => kind);
  expect(jobs()).toContain("send scheduled message");
  await executeCommand(data, "eraseUser", { user_id, actions: { delete_profile: true } });
  const { read } = testServer.realm;
  const own = { from: [user_id], to: [user_id + 1] };
  for (const table of ["drafts", "saved_snippets", "scheduled_messages", "reminders"] as const) {
    expect([table, [...read[table].range(own)].length]).toEqual([table, 0]);
  }
  expect([...read.alert_words.range(own)]).toEqual([]);
  expect(jobs().filter((kind) => /sched|remind/.test(kind))).toEqual([]);
});
