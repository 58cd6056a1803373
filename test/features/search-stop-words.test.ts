// Searching for stop words, which the index leaves out: alone, in phrases and joined by signs.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Name } from "../cast.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let bell: number;
let kept: number;
let item: number;

async function say(content: string, people?: readonly Name[]): Promise<number> {
  const to = people ? people.map((name) => testServer.idOf(name)) : "general";
  const type = people ? "direct" : "channel";
  return (await testServer.ask("bo", "POST /messages", { type, to, topic: "words", content })).id;
}

async function found(name: Name, query: string): Promise<number[]> {
  const narrow = [{ operator: "search", operand: query }];
  const asked = { anchor: "newest", num_before: 100, num_after: 0, narrow };
  const { messages } = await testServer.ask(name, "GET /messages", asked);
  return messages.map(({ id }: { id: number }) => id);
}

beforeAll(async () => {
  testServer = await startTestServer();
  bell = await say("AT&T is a carrier of the bell system");
  kept = await say("where is it kept? ask in IT");
  item = await say("this item was at the top of t-shirts");
});
afterAll(() => testServer.close());

test("finds words that are joined, beside others and alone", async () => {
  expect(await found("cy", "AT&T")).toEqual([bell]);
  expect(await found("cy", "at&t carriers")).toEqual([bell]);
  expect(await found("cy", "at&t shirts")).toEqual([]);
});

test("finds a phrase of stop words alone", async () => {
  expect(await found("cy", '"is it"')).toEqual([kept]);
  expect(await found("cy", '"is it" kept')).toEqual([kept]);
  expect(await found("cy", '"it is"')).toEqual([]);
});

test("finds stop words alone, the last one also unfinished", async () => {
  expect(await found("cy", "is it")).toEqual([kept]);
  expect(await found("cy", "IT")).toEqual([kept, item]);
  expect(await found("cy", "of the")).toEqual([bell, item]);
});

test("finds none of them in messages that the reader may not see", async () => {
  const secret = await say("so it is then", ["cy"]);
  expect(await found("cy", '"it is then"')).toEqual([secret]);
  expect(await found("gus", '"it is then"')).toEqual([]);
  expect(await found("gus", "so it is")).toEqual([]);
});
