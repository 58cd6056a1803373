/** Applies recorded wrong changes to a copy of the tree, and expects the named tests to fail. */
// bun test/mutants/run.ts                       runs all of them
// bun test/mutants/run.ts --record FILE TEST N  records up to N changes of FILE that TEST notices
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Mutant {
  readonly file: string;
  /** A line that occurs once in the file, without its indentation. */
  readonly search: string;
  readonly replace: string;
  readonly test: string;
}

const ROOT = join(import.meta.dir, "../..");
const RECORD = join(import.meta.dir, "mutants.json");
const COPIED = ["src", "test", "docs", "package.json", "bun.lock", "bunfig.toml", "tsconfig.json"];
/** A change may make a loop endless: a test that hangs has noticed it. */
const HANG_MS = 120_000;

/** Each is a slip that type checks and the linter do not see. */
const SLIPS: readonly (readonly [RegExp, string])[] = [
  [/ === /, " !== "],
  [/ !== /, " === "],
  [/ && /, " || "],
  [/ \|\| /, " && "],
  [/ <= /, " < "],
  [/ >= /, " > "],
  [/ < /, " <= "],
  [/ > /, " >= "],
  [/ \+ 1\b/, ""],
  [/ - 1\b/, ""],
  [/\breturn true;/, "return false;"],
  [/\breturn false;/, "return true;"],
  [/\bif \(!/, "if ("],
];

const NO_CODE = /^(?:\/\/|\/?\*|import |export type|type )/;

const copy = mkdtempSync(join(tmpdir(), "skein-mutants-"));
for (const path of COPIED) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
const recorded = JSON.parse(readFileSync(RECORD, "utf8")) as Mutant[];
const args = Bun.argv.slice(2);
try {
  process.exitCode = args[0] === "--record" ? await record(args.slice(1)) : await runAll();
} finally {
  rmSync(copy, { recursive: true, force: true });
}

async function runAll(): Promise<number> {
  const missed: Mutant[] = [];
  for (const test of new Set(recorded.map((mutant) => mutant.test))) {
    if (!(await passes(test))) throw new Error(`${test} fails without any change`);
  }
  for (const mutant of recorded) {
    const outcome = await isNoticed(mutant);
    console.log(`${outcome ? "noticed" : "MISSED "}  ${mutant.file}: ${mutant.search}`);
    if (!outcome) missed.push(mutant);
  }
  console.log(`${recorded.length - missed.length} noticed, ${missed.length} missed`);
  return missed.length === 0 ? 0 : 1;
}

async function record([file, test, count]: string[]): Promise<number> {
  const lines = readFileSync(join(ROOT, file!), "utf8")
    .split("\n")
    .map((line) => line.trim());
  const known = new Set(recorded.map((one) => `${one.file} ${one.search}`));
  if (!(await passes(test!))) throw new Error(`${test} fails without any change`);
  let left = Number(count);
  for (const search of lines) {
    if (left === 0) break;
    const isOnce = lines.filter((line) => line === search).length === 1;
    const slip = SLIPS.find(([from]) => from.test(search));
    if (slip === undefined || !isOnce || NO_CODE.test(search)) continue;
    const mutant = { file: file!, search, replace: search.replace(...slip), test: test! };
    if (known.has(`${file} ${search}`) || !(await isNoticed(mutant))) continue;
    recorded.push(mutant);
    writeFileSync(RECORD, `${JSON.stringify(recorded, null, 2)}\n`);
    left -= 1;
    console.log(`recorded  ${file}: ${mutant.replace}`);
  }
  return 0;
}

/** Whether the test fails with the change. A change whose place is gone counts as missed. */
async function isNoticed({ file, search, replace, test }: Mutant): Promise<boolean> {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  const changed = text.split("\n").map((line) => (line.trim() === search ? replace : line));
  if (changed.join("\n") === text) return false;
  writeFileSync(path, changed.join("\n"));
  const isNoticed = !(await passes(test));
  writeFileSync(path, text);
  return isNoticed;
}

async function passes(test: string): Promise<boolean> {
  const child = Bun.spawn([process.execPath, "test", `--timeout=${HANG_MS}`, `./${test}`], {
    cwd: copy,
    stdio: ["ignore", "ignore", "ignore"],
    timeout: HANG_MS,
  });
  return (await child.exited) === 0;
}
