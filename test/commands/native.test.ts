/** Error messages if the machine lacks something that the server needs. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wordsFor } from "../../src/commands/native.ts";
import { builtBinary } from "../built-executable.ts";
import { canMount } from "../crash/small-disk.ts";

async function runWithTmpdir(TMPDIR: string) {
  const { exitCode, stderr } = Bun.spawnSync([await builtBinary(), "version"], {
    env: { ...process.env, TMPDIR },
  });
  return { code: exitCode, said: stderr.toString() };
}

const errorMessage = (directory: string) =>
  "skein: the database library is loaded from the directory for temporary files, " +
  `but ${directory} does not allow that. Set TMPDIR to another directory\n`;

test("names a missing directory for temporary files", async () => {
  expect(await runWithTmpdir("/not/there")).toEqual({ code: 1, said: errorMessage("/not/there") });
});

test.skipIf(!canMount())("so is one from which nothing may be run", async () => {
  const path = mkdtempSync(join(tmpdir(), "skein-noexec-"));
  Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "noexec,size=64m", "tmpfs", path]);
  try {
    expect(await runWithTmpdir(path)).toEqual({ code: 1, said: errorMessage(path) });
  } finally {
    Bun.spawnSync(["umount", "-l", path]);
    rmSync(path, { recursive: true });
  }
});

test.each([
  [
    "libstdc++.so.6: cannot open shared object file: No such file or directory",
    "the library libstdc++.so.6 is missing: install the package that contains it",
  ],
  [
    "/lib/libc.so.6: version `GLIBC_2.34' not found (required by /tmp/.bun-0.node)",
    "this system is too old (it lacks GLIBC_2.34): use a newer one, or the musl build of Skein",
  ],
  ["something else", "cannot load the database library: something else"],
])("%s", (message, text) => {
  expect(wordsFor(message, "/tmp")).toBe(text);
});
