/** The full check: format, types, lint, build and tests; prints how many passed and failed. */
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { affectedBy, browserTestsOf, changedSince, sourcesOf } from "./check/changed.ts";
import type { Sample } from "./check/executed.ts";
import { groupsOf, isShared, seedOf } from "./check/groups.ts";
import {
  exceededCeilings,
  failuresOf,
  type MeasuredUsage,
  report,
  usageAt,
  wallOf,
} from "./check/report.ts";
import type { Sources } from "./check/tree.ts";
import { HANG_MS } from "./patience.ts";

type Count = { passed: number; failed: number };
type TestRun = {
  count: Count;
  measured: MeasuredUsage;
  seed: string;
  failures: Record<string, number>;
};

const ROOT = join(import.meta.dir, "..");
const bun = process.execPath;
const oxlint = join(ROOT, "node_modules/oxlint/bin/oxlint");
const SEED_FLAG = "--seed=";
/** Files changed since the last commit; with `=` and a commit, since that commit. */
const CHANGED = "--changed";
/**
 * Keeps freed memory pages, which saves a third of the CPU of a test server in the tests' process.
 * Not for groups that start server processes of their own.
 */
const KEEP_MEMORY = { MIMALLOC_PURGE_DELAY: "-1" };
/** If more browser test files fail, the change is wrong rather than the tests unstable. */
const UNSTABLE_MAX = 5;
/** Output of each failed tool and group, without the parts that passed; printed at the end. */
const complaints: string[] = [];

const unknown = Bun.argv.slice(2).find((arg) => /^--(?!seed=|changed(?:=|$))/.test(arg));
if (unknown !== undefined) {
  console.error(`there is no ${unknown}; there are ${CHANGED}[=COMMIT] and ${SEED_FLAG}N`);
  process.exit(2);
}

// Read-only checks run in parallel to the build, since they do not affect each other.
const before = await Promise.all([
  runInTurn([
    ["format", [bun, "fmt", "--no-script", "--check"]],
    ["types", [bun, "check", "--no-script"]],
    // Browser code has other globals than server code.
    ["types of the client", [bun, "check", "--no-script", "-p", "src/web"]],
    ["types of its worker", [bun, "check", "--no-script", "-p", "src/web/worker"]],
    ["lint", [bun, oxlint, "--type-aware", "--deny-warnings"]],
  ]),
  // Many tests run the executable, and two that start at once would build it twice.
  runInTurn([
    ["executable", [bun, "test/built-executable.ts"]],
    ["client", [bun, "test/built-client.ts"]],
  ]),
]);
const counts = [...before.flat(), await stage("tests", () => tests(Bun.argv.slice(2)))];
if (complaints.length > 0) console.log(`== what failed\n${complaints.join("\n")}\n`);
const sum = (key: keyof Count) => counts.reduce((total, count) => total + count[key], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exit(sum("failed") === 0 ? 0 : 1);

async function stage(name: string, run: () => Promise<Count>) {
  console.log(`== ${name}`);
  const startedAt = performance.now();
  const count = await run();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`== ${name} ${count.failed === 0 ? "ok" : "FAILED"} (${seconds} s)\n`);
  return count;
}

async function runInTurn(tools: readonly (readonly [string, string[]])[]): Promise<Count[]> {
  const counts: Count[] = [];
  for (const [name, command] of tools) counts.push(await stage(name, () => tool(name, command)));
  return counts;
}

/** Counts a tool as one check; its output is printed only if it fails. */
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
 * Runs groups at the same time, two more than there are processors: browser tests wait for half of
 * their time. The seed of the order of a group's tests changes only when one of its files does, so
 * that the same code gets the same result everywhere. `--seed=N` sets another order.
 */
async function tests(args: string[]): Promise<Count> {
  const requested = args.find((arg) => arg.startsWith(SEED_FLAG))?.slice(SEED_FLAG.length);
  const sources = sourcesOf(ROOT);
  const files = filesOf(args, sources);
  const isComplete = files.length === testsIn(sources).length;
  const pendingGroups = groupsOf(files, sources);
  const results: TestRun[] = [];
  const startedAt = performance.now();
  const folder = mkdtempSync(join(tmpdir(), "skein-check-"));
  const work = async () => {
    for (let group = pendingGroups.pop(); group !== undefined; group = pendingGroups.pop()) {
      const path = join(folder, `${pendingGroups.length}`);
      results.push(await testsOf(group, requested ?? seedOf(group), path));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() + 2 }, work));
  const unstable = await repeatFailed(results, browserTestsOf(sources), folder);
  rmSync(folder, { recursive: true });
  const measured = results.map((result) => result.measured);
  console.log(`${report(measured, (performance.now() - startedAt) / 1000)}\n`);
  const overCeiling = isComplete ? exceededCeilings(measured) : [];
  complaints.push(...overCeiling);
  if (results.length === 0) console.log("There is no such file.");
  const total = { passed: 0, failed: results.length === 0 ? 1 : overCeiling.length };
  for (const { count } of results) {
    total.passed += count.passed;
    total.failed += count.failed;
  }
  return { passed: total.passed + unstable, failed: total.failed - unstable };
}

