// Invalid or harmful Zulip exports are rejected with the place of the fault; nothing is written.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { executeCommand } from "../../src/commands/control.ts";
import { planZulip } from "../../src/features/moving/zulip/import-jobs.ts";
import { optionsOf } from "../../src/features/moving/products/import-jobs.ts";
import { SEED } from "../random.ts";
import { chanceOf } from "../store/sample-schema.ts";
import { withRealm } from "./random-organization.ts";
import { tarOf, writeFolder, zulipFiles } from "./zulip-fixture.ts";
import type { Files } from "./zulip-tables.ts";

let folder: string;
let files: Files;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-zulip-refused-"));
  files = zulipFiles("12");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeArchive(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const withChangedFile = (name: string, change: (text: string) => string): Files => ({
  ...files,
  [name]: change(String(files[name])),
});

const BAD_ARCHIVES: [what: string, bytes: () => Uint8Array, fault: string][] = [
  ["of nothing", () => tarOf({ "a.txt": "x" }), "Not a Zulip export"],
  ["no tar", () => gzipSync("not a tar file at all"), "not a tar file"],
  ["cut short", () => tarOf(files).subarray(0, 3_000), "not a whole gzip file"],
  ["cut inside", () => gzipSync(decompressedTar().subarray(0, 20_000)), "truncated"],
  ["with ..", () => tarOf({ ...files, "../../evil": "x" }), "leads out of the archive"],
  ["absolute", () => tarOf({ "/etc/evil": "x" }, ""), "leads out of the archive"],
  ["a link", () => tarWithLink(), "is a link, which is not followed"],
  ["too many folders", () => manyFolders(), "has more than 200000 entries"],
  ["a negative size", () => withNegativeSize(), "not a tar file, or it is damaged"],
  ["a bomb", () => gzipSync(Buffer.alloc(80 * 1_048_576)), "an archive bomb"],
  [
    "a missing file",
    () => tarOf({ ...files, "messages-000004.json": "{}" }),
    "messages-000003.json: missing",
  ],
  [
    "broken JSON",
    () =>
      tarOf(withChangedFile("realm.json", (text) => text.replace('"is_bot": false', '"is_bot": '))),
    "realm.json zerver_userprofile#1: not valid JSON",
  ],
  [
    "deep JSON",
    () =>
      tarOf(withChangedFile("realm.json", (t) => t.replace('"groups": []', `"groups": ${DEEP}`))),
    "nested deeper than 64",
  ],
  [
    "an account of a converter",
    () => tarOf(withChangedFile("realm.json", (text) => text.replace(/"id": 10\b/, '"id": 0'))),
    "The id is 0. Zulip's converters for other products write such files",
  ],
  [
    "a channel of a converter",
    () => tarOf(withChangedFile("realm.json", (text) => text.replace(/"id": 20\b/, '"id": 0'))),
    "The id is 0. Zulip's converters for other products write such files",
  ],
  [
    "two organizations",
    () => {
      const duplicateRealm = (text: string) =>
        text.replace('"zerver_realm": [', '"zerver_realm": [{"id": 9},');
      return tarOf(withChangedFile("realm.json", duplicateRealm));
    },
    "realm.json zerver_realm#2: a second organization",
  ],
];

const DEEP = "[".repeat(1e5);
const decompressedTar = () => Bun.gunzipSync(tarOf(files) as Uint8Array<ArrayBuffer>);

/** The type of the first entry becomes that of a symbolic link. */
const tarWithLink = () => withFirstHeader((header) => header.write("2", 156, "latin1"));

const manyFolders = () => {
  const first = Bun.gunzipSync(withFirstHeader(setFolder) as Uint8Array<ArrayBuffer>);
  const header = Buffer.from(first.subarray(0, 512));
  return Buffer.concat(Array.from({ length: 200_001 }, () => header));
};

function setFolder(header: Buffer): void {
  header.write("00000000000", 124, "latin1");
  header.write("5", 156, "latin1");
}

/** The first entry becomes a folder that ends where it starts. */
const withNegativeSize = () =>
  withFirstHeader((header) => {
    header.write("-0000001000", 124, "latin1");
    header.write("5", 156, "latin1");
  });

function withFirstHeader(change: (header: Buffer) => void): Uint8Array {
  const bytes = Buffer.from(decompressedTar());
  change(bytes.subarray(0, 512));
  bytes.write("        ", 148, "latin1");
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return gzipSync(bytes);
}

test.each(BAD_ARCHIVES)("refuses an archive with its place: %s", async (label, bytes, fault) => {
  const from = writeArchive(`${label}.tar.gz`, bytes());
  const data = join(folder, `${label}-data`);
  const report = await executeCommand(data, "runImport", { from });
  expect(report).toMatchObject({ outcome: "refused", exit: 4, written: {} });
  expect(report.faults).toHaveLength(1);
  expect(report.faults[0]).toContain(fault);
  expect(await withRealm(data, ({ read }) => [read.imports.count(), read.users.count()])).toEqual([
    0, 0,
  ]);
});

test("refuses links in an unpacked folder", async () => {
  const from = join(folder, "unpacked");
  writeFolder(files, from);
  expect(await planZulip(undefined, from, optionsOf({}))).toMatchObject({ outcome: "planned" });
  symlinkSync("/etc/passwd", join(from, "uploads", "passwd"));
  const report = await planZulip(undefined, from, optionsOf({}));
  expect(report.faults).toEqual(["uploads/passwd: not a regular file"]);
});

test("writes nothing for a plan, not even a directory", async () => {
  const from = writeArchive("plan.tar.gz", tarOf(files));
  const report = await planZulip(undefined, from, optionsOf({}));
  expect(report).toMatchObject({ outcome: "planned", exit: 3, found: { messages: 12, users: 10 } });
  expect(existsSync(join(folder, "data"))).toBe(false);
});

const FUZZED = 60;

test("imports or refuses archives with changed bytes, without any other error", async () => {
  const random = chanceOf(SEED);
  const names = ["realm.json", "messages-000001.json", "attachment.json", "uploads/records.json"];
  for (let times = 0; times < FUZZED; times++) {
    const name = names[times % names.length]!;
    const bytes = Buffer.from(String(files[name]));
    for (let changes = 0; changes < 3; changes++) {
      const offset = random.below(bytes.length);
      bytes[offset] = random.pick([0, 34, 44, 48, 58, 91, 92, 93, 123, 125, 200]);
    }
    const from = writeArchive("fuzzed.tar.gz", tarOf({ ...files, [name]: bytes }));
    const report = await planZulip(undefined, from, optionsOf({}));
    expect(["planned", "refused"]).toContain(report.outcome);
  }
});
