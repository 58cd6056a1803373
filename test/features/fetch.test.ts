// Fetching messages: anchors, windows, ids and fields, and the topics of a channel.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
/** Ten messages of bo and cy in turn, in the topic "tea" of the public channel "kitchen". */
let ids: number[];
const NEWEST = 10_000_000_000_000_000;

beforeEach(async () => {
  testServer = await startTestServer();
  await makeChannel("kitchen", {}, ["bo", "cy"]);
  ids = [];
  for (let i = 0; i < 10; i++) {
    testServer.clock.passSeconds(60);
    ids.push(await post(i % 2 === 0 ? "bo" : "cy", "kitchen", "tea", `word ${i}`));
  }
});
afterEach(() => testServer.close());

const idsOf = (names: readonly Name[]) => names.map((name) => testServer.idOf(name));

async function makeChannel(
  name: string,
  params: Params,
  subscribers: Name[],
  requester: Name = "ada",
) {
  const { id } = await testServer.request(requester, "POST /channels/create", {
    name,
    subscribers: idsOf(subscribers),
    ...params,
  });
  return id as number;
}

async function post(name: Name, to: string, topic: string, content: string): Promise<number> {
  const params = { type: "channel", to, topic, content, read_by_sender: true };
  return (await testServer.request(name, "POST /messages", params)).id;
}

async function notify(name: Name, people: Name[], content = "psst"): Promise<number> {
  const params = { type: "direct", to: idsOf(people), content, read_by_sender: true };
  return (await testServer.request(name, "POST /messages", params)).id;
}

const inKitchen = [
  { operator: "channel", operand: "kitchen" },
  { operator: "topic", operand: "tea" },
];

const fetchMessages = (name: Name, params: Params): Promise<Json> =>
  testServer.request(name, "GET /messages", { narrow: inKitchen, ...params });

const idsFor = async (name: Name, narrow: unknown): Promise<number[]> => {
  const { messages } = await fetchMessages(name, { narrow, anchor: "newest", num_before: 1000 });
  return messages.map((message: Json) => message.id);
};

describe("a window of messages", () => {
  const [anchor, before, after] = [5, 3, 2];
  const windows: [string, () => Params, () => number[], [boolean, boolean, boolean]][] = [
    [
      "both sides",
      () => ({ anchor: ids[anchor], num_before: before, num_after: after }),
      () => ids.slice(2, 8),
      [true, false, false],
    ],
    [
      "more than there is",
      () => ({ anchor: ids[anchor], num_before: 50, num_after: 50 }),
      () => ids,
      [true, true, true],
    ],
    [
      "before",
      () => ({ anchor: ids[anchor], num_before: before }),
      () => ids.slice(2, 6),
      [true, false, false],
    ],
    [
      "before without the anchor",
      () => ({ anchor: ids[anchor], num_before: before, include_anchor: false }),
      () => ids.slice(2, 5),
      [false, false, false],
    ],
    [
      "after",
      () => ({ anchor: ids[anchor], num_after: after }),
      () => ids.slice(5, 8),
      [true, false, false],
    ],
    [
      "after without the anchor",
      () => ({ anchor: ids[anchor], num_after: 50, include_anchor: false }),
      () => ids.slice(6),
      [false, false, true],
    ],
    ["the anchor alone", () => ({ anchor: ids[anchor] }), () => [ids[5]!], [true, false, false]],
    [
      "the newest",
      () => ({ anchor: "newest", num_before: 4 }),
      () => ids.slice(6),
      [false, false, true],
    ],
    [
      "the oldest",
      () => ({ anchor: "oldest", num_after: 4 }),
      () => ids.slice(0, 4),
      [false, true, false],
    ],
    ["a number below all", () => ({ anchor: -7, num_after: 20 }), () => ids, [false, true, true]],
    [
      "a number beyond all",
      () => ({ anchor: "99999999999999999999", num_before: 2, num_after: 2 }),
      () => ids.slice(8),
      [false, false, true],
    ],
  ];
  for (const [name, params, expectedIds, flags] of windows) {
    test(name, async () => {
      const { messages, found_anchor, found_oldest, found_newest, history_limited } =
        await fetchMessages("bo", params());
      expect(messages.map((message: Json) => message.id)).toEqual(expectedIds());
      expect([found_anchor, found_oldest, found_newest]).toEqual(flags);
      expect(history_limited).toBe(false);
    });
  }

  test("returns the anchor as a number, whatever was requested", async () => {
    expect((await fetchMessages("bo", { anchor: "newest", num_before: 1 })).anchor).toBe(NEWEST);
    expect((await fetchMessages("bo", { anchor: "oldest", num_after: 1 })).anchor).toBe(0);
    expect((await fetchMessages("bo", { anchor: ids[3], num_after: 1 })).anchor).toBe(ids[3]);
  });

  test("accepts the first unread message as anchor, in the old spelling too", async () => {
    await testServer.request("cy", "POST /messages/flags", {
      messages: ids.slice(0, 4),
      op: "add",
      flag: "read",
    });
    const { anchor: first } = await fetchMessages("cy", { anchor: "first_unread", num_after: 1 });
    expect(first).toBe(ids[4]);
    const oldWindow = await fetchMessages("cy", { use_first_unread_anchor: true, num_after: 1 });
    expect(oldWindow.anchor).toBe(ids[4]);
    const emptyWindow = await fetchMessages("mo", {
      anchor: "first_unread",
      num_before: 2,
      num_after: 2,
    });
    expect([emptyWindow.anchor, emptyWindow.messages.length]).toEqual([NEWEST, 2]);
  });

  test("accepts a date as anchor: the first message since then, or the newest end", async () => {
    const { timestamp } = testServer.realm.read.messages.get(ids[6]!)!;
    const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString();
    const anchorAtDate = async (anchor_date: string) =>
      (await fetchMessages("bo", { anchor: "date", anchor_date, num_after: 1 })).anchor;
    expect(await anchorAtDate(isoTime(timestamp))).toBe(ids[6]);
    expect(await anchorAtDate(isoTime(timestamp - 1))).toBe(ids[6]);
    expect(await anchorAtDate(isoTime(timestamp + 1).replace("Z", "+00:00"))).toBe(ids[7]);
    expect(await anchorAtDate("1999-12-31")).toBe(ids[0]);
    expect(await anchorAtDate("2000-02-29")).toBe(ids[0]);
    expect(await anchorAtDate("2000-02-29 23:59:59.5+0100")).toBe(ids[0]);
    expect(await anchorAtDate("2999-12-31T10:00")).toBe(NEWEST);
  });
});

