// Invisible characters in names of topics and channels are normalized to one spelling.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { channelNameEmpty } from "../../src/contract/errors/channels.ts";
import { writtenName } from "../../src/text/input/normalize-name.ts";
import { foldTopic } from "../../src/web/conversation-keys.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let stream_id: number;
beforeAll(async () => {
  testServer = await startTestServer();
  ({ stream_id } = await testServer.request("bo", "GET /get_stream_id", { stream: "general" }));
});
afterAll(() => testServer.close());

const CASES: [given: string, written: string][] = [
  ["Cafe\u0301", "Caf\u00e9"],
  ["a\u00a0b\u202fc", "a b c"],
  ["\u202ea\u200eb\u2069\u061c", "ab"],
  ["a\u200bb\ufeff\u2060\u00ad", "ab"],
  ["\u200b\u202e\u200d", ""],
  // Fillers, selectors and blanks alone; beside letters they stay.
  ["\u3164", ""],
  ["\u115f \u1160", ""],
  ["\ufe0f\u034f\u17b5", ""],
  ["\u2800\u3000", ""],
  ["a\u2007\u206ab\u{1d173}\ufff9", "a b"],
  ["\u2665\ufe0f", "\u2665\ufe0f"],
  ["a \u200d b\u200c", "a  b"],
  ["1\u200d2", "12"],
  // A joiner between letters, and in an emoji of several.
  [
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
  ],
  ["\u{1f469}\u{1f3fd}\u200d\u{1f4bb}", "\u{1f469}\u{1f3fd}\u200d\u{1f4bb}"],
  ["\u2764\ufe0f\u200d\u{1f525}", "\u2764\ufe0f\u200d\u{1f525}"],
  ["\u{1f1e9}\u{1f1ea}", "\u{1f1e9}\u{1f1ea}"],
];

test.each(CASES)("writes %j as %j", (value, expectedName) => {
  expect(writtenName(value)).toBe(expectedName);
  expect(writtenName(expectedName)).toBe(expectedName);
  // The web client compares names in the same way.
  expect(foldTopic(value)).toBe(foldTopic(expectedName));
});

const NAME_INPUT = "Cafe\u0301\u00a0\u200bplans\u202e";
const NORMALIZED_NAME = "Caf\u00e9 plans";
const send = (topic: string, to: number | string = stream_id) =>
  testServer.request("bo", "POST /messages", { type: "channel", to, topic, content: "x" });
const topicsNow = async (): Promise<string[]> =>
  (await testServer.request("bo", `GET /users/me/${stream_id}/topics`)).topics.map(
    ({ name }: { name: string }) => name,
  );
const idsIn = async (topic: string): Promise<number[]> => {
  const narrow = [
    { operator: "channel", operand: stream_id },
    { operator: "topic", operand: topic },
  ];
  const params = { anchor: "newest", num_before: 50, num_after: 0, narrow };
  return (await testServer.request("bo", "GET /messages", params)).messages.map(
    ({ id }: { id: number }) => id,
  );
};

test("sends, narrows, mutes, drafts and moves treat all spellings as one topic", async () => {
  const listener = await testServer.listen("bo");
  const first = (await send(NAME_INPUT)).id;
  const event = (await listener.takeAll()).find(({ type }) => type === "message");
  expect(event.message.subject).toBe(NORMALIZED_NAME);
  const second = (await send(NORMALIZED_NAME)).id;
  // Other tests also use the topic.
  const newIdsIn = async (topic: string) => (await idsIn(topic)).filter((id) => id >= first);
  expect(await newIdsIn(NAME_INPUT)).toEqual([first, second]);
  expect(await newIdsIn(NORMALIZED_NAME)).toEqual([first, second]);
  await testServer.request("bo", "POST /user_topics", {
    stream_id,
    topic: NAME_INPUT,
    visibility_policy: 1,
  });
  const [policy] = (await listener.takeAll()).filter(
    ({ type }: { type: string }) => type === "user_topic",
  );
  expect(policy).toMatchObject({ topic_name: NORMALIZED_NAME, visibility_policy: 1 });
  const draft = { type: "stream", to: [stream_id], topic: NAME_INPUT, content: "x", timestamp: 1 };
  await testServer.request("bo", "POST /drafts", { drafts: [draft] });
  expect((await testServer.request("bo", "GET /drafts")).drafts[0].topic).toBe(NORMALIZED_NAME);
  const other = (await send("elsewhere")).id;
  await testServer.request("bo", `PATCH /messages/${other}`, { topic: NAME_INPUT });
  expect((await newIdsIn(NORMALIZED_NAME)).slice(0, 3)).toEqual([first, second, other]);
  expect((await topicsNow()).filter((name) => name.startsWith("Caf"))).toEqual([NORMALIZED_NAME]);
});

test("links to channels and topics carry the stored name", async () => {
  const { id } = await send(NAME_INPUT);
  const content = `#**gen\u200beral>${NAME_INPUT}** #**\u202egeneral** #**general>\u200b**`;
  const { rendered } = await testServer.request("bo", "POST /messages/render", { content });
  const channelUrl = `/#narrow/channel/${stream_id}-general`;
  expect(rendered).toContain(
    `href="${channelUrl}/topic/Caf.C3.A9.20plans/with/${id}">#general &gt; ${NORMALIZED_NAME}<`,
  );
  expect(rendered).toContain(`href="${channelUrl}">#general<`);
  expect(rendered).toContain("<em>general chat</em>");
});

test("treats a topic of invisible characters as the empty one", async () => {
  const { id } = await send("\u200b\u202e\u00a0");
  const params = { allow_empty_topic_name: true };
  expect((await testServer.request("bo", `GET /messages/${id}`, params)).message.subject).toBe("");
});

test("finds a topic that was stored in another spelling, and does not rewrite it", async () => {
  for (const storedName of ["Re\u0301sume\u0301", "old\u00a0plans", "with\u200bzero"]) {
    const { id } = await send(`stored ${storedName.length}`);
    await testServer.realm.write((tx) => {
      const message = tx.messages.get(id)!;
      tx.topics.put({ ...tx.topics.get(message.topic_id)!, name: storedName });
    });
    const repeated = (await send(storedName)).id;
    expect(await idsIn(storedName)).toEqual([id, repeated]);
    expect(await topicsNow()).toContain(storedName);
  }
  for (const writtenName of ["R\u00e9sum\u00e9", "old plans"])
    expect(await idsIn(writtenName)).toHaveLength(2);
});

test("stores a channel's name without them, and rejects an empty one", async () => {
  const params = { name: NAME_INPUT, subscribers: [testServer.idOf("bo")] };
  const { id } = await testServer.request("bo", "POST /channels/create", params);
  expect((await testServer.request("bo", `GET /streams/${id}`)).stream.name).toBe(NORMALIZED_NAME);
  expect((await send("x", NAME_INPUT)).id).toBeNumber();
  await testServer.request("bo", `PATCH /streams/${id}`, { new_name: "Ka\u0308se\u00a0\u200b" });
  expect((await testServer.request("bo", `GET /streams/${id}`)).stream.name).toBe("K\u00e4se");
  const empty = { ...params, name: "\u200b\u202e" };
  const { message: msg } = channelNameEmpty();
  expect(await testServer.refused("bo", "POST /channels/create", empty)).toMatchObject({ msg });
});
