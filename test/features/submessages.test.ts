// Submessages: entries of polls and to-do lists, and who may add them.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import { LIST_LENGTH_MAX } from "../../src/features/messages/list-limits.ts";
import { SUBMESSAGE_LENGTH_MAX, SUBMESSAGES_MAX } from "../../src/features/submessages/rules.ts";
import { withOwnNumber } from "../../src/text/widget.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let stream_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  const subscribers = [testServer.idOf("bo"), testServer.idOf("cy")];
  stream_id = (
    await testServer.request("bo", "POST /channels/create", { name: "garden", subscribers })
  ).id;
});
afterEach(() => testServer.close());

async function post(content: string, params: Params = {}): Promise<number> {
  const message = { type: "channel", to: stream_id, topic: "peas", content, ...params };
  return (await testServer.request("bo", "POST /messages", message)).id;
}

const submessageParams = (message_id: number, content: object | string, msg_type = "widget") => ({
  message_id,
  msg_type,
  content: typeof content === "string" ? content : JSON.stringify(content),
});
const add = (name: Name, id: number, content: object) =>
  testServer.request(name, "POST /submessage", submessageParams(id, content));

async function expectRefused(refusal: errors.Refusal, name: Name, params: Params) {
  const { errCode: code, status, message: msg } = refusal;
  expect(await testServer.refused(name, "POST /submessage", params)).toMatchObject({
    status,
    code,
    msg,
  });
}

const submessagesOf = async (id: number): Promise<Json[]> =>
  (await testServer.request("bo", `GET /messages/${id}`)).message.submessages;

const vote = (key: string, value: number) => ({ type: "vote", key, vote: value });

test("sends a vote to the channel and stores it with the poll", async () => {
  const message_id = await post("/poll Which?\nPeas\nBeans");
  const [seed] = await submessagesOf(message_id);
  const { events } = await staysInSync(testServer, ["bo", "cy", "mo"], () =>
    add("cy", message_id, vote("canned,0", 1)),
  );
  const [stored, added] = await submessagesOf(message_id);
  expect(stored).toEqual(seed);
  const sender_id = testServer.idOf("cy");
  const content = JSON.stringify(vote("canned,0", 1));
  expect(added).toEqual({
    id: expect.any(Number),
    message_id,
    sender_id,
    msg_type: "widget",
    content,
  });
  expect(added.id).toBeGreaterThan(seed.id);
  const { id: submessage_id, ...rest } = added;
  const event = { id: expect.any(Number), type: "submessage", submessage_id, ...rest };
  expect(events.bo).toEqual([event]);
  expect(events.cy).toEqual([event]);
  expect(events.mo).toEqual([]);
});

test("lets every reader add to a poll, and only the author change the question", async () => {
  const id = await post("/poll Which?");
  await add("mo", id, { type: "new_option", option: "Leeks", idx: 1 });
  await add("bo", id, { type: "question", question: "Which ones?" });
  const question = submessageParams(id, { type: "question", question: "Why?" });
  const authorOnly = "You can't edit a question unless you are the author.";
  await expectRefused(messageErrors.submessageInvalid(authorOnly), "cy", question);
  expect(await submessagesOf(id)).toHaveLength(3);
});

test("accepts tasks, strikes and a title for a to-do list", async () => {
  const id = await post("/todo Today");
  await add("cy", id, { type: "new_task", key: 2, task: "Sow", desc: "", completed: false });
  await add("cy", id, { type: "strike", key: "2,1" });
  await add("bo", id, { type: "new_task_list_title", title: "Tomorrow" });
  const title = { type: "new_task_list_title", title: "Never" };
  const authorOnly = "You can't edit the task list title unless you are the author.";
  await expectRefused(
    messageErrors.submessageInvalid(authorOnly),
    "cy",
    submessageParams(id, title),
  );
});

test("gives simultaneous additions of two devices different numbers", async () => {
  const poll = await post("/poll Which?\nPeas");
  const todo = await post("/todo Today");
  const option = (text: string, idx: number) => ({ type: "new_option", option: text, idx });
  const task = (text: string, key: number) => ({ type: "new_task", key, task: text });
  const complete = { desc: "", completed: false };
  const { events } = await staysInSync(testServer, ["bo"], async () => {
    for (const idx of [1, 1, 2]) await add("cy", poll, option(`Of ${idx}`, idx));
    // Each user numbers entries separately, and options separately from tasks.
    await add("mo", poll, option("Leeks", 1));
    for (const key of [1, 1]) await add("cy", todo, { ...task("Sow", key), ...complete });
    // An existing option keeps its name.
    await add("cy", poll, vote("canned,0", 1));
    await add("cy", poll, vote("canned,0", 1));
  });
  const received = events.bo!.map(({ content }) => JSON.parse(content));
  expect(received.map(({ idx, key }) => idx ?? key)).toEqual([
    1,
    2,
    3,
    1,
    1,
    2,
    "canned,0",
    "canned,0",
  ]);
  const stored = [...(await submessagesOf(poll)).slice(1), ...(await submessagesOf(todo)).slice(1)];
  const byId = stored.sort((a, b) => a.id - b.id).map(({ content }) => JSON.parse(content));
  expect(byId).toEqual(received);
  // Submessages of other messages are ignored.
  const plainId = await post("plain");
  const note = submessageParams(plainId, option("Peas", 1), "note");
  for (let offset = 0; offset < 2; offset += 1)
    await testServer.request("bo", "POST /submessage", note);
  expect((await submessagesOf(plainId)).map(({ content }) => content)).toEqual([
    note.content,
    note.content,
  ]);
  const full = Array.from({ length: 1000 }, (_, index) =>
    JSON.stringify(option("Peas", index + 1)),
  );
  expect(withOwnNumber(JSON.stringify(option("Late", 7)), full)).toBeUndefined();
});