/**
 * Runs browser test files that failed once more, alone. It prints those that then pass, since each
 * of them is a defect to fix, and returns how many of their tests had failed.
 */
async function repeatFailed(
  ran: readonly TestRun[],
  browserTests: readonly string[],
  folder: string,
) {
  const failed = ran.flatMap(({ failures, seed }) =>
    Object.entries(failures)
      .filter(([file, count]) => count > 0 && browserTests.includes(file))
      .map(([file, count]) => ({ file, count, seed })),
  );
  if (failed.length > UNSTABLE_MAX) return 0;
  const unstable: typeof failed = [];
  for (const [index, failure] of failed.entries()) {
    const repeated = await testsOf([failure.file], failure.seed, join(folder, `again-${index}`));
    if (repeated.count.failed === 0) unstable.push(failure);
  }
  if (unstable.length > 0) {
    const lines = unstable.map(({ file, count }) => `  ${file}, ${count} failed at first`);
    complaints.push(`UNSTABLE, passed only when run again:\n${lines.join("\n")}`);
  }
  return unstable.reduce((sum, { count }) => sum + count, 0);
}

/** Returns all test files, those with a word in their path, or those that a change can affect. */
function filesOf(args: readonly string[], sources: Sources): readonly string[] {
  const all = testsIn(sources);
  const since = args.find((arg) => arg === CHANGED || arg.startsWith(`${CHANGED}=`));
  if (since !== undefined) {
    const changedFiles = changedSince(since.slice(CHANGED.length + 1) || "HEAD", ROOT);
    const { files, everythingFor, browserTests } = affectedBy(changedFiles, sources);
    if (everythingFor) console.log(`${everythingFor} is part of everything, so all tests run.`);
    console.log(`${changedFiles.length} changed files can affect ${files.length} test files.\n`);
    if (browserTests && browserTests.files.length < browserTests.of)
      console.log(describeSample(browserTests));
    return files;
  }
  const words = args.filter((arg) => !arg.startsWith("--")).map((arg) => arg.replace(/^\.\//, ""));
  if (words.length === 0) return all;
  return all.filter((file) => words.some((word) => file.includes(word)));
}

const describeSample = ({ files, of }: Sample) =>
  `${of} browser test files execute what changed. This run has a sample of ${files.length}; ` +
  "without --changed, all run.\n";

function testsIn(sources: Sources): string[] {
  return [...sources.keys()].filter((file) => file.endsWith(".test.ts")).toSorted();
}

/**
 * Output of a group is printed when it ends, so that groups do not mix. A group that dies before it
 * reports, or fails outside of a test, counts as one failure.
 */
async function testsOf(group: readonly string[], seed: string, path: string): Promise<TestRun> {
  const junit = `${path}.xml`;
  const report = ["--reporter=junit", `--reporter-outfile=${junit}`];
  // Written to a file, since child processes that outlive the group could keep a pipe open.
  const received = openSync(`${path}.txt`, "a");
  // A time limit that tests set themselves applies only to the first file of a process.
  const flags = ["--randomize", SEED_FLAG + seed, `--timeout=${HANG_MS}`, ...report];
  const child = Bun.spawn([bun, "test", ...flags, ...group.map((file) => `./${file}`)], {
    cwd: ROOT,
    env: {
      ...process.env,
      TEST_SEED: seed,
      TEST_USAGE: `${path}.usage`,
      ...(isShared(group) && KEEP_MEMORY),
    },
    stdio: ["ignore", received, received],
  });
  const code = await child.exited;
  closeSync(received);
  const text = readFileSync(`${path}.txt`, "utf8");
  console.log(`${text.replace(/^bun test v.*\n/gm, "").trim()}\n`);
  const xml = existsSync(junit) ? readFileSync(junit, "utf8") : "";
  const payload = `bun run test ${group.join(" ")} ${SEED_FLAG}${seed}`;
  if (xml === "") console.log(`${payload} died with ${child.signalCode ?? code}\n`);

  const head = xml.match(/<testsuites [^>]*>/)?.[0] ?? "";
  const number = (key: string) => Number(head.match(new RegExp(`\\b${key}="(\\d+)"`))?.[1] ?? 0);
  const failures = number("failures");
  const passedCount = number("tests") - failures - number("skipped");
  const failed = code !== 0 && failures === 0 ? 1 : failures;
  if (failed > 0) complaints.push(`${payload}\n${text.replace(/^\((?:pass|skip)\).*\n/gm, "")}`);
  const cpu_s = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000_000;
  const measured = { cpu_s, usage: usageAt(`${path}.usage`), wall_s: wallOf(xml) };
  return { count: { passed: passedCount, failed }, measured, seed, failures: failuresOf(xml) };
}
