// Builds another commit, and prepares the data on which both servers are measured.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plan, TestServer } from "../towns.ts";

const ROOT = join(import.meta.dir, "../..");

export interface OtherBuild {
  readonly commit: string;
  readonly executable: string;
  /** Prepared by the other commit, because it may not be able to open newer data. */
  readonly prepared: TestServer;
}

/** Builds a commit in a temporary worktree. The result is kept in `dist/` for the next run. */
export async function buildOf(revision: string, plan: Plan): Promise<OtherBuild> {
  const commit = run(ROOT, "git", "rev-parse", "--verify", `${revision}^{commit}`).slice(0, 12);
  const kept = join(ROOT, "dist/against", commit);
  const page = join(kept, `${Bun.hash(JSON.stringify(plan)).toString(36)}.json`);
  if (!existsSync(page)) await make(commit, kept, page, plan);
  const prepared = JSON.parse(readFileSync(page, "utf8")) as TestServer;
  return { commit, executable: join(kept, "skein"), prepared };
}

async function make(commit: string, kept: string, page: string, plan: Plan): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "skein-against-"));
  const tree = join(folder, "tree");
  run(ROOT, "git", "worktree", "add", "--quiet", "--detach", tree, commit);
  try {
    run(tree, process.execPath, "install", "--frozen-lockfile");
    run(tree, process.execPath, "build.ts");
    mkdirSync(kept, { recursive: true });
    renameSync(await copied(join(tree, "dist/skein"), kept), join(kept, "skein"));
    await Bun.write(page, prepared(tree, kept, plan));
  } finally {
    run(ROOT, "git", "worktree", "remove", "--force", tree);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The temporary folder may be on another disk. */
async function copied(executable: string, kept: string): Promise<string> {
  const draft = join(kept, "skein.new");
  await Bun.write(draft, Bun.file(executable));
  run(kept, "chmod", "755", draft);
  return draft;
}

/** Runs that commit's own preparation. `Towns` is an older name of the class. */
function prepared(tree: string, kept: string, plan: Plan): string {
  const [from, to, planned] = [join(tree, "bench/towns.ts"), kept, plan].map((item) =>
    JSON.stringify(item),
  );
  const code = `
    const towns = await import(${from});
    const made = await new (towns.TestServers ?? towns.Towns)(${to}).shared(${planned});
    console.log(JSON.stringify(made));
    process.exit();`;
  return run(tree, process.execPath, "-e", code);
}

function run(cwd: string, ...command: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync(command, { cwd });
  if (!success) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
  return stdout.toString().trim();
}
