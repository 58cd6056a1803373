// Checks that the backup directory or bucket exists, is writable and has the newest set.
import { existsSync } from "node:fs";
import type { BackupConfig } from "../../contract/config.ts";
import { checkCanCreate, checkExists, probePlace } from "../backup/check-location.ts";
import { setNames } from "../backup/sets.ts";
import { backupState } from "../backup/state.ts";
import { openTarget } from "../backup/targets-outbound.ts";
import { BackupFailed, type Target } from "../backup/work/target.ts";
import { bad, type Finding, ok } from "./check.ts";
import type { Facts } from "./facts.ts";

export async function backups({ realm }: Facts): Promise<Finding> {
  const { backup, data } = realm.config;
  if (!backup) return undefined;
  const { made: created } = backupState(realm);
  const target = openTarget(backup.to, data);
  try {
    if (!created && isNew(backup)) {
      const remedy =
        "mount the disk if it is not mounted, then run skein backup run or wait for the night";
      return bad("warn", `${target.name} does not exist; the first backup creates it.`, remedy);
    }
    checkExists(backup.to);
    await probePlace(target);
  } catch (error) {
    const remedy = "check --backup-to, the owner of the directory, and whether its disk is mounted";
    return bad("fail", `Backups cannot be written: ${sentence(error)}`, remedy);
  }
  return setsOf(target, created?.id);
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
    // Credentials for a bucket may be write-only.
    const text = `The backups in ${target.name} cannot be listed: ${sentence(error)}`;
    const remedy = "check --backup-to; making backups needs only write access";
    return bad(target.is_elsewhere ? "warn" : "fail", text, remedy);
  }
  if (newest !== undefined && !names.includes(newest)) {
    const text = `The newest backup, ${newest}, is not in ${target.name}.`;
    return bad("fail", text, "check whether the backup disk is mounted, or run skein backup run");
  }
  return ok(`Backups can be written to ${target.name}, which has ${names.length} sets.`);
}

function sentence(error: unknown): string {
  const { message, cause } = error as Error;
  const text = error instanceof BackupFailed || !(cause instanceof Error) ? message : cause.message;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
