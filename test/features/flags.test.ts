// Flags: read, unread and starred, set by message, narrow or place; and the resulting events.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let kitchen: number;
beforeEach(async () => {
  testServer = await startTestServer();
  const subscribers = (["bo", "cy"] as const).map((name) => testServer.idOf(name));
  const created = await testServer.request("ada", "POST /channels/create", {
    name: "kitchen",
    subscribers,
  });
  kitchen = created.id;
});
afterEach(() => testServer.close());

async function post(name: Name, topic = "tea", content = "words"): Promise<number> {
  const params = { type: "channel", to: kitchen, topic, content, read_by_sender: true };
  return (await testServer.request(name, "POST /messages", params)).id;
}

async function notify(userName: Name, to: Name[]): Promise<number> {
  const params = { type: "direct", to: to.map((name) => testServer.idOf(name)), content: "psst" };
  return (await testServer.request(userName, "POST /messages", { ...params, read_by_sender: true }))
    .id;
}

const flag = (userName: Name, op: string, name: string, messages: number[]): Promise<Json> =>
  testServer.request(userName, "POST /messages/flags", { messages, op, flag: name });

const flagsOf = async (name: Name, id: number): Promise<string[]> =>
  (await testServer.request(name, `GET /messages/${id}`)).message.flags;

const updateFlagsOfNarrow = (name: Name, params: Params): Promise<Json> =>
  testServer.request(name, "POST /messages/flags/narrow", {
    anchor: "oldest",
    num_before: 0,
    num_after: 100,
    op: "add",
    flag: "read",
    ...params,
  });

const inTopic = (topic: string) => [
  { operator: "channel", operand: kitchen },
  { operator: "topic", operand: topic },
];

const receivedBy = (received: Json[] | undefined) =>
  received!.filter((event) => event.type === "update_message_flags");

describe("marking as read", () => {
  test("sends an event to the reader, once, and only for unread messages", async () => {
    const [first, second] = [await post("bo"), await post("bo")];
    await flag("cy", "add", "read", [first]);
    const { result, events } = await staysInSync(testServer, ["cy", "bo"], () =>
      flag("cy", "add", "read", [second, first, second]),
    );
    expect(result).toMatchObject({
      messages: [second, first, second],
      ignored_because_not_subscribed_channels: [],
    });
    expect(receivedBy(events.cy)).toMatchObject([
      { op: "add", operation: "add", flag: "read", messages: [second], all: false },
    ]);
    expect(receivedBy(events.bo)).toEqual([]);
    expect(await flagsOf("cy", second)).toContain("read");
  });

  test("treats messages that were never received as read", async () => {
    const id = await post("bo");
    const { events } = await staysInSync(testServer, ["mo"], () =>
      flag("mo", "add", "read", [id, 999_999]),
    );
    expect(receivedBy(events.mo)).toEqual([]);
    expect(await flagsOf("mo", id)).toEqual(["read", "historical"]);
  });

  test("includes message details in the event when marking as unread", async () => {
    const content = `@**Cy Member** words`;
    const id = await post("bo", "milk", content);
    const direct = await notify("bo", ["cy", "mo"]);
    await flag("cy", "add", "read", [id, direct]);
    const { events } = await staysInSync(testServer, ["cy"], () =>
      flag("cy", "remove", "read", [id, direct]),
    );
    const [event] = receivedBy(events.cy);
    expect(event).toMatchObject({ op: "remove", flag: "read", messages: [id, direct] });
    expect(event.message_details).toEqual({
      [id]: {
        type: "stream",
        stream_id: kitchen,
        topic: "milk",
        mentioned: true,
        unmuted_stream_msg: true,
      },
      [direct]: { type: "private", user_ids: [testServer.idOf("mo"), testServer.idOf("bo")] },
    });
  });

  test("cannot be undone in a channel that the user is not subscribed to", async () => {
    const id = await post("bo");
    const { result, events } = await staysInSync(testServer, ["mo"], () =>
      flag("mo", "remove", "read", [id]),
    );
    expect(result.ignored_because_not_subscribed_channels).toEqual([kitchen]);
    expect(receivedBy(events.mo)).toEqual([]);
  });

  test("can be undone for messages sent before the user subscribed", async () => {
    const id = await post("bo", "before");
    const join = { subscriptions: [{ name: "kitchen" }] };
    await testServer.request("ada", "POST /users/me/subscriptions", join);
    await staysInSync(testServer, ["ada"], () => flag("ada", "remove", "read", [id]));
    expect(await flagsOf("ada", id)).toEqual(["historical"]);
    const leaveParams = { subscriptions: ["kitchen"] };
    const { events } = await staysInSync(testServer, ["ada"], () =>
      testServer.request("ada", "DELETE /users/me/subscriptions", leaveParams),
    );
    expect(receivedBy(events.ada)).toMatchObject([{ op: "add", flag: "read", messages: [id] }]);
  });
});

