// Exports that cannot be written print one sentence with the path, and leave nothing behind.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executeCommand } from "../../src/commands/control.ts";
import { MAIN, Server, skein } from "../commands/skein.ts";
import { canLimit, canMount, limitedFiles, smallFileSystem } from "../crash/small-disk.ts";
import { manyFiles, writeFolder } from "./zulip-fixture.ts";

/** Their database is larger than the limit of a file, and smaller than the small disk. */
const MESSAGES = 1_500;
const MIB = 1_048_576;
const REFUSED_CODE = 4;

const folder = mkdtempSync(join(tmpdir(), "skein-export-failures-"));
const pathOf = (name: string) => join(folder, name);
const data = pathOf("data");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let email = "";
beforeAll(async () => {
  writeFolder(manyFiles(MESSAGES), pathOf("zulip"));
  await executeCommand(data, "runImport", { from: pathOf("zulip") });
  const [user] = await executeCommand(data, "listUsers", {});
  email = user!.email;
  writeFileSync(pathOf("file"), "a file");
  mkdirSync(pathOf("used"));
  writeFileSync(pathOf("used/file"), "a file");
});

const KINDS: Readonly<Record<string, () => string[]>> = {
  jsonl: () => ["export", "jsonl"],
  zulip: () => ["export", "zulip"],
  html: () => ["export", "html", "--viewer", email],
  person: () => ["export", "person", "--email", email],
};

/** Returns the message after checking that it is one sentence. */
async function refusedAt(
  kind: string,
  to: string,
  wrapper: readonly string[] = [],
): Promise<string> {
  const args = [...KINDS[kind]!(), "--to", to, "--data", data];
  const command = [...wrapper, process.execPath, MAIN, ...args];
  const run = async () => {
    const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "pipe"] });
    const [out, err] = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
    return { code: await child.exited, out: await out!, err: await err! };
  };
  const { code, out, err } = wrapper.length > 0 ? await run() : await skein(args);
  expect({ code, out }).toEqual({ code: REFUSED_CODE, out: "" });
  expect(err).toMatch(/^skein: [^\n]+\n$/);
  expect(err).not.toMatch(/\bE[A-Z]{4,}:|a required file/);
  expect(err).toContain(to);
  return err;
}

test.each(Object.keys(KINDS))("export %s rejects a target that is not a folder", async (kind) => {
  for (const to of [pathOf("file"), "/dev/null", "/dev/full"]) {
    expect(await refusedAt(kind, to)).toEndWith(" is not a folder. Give a new folder with --to.\n");
  }
  expect(await refusedAt(kind, pathOf("file/below"))).toContain("is not a directory");
  expect(await refusedAt(kind, pathOf("used"))).toContain("is not empty");
  expect(readdirSync(pathOf("used"))).toEqual(["file"]);
});

test.skipIf(!canLimit()).each(Object.keys(KINDS))(
  "export %s deletes its folders if the disk is full",
  async (kind) => {
    using disk = limitedFiles();
    const to = join(disk.directory, "parent", "export");
    expect(await refusedAt(kind, to, disk.wrapper)).toContain("No part of the export was kept.");
    expect(readdirSync(disk.directory)).toEqual([]);
    mkdirSync(to, { recursive: true });
    await refusedAt(kind, to, disk.wrapper);
    expect(readdirSync(to)).toEqual([]);
  },
);

test.skipIf(!canMount())(
  "names a disk that has no room for the copy, or is read-only",
  async () => {
    using disk = smallFileSystem();
    const ballast = join(disk.directory, "ballast");
    writeFileSync(ballast, Buffer.alloc(MIB));
    const to = join(disk.directory, "export");
    expect(await refusedAt("jsonl", to)).toContain("of free space, but ");
    expect(existsSync(to)).toBe(false);
    const mount = ["mount", "-o", "remount,ro", join(disk.directory, "..")];
    expect(Bun.spawnSync(mount).success).toBe(true);
    expect(await refusedAt("jsonl", to)).toContain("the file system is read-only");
  },
);

test("a running server and a backup refuse such targets, too", async () => {
  const server = await Server.start(["--data", data]);
  expect(await refusedAt("jsonl", "/dev/null")).toContain("/dev/null is not a folder");
  const backup = ["backup", "run", "--plain", "--data", data, "--to", "/dev/null"];
  const refusal = { code: 1, err: "skein: /dev/null is not a directory\n" };
  expect(await skein(backup)).toMatchObject(refusal);
  await server.stop();
  expect(await skein(backup)).toMatchObject(refusal);
  const args = ["import", "run", "--from", pathOf("zulip"), "--data", "/dev/null"];
  expect(await skein(args)).toMatchObject(refusal);
});

test.skipIf(!canLimit())("backup and restore name the file that does not fit", async () => {
  using disk = limitedFiles();
  const runWithSmallDisk = async (...args: string[]) => {
    const command = [...disk.wrapper, process.execPath, MAIN, ...args];
    const child = Bun.spawn(command, { stdio: ["ignore", "ignore", "pipe"] });
    return { code: await child.exited, err: await new Response(child.stderr).text() };
  };
  const backup = ["backup", "run", "--plain", "--data", data, "--to", pathOf("backups")];
  const result = await runWithSmallDisk(...backup);
  expect(result.code).toBe(1);
  expect(result.err).toMatch(
    /^skein: Cannot \w+ \/[^\n]+: the limit of the file size is reached\n$/,
  );
  expect(await skein(backup, { isSource: true })).toMatchObject({ code: 0 });
  const destination = pathOf("restored");
  const restored = await runWithSmallDisk(
    "restore",
    "--from",
    pathOf("backups"),
    "--into",
    destination,
  );
  expect(restored.err).toContain(`Cannot write ${destination}`);
  expect(restored.code).toBe(1);
  expect(readdirSync(destination)).toEqual([]);
});

test("an import names a list of people that cannot be read", async () => {
  for (const people of [pathOf("used"), pathOf("none"), "/dev/zero"]) {
    const args = ["import", "plan", "--from", pathOf("zulip"), "--people", people, "--data", data];
    const { code, err } = await skein(args);
    expect([code, err.split("\n").length]).toEqual([REFUSED_CODE, 2]);
    expect(err).toStartWith(`skein: Cannot read ${people}: `);
  }
});
