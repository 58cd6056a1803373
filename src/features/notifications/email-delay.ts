// Missed messages wait for the delay that each user has set, and are then sent by email.
import { DAY_SECONDS } from "../../contract/units.ts";
import type { Realm, Writer } from "../../realm.ts";
import type { DueJob } from "../../schema/records.ts";
import { mail } from "../mail/actions.ts";
import { userSetting } from "../settings/rules.ts";
import { isActive } from "./activity.ts";
import { conversationOf } from "./message-context.ts";
import { stillTriggering } from "./trigger.ts";

export const SEND_MISSED = "send missed messages";
export const SENDS_AT_ONCE = 10;
/** Maximum of waiting messages per user. The newest ones are kept. */
const WAITING_MAX = 200;
/** Maximum delay of emails to a user who stays active. */
const DELAY_SECONDS_MAX = DAY_SECONDS;

export function addMissedMessages(
  tx: Writer,
  user_id: number,
  ids: readonly number[],
  pause_ms = 0,
): void {
  const row = tx.missed_mail.get(user_id);
  const message_ids = [...new Set([...(row?.message_ids ?? []), ...ids])].slice(-WAITING_MAX);
  tx.missed_mail.put({ user_id, message_ids, since: row?.since ?? tx.now });
  if (!row) scheduleEmail(tx, user_id, pause_ms);
}

function scheduleEmail(tx: Writer, user_id: number, pause_ms = 0): void {
  const user = tx.users.get(user_id)!;
  const delay = Number(userSetting(user, "email_notifications_batching_period_seconds"));
  tx.enqueue(SEND_MISSED, (tx.now + delay) * 1000 + pause_ms, { user_id });
}

/** Sends the messages that are still unread, one email per conversation. */
export async function sendMissedMessages(
  realm: Realm,
  { at: time, job_id, payload }: DueJob,
): Promise<void> {
  const { user_id } = payload as { user_id: number };
  await realm.write((tx) => {
    // In the same transaction as the emails, so that a crash sends none twice.
    tx.due.delete(time, job_id);
    const row = tx.missed_mail.get(user_id);
    if (!row) return;
    const unseen = stillTriggering(tx, user_id, row.message_ids, "email");
    if (unseen.length > 0 && isActive(realm, user_id) && tx.now - row.since < DELAY_SECONDS_MAX) {
      return scheduleEmail(tx, user_id);
    }
    tx.missed_mail.delete(user_id);
    if (isActive(realm, user_id)) return;
    for (const messages of Map.groupBy(unseen, conversationOf).values()) {
      const message_ids = messages.map((message) => message.id);
      mail(tx, { about: "missed messages", user_id, message_ids });
    }
  });
}
