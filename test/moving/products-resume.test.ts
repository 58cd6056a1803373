// Imports from other products, killed and resumed: equal to uninterrupted ones.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executeCommand } from "../../src/commands/control.ts";
import { LINKS_STEP } from "../../src/features/moving/import/steps.ts";
import { ProcessOutput } from "../process-output.ts";
import { countOf } from "../repetitions.ts";
import { SEED } from "../random.ts";
import { chanceOf } from "../store/sample-schema.ts";
import type { Json } from "../test-server.ts";
import { discord, MESSAGE_WRITERS } from "./many-messages.ts";
import { withRealm, storedIn } from "./random-organization.ts";

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-products-resume-"));
  const owner = { email: "olga@example.com", full_name: "Olga" };
  await executeCommand(join(folder, "new"), "init", { name: "Town", owner });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** More than two batches. */
const MESSAGES = 1_200;

/** All rows and sets, without times and random names of the run. */
async function stateOf(data: string): Promise<Json> {
  const rows = await withRealm(data, ({ read }) => storedIn(read));
  return JSON.parse(JSON.stringify(rows).replaceAll(/\\"/g, "'").replaceAll(RUN_VALUES, ""));
}

const NAMES = "avatar_key|file|path_id|create_time|unused_since|date_joined|date_created|hash";
const RUN_VALUES = new RegExp(`'(?:${NAMES})':'?[^',}]+'?,?`, "g");

function copyOf(name: string): string {
  const data = join(folder, name);
  cpSync(join(folder, "new"), data, { recursive: true });
  return data;
}

/** Batches of 500 rows before a kill, by name. */
type Batches = Readonly<Record<string, number>>;

/** Kills a process that runs the imports, and returns the names of those that were incomplete. */
async function kill(batches: Batches): Promise<string[]> {
  const args = Object.entries(batches).flatMap(([name, count]) => [
    ...[join(folder, name), join(folder, `${name} killed`), String(count)],
  ]);
  const script = join(import.meta.dir, "killed-import-child.ts");
  const child = Bun.spawn([process.execPath, script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const printed = await ProcessOutput.from(child.stdout).readWhole();
  await child.exited;
  const incomplete = (printed === "" ? [] : JSON.parse(printed)) as string[];
  expect(child.signalCode).toBe(incomplete.length > 0 ? "SIGKILL" : null);
  return Object.keys(batches).filter((name) => incomplete.includes(join(folder, `${name} killed`)));
}

const PRODUCTS = Object.keys(MESSAGE_WRITERS);
const LINKS = "links of discord";
/** The names of the imports that were killed, once for each time. */
const killed: string[] = [];

beforeAll(async () => {
  const random = chanceOf(SEED);
  for (const name of [...PRODUCTS, LINKS]) {
    mkdirSync(join(folder, name));
    copyOf(`${name} killed`);
  }
  for (const name of PRODUCTS) await MESSAGE_WRITERS[name]!(join(folder, name), MESSAGES);
  // About 300 links lead to later messages, which are completed last, 200 at once.
  discord(join(folder, LINKS), MESSAGES, 10, 2);
  const rows = await importWhole(LINKS);
  for (let times = 0; times < countOf("product_kills"); times++) {
    const batches = Object.fromEntries(PRODUCTS.map((name) => [name, 1 + random.below(2)]));
    if (times === 0) batches[LINKS] = (rows - 200) / 500;
    killed.push(...(await kill(batches)));
  }
});

/** Returns the number of written rows. */
async function importWhole(name: string): Promise<number> {
  const from = join(folder, name);
  const report = await executeCommand(copyOf(`${name} whole`), "runImport", { from });
  expect(report).toMatchObject({ outcome: "imported" });
  return Object.values(report.written).reduce((sum, count) => sum + count, 0);
}

async function expectResumed(name: string): Promise<void> {
  expect(killed).toContain(name);
  const [complete, resumed] = [join(folder, `${name} whole`), join(folder, `${name} killed`)];
  const report = await executeCommand(resumed, "runImport", { from: join(folder, name) });
  expect(report).toMatchObject({ faults: [] });
  expect(await stateOf(resumed)).toEqual(await stateOf(complete));
}

test("an import that was killed while it completed links equals a whole one", async () => {
  const waiting = await withRealm(join(folder, `${LINKS} killed`), ({ read }) => {
    return [...read.imported.range()].filter(({ step }) => step === LINKS_STEP).length;
  });
  expect(waiting).toBeGreaterThan(0);
  await expectResumed(LINKS);
});

test.each(PRODUCTS)("a killed and resumed import of %s equals a whole one", async (product) => {
  await importWhole(product);
  await expectResumed(product);
});
