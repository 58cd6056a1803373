// Invalid or harmful Slack exports are rejected with the place of the fault; nothing is written.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { MovingPostponed } from "../../src/features/moving/errors.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { slackEntries } from "./slack-fixture.ts";
import { type ZipEntry, zipOf } from "./zip.ts";

let testServer: TestServer;

beforeAll(async () => {
  testServer = await startTestServer();
});

afterAll(() => testServer.close());

const run = (from: string) => movingCommands.runImport(testServer.realm, { from }, true);

function writeFileIn(name: string, bytes: Uint8Array): string {
  const path = join(testServer.directory, name);
  writeFileSync(path, bytes);
  return path;
}

/** Linux returns an error when this file is read from its start. */
const UNREADABLE = "/proc/self/mem";

const BAD_ARCHIVES: [what: string, entries: ZipEntry[], fault: string][] = [
  [
    "of Mattermost",
    [{ name: "import.jsonl", bytes: '{"type":"post","post":{}}' }],
    "Not a Mattermost export",
  ],
  ["of nothing", [{ name: "a.txt", bytes: "x" }], "Not a Slack export"],
  [
    "of slackdump, as a dump",
    [{ name: "C0ODD.json", bytes: '{"channel_id":"C0ODD","name":"odd","messages":[]}' }],
    "a slackdump dump, which lacks users and channels. Export them again with: slackdump export",
  ],
  [
    "of slackdump, as a dump with a list of channels",
    [
      { name: "channels.json", bytes: '[{"id":"C0ODD","name":"odd"}]' },
      { name: "C0ODD.json", bytes: '{"name":"odd","channel_id":"C0ODD","messages":[]}' },
    ],
    "a slackdump dump, which lacks users and channels",
  ],
  [
    "of slackdump, as chunks",
    [{ name: "workspace.json.gz", bytes: Bun.gzipSync("{}") }],
    "a slackdump chunk directory. Convert it with: slackdump convert -f export",
  ],
  ["of one channel", [{ name: "C0ODD.json", bytes: "[]" }], "neither channels.json nor dms.json"],
  ["with ..", slackEntries([{ name: "../evil.json", bytes: "[]" }]), "leads out of the archive"],
  ["absolute", slackEntries([{ name: "/etc/x", bytes: "[]" }]), "leads out of the archive"],
  [
    "Deflate64",
    slackEntries([{ name: "users.json", bytes: "[]", method: 9 }]),
    "users.json: is compressed in an unusual way",
  ],
  ["a link", slackEntries([{ name: "l.json", bytes: "x", mode: 0o120777 }]), "l.json: is a link"],
  ["a bomb", slackEntries([{ name: "b.json", bytes: new Uint8Array(1e7) }]), "an archive bomb"],
  [
    "deep JSON",
    slackEntries([{ name: "users.json", bytes: "[".repeat(1e5) }]),
    "users.json: nested deeper than 64",
  ],
  ["no JSON", slackEntries([{ name: "users.json", bytes: "[{" }]), "users.json: not valid JSON"],
];

test("counts a message without a time, and plans the others", async () => {
  const planDay = (rows: object[]) => {
    const day = { name: "general/2018-01-20.json", bytes: JSON.stringify(rows) };
    const from = writeFileIn("day.zip", zipOf(slackEntries([day])));
    return movingCommands.planImport(testServer.realm, { from });
  };
  const [first, last] = [1, 2].map((index) => ({ ts: `151645000${index}.0001`, text: "good" }));
  const without = await planDay([first!, last!]);
  const report = await planDay([first!, { ts: { a: 1 }, text: "bad" }, null!, last!]);
  expect(report.found).toEqual(without.found);
  expect(report.losses).toContainEqual({
    kind: "A message has no id, place, author or time: it is left out.",
    ...{ count: 2, examples: [2, 3].map((index) => `general/2018-01-20.json#${index}`) },
  });
});

test("rejects an invalid archive with the place, before anything is written", async () => {
  for (const [label, entries, fault] of BAD_ARCHIVES) {
    const from = writeFileIn(`${label.replaceAll("/", "")}.zip`, zipOf(entries));
    const report = await run(from);
    expect(report, label).toMatchObject({ outcome: "refused", exit: 4, written: {} });
    expect(report.faults.join("\n"), label).toContain(fault);
  }
  const intact = zipOf(slackEntries());
  for (let length = 1; length < intact.length; length += Math.ceil(intact.length / 7)) {
    const report = await run(writeFileIn("cut.zip", intact.slice(0, length)));
    expect(report).toMatchObject({ outcome: "refused", exit: 4, written: {} });
  }
  expect(testServer.realm.read.imports.count()).toBe(0);
});

test.skipIf(!existsSync(UNREADABLE))("says why an archive cannot be read", async () => {
  const input = { from: UNREADABLE };
  const planned = movingCommands.planImport(testServer.realm, input);
  await expect(planned).rejects.toBeInstanceOf(MovingPostponed);
  await expect(planned).rejects.toThrow(`Cannot read ${UNREADABLE}: the disk reports an error`);
});
