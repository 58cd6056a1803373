// A JSONL export that is imported again is equal in every table, set, response and file.
import { afterEach, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executeCommand } from "../../src/commands/control.ts";
import { exportJsonl } from "../../src/features/moving/jsonl/export.ts";
import {
  DERIVED_SETS,
  EXPORTED_SETS,
  EXPORTED_TABLES,
  fieldsOf,
  OMITTED_FIELDS,
} from "../../src/features/moving/jsonl/shapes-rules.ts";
import { bitmaps, tables } from "../../src/schema/schema.ts";
import { skein } from "../commands/skein.ts";
import { striped, upload } from "../features/upload-fixture.ts";
import { countOf, seedsOf } from "../repetitions.ts";
import { SEED } from "../random.ts";
import { chanceOf } from "../store/sample-schema.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import {
  makeHistory,
  makeMessages,
  moveThroughJsonl,
  withRealm,
  replaceInFile,
  visibleTo,
  storedIn,
} from "./random-organization.ts";

const testServers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(testServers.splice(0).map((testServer) => testServer.close()));
});

/** A server whose address does not change at a restart. */
async function openServer(): Promise<TestServer> {
  const testServer = await startTestServer({ url: "https://chat.example" });
  testServers.push(testServer);
  return testServer;
}

/** A stopped server, with an export of its organization. */
async function exportToJsonl(
  actionCount = 20,
): Promise<{ testServer: TestServer; from: string; data: string }> {
  const testServer = await openServer();
  await makeHistory(testServer, SEED, actionCount);
  const from = join(testServer.directory, "export");
  await exportJsonl(testServer.realm, from);
  return { testServer, from, data: join(testServer.directory, "new") };
}

const ACTS = 150;

test.each(seedsOf("round_trips"))(
  "imports what was exported, equal in all rows and answers (%d)",
  async (index) => {
    const testServer = await openServer();
    await makeHistory(testServer, SEED + index, ACTS);
    const [visible, contents] = [await visibleTo(testServer), storedIn(testServer.realm.read)];
    const reports = await moveThroughJsonl(testServer);
    expect(reports[0]).toMatchObject({ outcome: "exported", exit: 0, losses: [] });
    expect(reports[1]).toMatchObject({ outcome: "imported", exit: 0, losses: [], faults: [] });
    expect(storedIn(testServer.realm.read)).toEqual(contents);
    expect(await visibleTo(testServer)).toEqual(visible);
  },
);

test("imports uploaded files byte for byte, and continues with new ids", async () => {
  const testServer = await openServer();
  await makeHistory(testServer, SEED, 5);
  const bytes = striped(300, 200);
  const uri = await upload(testServer, "bo", { name: "stripes.png", bytes });
  const { id: before } = await testServer.request("bo", "POST /messages", NOTE);
  await moveThroughJsonl(testServer);
  const response = await testServer.send("bo", `GET /${uri}`);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  // No job sends notifications about imported messages.
  expect(testServer.realm.read.mail_progress.get(1)?.message_id).toBe(before);
  const listener = await testServer.listen("bo");
  const { id } = await testServer.request("bo", "POST /messages", NOTE);
  expect(id).toBe(before + 1);
  expect((await listener.next()).message.id).toBe(id);
});

const NOTE = { type: "private", to: ["cy@example.com"], content: "hello" };

test("writes nothing when the same export is imported again", async () => {
  const { from, data } = await exportToJsonl();
  expect(await executeCommand(data, "runImport", { from })).toMatchObject({ exit: 0 });
  const before = await withRealm(data, (realm) => storedIn(realm.read));
  expect(await executeCommand(data, "runImport", { from })).toMatchObject({ exit: 0, written: {} });
  expect(await withRealm(data, (realm) => storedIn(realm.read))).toEqual(before);
});

test("undo deletes every row, set and file, and the import can be run again", async () => {
  const { from, data } = await exportToJsonl();
  await executeCommand(data, "runImport", { from });
  const complete = await withRealm(data, (realm) => storedIn(realm.read));
  expect(await executeCommand(data, "undoImport", { id: 1 })).toMatchObject({
    outcome: "undone",
    exit: 0,
  });
  const remaining = await withRealm(data, ({ read }) => {
    const rows = EXPORTED_TABLES.filter((table) => read[table].count() > 0);
    const { imported, search_fresh, search_pages, search_segments } = read;
    const others = [imported, search_fresh, search_pages, search_segments].map((t) => t.count());
    return [rows, others, storedIn(read).sets, [...new Bun.Glob("**").scanSync(`${data}/uploads`)]];
  });
  expect(remaining).toEqual([[], [0, 0, 0, 0], [], []]);
  expect(await executeCommand(data, "runImport", { from })).toMatchObject({ exit: 0 });
  expect(await withRealm(data, (realm) => storedIn(realm.read))).toEqual(complete);
});

