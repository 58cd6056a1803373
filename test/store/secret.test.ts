// The secret of a data directory decrypts values only in their place and with its file.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { secretOf } from "../../src/store/secret.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "skein-secret-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("decrypts what was encrypted for its place, also after a restart", () => {
  const sealed = secretOf(directory).seal("päss", "row 1");
  expect(sealed).not.toContain(Buffer.from("päss").toString("base64").slice(0, 4));
  expect(secretOf(directory).open(sealed, "row 1")).toBe("päss");
  expect(secretOf(directory).open(sealed, "row 2")).toBeUndefined();
  expect(secretOf(directory).seal("päss", "row 1")).not.toBe(sealed);
});

test("rejects changed and short values", () => {
  const secret = secretOf(directory);
  const bytes = Buffer.from(secret.seal("text", "row"), "base64");
  for (let offset = 0; offset < bytes.length; offset++) {
    const damagedKey = Buffer.from(bytes);
    damagedKey[offset]! ^= 1;
    expect(secret.open(damagedKey.toString("base64"), "row")).toBeUndefined();
  }
  for (const short of ["", "AAAA", bytes.subarray(0, 27).toString("base64")]) {
    expect(secret.open(short, "row")).toBeUndefined();
  }
});

test("the file is only for its owner, and nothing decrypts without it", () => {
  const sealed = secretOf(directory).seal("text", "row");
  const file = join(directory, "secrets");
  expect(readdirSync(directory)).toEqual(["secrets"]);
  chmodSync(file, 0o644);
  secretOf(directory);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  rmSync(file);
  expect(secretOf(directory).open(sealed, "row")).toBeUndefined();
});

test("does not replace a file that contains no key", () => {
  writeFileSync(join(directory, "secrets"), '{ "sealing": "AAAA" }');
  expect(() => secretOf(directory)).toThrow("does not contain a key");
});
