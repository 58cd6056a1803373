// Reports which of the given messages match a narrow.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let stream_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  const subscribers = (["bo", "cy"] as const).map((name) => testServer.idOf(name));
  stream_id = (
    await testServer.request("bo", "POST /channels/create", { name: "garden", subscribers })
  ).id;
});
afterEach(() => testServer.close());

const post = async (params: Params): Promise<number> =>
  (await testServer.request("bo", "POST /messages", { type: "channel", to: stream_id, ...params }))
    .id;

const matchesNarrow = async (name: Name, msg_ids: number[], narrow: Json[]): Promise<Json> =>
  (await testServer.request(name, "GET /messages/matches_narrow", { msg_ids, narrow })).messages;

test("returns content and topic of a match as HTML", async () => {
  const id = await post({ topic: "R&D", content: "**They** grow." });
  const other = await post({ topic: "beans", content: "x" });
  const narrow = [{ operator: "topic", operand: "r&d" }];
  expect(await matchesNarrow("cy", [other, id, 999_999], narrow)).toEqual({
    [id]: { match_content: "<p><strong>They</strong> grow.</p>", match_subject: "R&amp;D" },
  });
  const others = [{ operator: "topic", operand: "r&d", negated: true }];
  expect(Object.keys(await matchesNarrow("cy", [other, id], others))).toEqual([String(other)]);
  const close = [{ operator: "with", operand: id }];
  expect(Object.keys(await matchesNarrow("cy", [other, id], close))).toEqual([String(id)]);
});

test("highlights a phrase as a whole, and its words only where formatting divides it", async () => {
  const matchedContent = async (content: string, operand: string): Promise<string> => {
    const params = { type: "channel", to: "general", topic: "x", content };
    const { id } = await testServer.request("bo", "POST /messages", params);
    const narrow = [{ operator: "search", operand }];
    const { messages } = await testServer.request("bo", "GET /messages/matches_narrow", {
      msg_ids: [id],
      narrow,
    });
    return messages[id].match_content;
  };
  const mark = (text: string) => `<span class="highlight">${text}</span>`;
  expect(await matchedContent("a book, a good book, good", '"good book"')).toBe(
    `<p>a book, a ${mark("good book")}, good</p>`,
  );
  expect(await matchedContent("good books, a good book", 'books "good book"')).toBe(
    `<p>${mark("good books")}, a ${mark("good book")}</p>`,
  );
  expect(await matchedContent("a good **book**", '"good **book**"')).toBe(
    `<p>a ${mark("good")} <strong>${mark("book")}</strong></p>`,
  );
});

test("matches only messages of the user, even in a public channel", async () => {
  const id = await post({ topic: "peas", content: "x" });
  const narrow = [{ operator: "channel", operand: stream_id }];
  expect(Object.keys(await matchesNarrow("bo", [id], narrow))).toEqual([String(id)]);
  expect(await matchesNarrow("mo", [id], narrow)).toEqual({});
  await testServer.request("mo", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  expect(Object.keys(await matchesNarrow("mo", [id], narrow))).toEqual([String(id)]);
});

test("rejects invalid requests", async () => {
  const cases: [Params, errors.Refusal][] = [
    [{ msg_ids: [1] }, errors.missingParameter("narrow")],
    [{ narrow: [] }, errors.missingParameter("msg_ids")],
    [{ msg_ids: [-1], narrow: [] }, errors.badRequest("msg_ids[0] is too small")],
    [
      { msg_ids: [1], narrow: [["moon", "full"]] },
      messageErrors.badNarrow("unknown operator moon"),
    ],
    [
      { msg_ids: [1], narrow: [["has", "wings"]] },
      messageErrors.badNarrow("unknown 'has' operand wings"),
    ],
  ];
  for (const [params, { errCode: code, message: msg }] of cases) {
    const refusal = await testServer.refused("bo", "GET /messages/matches_narrow", params);
    expect(refusal).toMatchObject({ code, msg, status: 400 });
  }
});
