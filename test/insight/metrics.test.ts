// The metrics: contents of a scrape, where it is served, and that Prometheus can parse it.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestServer } from "../test-server.ts";
import { familiesIn, promtool, sampleOf, scrape } from "./prometheus.ts";

let testServer: TestServer;
beforeAll(async () => {
  testServer = await startTestServer({ metrics: { host: "127.0.0.1", port: 0 } });
});
afterAll(() => testServer?.close());

const read = () => scrape(testServer.metrics_url!);
const growthOf = async (
  name: string,
  labels: Record<string, string>,
  work: () => Promise<unknown>,
) => {
  const before = sampleOf(await read(), name, labels) ?? 0;
  await work();
  return (sampleOf(await read(), name, labels) ?? 0) - before;
};

test("counts requests and sent messages", async () => {
  const send = { type: "direct", to: [testServer.idOf("cy")], content: "hello" };
  const sendMessage = () => testServer.request("bo", "POST /messages", send);
  const route = { route: "/api/v1/messages", method: "POST", code: "2xx" };
  expect(await growthOf("skein_http_requests_total", route, sendMessage)).toBe(1);
  expect(await growthOf("skein_send_duration_seconds_count", {}, sendMessage)).toBe(1);
  expect(await growthOf("skein_messages_sent_total", {}, sendMessage)).toBe(1);
  expect(await growthOf("skein_commit_duration_seconds_count", {}, sendMessage)).toBeGreaterThan(0);
  const labels = { route: "none", method: "GET", code: "4xx" };
  expect(
    await growthOf("skein_http_requests_total", labels, () =>
      testServer.send("bo", "GET /nowhere"),
    ),
  ).toBe(1);
  const metric = "skein_http_requests_under_way";
  const requestUnknownUser = () => testServer.send("bo", "PATCH /users/none");
  expect(
    await growthOf(metric, {}, async () => [await sendMessage(), await requestUnknownUser()]),
  ).toBe(0);
  const signIn = () => testServer.request(null, "GET /server_settings");
  expect(await growthOf("skein_http_request_duration_seconds_count", {}, signIn)).toBe(1);
});

test("reports active users, waiting queues and audit entries", async () => {
  const listener = await testServer.listen("bo");
  const before = await read();
  expect(sampleOf(before, "skein_people", { role: "owner" })).toBe(1);
  expect(sampleOf(before, "skein_people", { role: "bot" })).toBeGreaterThan(0);
  expect(sampleOf(before, "skein_queues", {})).toBeGreaterThan(0);
  expect(sampleOf(before, "skein_db_size_bytes", {})).toBeGreaterThan(4_096);
  expect(sampleOf(before, "skein_write_refused", {})).toBe(0);
  const rename = () =>
    testServer.request("olga", `PATCH /users/${testServer.idOf("cy")}`, { full_name: "Cyrus" });
  expect(await growthOf("skein_audit_entries_total", { action: "user_renamed" }, rename)).toBe(1);
  const countHeldPolls = () => sampleOf(familyText, "skein_poll_wait_seconds_count", {});
  let familyText = await read();
  const polls = countHeldPolls() ?? 0;
  await listener.takeAll();
  familyText = await read();
  expect(countHeldPolls()).toBeGreaterThan(polls);
});

test("has no user, channel or host in labels, and few series", async () => {
  await testServer.request("bo", "POST /messages", {
    type: "direct",
    to: [testServer.idOf("cy")],
    content: "x",
  });
  await testServer.send("bo", `GET /users/${testServer.idOf("cy")}`);
  await testServer.send("bo", "GET /users/bo@example.com");
  const text = await read();
  expect(text).not.toMatch(/example\.com|Bo Member|127\.0\.0\.1/);
  expect(text).toContain('route="/api/v1/users/{}"');
  expect(
    text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length,
  ).toBeLessThan(2_000);
});

test("serves only /metrics, and not on the public port", async () => {
  expect((await fetch(`${testServer.metrics_url}/`)).status).toBe(404);
  expect((await fetch(`${testServer.metrics_url}/metrics`, { method: "POST" })).status).toBe(405);
  expect((await fetch(`${testServer.url}/metrics`)).status).toBe(404);
  expect(new URL(testServer.metrics_url!).hostname).toBe("127.0.0.1");
});

test("does not listen or count without the setting", async () => {
  const quiet = await startTestServer();
  try {
    expect(quiet.metrics_url).toBeUndefined();
  } finally {
    await quiet.close();
  }
});

test.skipIf(!promtool)("promtool accepts a scrape", async () => {
  const text = await read();
  expect(familiesIn(text).length).toBeGreaterThan(25);
  const checked = Bun.spawnSync([promtool!, "check", "metrics"], { stdin: Buffer.from(text) });
  expect([checked.exitCode, checked.stderr.toString()]).toEqual([0, ""]);
});
