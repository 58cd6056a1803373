// Removes a status when it expires.
import type { Realm } from "../../realm.ts";
import type { DueJob } from "../../schema/records.ts";
import { clearStatus } from "./actions.ts";

/** A later status has its own expiry, so only the status of this job ends. */
export function endStatus(realm: Realm, { payload }: DueJob): Promise<void> {
  const { user_id, said_at } = payload as { user_id: number; said_at: number };
  return realm.write((tx) => {
    if (tx.user_statuses.get(user_id)?.timestamp === said_at) clearStatus(tx, user_id);
  });
}
