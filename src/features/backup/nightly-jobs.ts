// Makes the daily backup, tests a restore, and informs the owners of failures.
import type { BackupConfig } from "../../contract/config.ts";
import { OWNER } from "../../contract/roles.ts";
import { HOUR_MS } from "../../contract/units.ts";
import type { Realm } from "../../realm.ts";
import { mail } from "../mail/actions.ts";
import { isBot } from "../rights/rules.ts";
import { testRestore } from "./drill.ts";
import { pruneSets } from "./prune.ts";
import { backUp } from "./run.ts";
import { backupState, setBackupState } from "./state.ts";
import type { Target } from "./work/target.ts";
import { openTarget } from "./targets-outbound.ts";

/** Delay before the next attempt after a failure. */
const RETRY_MS = HOUR_MS;

/** Must be called every minute. */
export async function backUpNightly(realm: Realm): Promise<void> {
  const { backup } = realm.config;
  if (!backup || realm.hub.isStopping || !realm.read.realm.has(1)) return;
  if (isDue(realm, backup, realm.clock.now())) await backUpAsSet(realm, backup);
}

/** Makes the configured backup, stores its result, and informs the owners of a failure. */
export async function backUpAsSet(realm: Realm, backup: BackupConfig): Promise<void> {
  const now = realm.clock.now();
  const { failed: _, ...before } = backupState(realm);
  setBackupState(realm, { ...backupState(realm), attempted: now });
  const target = openTarget(backup.to, realm.config.data);
  try {
    const { id, missing, damage } = await backUp(realm, target, { ...backup, is_serving: true });
    const [first] = [...damage, ...missing.map((path) => `${path} is missing`)];
    if (first !== undefined) throw new Error(`${id} is incomplete: ${first}`);
    setBackupState(realm, { ...before, attempted: now, made: { id, at: now } });
    await prune(realm, target, backup);
  } catch (error) {
    if (realm.hub.isStopping) return setBackupState(realm, before);
    const { message } = error as Error;
    setBackupState(realm, { ...before, attempted: now, failed: { at: now, words: message } });
    realm.onNote("backup failed", { error: message });
    return notifyOwners(realm, message);
  }
  await runRestoreTest(realm, target, backup.identity);
}

/** Whether a scheduled time has passed since the newest backup. */
function isDue(realm: Realm, { at_minutes }: BackupConfig, now: number): boolean {
  const { made: created, failed, attempted } = backupState(realm);
  if (failed) return now - (attempted ?? 0) >= RETRY_MS;
  const time = new Date(now);
  time.setHours(0, at_minutes, 0, 0);
  if (time.getTime() > now) time.setDate(time.getDate() - 1);
  return created === undefined || created.at < time.getTime();
}

/** Write-only credentials delete nothing; the operator prunes with other credentials. */
async function prune(realm: Realm, target: Target, { keep }: BackupConfig): Promise<void> {
  try {
    await pruneSets(target, keep, realm.read.now);
  } catch (error) {
    realm.onNote("old backups were not deleted", { error: (error as Error).message });
  }
}

async function runRestoreTest(realm: Realm, target: Target, identity?: string): Promise<void> {
  const { is_good, words: text } = await testRestore(realm, target, identity);
  const time = realm.clock.now();
  setBackupState(realm, { ...backupState(realm), drill: { at: time, is_good, words: text } });
  if (is_good === false) {
    realm.onNote("the restore test of the backup failed", { error: text });
    return notifyOwners(realm, `The newest backup could not be restored: ${text}`);
  }
  setBackupState(realm, { ...backupState(realm), is_told: false });
}

/** Informs the owners once; again only after a success. */
async function notifyOwners(realm: Realm, text: string): Promise<void> {
  if (backupState(realm).is_told) return;
  await realm.write((tx) => {
    for (const user of tx.users.range()) {
      if (user.role !== OWNER || !user.is_active || isBot(user)) continue;
      mail(tx, { about: "backup failed", user_id: user.user_id, words: text });
    }
  });
  setBackupState(realm, { ...backupState(realm), is_told: true });
}
