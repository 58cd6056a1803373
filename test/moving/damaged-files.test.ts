// A damaged record or file of messages is counted with its place; the rest is imported.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { executeCommand } from "../../src/commands/control.ts";
import type { MovingReport } from "../../src/features/moving/report.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { dumpFolder } from "./bson-writer.ts";
import { discordEntries } from "./discord-fixture.ts";
import { expectRefused, run, messagesTo, zipIn } from "./import-fixture.ts";
import { entries as mattermostEntries } from "./mattermost-fixture.ts";
import { withRealm } from "./random-organization.ts";
import { COLLECTIONS } from "./rocketchat-fixture.ts";
import { slackEntries } from "./slack-fixture.ts";
import { teamsEntries } from "./teams-fixture.ts";
import type { ZipEntry } from "./zip.ts";
import { tarOf, zulipFiles } from "./zulip-fixture.ts";
import type { Files } from "./zulip-tables.ts";

const RECORD = "A record cannot be read: it is left out.";
const FILE = "A file is damaged: everything after the damage is left out.";
const VALUE = "A record is no object or has no id: it is left out.";
const LINE = "A line has no record: it is left out.";

let testServer: TestServer;
let folder: string;

beforeAll(async () => {
  testServer = await startTestServer();
  folder = mkdtempSync(join(tmpdir(), "skein-damaged-"));
});

afterAll(async () => {
  await testServer.close();
  rmSync(folder, { recursive: true, force: true });
});

const planImport = (entries: readonly ZipEntry[]) =>
  movingCommands.planImport(testServer.realm, { from: zipIn(testServer, entries) });

type Change = (text: string) => string;

/** Changes the text of one entry. */
function withChangedEntry(entries: readonly ZipEntry[], end: string, change: Change): ZipEntry[] {
  const entry = entries.find(({ name }) => name.endsWith(end))!;
  const bytes = change(String(entry.bytes));
  expect(bytes).not.toBe(String(entry.bytes));
  return entries.map((zipEntry) => (zipEntry === entry ? { ...zipEntry, bytes } : zipEntry));
}

const firstHalf: Change = (text) => text.slice(0, text.length / 2);
/** The first record of a list loses a value. */
const withoutValue: Change = (text) => text.replace(/("(?:ts|timestamp|Id)": ?)"[^"]*"/, "$1");

function expectLost(report: MovingReport, kind: string, ...examples: string[]): void {
  expect(report.losses).toContainEqual({ kind, count: examples.length, examples });
}

const PRODUCTS: [product: string, entries: () => ZipEntry[], end: string, place: string][] = [
  ["Slack", () => slackEntries(), "general/2018-01-20.json", "general/2018-01-20.json"],
  ["Discord", () => discordEntries(), "Acme/general.json", "Acme/general.json"],
  ["Teams", () => teamsEntries(), "teams/t1/messages_t1.json", "teams/t1/messages_t1.json"],
];

test.each(PRODUCTS)("imports what is left of %s", async (_product, entries, end, location) => {
  const plan = await planImport(entries());
  const all = plan.found["messages"]!;
  const cutReport = await planImport(withChangedEntry(entries(), end, firstHalf));
  expect(cutReport).toMatchObject({ outcome: "planned", faults: [] });
  expectLost(cutReport, FILE, location);
  // The records before the damage are read.
  const none = await planImport(withChangedEntry(entries(), end, () => "[oops"));
  expect(cutReport.found["messages"]).toBeGreaterThan(none.found["messages"]!);
  expect(cutReport.found["messages"]).toBeLessThan(all);

  const report = await planImport(withChangedEntry(entries(), end, withoutValue));
  expect(report).toMatchObject({ outcome: "planned", faults: [] });
  expectLost(report, RECORD, `${location}#1`);
  expect(report.found["messages"]).toBeGreaterThanOrEqual(all - 1);

  const deep = `{"a":${"[".repeat(99)}${"]".repeat(99)}},`;
  const list = end.includes("general.json") ? '"messages": [' : "[";
  const tooDeep = await planImport(
    withChangedEntry(entries(), end, (t) => t.replace(list, list + deep)),
  );
  expectLost(tooDeep, RECORD, `${location}#1`);
  expect(tooDeep.found["messages"]).toBe(all);
});

