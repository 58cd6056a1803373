// Files and flags of commands that are not UTF-8, and files without accounts.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandResult, MAIN, skein } from "./skein.ts";

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-character-sets-"));
  const owner = ["--owner", "olga@example.com", "--full-name", "Olga Owner"];
  const { code, err } = await run("init", "--name", "Town", ...owner);
  expect([code, err]).toEqual([0, err]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]): Promise<CommandResult> =>
  skein([...args, "--data", join(folder, "data")], { isSource: true });

async function create(bytes: Uint8Array | string): Promise<CommandResult> {
  const file = join(folder, "people");
  await Bun.write(file, bytes);
  return run("user", "create", "--from", file);
}

const namesNow = async () => (await run("user", "list")).out;
const table = (name: string) => `email,full_name\n${name}@example.com,${name} M\u00fcller\n`;

test("reads a table in UTF-8, in UTF-16, and with a notice in Windows-1252", async () => {
  const utf8 = await create(`\ufeff${table("ann")}`);
  const utf16 = await create(Buffer.from(`\ufeff${table("ben")}`, "utf16le"));
  const windows = await create(Buffer.from(table("cat"), "latin1"));
  expect([utf8.code, utf16.code, windows.code]).toEqual([0, 0, 0]);
  expect([utf8.err, utf16.err]).toEqual(["", ""]);
  expect(windows.err).toContain("is not UTF-8 and was read as Windows-1252");
  const names = await namesNow();
  for (const name of ["ann", "ben", "cat"]) expect(names).toContain(`${name} M\u00fcller`);
});

test("rejects a table whose byte order mark contradicts its text", async () => {
  const text = Buffer.from(table("fay"), "latin1");
  const { code, err } = await create(Buffer.concat([Buffer.from("\ufeff"), text]));
  expect(code).toBeGreaterThan(0);
  expect(err).toContain("line 2: not UTF-8 text");
  expect(err).not.toContain("Windows-1252");
});

test("rejects JSON lines and a password that are not UTF-8, and names the line", async () => {
  const line = (name: string) => JSON.stringify({ email: `${name}@example.com`, full_name: name });
  const json = await create(Buffer.from(`${line("dan")}\n${line("D\u00f6rte")}\n`, "latin1"));
  expect(json.code).toBeGreaterThan(0);
  expect(json.err).toContain("line 2: not UTF-8 text");
  expect(await namesNow()).not.toContain("dan");
  const password = join(folder, "password");
  await Bun.write(password, Buffer.from("p\u00e4ssword of some length\n", "latin1"));
  const flags = ["--email", "olga@example.com", "--password-file", password];
  const { code, err } = await run("user", "password", ...flags);
  expect(code).toBeGreaterThan(0);
  expect(err).toContain("line 1: not UTF-8 text");
});

test("rejects a flag that is not UTF-8", async () => {
  const script =
    'exec "$0" "$1" user create --data "$2" --email e@example.com ' +
    '--full-name "$(printf "B\\374rger")"';
  const command = ["sh", "-c", script, process.execPath, MAIN, join(folder, "data")];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
  const [err, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  expect(code).toBeGreaterThan(0);
  expect(err).toContain("--full-name is not UTF-8");
});

test.each([
  ["", "the file is empty"],
  ["\ufeff\n", "the file is empty"],
  ["email,full_name\n", "no row after the column names"],
  ["eve@example.com,Eve\n", "the first row must contain the column names"],
])("refuses a file without accounts: %j", async (text, reason) => {
  const { code, err } = await create(text);
  expect(code).toBeGreaterThan(0);
  expect(err).toContain(reason);
});
