// The provided alert rules and dashboard are valid, and use only existing metrics.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startTestServer, type TestServer } from "../test-server.ts";
import { familiesIn, promtool, scrape } from "./prometheus.ts";

const folder = join(import.meta.dir, "../../packaging/monitoring");
const rules = readFileSync(join(folder, "skein.rules.yml"), "utf8");
const dashboard = readFileSync(join(folder, "grafana.json"), "utf8");

let testServer: TestServer;
beforeAll(async () => {
  testServer = await startTestServer({ metrics: { host: "127.0.0.1", port: 0 } });
});
afterAll(() => testServer?.close());

/** Metrics that exist only after backups, certificates, calls, warnings or failures. */
const EVALUATION_TIMES = [
  "skein_backup_restore_test_ok",
  "skein_backup_last_success_timestamp_seconds",
  "skein_certificate_expiry_timestamp_seconds",
  "skein_due_jobs",
  "skein_warnings_total",
  "skein_outbound_total",
];

test.each([
  ["rules", rules],
  ["dashboard", dashboard],
])("the %s use existing metrics", async (_title, text) => {
  await testServer.request("bo", "POST /messages", {
    type: "direct",
    to: [testServer.idOf("cy")],
    content: "x",
  });
  await testServer.request("olga", `PATCH /users/${testServer.idOf("cy")}`, { full_name: "Cyrus" });
  const metricNames = new Set([
    ...familiesIn(await scrape(testServer.metrics_url!)),
    ...EVALUATION_TIMES,
  ]);
  const requests = [...text.matchAll(/\b(?:skein|process)_[a-z_]+/g)].map(([name]) => {
    return name.replace(/_(bucket|count|sum)$/, "");
  });
  expect(requests.length).toBeGreaterThan(10);
  expect([...new Set(requests)].filter((name) => !metricNames.has(name))).toEqual([]);
});

test.skipIf(!promtool)("promtool accepts the rules, which raise the expected alerts", () => {
  for (const args of [
    ["check", "rules", "skein.rules.yml"],
    ["test", "rules", "skein.rules.test.yml"],
  ]) {
    const run = Bun.spawnSync([promtool!, ...args], { cwd: folder });
    expect([run.exitCode, run.stderr.toString()]).toEqual([0, ""]);
  }
});

test.skipIf(!promtool)("promtool parses the dashboard's queries", () => {
  const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] };
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const records = queries.map((expr, index) => {
    const requested = expr.replaceAll("$__rate_interval", "5m");
    return { record: `panel:query${index}`, expr: requested };
  });
  const stdin = Buffer.from(JSON.stringify({ groups: [{ name: "panels", rules: records }] }));
  const run = Bun.spawnSync([promtool!, "check", "rules", "/dev/stdin"], { stdin });
  expect([run.exitCode, run.stderr.toString()]).toEqual([0, ""]);
});
