// Checks the backup directory or bucket: it exists, its disk is mounted, and it is writable.
import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { BackupPlace } from "../../contract/config.ts";
import { ownValue } from "../../text/input/own-value.ts";
import { missingMount } from "./mounts.ts";
import { BackupFailed, type Target } from "./work/target.ts";

/**
 * Rejects a directory whose disk is not mounted, because a backup there would fill another disk.
 */
export function checkMounted(directory: string): void {
  const point = missingMount(directory);
  if (point === undefined) return;
  throw new BackupFailed(
    `${directory} is on ${point}, where no disk is mounted. Mount it first: mount ${point}`,
  );
}

/** Rejects a directory that does not exist. Buckets report this themselves. */
export function checkExists(location: BackupPlace): void {
  if (!("directory" in location)) return;
  const { directory } = location;
  checkMounted(directory);
  try {
    if (statSync(directory).isDirectory()) return;
  } catch (error) {
    throw placeFailed(directory, error);
  }
  throw new BackupFailed(`${directory} is not a directory`);
}

/** Rejects a directory that does not exist and that this process cannot create. */
export function checkCanCreate(directory: string): void {
  checkMounted(directory);
  let above = dirname(directory);
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above);
  try {
    accessSync(above, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw placeFailed(directory, error);
  }
}

/** Writes a small file and deletes it again. @throws BackupFailed if either fails */
export async function probePlace(target: Target): Promise<void> {
  // Credentials for a bucket may not allow deletion, so the same name is overwritten each time.
  const name = target.is_elsewhere ? "probe" : `probe-${randomUUID()}`;
  try {
    await target.put(name, probe());
  } catch (error) {
    throw placeFailed(target.name, error);
  }
  try {
    await target.delete(name);
  } catch (error) {
    if (!target.is_elsewhere) throw placeFailed(target.name, error);
  }
}

async function* probe() {
  yield Buffer.from("skein doctor\n");
}

/** The error of a failed system call, with what the operator can do about it. */
export function placeFailed(name: string, error: unknown): BackupFailed {
  if (error instanceof BackupFailed) return error;
  const { code = "", message } = error as Error & { code?: string };
  const text = ownValue(WORDS, code)?.(name);
  return new BackupFailed(text ?? `Cannot use ${name} for backups: ${message}`, { cause: error });
}

const WORDS: Readonly<Record<string, (name: string) => string>> = {
  EEXIST: (name) => `${name} is not a directory`,
  ENOENT: (name) => `There is no directory ${name}. Create it, or mount its disk`,
  ENOTDIR: (name) => `${name} is not a directory`,
  EACCES: (name) => `Cannot write to ${name}: it must belong to ${account()}. ${OPEN}`,
  EPERM: (name) => `Cannot write to ${name}: it must belong to ${account()}. ${OPEN}`,
  EROFS: (name) => `Cannot write to ${name}: it is read-only for this process. ${OPEN}`,
};

const OPEN =
  "If systemd runs the server, its unit must name the directory in ReadWritePaths: " +
  "see docs/operate/backup.md";

/** Uses the numeric id, because the name of the account depends on the environment. */
const account = () => `the account of the server (uid ${process.geteuid?.()})`;
