// Searching for stop words, which are not indexed: alone, in phrases and joined by punctuation.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { UNINDEXED_MESSAGES_MAX } from "../../src/text/search/stop-words.ts";
import type { Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let bell: number;
let stored: number;
let item: number;

async function post(content: string, people?: readonly Name[]): Promise<number> {
  const to = people ? people.map((name) => testServer.idOf(name)) : "general";
  const type = people ? "direct" : "channel";
  return (await testServer.request("bo", "POST /messages", { type, to, topic: "words", content }))
    .id;
}

async function searchIds(name: Name, query: string): Promise<number[]> {
  const narrow = [{ operator: "search", operand: query }];
  const params = { anchor: "newest", num_before: 100, num_after: 0, narrow };
  const { messages } = await testServer.request(name, "GET /messages", params);
  return messages.map(({ id }: { id: number }) => id);
}

beforeAll(async () => {
  testServer = await startTestServer();
  bell = await post("AT&T is a carrier of the bell system");
  stored = await post("where is it kept? ask in IT");
  item = await post("this item was at the top of t-shirts");
});
afterAll(() => testServer.close());

test("finds words that are joined, beside others and alone", async () => {
  expect(await searchIds("cy", "AT&T")).toEqual([bell]);
  expect(await searchIds("cy", "at&t carriers")).toEqual([bell]);
  expect(await searchIds("cy", "at&t shirts")).toEqual([]);
});

test("finds a phrase of stop words alone", async () => {
  expect(await searchIds("cy", '"is it"')).toEqual([stored]);
  expect(await searchIds("cy", '"is it" kept')).toEqual([stored]);
  expect(await searchIds("cy", '"it is"')).toEqual([]);
});

test("finds stop words alone, the last one also unfinished", async () => {
  expect(await searchIds("cy", "is it")).toEqual([stored]);
  expect(await searchIds("cy", "IT")).toEqual([stored, item]);
  expect(await searchIds("cy", "of the")).toEqual([bell, item]);
});

test("the answer names the words that it ignored, and how many messages it covers", async () => {
  const request = async (query: string | undefined) => {
    const narrow = query === undefined ? [] : [{ operator: "search", operand: query }];
    const window = { anchor: "newest", num_before: 9, num_after: 0, narrow };
    const response = await testServer.request("cy", "GET /messages", window);
    return [response["search_ignored_words"], response["search_newest_max"]];
  };
  expect(await request("The carrier OF the bell")).toEqual([["the", "of"], null]);
  expect(await request('"the bell" carrier')).toEqual([[], null]);
  expect(await request("carrier")).toEqual([[], null]);
  expect(await request("is it")).toEqual([[], UNINDEXED_MESSAGES_MAX]);
  expect(await request("it's")).toEqual([[], UNINDEXED_MESSAGES_MAX]);
  expect(await request("it's a carrier")).toEqual([["it's", "a"], null]);
  expect(await request("AT&T carrier")).toEqual([[], null]);
  expect(await request(undefined)).toEqual([undefined, undefined]);
  const narrow = [{ operator: "search", operand: "the bell" }];
  const byId = await testServer.request("cy", "GET /messages", {
    message_ids: `[${bell}]`,
    narrow,
  });
  expect(byId).toMatchObject({ search_ignored_words: ["the"], search_newest_max: null });
});

test("finds none of them in messages that the reader may not see", async () => {
  const secret = await post("so it is then", ["ada"]);
  expect(await searchIds("ada", '"it is then"')).toEqual([secret]);
  expect(await searchIds("gus", '"it is then"')).toEqual([]);
  expect(await searchIds("gus", "so it is")).toEqual([]);
});