describe("messages by their ids", () => {
  test("returns messages that the user can read, filtered by the narrow, in order", async () => {
    const secret = await notify("mo", ["ada"]);
    const received = await notify("mo", ["gus"]);
    const params = { narrow: [], message_ids: [received, secret, ids[2], ids[1], 999_999] };
    const response = await testServer.request("gus", "GET /messages", params);
    expect(response.messages.map((message: Json) => message.id)).toEqual([received]);
    expect(response).toMatchObject({
      found_anchor: false,
      found_oldest: false,
      found_newest: false,
    });
    expect("anchor" in response).toBe(false);
    const byBo = {
      narrow: [{ operator: "sender", operand: testServer.idOf("bo") }],
      message_ids: ids,
    };
    const { messages } = await testServer.request("mo", "GET /messages", byBo);
    expect(messages).toHaveLength(5);
  });
});

describe("a fetched message", () => {
  test("returns a message as sent, with the reader's flags", async () => {
    const [anchored] = (await fetchMessages("bo", { anchor: ids[0] })).messages;
    expect(anchored).toMatchObject({
      id: ids[0],
      sender_id: testServer.idOf("bo"),
      type: "stream",
      display_recipient: "kitchen",
      subject: "tea",
      content: "<p>word 0</p>",
      content_type: "text/html",
      flags: ["read"],
    });
    const [other] = (await fetchMessages("bo", { anchor: ids[9], apply_markdown: false })).messages;
    expect(other).toMatchObject({ content: "word 9", content_type: "text/x-markdown", flags: [] });
    const [unreceived] = (await fetchMessages("mo", { anchor: ids[0] })).messages;
    expect(unreceived.flags).toEqual(["read", "historical"]);
  });

  test("names the empty topic as the client supports it", async () => {
    const id = await post("bo", "kitchen", "", "nameless");
    const subjectOfMessage = async (allow_empty_topic_name: boolean) =>
      (await fetchMessages("bo", { narrow: [], anchor: id, allow_empty_topic_name })).messages[0]
        .subject;
    expect([await subjectOfMessage(true), await subjectOfMessage(false)]).toEqual([
      "",
      "general chat",
    ]);
  });
});

