// Archives that are no Slack exports, or harmful: refused with their place, and nothing written.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { slackEntries } from "./slack-fixture.ts";
import { type ZipEntry, zipOf } from "./zip.ts";

let testServer: TestServer;

beforeAll(async () => {
  testServer = await startTestServer();
});

afterAll(() => testServer.close());

const run = (from: string) => movingCommands.runImport(testServer.realm, { from }, true);

function written(name: string, bytes: Uint8Array): string {
  const path = join(testServer.directory, name);
  writeFileSync(path, bytes);
  return path;
}

const BAD: [what: string, entries: ZipEntry[], fault: string][] = [
  ["of Mattermost", [{ name: "import.jsonl", bytes: "{}" }], "this looks like a Mattermost export"],
  ["of nothing", [{ name: "a.txt", bytes: "x" }], "Not a Slack export"],
  ["with ..", slackEntries([{ name: "../evil.json", bytes: "[]" }]), "leads out of the archive"],
  ["absolute", slackEntries([{ name: "/etc/x", bytes: "[]" }]), "leads out of the archive"],
  ["a link", slackEntries([{ name: "l.json", bytes: "x", mode: 0o120777 }]), "l.json: is a link"],
  ["a bomb", slackEntries([{ name: "b.json", bytes: new Uint8Array(1e7) }]), "an archive bomb"],
  [
    "a false size",
    slackEntries([{ name: "general/2018-01-20.json", bytes: " ".repeat(999), size: 2 }]),
    "general/2018-01-20.json",
  ],
  [
    "deep JSON",
    slackEntries([{ name: "users.json", bytes: "[".repeat(1e5) }]),
    "users.json: nested deeper than 64",
  ],
  ["no JSON", slackEntries([{ name: "users.json", bytes: "[{" }]), "users.json: not valid JSON"],
  [
    "no time",
    slackEntries([{ name: "general/2018-01-20.json", bytes: '[{"text":"a"}]' }]),
    "general/2018-01-20.json#1: ts is missing or not a time",
  ],
];

test("refuses a bad archive with the place, before anything is written", async () => {
  for (const [what, entries, fault] of BAD) {
    const from = written(`${what.replaceAll("/", "")}.zip`, zipOf(entries));
    const report = await run(from);
    expect(report, what).toMatchObject({ outcome: "refused", exit: 4, written: {} });
    expect(report.faults.join("\n"), what).toContain(fault);
  }
  const whole = zipOf(slackEntries());
  for (let cut = 1; cut < whole.length; cut += Math.ceil(whole.length / 7)) {
    const report = await run(written("cut.zip", whole.slice(0, cut)));
    expect(report).toMatchObject({ outcome: "refused", exit: 4, written: {} });
  }
  expect(testServer.realm.read.imports.count()).toBe(0);
});
