// Limits of search queries, for users and spectators.
import { expect, spyOn, test } from "bun:test";
import { tooLong } from "../../src/contract/errors/channels.ts";
import { malformed, type Refusal } from "../../src/contract/errors/general.ts";
import { searchTooManyWords } from "../../src/contract/errors/messages.ts";
import {
  NARROW_TERMS_MAX,
  SEARCH_LENGTH_MAX,
  SEARCH_WORDS_MAX,
} from "../../src/features/messages/rules.ts";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";

const search = (operand: string) => ({ operator: "search", operand });
const LONGEST = "x".repeat(SEARCH_LENGTH_MAX);
const LONGEST_QUERY = "rose ".repeat(SEARCH_WORDS_MAX);

const tooMuch: readonly (readonly [why: string, narrow: Json[], refusal: Refusal])[] = [
  ["a long text", [search(`${LONGEST}x`)], tooLong("operand", SEARCH_LENGTH_MAX)],
  ["texts that are long together", [search(LONGEST), search("x")], tooLong("operand", 1000)],
  ["many words", [search(`${LONGEST_QUERY}tulip`)], searchTooManyWords(SEARCH_WORDS_MAX)],
  ["many pairs of characters", [search("東".repeat(102))], searchTooManyWords(SEARCH_WORDS_MAX)],
  [
    "many terms",
    Array<Json>(NARROW_TERMS_MAX + 1).fill({ operator: "is", operand: "resolved" }),
    malformed(`narrow is too long (limit: ${NARROW_TERMS_MAX} items)`),
  ],
];

test("accepts searches up to the limits, and rejects more", async () => {
  const testServer = await startTestServer();
  await testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
  const garden = { name: "garden", subscribers: [], is_web_public: true };
  await testServer.request("olga", "POST /channels/create", garden);
  const web = { operator: "channels", operand: "web-public" };
  const requesters: [Name | null, Json[]][] = [
    ["bo", []],
    [null, [web]],
  ];
  for (const [requester, otherTerms] of requesters) {
    const fetched = { anchor: "newest", num_before: 1, num_after: 0 };
    for (const query of [LONGEST, LONGEST_QUERY]) {
      const narrow = [search(query), ...otherTerms];
      expect(
        (await testServer.request(requester, "GET /messages", { ...fetched, narrow })).messages,
      ).toEqual([]);
    }
    for (const [, input, { errCode: code, message: msg, status }] of tooMuch) {
      const narrow = [...input, ...otherTerms];
      const refusal = await testServer.refused(requester, "GET /messages", { ...fetched, narrow });
      expect(refusal).toMatchObject({ status, code, msg });
    }
  }
  for (const [, narrow, { message: msg }] of tooMuch) {
    const matches = { msg_ids: [1], narrow };
    expect((await testServer.refused("bo", "GET /messages/matches_narrow", matches)).msg).toBe(msg);
    const flags = { anchor: "newest", num_before: 1, num_after: 0, op: "add", flag: "read" };
    const marking = { ...flags, narrow };
    expect((await testServer.refused("bo", "POST /messages/flags/narrow", marking)).msg).toBe(msg);
  }
  await testServer.close();
});

/** How often the server normalizes the name of a topic for this request of a narrow. */
async function normalizationsOf(testServer: TestServer, name: string, narrow: Json[]) {
  const normalize = spyOn(String.prototype, "normalize");
  const fetched = { anchor: "newest", num_before: 1, num_after: 0, narrow };
  await testServer.request("bo", "GET /messages", fetched);
  const count = normalize.mock.contexts.filter((text) => String(text) === name).length;
  normalize.mockRestore();
  return count;
}

test("normalizes the name of a topic once for all channels, and no overlong name", async () => {
  const testServer = await startTestServer();
  const countOf = (operand: string) =>
    normalizationsOf(testServer, operand, [{ operator: "topic", operand }]);
  const before = await countOf("\u00c9l\u00e9ment");
  expect(before).toBeGreaterThan(0);
  const subscriptions = Array.from({ length: 20 }, (_, index) => ({ name: `bed ${index}` }));
  await testServer.request("bo", "POST /users/me/subscriptions", { subscriptions });
  expect(await countOf("\u00c9l\u00e9ment")).toBe(before);
  expect(await countOf("\u00e9".repeat(601))).toBe(0);
  await testServer.close();
});

test("evaluates a repeated term once", async () => {
  const testServer = await startTestServer();
  const { stream_id } = testServer.realm.read.channels.findBy("name", "general")!;
  const followed = { stream_id, topic: "\u00e9l\u00e9ment", visibility_policy: 3 };
  await testServer.request("bo", "POST /user_topics", followed);
  const countOf = (count: number) => {
    const narrow = Array<Json>(count).fill({ operator: "is", operand: "followed" });
    return normalizationsOf(testServer, followed.topic, narrow);
  };
  const once = await countOf(1);
  expect(once).toBeGreaterThan(0);
  expect(await countOf(NARROW_TERMS_MAX)).toBe(once);
  await testServer.close();
});