test("imports a Slack export with a damaged day and a damaged file", async () => {
  const plan = "__uploads/F0A/plan.txt";
  const entries = withChangedEntry(slackEntries(), "general/2018-01-21.json", firstHalf).map(
    (entry) => (entry.name === plan ? { ...entry, size: 3 } : entry),
  );
  const report = await run(testServer, zipIn(testServer, entries));
  expect(report).toMatchObject({ outcome: "imported", exit: 3, faults: [] });
  expectLost(report, FILE, "general/2018-01-21.json");
  const damaged = "An uploaded file is damaged: only its name is imported.";
  expectLost(report, damaged, "general/2018-01-20.json#17 plan.txt");
  const items = await messagesTo(testServer, "olga", "Slack");
  expect(items.some(({ content }) => content.includes("plan.txt"))).toBe(true);
  expect(items.some(({ content }) => content === "next day in the thread")).toBe(true);
});

test("counts a zip entry of another size than the archive says", async () => {
  const name = "general/2018-01-20.json";
  const report = await planImport(slackEntries([{ name, bytes: " ".repeat(999), size: 2 }]));
  expect(report.outcome).toBe("planned");
  expectLost(report, FILE, name);
});

/** Texts that do not compress so well that the archive looks like an archive bomb. */
const LONG_TEXTS = Array.from(
  { length: 600_000 },
  (_, index) => `${index} is ${Math.sqrt(index)}, and `,
).join("");

test("counts a line of Mattermost that is damaged or too long", async () => {
  const plan = await planImport(mattermostEntries());
  const report = await planImport(
    withChangedEntry(mattermostEntries(), "import.jsonl", (text) => {
      const lines = text.split("\n");
      lines.splice(11, 0, '{"type":"post","post":{', "null", "[]", `"${LONG_TEXTS}"`);
      return lines.join("\n");
    }),
  );
  expect(report.found).toEqual(plan.found);
  expectLost(report, LINE, ...[12, 13, 14, 15].map((line) => `import.jsonl#${line}`));
});

test("counts a damaged document of Rocket.Chat", async () => {
  const plan = await planImport(dumpFolder(COLLECTIONS));
  const bad = Buffer.from([6, 0, 0, 0, 0, 0]);
  const entries = dumpFolder(COLLECTIONS).map((entry) =>
    entry.name.endsWith("/rocketchat_message.bson")
      ? { ...entry, bytes: Buffer.concat([bad, Buffer.from(entry.bytes), bad]) }
      : entry,
  );
  const report = await planImport(entries);
  expect(report.found).toEqual(plan.found);
  const last = COLLECTIONS["rocketchat_message"]!.length + 2;
  expectLost(report, RECORD, "rocketchat_message#1", `rocketchat_message#${last}`);
});

const ESSENTIAL: [what: string, entries: () => ZipEntry[], place: string][] = [
  ["users of Slack", () => withChangedEntry(slackEntries(), "users.json", firstHalf), "users.json"],
  [
    "channels of Slack",
    () => withChangedEntry(slackEntries(), "channels.json", firstHalf),
    "channels.json",
  ],
  [
    "users of Teams",
    () => withChangedEntry(teamsEntries(), "usersList.json", firstHalf),
    "usersList.json",
  ],
  [
    "channels of Teams",
    () => withChangedEntry(teamsEntries(), "channels_t1.json", firstHalf),
    "channels_t1.json",
  ],
  [
    "a cut line",
    () => withChangedEntry(mattermostEntries(), "import.jsonl", firstHalf),
    "import.jsonl#",
  ],
  [
    "messages of Rocket.Chat that end early",
    () => truncateEntry(dumpFolder(COLLECTIONS), "/rocketchat_message.bson"),
    "rocketchat_message",
  ],
  [
    "a damaged room",
    () => [
      ...dumpFolder({ ...COLLECTIONS, rocketchat_room: [] }).filter(
        ({ name }) => !name.endsWith("rocketchat_room.bson"),
      ),
      { name: "dump/rocketchat/rocketchat_room.bson", bytes: Buffer.from([6, 0, 0, 0, 0, 0]) },
    ],
    "rocketchat_room#1",
  ],
  [
    "no message at all",
    () =>
      slackEntries().map((zipEntry) =>
        /\d\.json$/.test(zipEntry.name) ? { ...zipEntry, bytes: "[{" } : zipEntry,
      ),
    "2018-01-20.json",
  ],
];

