// What people have missed waits for each one's own delay, and goes out as letters.
import { DAY_SECONDS } from "../../contract/units.ts";
import type { Realm, Writer } from "../../realm.ts";
import type { DueJob } from "../../schema/records.ts";
import { mail } from "../mail/actions.ts";
import { userSetting } from "../settings/rules.ts";
import { isActive } from "./activity.ts";
import { conversationOf } from "./places.ts";
import { stillTriggering } from "./trigger.ts";

export const SEND_MISSED = "send missed messages";
export const SENDS_AT_ONCE = 10;
/** Of one person, waiting at the same time; the newest wait. */
const WAITING_MAX = 200;
/** So long somebody who is always active is waited for. */
const PATIENCE_SECONDS = DAY_SECONDS;

export function addMissed(tx: Writer, user_id: number, ids: readonly number[], pause_ms = 0): void {
  const row = tx.missed_mail.get(user_id);
  const message_ids = [...new Set([...(row?.message_ids ?? []), ...ids])].slice(-WAITING_MAX);
  tx.missed_mail.put({ user_id, message_ids, since: row?.since ?? tx.now });
  if (!row) sendLater(tx, user_id, pause_ms);
}

function sendLater(tx: Writer, user_id: number, pause_ms = 0): void {
  const user = tx.users.get(user_id)!;
  const delay = Number(userSetting(user, "email_notifications_batching_period_seconds"));
  tx.enqueue(SEND_MISSED, (tx.now + delay) * 1000 + pause_ms, { user_id });
}

/** What the person still has not seen goes out, a letter a conversation. */
export async function sendMissed(realm: Realm, { at, job_id, payload }: DueJob): Promise<void> {
  const { user_id } = payload as { user_id: number };
  await realm.write((tx) => {
    // With the letters, so that a crash sends none twice.
    tx.due.delete(at, job_id);
    const row = tx.missed_mail.get(user_id);
    if (!row) return;
    const unseen = stillTriggering(tx, user_id, row.message_ids, "email");
    if (unseen.length > 0 && isActive(realm, user_id) && tx.now - row.since < PATIENCE_SECONDS) {
      return sendLater(tx, user_id);
    }
    tx.missed_mail.delete(user_id);
    if (isActive(realm, user_id)) return;
    for (const messages of Map.groupBy(unseen, conversationOf).values()) {
      const message_ids = messages.map((message) => message.id);
      mail(tx, { about: "missed messages", user_id, message_ids });
    }
  });
}
