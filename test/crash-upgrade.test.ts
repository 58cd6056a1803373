// Killed at any step of an upgrade, a rollback, a compaction or an update, all is there afterwards.
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
import { countOf } from "./long.ts";
import { SEED } from "./seed.ts";
import { chanceOf } from "./store/sample.ts";

const DEADLY = [process.execPath, "--preload", join(import.meta.dir, "crash/deadly.ts")];
const SWAPPING = join(import.meta.dir, "crash/swapping.ts");

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** How it ended, and how many steps there were. */
async function run(args: string[], at: number) {
  const env = { ...process.env, DEADLY_AT: String(at) };
  const child = Bun.spawn([...DEADLY, ...args], { env, stdout: "ignore", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  await child.exited;
  const steps = Number(/steps: (\d+)/.exec(said)?.[1] ?? Number.NaN);
  return { steps, isKilled: child.signalCode === "SIGKILL", code: child.exitCode, said };
}

/** At a few of its steps, that chance names; each time on what `ready` has made. */
async function killedAt<T>(
  ready: () => Promise<T>,
  argsOf: (of: T) => string[],
  holds: (of: T) => Promise<void>,
): Promise<void> {
  const whole = await ready();
  const { steps, code, said } = await run(argsOf(whole), -1);
  if (code !== 0) throw new Error(said);
  expect(steps).toBeGreaterThan(3);
  await holds(whole);
  const chance = chanceOf(SEED);
  for (let nth = 0; nth < countOf("upgrade_kills"); nth++) {
    const of = await ready();
    const at = chance.below(steps);
    const { isKilled } = await run(argsOf(of), at);
    expect([at, isKilled]).toEqual([at, true]);
    await holds(of);
  }
}

async function isAllThere(data: string): Promise<void> {
  const realm = await openRunning(configFor(data));
  expect([...realm.read.messages.range()]).toHaveLength(MESSAGES);
  await realm.close();
  expect((await walkDatabase(join(data, "data.mdb"), schema)).damage).toEqual([]);
}

test("an upgrade leaves the data as they were, or as they are to be", async () => {
  const args = (data: string) => [MAIN, "upgrade", "--data", data];
  await killedAt(() => dataOf(1), args, isAllThere);
});

test("a rollback leaves the data before it, or after it", async () => {
  const upgraded = async () => {
    const data = await dataOf(3);
    expect((await skein(["upgrade", "--data", data])).code).toBe(0);
    return data;
  };
  const args = (data: string) => [MAIN, "rollback", "--yes", "--data", data];
  await killedAt(upgraded, args, isAllThere);
});

test("a compaction leaves the data, large or small", async () => {
  const ready = async () => {
    const data = await dataOf(3);
    await isAllThere(data);
    return data;
  };
  const args = (data: string) => [MAIN, "db", "compact", "--data", data];
  await killedAt(ready, args, isAllThere);
});

test.each(["forth", "back"])("an executable is there whole when it is put %s", async (how) => {
  const ready = async () => {
    const folder = mkdtempSync(join(tmpdir(), "skein-swap-"));
    made.push(folder);
    const path = join(folder, "skein");
    for (const name of ["", ".new", ".previous"]) writeFileSync(`${path}${name}`, `it${name}`);
    return path;
  };
  const known = new Set(["it", "it.new", "it.previous"]);
  await killedAt(
    ready,
    (path) => [SWAPPING, path, how],
    async (path) => {
      expect(known).toContain(readFileSync(path, "utf8"));
      expect(known).toContain(readFileSync(`${path}.previous`, "utf8"));
    },
  );
});
