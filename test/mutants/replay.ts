/** Makes a wrong change in the files of each recent commit, and checks what `--changed` selects. */
// bun test/mutants/replay.ts [COMMITS]      lists the selection for the last COMMITS commits (50)
// bun test/mutants/replay.ts COMMITS RUNS   also runs RUNS of them until a test notices the change
// bun test/mutants/replay.ts COMMITS RUNS N runs the N nearest test files only, and then N others
// If no selected test notices a change, the others run. A failure of those counts as missed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { affectedBy, changedSince, sourcesOf } from "../check/changed.ts";
import { Copy, type Mutation, mutationsOf } from "./mutations.ts";

interface Change {
  readonly commit: string;
  readonly changed: readonly string[];
  readonly file: string;
  readonly mutation: Mutation;
}

const ROOT = join(import.meta.dir, "../..");
const [commits = "50", runs = "0", triesMax = "Infinity"] = Bun.argv.slice(2);
const sources = sourcesOf(ROOT);
const all = [...sources.keys()].filter((file) => file.endsWith(".test.ts"));

const changes = git("log", `-${commits}`, "--no-merges", "--format=%h")
  .map(changeIn)
  .filter((change) => change !== undefined);
const every = Math.max(1, Math.floor(changes.length / Number(runs)));
const copy = Number(runs) > 0 ? new Copy() : undefined;
let missed = 0;
for (const [index, change] of changes.entries()) {
  const { commit, file, mutation, changed } = change;
  const { files, everythingFor } = affectedBy(changed, sources);
  const share = `${files.length} of ${all.length} test files`;
  console.log(`${commit}  ${everythingFor ? `all, for ${everythingFor}` : share}`);
  if (!copy || index % every !== 0) continue;
  console.log(`  ${file}: ${mutation.replace}`);
  if (await findFailingTest(copy, change, files, "noticed by")) continue;
  const others = all.filter((test) => !files.includes(test));
  if (await findFailingTest(copy, change, others, "MISSED, noticed by")) missed += 1;
  else console.log(`  noticed by none of ${triesMax} nearest and ${triesMax} others`);
}
copy?.remove();
console.log(`${changes.length} commits with code, ${missed} wrong changes missed`);
process.exit(missed === 0 ? 0 : 1);

/** Returns a wrong change of a line that the commit added, or else of a file that it changed. */
function changeIn(commit: string): Change | undefined {
  const changed = git("diff-tree", "-r", "--no-commit-id", "--name-only", "--no-renames", commit);
  const added = new Set(
    git("show", "--format=", "-U0", commit).flatMap((line) => /^\+\s*(.*)/.exec(line)?.[1] ?? []),
  );
  const possible = changed
    .filter((file) => /^src\/.*\.tsx?$/.test(file) && existsSync(join(ROOT, file)))
    .flatMap((file) =>
      mutationsOf(readFileSync(join(ROOT, file), "utf8")).map((mutation) => ({
        file,
        mutation,
      })),
    );
  const own = possible.filter(({ mutation }) => added.has(mutation.search));
  const candidates = own.length > 0 ? own : possible;
  const chosen = candidates[Bun.hash.xxHash32(commit) % candidates.length];
  if (chosen === undefined) return undefined;
  const code = changedSince(`${commit}~`, ROOT, commit);
  return { commit, changed: [...code, chosen.file], ...chosen };
}

async function findFailingTest(
  copy: Copy,
  change: Change,
  tests: readonly string[],
  label: string,
) {
  const nearest = tests.toSorted((a, b) => relevance(b, change) - relevance(a, change));
  for (const test of nearest.slice(0, Number(triesMax))) {
    const outcome = await copy.testMutation(change.file, change.mutation, test);
    if (outcome === "passed" || (await copy.run(test)) !== "passed") continue;
    console.log(`  ${label} ${test}`);
    return true;
  }
  return false;
}

/** Tests of the commit come first, and then those whose names share words with the file. */
function relevance(test: string, { changed, file }: Change): number {
  const words = new Set(file.split(/\W+/));
  const shared = test.split(/\W+/).filter((word) => words.has(word)).length;
  return (changed.includes(test) ? 10 : 0) + shared - (test.startsWith("test/web/") ? 1 : 0);
}

function git(...args: string[]): string[] {
  const done = Bun.spawnSync(["git", ...args], { cwd: ROOT });
  if (!done.success) throw new Error(`git ${args.join(" ")}: ${done.stderr.toString().trim()}`);
  return done.stdout.toString().split("\n").filter(Boolean);
}
