// Looking for the messages that mention a person, also where the person received none.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Name } from "../cast.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let open: number;
beforeEach(async () => {
  testServer = await startTestServer();
  open = (
    await testServer.ask("bo", "POST /channels/create", { name: "open", subscribers: [ids("bo")] })
  ).id;
});
afterEach(() => testServer.close());

const ids = (name: Name) => testServer.idOf(name);
const say = async (to: string | number, content: string, who: Name = "bo"): Promise<number> =>
  (await testServer.ask(who, "POST /messages", { type: "stream", to, topic: "t", content })).id;

async function found(who: Name, person: unknown, channel?: string | number): Promise<number[]> {
  const narrow = [
    { operator: "mentions", operand: person },
    ...(channel === undefined ? [] : [{ operator: "channel", operand: channel }]),
  ];
  const asked = { anchor: "newest", num_before: 20, num_after: 0, narrow };
  const { messages } = await testServer.ask(who, "GET /messages", asked);
  return messages.map((message: { id: number }) => message.id);
}

test("a mention counts where the person is not subscribed, to whoever may read it", async () => {
  const id = await say("open", "@**Cy Member** and @**Ada Admin**");
  for (const who of ["bo", "cy", "mo"] as const) {
    expect(await found(who, ids("cy"), open)).toEqual([id]);
  }
  expect(await found("bo", "cy@example.com")).toEqual([id]);
  // Without a channel only what one received is looked at.
  expect(await found("cy", ids("cy"))).toEqual([]);
  const { message } = await testServer.ask("cy", `GET /messages/${id}`);
  expect(message.flags).toEqual(["read", "historical"]);
});

test("silent, wildcard and group mentions do not count", async () => {
  await say("open", "@_**Mo Moderator** @**all** @_*role:moderators*\n> @**Mo Moderator**");
  expect(await found("bo", ids("mo"), open)).toEqual([]);
});

test("an edit takes a mention away, or makes one", async () => {
  const id = await say("open", "@**Olga Owner**");
  await testServer.ask("bo", `PATCH /messages/${id}`, { content: "@**Mo Moderator**" });
  expect(await found("bo", ids("olga"), open)).toEqual([]);
  expect(await found("bo", ids("mo"), open)).toEqual([id]);
});

test("a mention is one still where the person cannot follow a move", async () => {
  const id = await say("general", "@**Cy Member**");
  expect(await found("cy", ids("cy"), "general")).toEqual([id]);
  await testServer.ask("olga", `PATCH /messages/${id}`, { stream_id: open, topic: "moved" });
  expect(await found("bo", ids("cy"), open)).toContain(id);
  const { message } = await testServer.ask("cy", `GET /messages/${id}`);
  expect(message.flags).not.toContain("mentioned");
});
