// Searching for messages that mention a user, including those that the user did not receive.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let open: number;
beforeEach(async () => {
  testServer = await startTestServer();
  open = (
    await testServer.request("bo", "POST /channels/create", {
      name: "open",
      subscribers: [ids("bo")],
    })
  ).id;
});
afterEach(() => testServer.close());

const ids = (name: Name) => testServer.idOf(name);
const post = async (to: string | number, content: string, name: Name = "bo"): Promise<number> =>
  (await testServer.request(name, "POST /messages", { type: "stream", to, topic: "t", content }))
    .id;

async function findMentions(
  name: Name,
  person: unknown,
  channel?: string | number,
): Promise<number[]> {
  const narrow = [
    { operator: "mentions", operand: person },
    ...(channel === undefined ? [] : [{ operator: "channel", operand: channel }]),
  ];
  const params = { anchor: "newest", num_before: 20, num_after: 0, narrow };
  const { messages } = await testServer.request(name, "GET /messages", params);
  return messages.map((message: { id: number }) => message.id);
}

test("finds mentions in readable channels without a subscription", async () => {
  const id = await post("open", "@**Cy Member** and @**Ada Admin**");
  for (const name of ["bo", "cy", "mo"] as const) {
    expect(await findMentions(name, ids("cy"), open)).toEqual([id]);
  }
  expect(await findMentions("bo", "cy@example.com")).toEqual([id]);
  // A search without a channel only includes received messages.
  expect(await findMentions("cy", ids("cy"))).toEqual([]);
  const { message } = await testServer.request("cy", `GET /messages/${id}`);
  expect(message.flags).toEqual(["read", "historical"]);
});

test("does not count silent, wildcard and group mentions", async () => {
  await post("open", "@_**Mo Moderator** @**all** @_*role:moderators*\n> @**Mo Moderator**");
  expect(await findMentions("bo", ids("mo"), open)).toEqual([]);
});

test("adds and removes mentions by an edit", async () => {
  const id = await post("open", "@**Olga Owner**");
  await testServer.request("bo", `PATCH /messages/${id}`, { content: "@**Mo Moderator**" });
  expect(await findMentions("bo", ids("olga"), open)).toEqual([]);
  expect(await findMentions("bo", ids("mo"), open)).toEqual([id]);
});

test("keeps a mention if the user cannot follow a move", async () => {
  const id = await post("general", "@**Cy Member**");
  expect(await findMentions("cy", ids("cy"), "general")).toEqual([id]);
  await testServer.request("olga", `PATCH /messages/${id}`, { stream_id: open, topic: "moved" });
  expect(await findMentions("bo", ids("cy"), open)).toContain(id);
  const { message } = await testServer.request("cy", `GET /messages/${id}`);
  expect(message.flags).not.toContain("mentioned");
});