test("rejects what clients cannot read", async () => {
  const poll = await post("/poll Which?");
  const todo = await post("/todo Today");
  const cases: [number, object | string, string][] = [
    [poll, "{", "Invalid json for submessage"],
    [poll, { type: "dance" }, "Unknown type for poll data: dance"],
    [todo, { type: "vote" }, "Unknown type for todo data: vote"],
    [poll, vote("canned,0", 2), "Invalid vote in submessage"],
    [poll, { type: "vote", vote: 1 }, "key key is missing from submessage"],
    [poll, { ...vote("a", 1), more: 1 }, "Unexpected arguments: more"],
  ];
  for (const [id, content, reason] of cases) {
    await expectRefused(
      messageErrors.submessageInvalid(reason),
      "bo",
      submessageParams(id, content),
    );
  }
  await expectRefused(
    channelErrors.tooLong("content", 10_000),
    "bo",
    submessageParams(poll, "x".repeat(10_001)),
  );
  await expectRefused(
    channelErrors.tooLong("msg_type", 60),
    "bo",
    submessageParams(poll, "{}", "w".repeat(61)),
  );
  await expectRefused(errors.missingParameter("message_id"), "bo", {
    msg_type: "x",
    content: "{}",
  });
});

test("lets the sender add to a plain message, which does not become a widget", async () => {
  const id = await post("plain");
  await expectRefused(messageErrors.submessageNotAllowed(), "cy", submessageParams(id, {}, "note"));
  const widget = { widget_type: "poll", extra_data: {} };
  await expectRefused(messageErrors.submessageNotAllowed(), "bo", submessageParams(id, widget));
  await testServer.request("bo", "POST /submessage", submessageParams(id, { any: 1 }, "note"));
  await testServer.request("cy", "POST /submessage", submessageParams(id, { any: 2 }, "note"));
  expect(await submessagesOf(id)).toHaveLength(2);
});

test("rejects additions without access, or in an archived channel", async () => {
  const secret = await post("/poll Us?", { type: "direct", to: [testServer.idOf("cy")] });
  await add("cy", secret, vote("canned,0", 1));
  await expectRefused(
    messageErrors.messageNotFound(),
    "olga",
    submessageParams(secret, vote("canned,0", 1)),
  );
  await expectRefused(
    messageErrors.messageNotFound(),
    "gus",
    submessageParams(await post("/poll"), vote("a", 1)),
  );
});

test("limits the number of submessages of a message, and their length together", async () => {
  const fill = async (count: number, content: string) => {
    const id = await post("/poll Which?");
    await testServer.realm.write((tx) => {
      const message = tx.messages.get(id)!;
      const [seed, ...none] = message.submessages!;
      expect(none).toEqual([]);
      const additions = Array.from({ length: count }, () => ({ ...seed!, content }));
      tx.messages.put({ ...message, submessages: [seed!, ...additions] });
    });
    return id;
  };
  const votes = JSON.stringify(vote("canned,0", 1));
  const many = await fill(SUBMESSAGES_MAX - 2, votes);
  await add("cy", many, vote("canned,0", 1));
  const another = vote("canned,0", -1);
  await expectRefused(
    messageErrors.submessagesTooMany(SUBMESSAGES_MAX),
    "cy",
    submessageParams(many, another),
  );
  const long = await fill(
    LIST_LENGTH_MAX / SUBMESSAGE_LENGTH_MAX,
    "x".repeat(SUBMESSAGE_LENGTH_MAX),
  );
  await expectRefused(
    channelErrors.tooMuch("submessages of a message", LIST_LENGTH_MAX),
    "cy",
    submessageParams(long, another),
  );
});

test("voting counts as participation in the topic", async () => {
  await testServer.request("cy", "PATCH /settings", { automatically_follow_topics_policy: 1 });
  const id = await post("/poll Which?", { topic: "leeks" });
  const { events } = await staysInSync(testServer, ["cy"], () =>
    add("cy", id, vote("canned,0", 1)),
  );
  expect(events.cy!.map((event) => event["type"])).toEqual([
    "muted_topics",
    "user_topic",
    "submessage",
  ]);
});
