// Archives that create an organization: the browser names the commands that import them.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJsonl } from "../../src/features/moving/jsonl/export.ts";
import { commandsInstead } from "../../src/features/moving/uploaded/new-organization.ts";
import { forgetUpload } from "../../src/features/moving/uploaded/state.ts";
import { MAIN } from "../commands/skein.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { setPasswords, ImportPage } from "./import-page.ts";
import { zipOf } from "./zip.ts";
import { tarOf, zulipFiles } from "./zulip-fixture.ts";

let testServer: TestServer;
let page: ImportPage;
let folder: string;

beforeAll(async () => {
  testServer = await startTestServer();
  await setPasswords(testServer);
  page = await ImportPage.open(testServer);
  folder = mkdtempSync(join(tmpdir(), "skein-test-"));
});

afterAll(async () => {
  await testServer.close();
  rmSync(folder, { recursive: true });
});

beforeEach(() => forgetUpload(testServer.realm, { report: null }));

/** Runs the commands of a report literally, but for the data directory. */
async function follow(commands: readonly string[], name: string, bytes: Uint8Array) {
  const path = mkdtempSync(join(folder, "shell-"));
  writeFileSync(join(path, name), bytes);
  const program = `skein() { "${process.execPath}" "${MAIN}" "$@"; }`;
  const lines = commands.map((line) => line.replace("/var/lib/skein-new", join(path, "new")));
  const script = ["set -e", program, ...lines].join("\n");
  const child = Bun.spawn(["sh", "-c", script], { cwd: path, stdout: "pipe", stderr: "pipe" });
  const err = await new Response(child.stderr).text();
  return { code: await child.exited, err };
}

async function refusedFor(bytes: Uint8Array, name: string): Promise<Json> {
  const { realm } = testServer;
  const before = [realm.read.imports.count(), realm.read.users.count()];
  const state = await page.planImport(bytes, {}, name);
  expect(state).toMatchObject({ upload: null, plan: null, report: { outcome: "refused" } });
  expect(page.archives()).toEqual([]);
  expect([realm.read.imports.count(), realm.read.users.count()]).toEqual(before);
  const { instead, path } = state.report as Json;
  expect(path).toBe(name);
  return instead as Json;
}

const IMPORT = "skein import run --data /var/lib/skein-new --from";

test("names the command that imports a Zulip export", async () => {
  const name = "zulip's export.tar.gz";
  const archive = tarOf(zulipFiles("12"));
  const { product, commands } = await refusedFor(archive, name);
  expect(product).toBe("zulip");
  expect(commands).toEqual([`${IMPORT} 'zulip'\\''s export.tar.gz'`]);
  const { code, err } = await follow(commands as string[], name, archive);
  expect([0, 3], err).toContain(code);
});

/** All files of a folder, by their paths in it. */
function filesIn(directory: string): Record<string, Uint8Array> {
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => statSync(join(directory, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(directory, path))]));
}

test("names the commands that unpack and import a JSONL export", async () => {
  const from = join(folder, "jsonl");
  await exportJsonl(testServer.realm, from);
  const archive = tarOf(filesIn(from), "my export/");
  const { product, commands } = await refusedFor(archive, "-all.tgz");
  expect(product).toBe("skein-jsonl");
  expect(commands).toEqual([
    "mkdir skein-export && tar -xf ./-all.tgz -C skein-export",
    `${IMPORT} 'skein-export/my export'`,
  ]);
  const { code, err } = await follow(commands as string[], "-all.tgz", archive);
  expect([0, 3], err).toContain(code);
});

test("names the commands for a zip file without a folder", async () => {
  const entries = ["format.json", "users.jsonl"].map((name) => ({ name, bytes: "{}" }));
  const { commands } = await refusedFor(zipOf(entries), "all.zip");
  expect(commands).toEqual(["unzip -q all.zip -d skein-export", `${IMPORT} skein-export`]);
});

test("leaves damaged archives and other tar files to the reader of the product", async () => {
  const path = join(folder, "other");
  for (const bytes of [tarOf({ "a.txt": "a" }), Buffer.from("no archive")]) {
    writeFileSync(path, bytes);
    expect(await commandsInstead(path, "other")).toBeUndefined();
  }
  const { report } = await page.planImport(tarOf({ "a.txt": "a" }));
  expect(report).toMatchObject({ outcome: "refused" });
  expect((report as Json).faults).toEqual([expect.stringContaining("Not a Zulip export")]);
});
