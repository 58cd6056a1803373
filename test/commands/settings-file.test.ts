// The settings file: where `config init` writes it, and what happens if it cannot.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAIN, skein } from "./skein.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-settings-"));
  file = join(folder, "etc/skein/skein.toml");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const init = () => skein(["config", "init", "--to", file], { isSource: true });

test("config init creates the directory", async () => {
  expect(await init()).toMatchObject({ code: 0, err: "" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await init()).err).toBe(`skein: ${file} already exists and was not changed\n`);
});

test("config init leaves no incomplete file", async () => {
  // A file size limit fails like a full disk.
  const script = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
  const args = [process.execPath, MAIN, "config", "init", "--to", file];
  const { exitCode, stderr } = Bun.spawnSync(["bash", "-c", script, "-", ...args]);
  const reason = `skein: Cannot write ${file}: the limit of the file size is reached\n`;
  expect([exitCode, stderr.toString()]).toEqual([1, reason]);
  expect(existsSync(file)).toBe(false);
  expect(await init()).toMatchObject({ code: 0, err: "" });
});
