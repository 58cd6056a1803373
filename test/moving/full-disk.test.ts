// Imports on a full disk print an error, exit with its documented code, and can be resumed.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executeCommand } from "../../src/commands/control.ts";
import { MAIN } from "../commands/skein.ts";
import { canLimit, limitedFiles } from "../crash/small-disk.ts";
import { withRealm, storedIn } from "./random-organization.ts";
import { manyFiles, tarOf, writeFolder } from "./zulip-fixture.ts";

const MESSAGES = 4_000;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-full-disk-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `skein import run` with a file size limit of one mebibyte. */
async function runWithSmallDisk(from: string, data: string) {
  using disk = limitedFiles();
  const args = ["import", "run", "--from", from, "--data", data, "--json"];
  const child = Bun.spawn([...disk.wrapper, process.execPath, MAIN, ...args], {
    // Ignores standard error, to which the database library prints the error, too.
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  return { out, code };
}

test.skipIf(!canLimit())(
  "breaks off where the disk is full, and resumes on a larger one",
  async () => {
    const from = join(folder, "zulip");
    writeFolder(manyFiles(MESSAGES), from);
    const [complete, full] = [join(folder, "whole"), join(folder, "full")];
    await executeCommand(complete, "runImport", { from });
    const { code, out } = await runWithSmallDisk(from, full);
    expect(code).toBe(1);
    const report = JSON.parse(out) as { outcome: string; faults: string[] };
    expect(report.outcome).toBe("broken");
    expect(report.faults).toHaveLength(1);
    expect(await executeCommand(full, "runImport", { from })).toMatchObject({
      outcome: "imported",
    });
    const messages = (data: string) => withRealm(data, ({ read }) => storedIn(read).messages);
    expect(await messages(full)).toEqual(await messages(complete));
  },
);

test.skipIf(!canLimit())(
  "refuses an archive for which no temporary file is large enough",
  async () => {
    const from = join(folder, "zulip.tar.gz");
    writeFileSync(from, tarOf(manyFiles(MESSAGES)));
    const { code, out } = await runWithSmallDisk(from, join(folder, "none"));
    expect(code).toBe(4);
    expect(out).toContain("for temporary files. Set TMPDIR to a larger disk");
  },
);

const MODULE = join(import.meta.dir, "../../src/features/moving/archive/spool.ts");
const SPOOL = `
  import { Spool } from ${JSON.stringify(MODULE)};
  const spool = await Spool.open("messages");
  try {
    await spool.add(0, "x".repeat(2 * 1_048_576));
    console.log((await spool.read(0)).length);
  } catch (error) {
    console.log(error.message);
  }`;

test.skipIf(!canLimit())("reports a disk that has room for a part of the data only", async () => {
  using disk = limitedFiles();
  const child = Bun.spawn([...disk.wrapper, process.execPath, "-e", SPOOL], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  expect(await new Response(child.stdout).text()).toStartWith("messages: no space in ");
});
