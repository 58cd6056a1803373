// Slack exports with random values are rejected or imported, and never cause an exception.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { countOf } from "../repetitions.ts";
import { SEED } from "../random.ts";
import { type RandomChance, chanceOf } from "../store/sample-schema.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { slackEntries } from "./slack-fixture.ts";
import { zipOf } from "./zip.ts";

let testServer: TestServer;

beforeAll(async () => {
  testServer = await startTestServer();
});

afterAll(() => testServer.close());

const JUNK_VALUES: unknown[] = [
  ...[null, 0, -1, 1e300, "", "x", "\0", "\ud800", true, [], {}, [[]], [null], { text: 1 }],
  ...["<@U0BO|", "```", "*_~`<", "<!date^9^x|y>", "::", { type: "rich_text", elements: [null] }],
  ...[[{ type: "table", rows: [[null]] }], [{ name: 1, users: 2 }], "\u202e", "1516449600.1"],
];

/** Replaces one value at a random depth. */
function corrupt(value: unknown, random: RandomChance): unknown {
  if (typeof value !== "object" || value === null || random.once(6))
    return random.pick(JUNK_VALUES);
  const keys = Object.keys(value);
  if (keys.length === 0) return random.pick(JUNK_VALUES);
  const key = random.pick(keys);
  // Copies a list or an object with one value changed.
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  copy[key] = corrupt(copy[key], random);
  return copy;
}

const RUNS = countOf("slack_exports");

test("imports or rejects an export with values of any type in any place", async () => {
  const random = chanceOf(SEED);
  const from = join(testServer.directory, "fuzzed.zip");
  for (let index = 0; index < RUNS; index++) {
    const entries = slackEntries();
    const entry = random.pick(entries.filter(({ name }) => name.endsWith(".json")));
    const before = JSON.parse(String(entry.bytes)) as unknown;
    entry.bytes = JSON.stringify(corrupt(before, random));
    writeFileSync(from, zipOf(entries));
    const report = await movingCommands.runImport(testServer.realm, { from }, true);
    expect(["imported", "refused"], `${entry.name}: ${entry.bytes}`).toContain(report.outcome);
    if (report.outcome === "refused") expect(report.faults[0]).toContain(".json");
  }
});

test("rejects or reads a zip file with changed bytes", async () => {
  const random = chanceOf(SEED);
  const intact = zipOf(slackEntries());
  const from = join(testServer.directory, "bytes.zip");
  for (let nth = 0; nth < RUNS; nth++) {
    const bytes = Uint8Array.from(intact);
    for (let index = 0; index <= random.below(4); index++)
      bytes[random.below(bytes.length)] = random.below(256);
    writeFileSync(from, bytes);
    const report = await movingCommands.planImport(testServer.realm, { from });
    expect(["planned", "refused"]).toContain(report.outcome);
  }
});
