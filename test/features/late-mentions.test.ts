// Users who received a message later are mentioned by its edits like everyone who has it.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let kitchen: number;
let ids: number[];
beforeEach(async () => {
  testServer = await startTestServer();
  const cooks = { name: "cooks", description: "", members: [testServer.idOf("cy")] };
  await testServer.request("ada", "POST /user_groups/create", cooks);
  const params = { name: "kitchen", subscribers: [testServer.idOf("bo")] };
  kitchen = (await testServer.request("bo", "POST /channels/create", params)).id;
  ids = [await post(), await post(), await post(), await post()];
  await flag("add", "starred", ids);
  await testServer.request("cy", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "kitchen" }],
  });
});
afterEach(() => testServer.close());

async function post(): Promise<number> {
  const params = { type: "channel", to: kitchen, topic: "t", content: "words" };
  return (await testServer.request("bo", "POST /messages", params)).id;
}
const flag = (op: string, name: string, messages: number[]): Promise<Json> =>
  testServer.request("cy", "POST /messages/flags", { messages, op, flag: name });
const flagsOf = async (id: number): Promise<string[]> =>
  (await testServer.request("cy", `GET /messages/${id}`)).message.flags;
const edit = (id: number, content: string) =>
  staysInSync(testServer, ["cy", "bo"], () =>
    testServer.request("bo", `PATCH /messages/${id}`, { content }),
  );
const narrowedTo = async (operand: string): Promise<number[]> => {
  const narrow = [{ operator: "is", operand }];
  const params = { anchor: "newest", num_before: 9, num_after: 0, narrow };
  return (await testServer.request("cy", "GET /messages", params)).messages.map(
    ({ id }: Json) => id,
  );
};
const LATER_FLAGS = ["read", "starred", "historical"];

const CALLS: [number, string, string[]][] = [
  [0, "@**Cy Member** come", ["mentioned"]],
  [1, "@*cooks* come", ["mentioned"]],
  [2, "@**all** come", ["stream_wildcard_mentioned", "wildcard_mentioned"]],
];

async function callAll(): Promise<void> {
  for (const [index, content] of CALLS) await edit(ids[index]!, content);
}

test.each(CALLS)("message %i, with %s, mentions the user", async (index, content, marks) => {
  const id = ids[index]!;
  expect(await flagsOf(id)).toEqual(LATER_FLAGS);
  const { events } = await edit(id, content);
  expect(events.cy).toMatchObject([{ message_id: id, flags: [...LATER_FLAGS, ...marks] }]);
  expect(await flagsOf(id)).toEqual([...LATER_FLAGS, ...marks]);
});

test("are found among mentions, and counted if unread", async () => {
  await callAll();
  const mentionedIds = ids.slice(0, 3);
  expect(await narrowedTo("mentioned")).toEqual(mentionedIds);
  await flag("remove", "read", ids);
  const { unread_msgs } = await testServer.request("cy", "POST /register", {});
  expect(unread_msgs.mentions).toEqual(mentionedIds);
  await flag("add", "read", ids);
});

test("an edit removes the mention again", async () => {
  await callAll();
  await edit(ids[0]!, "words");
  expect(await flagsOf(ids[0]!)).toEqual(LATER_FLAGS);
  expect(await narrowedTo("mentioned")).toEqual(ids.slice(1, 3));
});

test("an alert word added by an edit alerts", async () => {
  await testServer.request("cy", "POST /users/me/alert_words", { alert_words: ["fire"] });
  await edit(ids[3]!, "there is a fire");
  expect(await flagsOf(ids[3]!)).toEqual([...LATER_FLAGS, "has_alert_word"]);
});

test("a user who subscribes after the edit is not mentioned", async () => {
  await callAll();
  await testServer.request("mo", "POST /messages/flags", {
    messages: ids,
    op: "add",
    flag: "starred",
  });
  const { flags } = (await testServer.request("mo", `GET /messages/${ids[2]}`)).message;
  expect(flags).toEqual(LATER_FLAGS);
});

test("a user who is not subscribed to the target channel is not mentioned any more", async () => {
  await testServer.request("cy", "POST /users/me/alert_words", { alert_words: ["come"] });
  await callAll();
  const params = { name: "pantry", subscribers: [testServer.idOf("bo")] };
  const pantry = (await testServer.request("bo", "POST /channels/create", params)).id;
  expect(await narrowedTo("alerted")).toEqual(ids.slice(0, 3));
  const move = { stream_id: pantry, propagate_mode: "change_all" };
  await staysInSync(testServer, ["cy"], () =>
    testServer.request("bo", `PATCH /messages/${ids[0]}`, move),
  );
  for (const id of ids) expect(await flagsOf(id)).toEqual(LATER_FLAGS);
  for (const concern of ["mentioned", "alerted"]) expect(await narrowedTo(concern)).toEqual([]);
});
