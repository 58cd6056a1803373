// Whether the place for backups is there, can be written, and has the newest set.
import { existsSync } from "node:fs";
import type { BackupConfig } from "../../contract/config.ts";
import { checkCanCreate, checkThere, probePlace } from "../backup/place.ts";
import { setNames } from "../backup/sets.ts";
import { backupState } from "../backup/state.ts";
import { openTarget } from "../backup/targets-later.ts";
import { BackupFailed, type Target } from "../backup/work/target.ts";
import { bad, type Finding, ok } from "./check.ts";
import type { Facts } from "./facts.ts";

export async function backups({ realm }: Facts): Promise<Finding> {
  const { backup, data } = realm.config;
  if (!backup) return undefined;
  const { made } = backupState(realm);
  const target = openTarget(backup.to, data);
  try {
    if (!made && isNew(backup)) {
      const remedy = "skein backup run, or wait for the night; a disk must be mounted before";
      return bad("warn", `${target.name} does not exist; the first backup creates it.`, remedy);
    }
    checkThere(backup.to);
    await probePlace(target);
  } catch (error) {
    const remedy = "see --backup-to, who owns the directory, and whether its disk is mounted";
    return bad("fail", `Backups cannot be written: ${sentence(error)}`, remedy);
  }
  return setsOf(target, made?.id);
}

/** No backup was made yet, so nothing is missing. */
function isNew({ to }: BackupConfig): boolean {
  if (!("directory" in to) || existsSync(to.directory)) return false;
  checkCanCreate(to.directory);
  return true;
}

async function setsOf(target: Target, newest: string | undefined): Promise<Finding> {
  let names: string[];
  try {
    names = await setNames(target);
  } catch (error) {
    // A key to a bucket may be one that only writes.
    const words = `The backups in ${target.name} cannot be listed: ${sentence(error)}`;
    const remedy = "see --backup-to; a key that may only write is enough to make backups";
    return bad(target.is_elsewhere ? "warn" : "fail", words, remedy);
  }
  if (newest !== undefined && !names.includes(newest)) {
    const words = `The newest backup, ${newest}, is not in ${target.name}.`;
    return bad("fail", words, "see whether the disk with the backups is mounted; skein backup run");
  }
  return ok(`Backups can be written to ${target.name}, which has ${names.length} sets.`);
}

function sentence(error: unknown): string {
  const { message, cause } = error as Error;
  const words =
    error instanceof BackupFailed || !(cause instanceof Error) ? message : cause.message;
  return /[.!?]$/.test(words) ? words : `${words}.`;
}
