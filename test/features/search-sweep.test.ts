// Messages deleted in large numbers are never found, and leave the index after the sweep.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { compose } from "../../src/features/messages/content/compose.ts";
import { removeMessages } from "../../src/features/messages/delete/remove.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import { gcIndex } from "../../src/features/search/jobs.ts";
import { mergeStep } from "../../src/features/search/merge.ts";
import { PageReader } from "../../src/features/search/page.ts";
import { firstIdOf, isOpen } from "../../src/features/search/segments.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

/** Three segments are merged from these and others' messages in between. */
const SENT = 900;

let testServer: TestServer;
let ids: number[];
beforeEach(async () => {
  testServer = await startTestServer();
  ids = [];
});
afterEach(() => testServer.close());

async function send(count: number): Promise<void> {
  const { realm } = testServer;
  const { stream_id } = realm.read.channels.findBy("name", "general")!;
  await realm.write((tx) => {
    const bo = tx.users.get(testServer.idOf("bo"))!;
    for (let i = 0; i < count; i++) {
      const words = compose(tx, bo, `everywhere ${i % 2 ? "odd" : "even"} n${ids.length}`);
      ids.push(sendMessage(tx, bo, { stream_id, topic: "t" }, words).id);
    }
  });
}

async function fold(): Promise<void> {
  for (let isMore = true; isMore;) isMore = await testServer.realm.write((tx) => mergeStep(tx));
}

const remove = (items: readonly number[]) =>
  testServer.realm.write((tx) => {
    removeMessages(
      tx,
      items.map((id) => tx.messages.get(id)!),
      null,
    );
  });

/** Message ids in the index pages, by term. */
function indexedWords(): Map<string, number[]> {
  const { read } = testServer.realm;
  const results = new Map<string, number[]>();
  for (const segment of read.search_segments.range()) {
    if (isOpen(segment)) continue;
    for (const first of segment.firsts) {
      const page = read.search_pages.get(segment.level, segment.number, first);
      for (const reader = new PageReader(page!); reader.term !== undefined; reader.next()) {
        const ids = results.get(reader.term) ?? [];
        results.set(reader.term, ids);
        reader.each((offset) => ids.push(firstIdOf(segment) + offset));
      }
    }
  }
  return results;
}

async function searchIds(word: string): Promise<number[]> {
  const narrow = [{ operator: "search", operand: word }];
  const params = { anchor: "newest", num_before: 1_000, num_after: 0, narrow };
  const { messages } = await testServer.request("bo", "GET /messages", params);
  return (messages as { id: number }[]).map(({ id }) => id);
}

test("hides deleted messages before the cleanup, and removes them from the index", async () => {
  await send(SENT);
  await fold();
  const removal = ids.filter((_, index) => index % 2 === 1);
  const stay = ids.filter((_, index) => index % 2 === 0);
  await remove(removal);
  expect(await searchIds("odd")).toEqual([]);
  expect(await searchIds("everywhere")).toEqual(stay);
  expect(indexedWords().get("odd")!.length).toBeGreaterThan(0);

  await gcIndex(testServer.realm);
  expect(await searchIds("everywhere")).toEqual(stay);
  expect(indexedWords().has("odd")).toBe(false);
  expect(indexedWords().has(`n${1}`)).toBe(false);
  expect([...testServer.realm.read.search_gone.chunks([0])]).toEqual([]);
});

test("merges segments without them", async () => {
  await send(SENT);
  await fold();
  await remove(ids.slice(0, SENT - 20));
  await send(16 * 256);
  await fold();
  const segments = [...testServer.realm.read.search_segments.range()];
  expect(segments.map(({ level }) => level)).toContain(1);
  expect(indexedWords().has("n1")).toBe(false);
  await gcIndex(testServer.realm);
  expect(await searchIds(`n${SENT - 1}`)).toEqual([ids[SENT - 1]!]);
});
