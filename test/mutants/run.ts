/** Applies recorded wrong changes to a copy of the tree, and expects the named tests to fail. */
// bun test/mutants/run.ts                       runs all of them
// bun test/mutants/run.ts --record FILE TEST N  records up to N changes of FILE that TEST notices
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Copy, type Mutation, mutationsOf } from "./mutations.ts";

interface Mutant extends Mutation {
  readonly file: string;
  readonly test: string;
}

const ROOT = join(import.meta.dir, "../..");
const RECORD = join(import.meta.dir, "mutants.json");

const recorded = JSON.parse(readFileSync(RECORD, "utf8")) as Mutant[];
const args = Bun.argv.slice(2);
const copy = new Copy();
try {
  process.exitCode = args[0] === "--record" ? await record(args.slice(1)) : await runAll();
} finally {
  copy.remove();
}

async function runAll(): Promise<number> {
  const missed: Mutant[] = [];
  for (const test of new Set(recorded.map((mutant) => mutant.test))) await expectPass(test);
  for (const mutant of recorded) {
    const { file, search, test } = mutant;
    const outcome = (await copy.testMutation(file, mutant, test)) ?? "is not in the file";
    const isNoticed = outcome === "failed" || outcome === "hung";
    console.log(`${isNoticed ? "noticed" : "MISSED "}  ${file}: ${search} (${test} ${outcome})`);
    if (!isNoticed) missed.push(mutant);
  }
  console.log(`${recorded.length - missed.length} noticed, ${missed.length} missed`);
  return missed.length === 0 ? 0 : 1;
}

/** A change that makes the test hang is not recorded, as each run of it would take long. */
async function record([file, test, count]: string[]): Promise<number> {
  const recordedMutants = new Set(recorded.map((mutant) => `${mutant.file} ${mutant.search}`));
  await expectPass(test!);
  let remaining = Number(count);
  for (const mutation of mutationsOf(readFileSync(join(ROOT, file!), "utf8"))) {
    if (remaining === 0) break;
    if (recordedMutants.has(`${file} ${mutation.search}`)) continue;
    if ((await copy.testMutation(file!, mutation, test!)) !== "failed") continue;
    recorded.push({ file: file!, ...mutation, test: test! });
    writeFileSync(RECORD, `${JSON.stringify(recorded, null, 2)}\n`);
    remaining -= 1;
    console.log(`recorded  ${file}: ${mutation.replace}`);
  }
  return 0;
}

async function expectPass(test: string): Promise<void> {
  if ((await copy.run(test)) !== "passed") throw new Error(`${test} fails without any change`);
}
