// Stores the position of each queue periodically, and trims the event log.
import { freeze } from "../../queues/restore.ts";
import { perRealm, type Realm } from "../../realm.ts";

/** Event numbers of one transaction: a few milliseconds of work. */
const TRIMMED_AT_ONCE = 1_000;

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

/** The first event that may still have a row; unknown after a start. */
const trimmed = perRealm((): { next?: number } => ({}));

/** In steps, so that no transaction grows with the log. */
export async function trimLog(realm: Realm): Promise<void> {
  await checkpointQueues(realm);
  const end = realm.hub.oldestNeeded() + 1;
  const state = trimmed(realm);
  const first = state.next ?? firstSoundEvent(realm) ?? end;
  for (let from = state.next ?? 0, next = first; from < end; from = next) {
    next = Math.min(end, Math.max(from, first) + TRIMMED_AT_ONCE);
    await realm.write((tx) => tx.log.clear({ from: [from], to: [next] }));
    state.next = next;
  }
}

function firstSoundEvent({ read }: Realm): number | undefined {
  for (const { seq } of read.log.sound(() => {}, { limit: 1 })) return seq;
  return undefined;
}
