// Runs a new executable before it is installed.
import { chmodSync, statSync } from "node:fs";
import { CommandError } from "../flags.ts";

const RUNNABLE = 0o111;
const MODE = 0o7777;

/** Gives the new executable the permissions of the current one. */
export function makeRunnable(staged: string, reference: string): void {
  chmodSync(staged, (statSync(reference).mode & MODE) | RUNNABLE);
}

export async function versionOf(executable: string): Promise<string> {
  const { out, code } = await outputOf([executable, "version", "--json"]);
  if (code !== 0) throw new CommandError(`it does not run on this machine: ${out.trim()}`);
  return (JSON.parse(out) as { version: string }).version;
}

/** Migrates a copy of the data with the new executable, even while a server runs. */
export async function tryOnData(executable: string, data: string): Promise<void> {
  const asOwner = [...asOwnerOf(data), executable];
  const { out, code } = await outputOf([...asOwner, "upgrade", "--check", "--data", data]);
  if (code !== 0) throw new CommandError(`it cannot open the data: ${out.trim()}`);
  process.stdout.write(out);
}

/**
 * Returns the arguments that run a command as the server's user, so that this user owns the files
 * that the new executable leaves beside the data.
 */
function asOwnerOf(data: string): string[] {
  const { uid, gid } = statSync(data);
  if (uid === process.getuid?.()) return [];
  if (process.getuid?.() !== 0 || Bun.which("setpriv") === null) {
    throw new CommandError(
      `${data} belongs to another account: run the command as that account, or with sudo`,
    );
  }
  return ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
}

async function outputOf(args: string[]) {
  const child = startProcess(args);
  const streams = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  const [out, err] = await Promise.all(streams);
  const code = await child.exited;
  return { out: code === 0 ? out! : err! || out!, code };
}

/** The system rejects executables for other processor types. */
function startProcess(args: string[]) {
  try {
    return Bun.spawn(args, { stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    throw new CommandError(`it does not run on this machine: ${(error as Error).message}`);
  }
}
