// Prepares restored data, so that clients that received later events register again.
import type { Realm } from "../../realm.ts";
import { tables } from "../../schema/schema.ts";
import { supersede } from "../../store/copy/supersede.ts";
import { deactivateWithBots } from "../accounts/activation.ts";
import { eraseProfile } from "../accounts/erase.ts";
import { type BackupSet, readManifest, readSet, setNames } from "./sets.ts";
import { BackupFailed, type Target } from "./work/target.ts";

/** More messages than are sent between a backup and the loss of the data. */
const MESSAGES_SKIPPED = 100_000;
const IDS_SKIPPED = 1_000;

/**
 * Closes every event queue in a closed database file and skips ids, so that no id used since is
 * reused. `input`: the newest ids of the replaced data, if it can be read.
 */
export async function makeRestored(
  path: string,
  input: ReadonlyMap<string, number> = new Map(),
): Promise<void> {
  const skipped = (sequence: string) => {
    return sequence === "messages" || sequence === "events" ? MESSAGES_SKIPPED : IDS_SKIPPED;
  };
  await supersede(path, { queues: tables.queues.prefix, sequences: input, skipped });
}

/** Ids of users who were erased by the time of the newest set; `set` is restored. */
export async function erasedLater(
  target: Target,
  set: BackupSet,
  identity: string | undefined,
): Promise<number[]> {
  const newer = (await setNames(target)).filter((id) => id > set.id);
  for (const id of newer.toReversed()) {
    try {
      const other = await readSet(target, id);
      const key = other.is_encrypted ? identity : undefined;
      if (other.organization !== set.organization) continue;
      return (await readManifest(target, other, key)).erased ?? [];
    } catch (error) {
      if (!(error instanceof BackupFailed)) throw error;
      // A damaged set says nothing; an older one may.
    }
  }
  return [];
}

/** Returns the ids of users who were not erased in the restored data. */
export async function repeatErasures(realm: Realm, user_ids: readonly number[]): Promise<number[]> {
  if (user_ids.length === 0) return [];
  return realm.write((tx) =>
    user_ids.filter((user_id) => {
      const user = tx.users.get(user_id);
      if (!user || user.is_deleted) return false;
      if (user.is_active) deactivateWithBots(tx, user);
      eraseProfile(tx, user_id);
      return true;
    }),
  );
}
