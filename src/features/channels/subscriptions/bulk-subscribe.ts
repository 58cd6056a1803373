// Changes the subscriptions of many users in several transactions, so that others do not wait.
import type { Realm, Writer } from "../../../realm.ts";
import type {
  BulkSubscribe as CrowdRow,
  BulkSubscribePart,
  DueJob,
} from "../../../schema/records.ts";
import { isSubscribed } from "../access.ts";
import { SUBSCRIBED_AT_ONCE_MAX } from "./bulk-parts.ts";
import { announceChannels } from "./announcements.ts";
import { subscribe } from "./subscribe.ts";
import { emitLeft, unsubscribeFirst } from "./unsubscribe.ts";

/** Changes the subscriptions of the remaining users, one batch per transaction. */
export async function finishBulkSubscribe(
  realm: Realm,
  bulk_id: number | undefined,
): Promise<void> {
  if (bulk_id !== undefined) await realm.inSteps((tx) => subscribeNextPart(tx, bulk_id));
}

/** The job: continues after a stop or crash. */
export function resumeBulkSubscribe(realm: Realm, { job_id }: DueJob): Promise<void> {
  return finishBulkSubscribe(realm, job_id);
}

/** Returns whether users are left. If the record is gone, the work was completed elsewhere. */
function subscribeNextPart(tx: Writer, bulk_id: number): boolean {
  const bulk = tx.bulk_subscribes.get(bulk_id);
  if (!bulk) return false;
  let startedAt = 0;
  for (const part of tx.bulk_subscribe_parts.range({ from: [bulk_id], to: [bulk_id + 1] })) {
    if (part.removed_count !== undefined) {
      unsubscribeBatch(tx, part, part.removed_count);
      return true;
    }
    startedAt += part.user_ids.length;
    if (startedAt > SUBSCRIBED_AT_ONCE_MAX) return true;
    subscribePart(tx, part);
  }
  complete(tx, bulk);
  return false;
}

/** Skips users deactivated meanwhile; an archived channel gets no new subscribers. */
function subscribePart(
  tx: Writer,
  { bulk_id, nth, stream_id, color, user_ids }: BulkSubscribePart,
): void {
  tx.bulk_subscribe_parts.delete(bulk_id, nth);
  const channel = tx.channels.get(stream_id)!;
  if (channel.is_archived) return;
  const people = user_ids.map((id) => tx.users.get(id)!).filter((user) => user.is_active);
  subscribe(tx, null, people, [channel], color === null ? { inTurn: true } : { color });
}

/** Unsubscribes the next users of a part. Other users receive one event about the whole part. */
function unsubscribeBatch(tx: Writer, part: BulkSubscribePart, removedBefore: number): void {
  const { bulk_id, nth, stream_id, user_ids } = part;
  const channel = tx.channels.get(stream_id)!;
  const people = user_ids.slice(removedBefore).map((id) => tx.users.get(id)!);
  const removed_count = removedBefore + unsubscribeFirst(tx, channel, people);
  if (removed_count < user_ids.length) {
    tx.bulk_subscribe_parts.put({ ...part, removed_count });
    return;
  }
  tx.bulk_subscribe_parts.delete(bulk_id, nth);
  const absentIds = user_ids.filter((id) => !isSubscribed(tx, id, stream_id));
  if (absentIds.length > 0) emitLeft(tx, channel, absentIds);
}

function complete(tx: Writer, { bulk_id, job_at, user_id, made_ids, announce }: CrowdRow): void {
  tx.bulk_subscribes.delete(bulk_id);
  tx.due.delete(job_at, bulk_id);
  const channels = made_ids
    .map((id) => tx.channels.get(id)!)
    .filter((channel) => !channel.is_archived);
  announceChannels(tx, tx.users.get(user_id)!, channels, announce);
}
