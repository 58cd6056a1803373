/** The one check: format, types, lint, build, tests; it ends with how many passed and failed. */
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { affectedBy, changedSince, type Sources, sourcesOf } from "./check/changed.ts";
import { groupsOf, isShared, seedOf } from "./check/groups.ts";
import { exceeded, type Measured, report, usageAt, wallOf } from "./check/report.ts";
import { HANG_MS } from "./patience.ts";

type Count = { passed: number; failed: number };
type Ran = { count: Count; measured: Measured };

const ROOT = join(import.meta.dir, "..");
const bun = process.execPath;
const oxlint = join(ROOT, "node_modules/oxlint/bin/oxlint");
const SEED_FLAG = "--seed=";
/** Alone: since the last commit; with `=` and a commit: since that one. */
const CHANGED = "--changed";
/** So many groups may fail by a machine that was too busy; more are a fault of something. */
const FAILING_MAX = 4;
/** How often one that failed runs again, alone. */
const AGAIN = 2;
/**
 * Keeps freed memory pages, which saves a third of the CPU of a test server in the tests' process.
 * Not for groups that start server processes of their own.
 */
const KEEPS_MEMORY = { MIMALLOC_PURGE_DELAY: "-1" };
/** What each tool and group that failed said, but for what passed: the end of a log tells all. */
const complaints: string[] = [];

const unknown = Bun.argv.slice(2).find((arg) => /^--(?!seed=|changed(?:=|$))/.test(arg));
if (unknown !== undefined) {
  console.error(`there is no ${unknown}; there are ${CHANGED}[=COMMIT] and ${SEED_FLAG}N`);
  process.exit(2);
}

// What is only read and what is built know nothing of each other.
const before = await Promise.all([
  inTurn([
    ["format", [bun, "fmt", "--no-script", "--check"]],
    ["types", [bun, "check", "--no-script"]],
    // What runs in a browser knows other names than the server does.
    ["types of the client", [bun, "check", "--no-script", "-p", "src/web"]],
    ["types of its worker", [bun, "check", "--no-script", "-p", "src/web/worker"]],
    ["lint", [bun, oxlint, "--type-aware", "--deny-warnings"]],
  ]),
  // Many tests run it, and two that begin at once would build it twice.
  inTurn([
    ["executable", [bun, "test/binary.ts"]],
    ["client", [bun, "test/client.ts"]],
  ]),
]);
const counts = [...before.flat(), await stage("tests", () => tests(Bun.argv.slice(2)))];
if (complaints.length > 0) console.log(`== what failed, at least once\n${complaints.join("\n")}\n`);
const sum = (key: keyof Count) => counts.reduce((total, count) => total + count[key], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exit(sum("failed") === 0 ? 0 : 1);

async function stage(name: string, run: () => Promise<Count>) {
  console.log(`== ${name}`);
  const begun = performance.now();
  const count = await run();
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`== ${name} ${count.failed === 0 ? "ok" : "FAILED"} (${seconds} s)\n`);
  return count;
}

async function inTurn(tools: readonly (readonly [string, string[]])[]): Promise<Count[]> {
  const counts: Count[] = [];
  for (const [name, command] of tools) counts.push(await stage(name, () => tool(name, command)));
  return counts;
}