describe("starring", () => {
  test("sends events of added and removed stars to the user", async () => {
    const id = await post("bo");
    const { events } = await staysInSync(testServer, ["cy", "bo"], async () => {
      await flag("cy", "add", "starred", [id]);
      await flag("cy", "add", "starred", [id]);
      await flag("cy", "remove", "starred", [id]);
    });
    expect(receivedBy(events.cy).map((event) => [event.op, event.flag, event.messages])).toEqual([
      ["add", "starred", [id]],
      ["remove", "starred", [id]],
    ]);
    expect(receivedBy(events.bo)).toEqual([]);
  });

  test("adds a message that was never received to the user's own", async () => {
    const id = await post("bo");
    await staysInSync(testServer, ["mo"], () => flag("mo", "add", "starred", [id]));
    expect((await flagsOf("mo", id)).sort()).toEqual(["historical", "read", "starred"]);
    const narrow = [{ operator: "is", operand: "starred" }];
    const params = { anchor: "newest", num_before: 10, narrow };
    const { messages } = await testServer.request("mo", "GET /messages", params);
    expect(messages.map((message: Json) => message.id)).toEqual([id]);
  });

  test("rejects messages that the user cannot read, and stars nothing", async () => {
    const [open, secret] = [await post("bo"), await notify("bo", ["ada"])];
    const params = { messages: [open, secret], op: "add", flag: "starred" };
    const refusal = await testServer.refused("cy", "POST /messages/flags", params);
    expect(refusal).toMatchObject({ status: 400, msg: "Invalid message(s)" });
    expect(await flagsOf("cy", open)).not.toContain("starred");
  });
});

test("collapses a message", async () => {
  const id = await post("bo");
  await staysInSync(testServer, ["cy"], () => flag("cy", "add", "collapsed", [id]));
  expect(await flagsOf("cy", id)).toContain("collapsed");
});

describe("flags of a narrow", () => {
  test("continue page by page after the last message of the previous page", async () => {
    const ids: number[] = [];
    for (let i = 0; i < 5; i++) ids.push(await post("bo", "pages"));
    const narrow = inTopic("pages");
    const { result: page } = await staysInSync(testServer, ["cy"], () =>
      updateFlagsOfNarrow("cy", { narrow, num_after: 3 }),
    );
    expect(page).toMatchObject({
      processed_count: 3,
      updated_count: 3,
      first_processed_id: ids[0],
      last_processed_id: ids[2],
      found_oldest: true,
      found_newest: false,
      ignored_because_not_subscribed_channels: [],
    });
    const anchor = String(page.last_processed_id);
    const rest = await updateFlagsOfNarrow("cy", { narrow, anchor, include_anchor: false });
    expect(rest).toMatchObject({ processed_count: 2, updated_count: 2, found_newest: true });
    const unread = [...narrow, { operator: "is", operand: "unread" }];
    const none = await updateFlagsOfNarrow("cy", { narrow: unread });
    expect(none).toMatchObject({
      processed_count: 0,
      updated_count: 0,
      first_processed_id: null,
      last_processed_id: null,
    });
    const back = await updateFlagsOfNarrow("cy", { narrow, op: "remove" });
    expect(back).toMatchObject({ processed_count: 5, updated_count: 5 });
  });

  test("are limited to the maximum of one request", async () => {
    for (let i = 0; i < 5; i++) await post("bo", "pages");
    const narrow = inTopic("pages");
    const largeUpdate = await updateFlagsOfNarrow("cy", {
      narrow,
      num_before: 9000,
      num_after: 9000,
    });
    expect(largeUpdate).toMatchObject({ processed_count: 5, found_newest: true });
  });
});

describe("rejects", () => {
  const flags = { messages: [1], op: "add", flag: "read" };
  const narrow = { anchor: "1", num_before: 1, num_after: 1, narrow: [], op: "add", flag: "read" };
  const refusals: [string, errors.Refusal, string, Params][] = [
    [
      "Invalid flag: 'shiny'",
      messageErrors.flagUnknown("shiny"),
      "POST /messages/flags",
      { ...flags, flag: "shiny" },
    ],
    [
      "Flag not editable: 'mentioned'",
      messageErrors.flagNotEditable("mentioned"),
      "POST /messages/flags/narrow",
      { ...narrow, flag: "mentioned" },
    ],
    [
      "Invalid message flag operation: 'flip'",
      messageErrors.flagOperationUnknown("flip"),
      "POST /messages/flags",
      { ...flags, op: "flip" },
    ],
    [
      "Invalid anchor",
      channelErrors.invalidValue("anchor"),
      "POST /messages/flags/narrow",
      { ...narrow, anchor: "date" },
    ],
    [
      "The anchor can only be excluded at an end of the range",
      messageErrors.anchorNotAtEnd(),
      "POST /messages/flags/narrow",
      { ...narrow, include_anchor: false },
    ],
    [
      "Missing 'anchor' argument",
      errors.missingParameter("anchor"),
      "POST /messages/flags/narrow",
      { ...narrow, anchor: undefined },
    ],
    [
      "Invalid channel ID",
      channelErrors.channelNotFound(),
      "POST /mark_stream_as_read",
      { stream_id: 999 },
    ],
    [
      "Invalid channel ID",
      channelErrors.channelNotFound(),
      "POST /mark_topic_as_read",
      { stream_id: 999, topic_name: "x" },
    ],
  ];
  for (const [msg, refusal, line, params] of refusals) {
    test(`${line}: ${msg}`, async () => {
      expect(refusal.message).toBe(msg);
      expect(await testServer.refused("bo", line, params)).toMatchObject({ status: 400, msg });
    });
  }

  test("a topic without received messages", async () => {
    await post("bo", "private joke");
    const params = { stream_id: kitchen, topic_name: "private joke" };
    const { msg } = await testServer.refused("mo", "POST /mark_topic_as_read", params);
    expect(msg).toBe("No such topic 'private joke'");
    expect(msg).toBe(messageErrors.topicNotFound("private joke").message);
  });
});
