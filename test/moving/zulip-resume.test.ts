// Imports of Zulip exports: killed and resumed, run twice, undone, and run as documented.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executeCommand } from "../../src/commands/control.ts";
import { EXPORTED_TABLES } from "../../src/features/moving/jsonl/shapes-rules.ts";
import { bitmaps } from "../../src/schema/schema.ts";
import { skein } from "../commands/skein.ts";
import { countOf } from "../repetitions.ts";
import { SEED } from "../random.ts";
import { chanceOf } from "../store/sample-schema.ts";
import type { Json } from "../test-server.ts";
import { withRealm, storedIn } from "./random-organization.ts";
import { manyFiles, tarOf, zulipFiles } from "./zulip-fixture.ts";

let folder: string;
let small: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-zulip-resume-"));
  small = join(folder, "small.tar.gz");
  writeFileSync(small, tarOf(zulipFiles("12")));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MESSAGES = 4_000;

/** All rows and sets, without random names. */
async function stateOf(data: string): Promise<Json> {
  const contents = await withRealm(data, ({ read }) => storedIn(read));
  return JSON.parse(JSON.stringify(contents).replaceAll(/\\"/g, "'").replaceAll(RANDOM_QUOTED, ""));
}

/** Fields that each import generates, or that contain its time. */
const RUN_VALUES =
  "avatar_key|icon_file|file|token|realm_uuid|job_id|create_time|unused_since|date_joined";
const RANDOM_QUOTED = new RegExp(`'(?:${RUN_VALUES})':'?[\\w/.-]+'?,?`, "g");

test("an import that is killed and resumed equals an uninterrupted one", async () => {
  const from = join(folder, "many.tar.gz");
  writeFileSync(from, tarOf(manyFiles(MESSAGES)));
  const [full, killed] = [join(folder, "whole"), join(folder, "killed")];
  expect(await executeCommand(full, "runImport", { from })).toMatchObject({ outcome: "imported" });
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
  expect(resumed).toMatchObject({ outcome: "imported", faults: [] });
  expect(kills).toBeGreaterThan(countOf("import_kills") / 2);
  expect(await stateOf(killed)).toEqual(await stateOf(full));
});

test("writes nothing when the same export is imported again", async () => {
  const data = join(folder, "twice");
  await executeCommand(data, "runImport", { from: small });
  const before = await withRealm(data, (realm) => storedIn(realm.read));
  expect(await executeCommand(data, "runImport", { from: small })).toMatchObject({ written: {} });
  expect(await withRealm(data, (realm) => storedIn(realm.read))).toEqual(before);
});

test("undo deletes every row, set and file, and the import can be run again", async () => {
  const data = join(folder, "undone");
  await executeCommand(data, "runImport", { from: small });
  const full = await stateOf(data);
  expect(await executeCommand(data, "undoImport", { id: 1 })).toMatchObject({
    outcome: "undone",
    exit: 0,
  });
  const remaining = await withRealm(data, ({ read }) => {
    const rows = EXPORTED_TABLES.filter((table) => read[table].count() > 0);
    return [rows, read.imported.count(), storedIn(read)];
  });
  expect(remaining[0]).toEqual([]);
  expect(remaining[1]).toBe(0);
  const stored = Object.entries(remaining[2] as Json).filter(
    ([, rows]) => (rows as Json[]).length > 0,
  );
  expect(stored).toEqual([]);
  expect([...new Bun.Glob("**").scanSync(`${data}/uploads`)]).toEqual([]);
  expect(Object.keys(bitmaps).length).toBeGreaterThan(0);
  expect(await executeCommand(data, "runImport", { from: small })).toMatchObject({ faults: [] });
  const repeated = await stateOf(data);
  expect(repeated.messages.length).toEqual(full.messages.length);
});

test("undo deletes nothing once the organization was used, and lists what changed", async () => {
  const data = join(folder, "used");
  await executeCommand(data, "runImport", { from: small });
  await withRealm(data, (realm) =>
    realm.write((tx) => tx.channels.put({ ...tx.channels.get(20)!, description: "other" })),
  );
  const report = await executeCommand(data, "undoImport", { id: 1 });
  expect(report).toMatchObject({ outcome: "refused", exit: 4, written: {} });
  expect(report.faults).toEqual(["channels 20 was changed since the import"]);
});

test("refuses a directory that has an organization", async () => {
  const data = join(folder, "taken");
  const owner = { email: "olga@example.com", full_name: "Olga" };
  await executeCommand(data, "init", { name: "Town", owner });
  for (const command of ["planImport", "runImport"] as const) {
    const report = await executeCommand(data, command, { from: small });
    expect(report).toMatchObject({ outcome: "refused", exit: 4 });
    expect(report.faults[0]).toContain("has an organization already");
  }
});

test("every command of the documentation works, in its order", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../docs/moving/zulip.md")).text();
  const path = join(folder, "documented");
  const paths: Record<string, string> = {
    "/var/lib/skein": join(path, "data"),
    "zulip-export.tar.gz": join(path, "zulip-export.tar.gz"),
    "people.csv": join(path, "people.csv"),
  };
  await Bun.write(join(path, "people.csv"), page.split("```csv\n")[1]!.split("```")[0]!);
  copyFileSync(small, paths["zulip-export.tar.gz"]!);
  const lines = [...page.matchAll(/^skein (.*)$/gm)].map(([, line = ""]) => line.split(" "));
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) {
    const args = line.map((arg) => (Object.hasOwn(paths, arg) ? paths[arg]! : arg));
    const { code, stderr } = (await skein(args, { isSource: true })) as Json;
    expect([0, 3], `${line.join(" ")}: ${stderr}`).toContain(code);
  }
});
