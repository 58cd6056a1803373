// The events that the client registers for.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { REGISTER } from "../../src/web/sync/versions.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

/** Topic policies replace muted topics; the other fields are of services that do not exist. */
const LEFT_OUT = [
  "giphy_api_key",
  "klipy_api_key",
  "muted_topics",
  "realm_billing",
  "realm_filters",
  "stop_words",
  "tenor_api_key",
];

let testServer: TestServer;
beforeAll(async () => {
  testServer = await startTestServer();
});
afterAll(() => testServer?.close());

test("the first snapshot has every part except those omitted on purpose", async () => {
  const all = { event_types: undefined, fetch_event_types: undefined };
  const input = Object.keys(
    await testServer.request("bo", "POST /register", { ...REGISTER, ...all }),
  );
  const own = Object.keys(await testServer.request("bo", "POST /register", { ...REGISTER }));
  expect(own.filter((name) => !input.includes(name))).toEqual([]);
  expect(input.filter((name) => !own.includes(name)).sort()).toEqual(LEFT_OUT);
});
