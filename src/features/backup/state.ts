// State of backups, in a file beside the data that survives restarts and restores.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { perRealm, type Realm } from "../../realm.ts";
import { syncNow } from "../../store/system/durable.ts";

/** Times are milliseconds since 1970. */
interface BackupState {
  readonly attempted?: number;
  /** The newest complete set of the nightly backup. */
  readonly made?: { readonly id: string; readonly at: number };
  /** Error of the newest attempt. Removed when one succeeds. */
  readonly failed?: { readonly at: number; readonly words: string };
  /** Result of the restore test; `is_good` is null if the server had no key to decrypt the set. */
  readonly drill?: {
    readonly at: number;
    readonly is_good: boolean | null;
    readonly words: string;
  };
  /** Whether the owners were notified of the failure. */
  readonly is_told?: boolean;
}

const FILE = "backups.json";

const states = perRealm((realm) => ({ now: read(realm) }));

export function backupState(realm: Realm): BackupState {
  return states(realm).now;
}

export function setBackupState(realm: Realm, state: BackupState): void {
  states(realm).now = state;
  const path = join(realm.config.data, FILE);
  writeFileSync(`${path}.part`, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  syncNow(`${path}.part`);
  renameSync(`${path}.part`, path);
}

/** Lines for the status output, which must not contain secrets. */
export function backupLines(realm: Realm): string[] {
  if (!realm.config.backup) return [];
  const { made: created, failed, drill } = backupState(realm);
  const isoTime = (ms: number) => new Date(ms).toISOString();
  const status = failed ? "failed" : created ? "ok" : "none yet";
  const last = created ? `, last good ${isoTime(created.at)}` : "";
  const testStatus =
    drill?.is_good === null ? "not possible" : drill?.is_good ? "passed" : "failed";
  return [
    `backup: ${status}${last}`,
    ...(drill ? [`restore test: ${testStatus}, ${isoTime(drill.at)}`] : []),
  ];
}

function read({ config }: Realm): BackupState {
  try {
    return JSON.parse(readFileSync(join(config.data, FILE), "utf8")) as BackupState;
  } catch {
    return {};
  }
}