/** A tool counts as one check, and is heard only when it finds something. */
async function tool(name: string, command: readonly string[]): Promise<Count> {
  const child = Bun.spawn([...command], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const streams = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  const output = (await Promise.all(streams)).join("");
  if ((await child.exited) === 0) return { passed: 1, failed: 0 };
  console.log(output);
  complaints.push(`${name}\n${output}`);
  return { passed: 0, failed: 1 };
}

/**
 * Groups side by side, one more than there are processors, as some wait for most of their time. The
 * order of the tests in a group is by chance, by a seed that is another when one of its files
 * changes: the same code is judged the same way everywhere, and a change of one test is no throw of
 * the dice for the others; `--seed=N` has any other order. The few groups that fail run again with
 * nothing beside them: their last count is what counts, and all are heard, as a test that needs it
 * is one to mend.
 */
async function tests(args: string[]): Promise<Count> {
  const asked = args.find((arg) => arg.startsWith(SEED_FLAG))?.slice(SEED_FLAG.length);
  const sources = sourcesOf(ROOT);
  const files = filesOf(args, sources);
  const isWhole = files.length === testsIn(sources).length;
  const waiting = groupsOf(files, sources);
  const counts = new Map<readonly string[], Count>();
  const measured: Measured[] = [];
  let retries = 0;
  const begun = performance.now();
  const folder = mkdtempSync(join(tmpdir(), "skein-check-"));
  const run = async (group: readonly string[], place: string) => {
    const ran = await testsOf(group, asked ?? seedOf(group), join(folder, place));
    counts.set(group, ran.count);
    measured.push(ran.measured);
  };
  const work = async () => {
    for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
      await run(group, `${waiting.length}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
  for (let time = 1; time <= AGAIN; time++) {
    const failing = [...counts].filter(([, { failed }]) => failed > 0).map(([group]) => group);
    for (const group of failing.length <= FAILING_MAX ? failing : []) {
      console.log(`== ${group.join(" ")} failed, and runs again, alone`);
      retries += 1;
      await run(group, `again-${time}-${failing.indexOf(group)}`);
    }
  }
  rmSync(folder, { recursive: true });
  console.log(report(measured, (performance.now() - begun) / 1000));
  console.log(`${retries} groups of files ran again because a test in them failed\n`);
  const over = isWhole && retries === 0 ? exceeded(measured) : [];
  complaints.push(...over);
  if (counts.size === 0) console.log("There is no such file.");
  const total = { passed: 0, failed: counts.size === 0 ? 1 : over.length };
  for (const { passed, failed } of counts.values()) {
    total.passed += passed;
    total.failed += failed;
  }
  return total;
}

/** All, those whose path has one of some words, or those that a change can affect. */
function filesOf(args: readonly string[], sources: Sources): readonly string[] {
  const all = testsIn(sources);
  const since = args.find((arg) => arg === CHANGED || arg.startsWith(`${CHANGED}=`));
  if (since !== undefined) {
    const changed = changedSince(since.slice(CHANGED.length + 1) || "HEAD", ROOT);
    const { files, everythingFor } = affectedBy(changed, sources);
    if (everythingFor) console.log(`${everythingFor} is part of everything, so all tests run.`);
    console.log(`${changed.length} changed files can affect ${files.length} test files.\n`);
    return files;
  }
  const words = args.filter((arg) => !arg.startsWith("--")).map((arg) => arg.replace(/^\.\//, ""));
  if (words.length === 0) return all;
  return all.filter((file) => words.some((word) => file.includes(word)));
}

function testsIn(sources: Sources): string[] {
  return [...sources.keys()].filter((file) => file.endsWith(".test.ts")).toSorted();
}

/**
 * What a group says is printed when it is over, so that no two speak at once. One that dies before
 * it reports, or fails outside of any test, counts as one failure.
 */
async function testsOf(group: readonly string[], seed: string, place: string): Promise<Ran> {
  const junit = `${place}.xml`;
  const report = ["--reporter=junit", `--reporter-outfile=${junit}`];
  // To a file, whose end comes with the process, whoever it leaves behind.
  const heard = openSync(`${place}.txt`, "a");
  // The limit that tests set themselves holds for the first file of a process alone.
  const flags = ["--randomize", SEED_FLAG + seed, `--timeout=${HANG_MS}`, ...report];
  const child = Bun.spawn([bun, "test", ...flags, ...group.map((file) => `./${file}`)], {
    cwd: ROOT,
    env: {
      ...process.env,
      TEST_SEED: seed,
      TEST_USAGE: `${place}.usage`,
      ...(isShared(group) && KEEPS_MEMORY),
    },
    stdio: ["ignore", heard, heard],
  });
  const code = await child.exited;
  closeSync(heard);
  const said = readFileSync(`${place}.txt`, "utf8");
  console.log(`${said.replace(/^bun test v.*\n/gm, "").trim()}\n`);
  const xml = existsSync(junit) ? readFileSync(junit, "utf8") : "";
  const told = `bun run test ${group.join(" ")} ${SEED_FLAG}${seed}`;
  if (xml === "") console.log(`${told} died with ${child.signalCode ?? code}\n`);

  const head = xml.match(/<testsuites [^>]*>/)?.[0] ?? "";
  const number = (key: string) => Number(head.match(new RegExp(`\\b${key}="(\\d+)"`))?.[1] ?? 0);
  const failures = number("failures");
  const passed = number("tests") - failures - number("skipped");
  const failed = code !== 0 && failures === 0 ? 1 : failures;
  if (failed > 0) complaints.push(`${told}\n${said.replace(/^\((?:pass|skip)\).*\n/gm, "")}`);
  const cpu_s = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000_000;
  const measured = { cpu_s, usage: usageAt(`${place}.usage`), wall_s: wallOf(xml) };
  return { count: { passed, failed }, measured };
}