function truncateEntry(entries: ZipEntry[], end: string): ZipEntry[] {
  return entries.map((entry) =>
    entry.name.endsWith(end)
      ? { ...entry, bytes: Buffer.from(entry.bytes).subarray(0, -3) }
      : entry,
  );
}

test.each(ESSENTIAL)(
  "refuses damage without which nothing fits: %s",
  async (_title, entries, location) => {
    const other = await startTestServer();
    await expectRefused(other, zipIn(other, entries()), location);
    await other.close();
  },
);

test("counts files of Discord that are no channels", async () => {
  const name = "Acme/broken.json";
  const report = await planImport([...discordEntries(), { name, bytes: '{"chan' }]);
  expectLost(report, "A JSON file is no channel of DiscordChatExporter: it is left out.", name);
});

test("uses the first record of users and channels that Slack lists twice", async () => {
  const duplicateFirst: Change = (text) => {
    const [first, ...others] = JSON.parse(text) as unknown[];
    return JSON.stringify([first, first, ...others]);
  };
  const sameAddressLoss = ({ losses }: MovingReport) =>
    losses.find(({ kind }) => kind.includes("same address"))?.count ?? 0;
  const plan = await planImport(slackEntries());
  const report = await planImport(withChangedEntry(slackEntries(), "users.json", duplicateFirst));
  expectLost(report, "A user is in the export twice: the first record is used.", "users.json#2");
  expect(sameAddressLoss(report)).toBe(sameAddressLoss(plan));
});

test("counts the damage of a part of a Zulip export, and imports the rest", async () => {
  const files = zulipFiles("12");
  const changes: Record<string, Change> = {
    "messages-000001.json": (text) => text.slice(0, text.lastIndexOf('{"id":1005')),
    "messages-000002.json": (text) =>
      text
        .replace('"id":1008,', '"id":7,')
        .replace('"id":1010,', '"id":281474976710655,')
        .replace(/"date_sent":[\d.]+/, '"date_sent":1e300'),
    "realm.json": (text) =>
      text
        .replace('"zerver_stream": [', '"zerver_stream": [null,17,')
        .replace('"zerver_mutedtopic":', '"before":')
        .replace('"name": "Team"', '"name": " "')
        .replace('"name": "Role"', '"name": ""')
        .replace('"zerver_realm":', '"zerver_mutedtopic": {}, "zerver_realm":'),
    "attachment.json": firstHalf,
    "avatars/records.json": firstHalf,
  };
  const report = await importChanged(files, changes, ({ read }) => {
    expect([...read.messages.range()].map(({ id }) => id)).toEqual([
      ...[1001, 1002, 1003, 1004, 1009, 1011, 1012],
    ]);
    expect([...read.channel_folders.range()].map(({ name }) => name)).toEqual(["folder 5"]);
    expect([...read.profile_fields.range()].map(({ name }) => name)).toContain("field 4");
  });
  expectLost(
    report,
    FILE,
    "messages-000001.json zerver_message",
    "avatars/records.json",
    "attachment.json",
  );
  const [muted, streams] = ["realm.json zerver_mutedtopic", "realm.json zerver_stream"];
  expectLost(report, VALUE, muted, `${streams}#1`, `${streams}#2`);
  const unordered =
    "A message has an id that is not above that of the message before: it is left out.";
  const second = "messages-000002.json zerver_message";
  expectLost(report, unordered, `${second}#2`, `${second}#4`);
  expectLost(report, "A message has no id, time or text: it is left out.", `${second}#1`);
});

async function importChanged(
  files: Files,
  changes: Readonly<Record<string, Change>>,
  check: Parameters<typeof withRealm>[1],
): Promise<MovingReport> {
  const all = Object.entries(files).map(([name, content]) => {
    const change = Object.hasOwn(changes, name) ? changes[name] : undefined;
    return [name, change ? change(String(content)) : content];
  });
  const from = join(folder, "zulip.tar.gz");
  writeFileSync(from, tarOf(Object.fromEntries(all)));
  const data = join(folder, "zulip");
  const report = await executeCommand(data, "runImport", { from });
  expect(report).toMatchObject({ outcome: "imported", exit: 3, faults: [] });
  await withRealm(data, check);
  return report;
}
