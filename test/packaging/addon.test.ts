// The database addon contains the fix for writes past its memory on a full disk.
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { isPatched, patched, withoutDebugData } from "../../packaging/addon.ts";
import { builtBinary } from "../built-executable.ts";

const ROOT = join(import.meta.dir, "../..");
const SIZES = "buffer sizes %i";
const WORDS = "position %u, size %u, blocks %u";
const SENTENCE = `Attempting to write page at ${WORDS}`;

test("error texts about rejected writes end before variable parts", () => {
  const addon = Buffer.from(`before\0${SENTENCE}, ${SIZES} %i %i\0after\0`);
  const text = patched(addon).toString("latin1");
  expect(text.split("\0").filter(Boolean)).toEqual(["before", SENTENCE, "after"]);
  expect(text).toHaveLength(addon.length);
  const repeated = Buffer.from(text, "latin1");
  expect(patched(repeated)).toBe(repeated);
  expect(() => patched(Buffer.from(`before\0${SENTENCE}\0after`))).toThrow("unknown version");
});

test("applies in installs and in the executable", async () => {
  const addons = [...new Bun.Glob("node_modules/@lmdb/*/*.node").scanSync({ cwd: ROOT })];
  expect(addons.length).toBeGreaterThan(0);
  for (const path of addons) expect([path, isPatched(join(ROOT, path))]).toEqual([path, true]);
  const executable = readFileSync(await builtBinary());
  expect([executable.includes(WORDS), executable.includes(SIZES)]).toEqual([true, false]);
});

test("loads the addon without its debug data", () => {
  const folder = mkdtempSync(join(tmpdir(), "skein-addon-"));
  const own = `lmdb-${process.platform}-${process.arch}/`;
  const addons = [...new Bun.Glob("node_modules/@lmdb/*/*.node").scanSync({ cwd: ROOT })];
  for (const path of addons) {
    const addon = readFileSync(join(ROOT, path));
    const reduced = withoutDebugData(addon);
    expect([path, reduced.length < addon.length / 3]).toEqual([path, true]);
    expect(withoutDebugData(reduced)).toEqual(reduced);
    const file = join(folder, basename(path));
    if (!path.includes(own) || !path.includes("glibc")) continue;
    writeFileSync(file, reduced);
    const code = `process.dlopen({ exports: {} }, ${JSON.stringify(file)});`;
    expect(Bun.spawnSync([process.execPath, "-e", code], { stderr: "inherit" }).exitCode).toBe(0);
  }
  rmSync(folder, { recursive: true });
});
