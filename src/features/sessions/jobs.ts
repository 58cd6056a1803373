// Effects of ended sessions, and removal of expired ones.
import type { Realm } from "../../realm.ts";
import type { DueJob, QueueRecord } from "../../schema/records.ts";
import type { EndedLogins } from "../keys/actions.ts";
import { endSessions } from "./actions.ts";

/** A poll that waits on one of the queues is answered immediately. */
export async function endQueues({ hub }: Realm, { payload }: DueJob): Promise<void> {
  // Written by `endSessions` of sessions or `deleteKeys` of API keys.
  const { session_ids = [], keys = [] } = payload as EndedLogins;
  const sessions = new Set(session_ids);
  const key_ids = new Set(keys.map(({ key_id }) => key_id));
  const keyOwners = new Set(keys.map(({ user_id }) => user_id));
  const isOver = ({ session_id, key_id, user_id }: QueueRecord) => {
    if (session_id != null) return sessions.has(session_id);
    // A queue created by an earlier version may belong to any key of its user.
    return key_id == null ? keyOwners.has(user_id) : key_ids.has(key_id);
  };
  for (const { record } of [...hub.listeners.all()]) {
    if (isOver(record)) hub.close(record.queue_id);
  }
}

/** Also removes expired sign-ins that were never completed. */
export async function purgeSessions(realm: Realm): Promise<void> {
  const { read } = realm;
  const isOver = ({ expires }: { expires: number }) => expires <= read.now;
  if (![...read.sessions.range()].some(isOver) && ![...read.tickets.range()].some(isOver)) return;
  await realm.write((tx) => {
    endSessions(tx, [...tx.sessions.range()].filter(isOver));
    for (const { hash } of [...tx.tickets.range()].filter(isOver)) tx.tickets.delete(hash);
  });
}
