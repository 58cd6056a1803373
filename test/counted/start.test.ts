// Limits how much code a start loads.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAIN } from "../commands/skein.ts";
import { listeningUrl, ProcessOutput } from "../process-output.ts";

/** A few more than today. Import what a start does not need where it is first used. */
const OWN_MODULES_MAX = 950;
const OTHER_MODULES_MAX = 730;
const OWN = join(import.meta.dir, "../../src/");

test("a start loads no more modules than it did", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skein-modules-"));
  const counting = join(folder, "counting.ts");
  const modulesFile = join(folder, "modules.json");
  const list = `Object.keys(require.cache)`;
  writeFileSync(
    counting,
    `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(modulesFile)}, ` +
      `JSON.stringify(${list})));`,
  );
  const flags = ["--data", join(folder, "data"), "--listen", "127.0.0.1:0"];
  const child = Bun.spawn([process.execPath, "--preload", counting, MAIN, "serve", ...flags], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await listeningUrl(ProcessOutput.from(child.stdout));
  child.kill("SIGTERM");
  await child.exited;
  const modules = (await Bun.file(modulesFile).json()) as string[];
  rmSync(folder, { recursive: true });
  const own = modules.filter((path) => path.startsWith(OWN)).length;
  expect(own).toBeGreaterThan(100);
  expect(own).toBeLessThanOrEqual(OWN_MODULES_MAX);
  expect(modules.length - own).toBeLessThanOrEqual(OTHER_MODULES_MAX);
});
