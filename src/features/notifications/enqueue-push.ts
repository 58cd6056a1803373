// Enqueues the pushes for messages that notify users by push.
import type { Reader, Realm, Writer } from "../../realm.ts";
import type { DueJob } from "../../schema/records.ts";
import { enqueuePush } from "../push/queue/queue.ts";
import { userSetting } from "../settings/rules.ts";
import { isActive, hasDoNotDisturb } from "./activity.ts";
import { recipientsOf, triggerOf } from "./trigger.ts";

export const ENQUEUE_PUSHES = "push out";
export const PUSH_JOBS_AT_ONCE = 2;
const PEOPLE_AT_ONCE = 500;

/** Users are ordered by id; those up to `after` are done. */
interface PushProgress {
  message_id: number;
  after: number;
}

export function hasPush(reader: Reader, user_id: number): boolean {
  return reader.push_subscriptions.countBy("user", user_id) > 0;
}

/** Enqueues the pushes for a message with push recipients. */
export function enqueuePushes(tx: Writer, message_id: number, after = 0): void {
  tx.enqueue(ENQUEUE_PUSHES, tx.now * 1000, { message_id, after } satisfies PushProgress);
}

/**
 * Notifies some of the users and enqueues a job for the rest, so that a crash repeats no
 * notification.
 */
export async function enqueuePushStep(
  realm: Realm,
  { at, job_id, payload }: DueJob,
): Promise<void> {
  const { message_id, after } = payload as PushProgress;
  await realm.write((tx) => {
    if (!tx.due.get(at, job_id)) return;
    tx.due.delete(at, job_id);
    const message = tx.messages.get(message_id);
    const people = message ? [...recipientsOf(tx, message)] : [];
    const remaining = people.filter((id) => id > after && hasPush(tx, id)).sort((a, b) => a - b);
    const batch = remaining.slice(0, PEOPLE_AT_ONCE);
    for (const user_id of batch) {
      if (isPushedTo(realm, tx, user_id, message_id)) pushToDevices(tx, user_id, message_id);
    }
    if (remaining.length > batch.length) enqueuePushes(tx, message_id, batch.at(-1));
  });
}

/** Whether to push the message to the user now. */
export function isPushedTo(
  realm: Realm,
  reader: Reader,
  user_id: number,
  message_id: number,
): boolean {
  const [user, message] = [reader.users.get(user_id), reader.messages.get(message_id)];
  if (!user || !message || hasDoNotDisturb(reader, user)) return false;
  if (!triggerOf(reader, user, message, "push")) return false;
  const isAlwaysNotified = userSetting(user, "enable_online_push_notifications") === true;
  return isAlwaysNotified || !isActive(realm, user_id);
}

export function pushToDevices(tx: Writer, user_id: number, message_id: number): void {
  for (const { push_id, after_message_id } of tx.push_subscriptions.listBy("user", user_id)) {
    if (message_id <= after_message_id) continue;
    enqueuePush(tx, { push_id, message_id, is_removal: false });
  }
}