describe("access to messages", () => {
  test("finds messages of a private channel for subscribers, and after resubscribing", async () => {
    await makeChannel("cellar", { invite_only: true, history_public_to_subscribers: false }, [
      "bo",
      "cy",
    ]);
    const inCellar = [{ operator: "channel", operand: "cellar" }];
    const first = await post("bo", "cellar", "wine", "one");
    const leaveParams = { subscriptions: ["cellar"] };
    await testServer.request("cy", "DELETE /users/me/subscriptions", leaveParams);
    const second = await post("bo", "cellar", "wine", "two");
    expect(await idsFor("cy", inCellar)).toEqual([]);
    expect(await idsFor("cy", [])).not.toContain(first);
    const previousParams = {
      subscriptions: [{ name: "cellar" }],
      principals: [testServer.idOf("cy")],
    };
    await testServer.request("bo", "POST /users/me/subscriptions", previousParams);
    expect(await idsFor("cy", inCellar)).toContain(first);
    expect(await idsFor("cy", inCellar)).not.toContain(second);
    expect(await idsFor("bo", inCellar)).toContain(second);
  });

  test("finds the history of a named public channel for everyone except guests", async () => {
    expect(await idsFor("mo", inKitchen)).toEqual(ids);
    expect(await idsFor("mo", [{ operator: "topic", operand: "tea" }])).toEqual([]);
    expect(await idsFor("mo", [{ operator: "channels", operand: "public" }])).toContain(ids[0]!);
    const asGuest = { narrow: inKitchen, anchor: "newest" };
    const { desc } = await testServer.refused("gus", "GET /messages", asGuest);
    expect(desc).toBe("unknown channel kitchen");
    const starred = [...inKitchen, { operator: "is", operand: "starred" }];
    expect(await idsFor("mo", starred)).toEqual([]);
  });

  test("accepts a conversation named by one of its messages", async () => {
    const withTea = { operator: "with", operand: ids[0] };
    expect(await idsFor("bo", [withTea])).toEqual(ids);
    const movedMessages = [
      { operator: "channel", operand: "kitchen" },
      { operator: "topic", operand: "gone" },
    ];
    expect(await idsFor("bo", [...movedMessages, withTea])).toEqual(ids);
    expect(await idsFor("bo", [...movedMessages, { operator: "with", operand: "999999" }])).toEqual(
      [],
    );
    const direct = await notify("bo", ["cy"]);
    expect(await idsFor("cy", [{ operator: "with", operand: direct }])).toEqual([direct]);
  });

  test("accepts the spellings of old clients", async () => {
    expect(
      await idsFor("bo", [
        ["stream", "Kitchen"],
        ["topic", "TEA"],
      ]),
    ).toEqual(ids);
    const direct = await notify("bo", ["cy", "mo"]);
    const people = "cy@example.com, mo@example.com";
    expect(await idsFor("bo", [["pm-with", people]])).toEqual([direct]);
    const sender = [...inKitchen, { operator: "sender", operand: "CY@example.com" }];
    expect(await idsFor("bo", sender)).toEqual(ids.filter((_, i) => i % 2 === 1));
  });
});

describe("the topics of a channel", () => {
  test("orders topics newest first, in their newest spelling", async () => {
    const stream_id = await makeChannel("hall", {}, ["bo"]);
    const first = await post("bo", "hall", "One", "x");
    const second = await post("bo", "hall", "two", "x");
    const secondId = await post("bo", "hall", "ONE", "x");
    const nameless = await post("bo", "hall", "", "x");
    const { topics } = await testServer.request("mo", `GET /users/me/${stream_id}/topics`);
    expect(topics.slice(0, 3)).toEqual([
      { name: "general chat", max_id: nameless },
      { name: "ONE", max_id: secondId },
      { name: "two", max_id: second },
    ]);
    expect(topics.some((topic: Json) => topic.max_id === first)).toBe(false);
  });

  test("contain only received messages in a protected history", async () => {
    const options = { invite_only: true, history_public_to_subscribers: false };
    const stream_id = await makeChannel("attic", options, ["bo"]);
    await post("bo", "attic", "old", "x");
    const both = await post("bo", "attic", "both", "x");
    const join = { subscriptions: [{ name: "attic" }], principals: [testServer.idOf("cy")] };
    await testServer.request("bo", "POST /users/me/subscriptions", join);
    const { topics } = await testServer.request("cy", `GET /users/me/${stream_id}/topics`);
    expect(topics.some((topic: Json) => topic.max_id <= both)).toBe(false);
    const { msg } = await testServer.refused("mo", `GET /users/me/${stream_id}/topics`);
    expect(msg).toBe("Invalid channel ID");
  });
});
