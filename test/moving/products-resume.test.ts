// Imports from other products, killed and resumed: equal to uninterrupted ones.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executeCommand } from "../../src/commands/control.ts";
import { LINKS_STEP } from "../../src/features/moving/import/steps.ts";
import { countOf } from "../repetitions.ts";
import { SEED } from "../random.ts";
import { chanceOf } from "../store/sample-schema.ts";
import type { Json } from "../test-server.ts";
import { MESSAGE_WRITERS } from "./many-messages.ts";
import { withRealm, storedIn } from "./random-organization.ts";

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-products-resume-"));
  const owner = { email: "olga@example.com", full_name: "Olga" };
  await executeCommand(join(folder, "new"), "init", { name: "Town", owner });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MESSAGES = 1_500;

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

const kill = async (from: string, data: string, batches: number) => {
  const script = join(import.meta.dir, "killed-import-child.ts");
  const child = Bun.spawn([process.execPath, script, from, data, String(batches)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await child.exited;
  return child.signalCode !== null;
};

test("an import that was killed while it completed links equals a whole one", async () => {
  const from = join(folder, "links");
  mkdirSync(from);
  // About 350 links lead to later messages, which are completed last, 200 at once.
  await MESSAGE_WRITERS["discord"]!(from, 5_000);
  const [full, killed] = [copyOf("links whole"), copyOf("links killed")];
  const { written } = await executeCommand(full, "runImport", { from });
  const rows = Object.values(written).reduce((sum, count) => sum + count, 0);
  expect(await kill(from, killed, (rows - 200) / 500)).toBe(true);
  const waiting = await withRealm(killed, ({ read }) => {
    return [...read.imported.range()].filter(({ step }) => step === LINKS_STEP).length;
  });
  expect(waiting).toBeGreaterThan(0);
  await executeCommand(killed, "runImport", { from });
  expect(await stateOf(killed)).toEqual(await stateOf(full));
});

test.each(Object.keys(MESSAGE_WRITERS))(
  "a killed and resumed import of %s equals a whole one",
  async (product) => {
    const from = join(folder, product);
    mkdirSync(from);
    await MESSAGE_WRITERS[product]!(from, MESSAGES);
    const [complete, killed] = [copyOf(`${product} whole`), copyOf(`${product} killed`)];
    expect(await executeCommand(complete, "runImport", { from })).toMatchObject({
      outcome: "imported",
    });
    const random = chanceOf(SEED);
    let kills = 0;
    for (let times = 0; times < countOf("product_kills"); times++) {
      if (await kill(from, killed, 1 + random.below(2))) kills += 1;
    }
    expect(kills).toBeGreaterThan(0);
    expect(await executeCommand(killed, "runImport", { from })).toMatchObject({ faults: [] });
    expect(await stateOf(killed)).toEqual(await stateOf(complete));
  },
);
