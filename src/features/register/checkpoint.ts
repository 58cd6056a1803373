// Stores the position of each queue periodically, and trims the event log.
import { freeze } from "../../queues/restore.ts";
import type { Realm } from "../../realm.ts";

const TRIM_ROWS_MAX = 5_000;

/**
 * After a crash, a queue continues from here; events that its client had already acknowledged are
 * dropped again.
 */
export async function checkpointQueues(realm: Realm): Promise<void> {
  const dirty = realm.hub.dirty();
  const removedQueues = realm.hub.takeRemoved();
  if (dirty.length === 0 && removedQueues.length === 0) return;
  await realm.write((tx) => {
    for (const queue of dirty) tx.queues.put(queue);
    for (const queue_id of removedQueues) tx.queues.delete(queue_id);
  });
}

/** On a clean stop, stores every queue with its undelivered events. */
export async function freezeQueues(realm: Realm): Promise<void> {
  const removedQueues = realm.hub.takeRemoved();
  const frozen = freeze(realm.hub);
  await realm.write((tx) => {
    for (const queue_id of removedQueues) tx.queues.delete(queue_id);
    for (const queue of frozen) tx.queues.put(queue);
  });
}

/** In batches, so that no transaction grows with the log. */
export async function trimLog(realm: Realm): Promise<void> {
  await checkpointQueues(realm);
  const oldestEvent = realm.hub.oldestNeeded();
  for (let trimmed = TRIM_ROWS_MAX; trimmed === TRIM_ROWS_MAX;) {
    const range = { to: [oldestEvent + 1], limit: TRIM_ROWS_MAX };
    trimmed = await realm.write((tx) => tx.log.clear(range));
  }
}
