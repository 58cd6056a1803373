// Archives that other programs have packed again have the same content as the original.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { isZulipExport } from "../../src/features/moving/zulip/read/detect.ts";
import type { MovingReport } from "../../src/features/moving/report.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { dumpFolder } from "./bson-writer.ts";
import { campfireDatabase } from "./campfire-fixture.ts";
import { discordEntries } from "./discord-fixture.ts";
import { folderIn, zipIn } from "./import-fixture.ts";
import { entries as mattermostEntries } from "./mattermost-fixture.ts";
import { COLLECTIONS } from "./rocketchat-fixture.ts";
import { slackEntries } from "./slack-fixture.ts";
import { teamsEntries } from "./teams-fixture.ts";
import type { ZipEntry } from "./zip.ts";
import { tarOf, zulipFiles } from "./zulip-fixture.ts";

let testServer: TestServer;

beforeAll(async () => {
  testServer = await startTestServer();
});

afterAll(() => testServer.close());

/** The database without a write-ahead log. */
function campfireEntries(): ZipEntry[] {
  const path = join(testServer.directory, "campfire.sqlite3");
  if (!existsSync(path)) {
    campfireDatabase(path);
    using database = new Database(path);
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  return [{ name: "db/production.sqlite3", bytes: readFileSync(path) }];
}

const PRODUCTS: readonly [product: string, entries: () => ZipEntry[]][] = [
  ["slack", () => slackEntries()],
  ["mattermost", () => mattermostEntries()],
  ["rocketchat", () => dumpFolder(COLLECTIONS)],
  ["discord", () => discordEntries()],
  ["teams", () => teamsEntries()],
  ["campfire", campfireEntries],
];

async function planImport(from: string): Promise<MovingReport> {
  return movingCommands.planImport(testServer.realm, { from });
}

type Change = (entries: ZipEntry[]) => ZipEntry[];

const renameEntries =
  (change: (name: string) => string): Change =>
  (entries) =>
    entries.map((entry) => ({ ...entry, name: change(entry.name) }));

const rewriteEntries =
  (change: (text: string) => string): Change =>
  (entries) =>
    entries.map((entry) => {
      const isText = typeof entry.bytes === "string" && /\.jsonl?$/.test(entry.name);
      return isText ? { ...entry, bytes: change(String(entry.bytes)) } : entry;
    });

const SYSTEM: readonly ZipEntry[] = [
  { name: ".DS_Store", bytes: "x" },
  { name: "__MACOSX/export/._users.json", bytes: "x" },
];

const CHANGES: readonly [what: string, change: Change][] = [
  ["backslashes in names", renameEntries((name) => name.replaceAll("/", "\\"))],
  ["inside of two folders", renameEntries((name) => `backup/2024/${name}`)],
  [
    "files of macOS",
    (entries) => [...SYSTEM, ...renameEntries((name) => `export/${name}`)(entries)],
  ],
  ["decomposed letters in names", renameEntries((name) => name.normalize("NFD"))],
  ["a byte order mark", rewriteEntries((text) => `\ufeff${text}`)],
  ["line ends of Windows", rewriteEntries((text) => `${text.replaceAll("\n", "\r\n")}\r\n\r\n`)],
];

const CASES = CHANGES.flatMap(([what, change]) =>
  PRODUCTS.map(([product, entries]) => [what, product, entries, change] as const),
);

test.each(CASES)("plans the same with %s: %s", async (_title, product, entries, change) => {
  const plan = await planImport(zipIn(testServer, entries()));
  const report = await planImport(zipIn(testServer, change(entries())));
  expect(report).toMatchObject({
    product,
    outcome: "planned",
    found: plan.found,
    faults: [],
  });
  const countsOf = ({ losses }: MovingReport) => losses.map(({ kind, count }) => [kind, count]);
  expect(countsOf(report)).toEqual(countsOf(plan));
});

test.each(PRODUCTS)("plans the same from a tar file: %s", async (product, entries) => {
  const plan = await planImport(zipIn(testServer, entries()));
  const files = Object.fromEntries(entries().map(({ name, bytes }) => [name, bytes]));
  const path = join(testServer.directory, `${product}.tar.gz`);
  writeFileSync(path, tarOf(files, "./export/"));
  const report = await planImport(path);
  expect(report).toMatchObject({
    product,
    outcome: "planned",
    found: plan.found,
    faults: [],
  });
});

test("recognizes a Zulip export in a tar file wherever realm.json is", async () => {
  const { "realm.json": realm, ...others } = zulipFiles("12");
  const path = join(testServer.directory, "zulip.tar.gz");
  for (const root of ["zulip-export/", "", "./", "backup/2024/"]) {
    for (const files of [
      { "realm.json": realm!, ...others },
      { ...others, "realm.json": realm! },
    ]) {
      writeFileSync(path, tarOf(files, root));
      expect(await isZulipExport(path), root).toBe(true);
    }
  }
  writeFileSync(path, tarOf({ ...others, "uploads/2/ab/realm.json": "{}" }));
  expect(await isZulipExport(path)).toBe(false);
});

test("stops reading the names of a tar file that is an archive bomb", async () => {
  const path = join(testServer.directory, "bomb.tar.gz");
  writeFileSync(path, tarOf({ "import.jsonl": new Uint8Array(80 * 1_048_576) }));
  // The reader of Zulip exports reports the bomb.
  expect(await isZulipExport(path)).toBe(true);
  expect((await planImport(path)).faults.join()).toContain("an archive bomb");
});

test("plans a file of lines or of a channel that is no archive", async () => {
  const root = folderIn(testServer.directory, [...mattermostEntries(), ...discordEntries()]);
  const lines = await planImport(join(root, "import.jsonl"));
  expect(lines).toMatchObject({ product: "mattermost", outcome: "planned" });
  expect(lines.losses.map(({ kind }) => kind)).toContain(
    "The content of a file is not in the export: only its name is imported.",
  );
  writeFileSync(join(root, "export.json"), readFileSync(join(root, "import.jsonl")));
  expect(await planImport(join(root, "export.json"))).toMatchObject({ found: lines.found });
  expect(await planImport(join(root, "DM.json"))).toMatchObject({
    ...{ product: "discord", outcome: "planned", found: { messages: 2 } },
  });
});

test("reads a channel of Discord whose name is that of a list of Slack", async () => {
  const entries = discordEntries().map((entry) =>
    entry.name === "Acme/general.json" ? { ...entry, name: "Acme/channels.json" } : entry,
  );
  const report = await planImport(zipIn(testServer, entries));
  expect(report).toMatchObject({ product: "discord", outcome: "planned", faults: [] });
});

test("rejects names that lead out of the archive by backslashes", async () => {
  const report = await planImport(zipIn(testServer, slackEntries([{ name: "..\\x", bytes: "" }])));
  expect(report.faults.join()).toContain("leads out of the archive");
});