test("undo deletes nothing after new messages, and lists what was written", async () => {
  const { testServer } = await exportToJsonl();
  await moveThroughJsonl(testServer);
  await testServer.request("bo", "POST /messages", NOTE);
  await testServer.stop();
  const { data } = testServer.realm.config;
  const before = await withRealm(data, (realm) => storedIn(realm.read));
  const report = await executeCommand(data, "undoImport", { id: 1 });
  expect(report).toMatchObject({ outcome: "refused", exit: 4, written: {} });
  expect(report.faults).toContain("messages has 1 rows that were written after the import");
  expect(await withRealm(data, (realm) => storedIn(realm.read))).toEqual(before);
  await testServer.start();
});

test("an import that is killed and resumed each time equals an uninterrupted one", async () => {
  const testServer = await openServer();
  await makeHistory(testServer, SEED, 20);
  await makeMessages(testServer, 4_000);
  const from = join(testServer.directory, "export");
  await exportJsonl(testServer.realm, from);
  const [complete, killed] = [
    join(testServer.directory, "whole"),
    join(testServer.directory, "killed"),
  ];
  await executeCommand(complete, "runImport", { from });
  const random = chanceOf(SEED);
  let kills = 0;
  for (let times = 0; times < countOf("import_kills"); times++) {
    const batches = String(1 + random.below(2));
    const child = Bun.spawn(
      [process.execPath, join(import.meta.dir, "killed-import-child.ts"), from, killed, batches],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    await child.exited;
    // If the child finished before it was killed, the import starts over.
    if (child.signalCode === null) rmSync(killed, { recursive: true });
    else kills += 1;
  }
  const resumed = await executeCommand(killed, "runImport", { from });
  expect(resumed).toMatchObject({ outcome: "imported", exit: 0 });
  expect(kills).toBeGreaterThan(countOf("import_kills") / 2);
  const states = [complete, killed].map((data) => withRealm(data, ({ read }) => storedIn(read)));
  const [first, second] = await Promise.all(states);
  expect(second).toEqual(first);
});

const BAD_ARCHIVES: [what: string, spoil: (from: string) => void, fault: string][] = [
  ["is not finished", (from) => rmSync(`${from}/format.json`), "format.json: missing"],
  [
    "is of another product",
    (from) => writeFileSync(`${from}/format.json`, "{}"),
    "format.json: not a description",
  ],
  [
    "has a newer version",
    (from) => replaceInFile(from, "format.json", '"version": 1', '"version": 2'),
    "format version 2 is not supported",
  ],
  [
    "has broken JSON",
    (from) => replaceInFile(from, "users.jsonl", '"role":200', '"role":'),
    "users.jsonl#5: not valid JSON",
  ],
  [
    "has deep JSON",
    (from) => replaceInFile(from, "users.jsonl", '"settings":{}', `"settings":${"[".repeat(1e5)}`),
    "nested deeper than 64",
  ],
  [
    "has a wrong type",
    (from) => replaceInFile(from, "users.jsonl", '"role":200', '"role":"admin"'),
    "users.jsonl#5: role is not of type int",
  ],
  [
    "has a profile field without its options",
    (from) => replaceInFile(from, "profile_fields.jsonl", '"type":1', '"type":3'),
    "profile_fields.jsonl#1: field_data does not fit the type of the field",
  ],
  [
    "lacks a field",
    (from) => replaceInFile(from, "users.jsonl", '"role":200,', ""),
    "users.jsonl#5: role is missing",
  ],
  [
    "has an address twice",
    (from) => replaceInFile(from, "users.jsonl", "ada@example.com", "OLGA@example.com"),
    "is used by two accounts",
  ],
  [
    "was changed",
    (from) => replaceInFile(from, "users.jsonl", "Ada Admin", "Eve Admin"),
    "users.jsonl: its checksum differs",
  ],
  [
    "names an account that is missing",
    (from) => replaceInFile(from, "messages.jsonl", '"sender_id":', '"sender_id":1000'),
    "messages.jsonl#1: users has no row",
  ],
  [
    "names an owner of a bot who is missing",
    (from) => {
      const rows = readFileSync(`${from}/users.jsonl`, "utf8");
      const [owner = ""] = /"bot_owner_id":\d+/.exec(rows) ?? [];
      replaceInFile(from, "users.jsonl", owner, '"bot_owner_id":1000');
      const format = JSON.parse(readFileSync(`${from}/format.json`, "utf8"));
      delete format.files["users.jsonl"].sha256;
      writeFileSync(`${from}/format.json`, JSON.stringify(format));
    },
    "users has no row 1000",
  ],
  [
    "leads out of the folder",
    (from) => replaceInFile(from, "files.jsonl", '"place":"files/', '"place":"files/../'),
    "the path in place is not valid",
  ],
  [
    "has a link",
    (from) => {
      rmSync(`${from}/users.jsonl`);
      symlinkSync("/etc/passwd", `${from}/users.jsonl`);
    },
    "users.jsonl: not a regular file",
  ],
];

test("rejects an invalid export with the place, before anything is written", async () => {
  const { testServer, from } = await exportToJsonl();
  for (const [label, damage, fault] of BAD_ARCHIVES) {
    const [spoiled, data] = [`${from}-${label}`, join(testServer.directory, label)];
    cpSync(from, spoiled, { recursive: true });
    damage(spoiled);
    const report = await executeCommand(data, "runImport", { from: spoiled });
    expect(report).toMatchObject({ outcome: "refused", exit: 4, written: {} });
    expect(report.faults.join("\n"), label).toContain(fault);
    expect(await withRealm(data, ({ read }) => read.imports.count()), label).toBe(0);
  }
});

test("rejects an import into a directory with an organization", async () => {
  const { testServer, from } = await exportToJsonl();
  await testServer.stop();
  const report = await executeCommand(testServer.realm.config.data, "runImport", { from });
  expect(report).toMatchObject({ outcome: "refused", exit: 4 });
  expect(report.faults[0]).toContain("already contains an organization");
  await testServer.start();
});

test("every table and set is exported, derived, or left out with a reason", () => {
  const allTables = [...EXPORTED_TABLES, ...Object.keys(OMITTED_FIELDS)];
  expect(allTables.toSorted()).toEqual(Object.keys(tables).toSorted());
  const sets: string[] = [...EXPORTED_SETS, ...DERIVED_SETS];
  expect(sets.toSorted()).toEqual(Object.keys(bitmaps).toSorted());
  for (const table of EXPORTED_TABLES) {
    const fields: readonly string[] = tables[table].fields;
    const names = fieldsOf(table).map(({ name }) => name);
    expect(names, `add it to shapes-rules.ts and docs/moving/jsonl.md: ${table}`).toEqual([
      ...fields,
    ]);
  }
});

test("the documentation describes every file and field, and its commands work", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../docs/moving/jsonl.md")).text();
  for (const table of EXPORTED_TABLES) {
    const section = page.split(`### \`${table}.jsonl\``)[1]?.split("\n### ")[0] ?? "";
    for (const { name } of fieldsOf(table)) expect(section, table).toContain(`\`${name}\``);
  }
  for (const table of Object.keys(OMITTED_FIELDS)) expect(page).toContain(`\`${table}\``);
  const folder = mkdtempSync(join(tmpdir(), "skein-moving-"));
  try {
    const init = ["init", "--data", "old", "--name", "Town", "--owner", "o@example.com"];
    const run = (args: string[]) =>
      skein(
        args.map((arg) => inFolder(folder, arg)),
        SOURCE_OPTIONS,
      );
    expect(await run([...init, "--full-name", "Olga"])).toMatchObject({ code: 0 });
    const lines = [...page.matchAll(/^skein (.*)$/gm)].map(([, line = ""]) => line.split(" "));
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines) expect(await run(line), line.join(" ")).toMatchObject({ code: 0 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const SOURCE_OPTIONS = { isSource: true };
const PATHS: Record<string, string> = {
  old: "old",
  "/var/lib/skein": "old",
  "/mnt/export": "export",
  "/var/lib/skein-new": "new",
};
const inFolder = (folder: string, arg: string) =>
  Object.hasOwn(PATHS, arg) ? join(folder, PATHS[arg]!) : arg;
