// Builds another commit, and prepares the data on which both servers are measured.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plan, Dataset } from "../datasets.ts";

const ROOT = join(import.meta.dir, "../..");

interface OtherBuild {
  readonly commit: string;
  readonly executable: string;
  /** Prepared by the other commit, because it may not be able to open newer data. */
  readonly prepared: Dataset;
}

/** Builds a commit in a temporary worktree. The result is kept in `dist/` for the next run. */
export async function buildOf(revision: string, plan: Plan): Promise<OtherBuild> {
  const commit = run(ROOT, "git", "rev-parse", "--verify", `${revision}^{commit}`).slice(0, 12);
  const directory = join(ROOT, "dist/against", commit);
  const page = join(directory, `${Bun.hash(JSON.stringify(plan)).toString(36)}.json`);
  if (!existsSync(page)) await make(commit, directory, page, plan);
  const prepared = JSON.parse(readFileSync(page, "utf8")) as Dataset;
  return { commit, executable: join(directory, "skein"), prepared };
}

async function make(commit: string, directory: string, page: string, plan: Plan): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "skein-against-"));
  const tree = join(folder, "tree");
  run(ROOT, "git", "worktree", "add", "--quiet", "--detach", tree, commit);
  try {
    run(tree, process.execPath, "install", "--frozen-lockfile");
    run(tree, process.execPath, "build.ts");
    mkdirSync(directory, { recursive: true });
    renameSync(await copyExecutable(join(tree, "dist/skein"), directory), join(directory, "skein"));
    await Bun.write(page, prepareData(tree, directory, plan));
  } finally {
    run(ROOT, "git", "worktree", "remove", "--force", tree);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The temporary folder may be on another disk. */
async function copyExecutable(executable: string, directory: string): Promise<string> {
  const draft = join(directory, "skein.new");
  await Bun.write(draft, Bun.file(executable));
  run(directory, "chmod", "755", draft);
  return draft;
}

/** Runs that commit's own preparation, which has older names in older commits. */
function prepareData(tree: string, directory: string, plan: Plan): string {
  const paths = ["bench/datasets.ts", "bench/towns.ts"].map((path) => join(tree, path));
  const [from, to, planned] = [paths.find(existsSync), directory, plan].map((item) =>
    JSON.stringify(item),
  );
  const code = `
    const { Datasets, TestServers, Towns } = await import(${from});
    const datasets = new (Datasets ?? TestServers ?? Towns)(${to});
    const create = datasets.createShared ?? datasets.shared;
    const made = await create.call(datasets, ${planned});
    console.log(JSON.stringify(made));
    process.exit();`;
  return run(tree, process.execPath, "-e", code);
}

function run(cwd: string, ...command: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync(command, { cwd });
  if (!success) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
  return stdout.toString().trim();
}
