// The token of a send is remembered for a day; later it sends another message.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { purgeSends } from "../../src/features/messages/delete/purge.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

const DAY_SECONDS = 86_400;
const ROWS = 1_200;

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

test("deletes old entries, however many lie between, and keeps recent ones", async () => {
  const { realm } = testServer;
  const user_id = testServer.idOf("bo");
  const old = realm.read.now - DAY_SECONDS - 1;
  await realm.write((tx) => {
    for (let index = 0; index < ROWS; index++) {
      const timestamp = index % 2 === 0 ? old : tx.now;
      tx.sends.put({ user_id, token: `k:${index}`, message_id: 1, timestamp });
    }
  });
  await purgeSends(realm);
  const remaining = [...realm.read.sends.range()].map(({ token }) => Number(token.slice(2)));
  expect(remaining).toHaveLength(ROWS / 2);
  expect(remaining.every((index) => index % 2 === 1)).toBe(true);
});
