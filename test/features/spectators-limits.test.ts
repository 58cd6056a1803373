// Rate limits of spectators, by IP address and by file.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import { API_BY_ADDRESS, SPECTATORS_BY_FILE } from "../../src/server/limit.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { read, upload } from "./upload-fixture.ts";

let testServer: TestServer;
let urls: string[];
beforeEach(async () => {
  testServer = await startTestServer({ rate_limits: true });
  await testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
  const square = { name: "square", subscribers: [testServer.idOf("bo")], is_web_public: true };
  await testServer.request("olga", "POST /channels/create", square);
  urls = [];
  for (const name of ["a.txt", "b.txt"]) {
    const url = await upload(testServer, "bo", { name, bytes: name });
    const message = { type: "channel", to: "square", topic: "t", content: `[a](${url})` };
    await testServer.request("bo", "POST /messages", message);
    urls.push(url);
  }
});
afterEach(() => testServer.close());

test("rateLimitHit: limits requests per address, apart from signed-in users", async () => {
  for (let calls = 1; calls <= API_BY_ADDRESS.calls; calls++) {
    const { status, headers } = await testServer.send(null, "POST /register");
    const remaining = API_BY_ADDRESS.calls - calls;
    expect([status, headers.get("x-ratelimit-remaining")]).toEqual([200, String(remaining)]);
  }
  const { errCode, message: msg } = errors.rateLimitHit(1);
  const refusal = await testServer.refused(null, "GET /users");
  expect(refusal).toMatchObject({ status: 429, code: errCode, msg });
  await testServer.request("bo", "GET /users");
  testServer.clock.passSeconds(API_BY_ADDRESS.seconds);
  await testServer.request(null, "GET /users");
});

test("limits views of a file per day without an account", async () => {
  const [url, other] = urls as [string, string];
  const statuses = new Set<number>();
  for (let index = 0; index < SPECTATORS_BY_FILE.calls; index++) {
    statuses.add((await read(testServer, null, url)).status);
  }
  expect([...statuses]).toEqual([200]);
  const refusal = await read(testServer, null, url);
  expect(refusal.status).toBe(429);
  expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await read(testServer, null, other)).status).toBe(200);
  expect((await read(testServer, "cy", url)).status).toBe(200);
  testServer.clock.passSeconds(SPECTATORS_BY_FILE.seconds);
  expect((await read(testServer, null, url)).status).toBe(200);
});
