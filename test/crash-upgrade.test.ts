// No data is lost if upgrades, rollbacks, compactions or updates are killed at any step.
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configFor } from "../src/commands/control.ts";
import { schema } from "../src/realm.ts";
import { openRunning } from "../src/running.ts";
import { walkDatabase } from "../src/store/copy/walk.ts";
import { dataOf, MESSAGES } from "./formats/fixtures.ts";
import { MAIN, skein } from "./commands/skein.ts";
import { countOf } from "./repetitions.ts";
import { SEED } from "./random.ts";
import { chanceOf } from "./store/sample-schema.ts";

const FATAL_CALLS = [
  process.execPath,
  "--preload",
  join(import.meta.dir, "crash/kill-at-file-operation.ts"),
];
const SWAP_SCRIPT = join(import.meta.dir, "crash/swap-executable.ts");

const created: string[] = [];
afterEach(() => {
  for (const folder of created.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Returns the exit code and the number of steps. */
async function run(args: string[], index: number) {
  const env = { ...process.env, DEADLY_AT: String(index) };
  const child = Bun.spawn([...FATAL_CALLS, ...args], { env, stdout: "ignore", stderr: "pipe" });
  const text = await new Response(child.stderr).text();
  await child.exited;
  const steps = Number(/steps: (\d+)/.exec(text)?.[1] ?? Number.NaN);
  return { steps, isKilled: child.signalCode === "SIGKILL", code: child.exitCode, said: text };
}

/** Kills a process at some random steps, each time on a fresh copy made by `ready`. */
async function killedAt<T>(
  ready: () => Promise<T>,
  argsOf: (of: T) => string[],
  holds: (of: T) => Promise<void>,
): Promise<void> {
  const summary = await ready();
  const { steps, code, said: text } = await run(argsOf(summary), -1);
  if (code !== 0) throw new Error(text);
  expect(steps).toBeGreaterThan(3);
  await holds(summary);
  const random = chanceOf(SEED);
  for (let nth = 0; nth < countOf("upgrade_kills"); nth++) {
    const of = await ready();
    const index = random.below(steps);
    const { isKilled } = await run(argsOf(of), index);
    expect([index, isKilled]).toEqual([index, true]);
    await holds(of);
  }
}

async function expectComplete(data: string): Promise<void> {
  const realm = await openRunning(configFor(data));
  expect([...realm.read.messages.range()]).toHaveLength(MESSAGES);
  await realm.close();
  expect((await walkDatabase(join(data, "data.mdb"), schema)).damage).toEqual([]);
}

test("an upgrade leaves the data in the old or the new format", async () => {
  const args = (data: string) => [MAIN, "upgrade", "--data", data];
  await killedAt(() => dataOf(1), args, expectComplete);
});

test("a rollback leaves the data before or after it", async () => {
  const createUpgraded = async () => {
    const data = await dataOf(3);
    expect((await skein(["upgrade", "--data", data])).code).toBe(0);
    return data;
  };
  const args = (data: string) => [MAIN, "rollback", "--yes", "--data", data];
  await killedAt(createUpgraded, args, expectComplete);
});

test("a compaction leaves the data, large or small", async () => {
  const ready = async () => {
    const data = await dataOf(3);
    await expectComplete(data);
    return data;
  };
  const args = (data: string) => [MAIN, "db", "compact", "--data", data];
  await killedAt(ready, args, expectComplete);
});

test.each(["forth", "back"])(
  "an executable is complete when it is installed %s",
  async (direction) => {
    const ready = async () => {
      const folder = mkdtempSync(join(tmpdir(), "skein-swap-"));
      created.push(folder);
      const path = join(folder, "skein");
      for (const name of ["", ".new", ".previous"]) writeFileSync(`${path}${name}`, `it${name}`);
      return path;
    };
    const expectedFiles = new Set(["it", "it.new", "it.previous"]);
    await killedAt(
      ready,
      (path) => [SWAP_SCRIPT, path, direction],
      async (path) => {
        expect(expectedFiles).toContain(readFileSync(path, "utf8"));
        expect(expectedFiles).toContain(readFileSync(`${path}.previous`, "utf8"));
      },
    );
  },
);
