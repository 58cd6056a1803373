// Unread messages are reported at their current place after moves.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { startTestServer, type Json, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

async function post(topic: string): Promise<number> {
  const message = { type: "stream", to: "general", topic, content: "soup" };
  return (await testServer.request("bo", "POST /messages", message)).id;
}

async function unreadOfCy(): Promise<Record<string, number[]>> {
  const params = { fetch_event_types: ["message", "update_message_flags"] };
  const { unread_msgs } = await testServer.request("cy", "POST /register", params);
  return Object.fromEntries(
    unread_msgs.streams.map((stream: Json) => [stream.topic, stream.unread_message_ids]),
  );
}

test("returns messages moved between registrations in their new topic", async () => {
  const [first, second, third] = [await post("lunch"), await post("lunch"), await post("dinner")];
  expect(await unreadOfCy()).toEqual({ lunch: [first, second], dinner: [third] });

  const moveParams = { topic: "dinner", propagate_mode: "change_one" };
  await testServer.request("ada", `PATCH /messages/${first}`, moveParams);
  const { lunch, dinner } = await unreadOfCy();
  expect(lunch).toContain(second);
  expect(lunch).not.toContain(first);
  expect(dinner).toEqual(expect.arrayContaining([first, third]));
});

test("includes messages received and read since", async () => {
  for (const topic of ["lunch", "lunch", "dinner"]) await post(topic);
  const before = await unreadOfCy();
  const id = await post("lunch");
  await testServer.request("cy", "POST /messages/flags", {
    messages: before["dinner"],
    op: "add",
    flag: "read",
  });
  const after = await unreadOfCy();
  expect(after["lunch"]).toEqual([...before["lunch"]!, id]);
  expect(after["dinner"]).toBeUndefined();
});

test("returns a renamed topic under its new name", async () => {
  for (const topic of ["lunch", "dinner", "lunch"]) await post(topic);
  const { lunch } = await unreadOfCy();
  const renamed = { topic: "brunch", propagate_mode: "change_all" };
  await testServer.request("ada", `PATCH /messages/${lunch![0]}`, renamed);
  const after = await unreadOfCy();
  expect(after["brunch"]).toEqual(expect.arrayContaining(lunch!));
  expect(after["lunch"] ?? []).not.toContain(lunch![0]!);
});

test("returns a topic in the letter case of its newest message", async () => {
  const [first, second] = [await post("lunch"), await post("lunch")];
  expect(await unreadOfCy()).toEqual({ lunch: [first, second] });
  const third = await post("Lunch");
  expect(await unreadOfCy()).toEqual({ Lunch: [first, second, third] });

  await testServer.request("ada", `DELETE /messages/${third}`);
  expect(await unreadOfCy()).toEqual({ lunch: [first, second] });

  const fourth = await post("dinner");
  expect(await unreadOfCy()).toEqual({ lunch: [first, second], dinner: [fourth] });
  const moved = { topic: "LUNCH", propagate_mode: "change_one" };
  await testServer.request("ada", `PATCH /messages/${fourth}`, moved);
  const [[name, ids] = []] = Object.entries(await unreadOfCy());
  expect(name).toBe("LUNCH");
  expect(ids).toEqual(expect.arrayContaining([first, second, fourth]));
});
