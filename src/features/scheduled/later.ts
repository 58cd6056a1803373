// Sends a scheduled message when its time has come, or tells its author why that could not be.
import { Refusal, accountDeactivated } from "../../contract/errors/general.ts";
import { deliveryTooLate } from "../../contract/errors/messages.ts";
import { realmDeactivated } from "../../contract/errors/realm.ts";
import type { Reader, Realm, Writer } from "../../realm.ts";
import type { ScheduledMessage } from "../../schema/records-messages.ts";
import type { DueJob } from "../../schema/records.ts";
import { type Composed, compose } from "../messages/content/compose.ts";
import { sendNoticeToPeople } from "../messages/send/notices.ts";
import { rememberToken, sendMessage } from "../messages/send/send.ts";
import { isClosed } from "../realm/access.ts";
import { ownOf, tokenOf } from "./actions.ts";
import { recipientOf } from "./place.ts";
import { DELIVERY_LATE_SECONDS_MAX } from "./rules.ts";
import { scheduledRemoved, scheduledUpdated } from "./wire.ts";

/** The send and the end of what was scheduled are one transaction, so that it happens once. */
export async function sendScheduled(realm: Realm, job: DueJob): Promise<void> {
  const scheduled = scheduledOf(realm.read, job);
  if (!scheduled) return;
  const author = realm.read.users.get(scheduled.user_id)!;
  const composed = compose(realm.read, author, scheduled.content);
  try {
    await realm.write((tx) => deliver(tx, job, composed));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await realm.write((tx) => giveBack(tx, job, error.message));
  }
}

/** undefined: it was sent, given back or taken back, or another job is to send it. */
function scheduledOf(reader: Reader, { job_id, payload }: DueJob): ScheduledMessage | undefined {
  const { user_id, scheduled_message_id } = payload as ScheduledMessage;
  const scheduled = reader.scheduled_messages.get(user_id, scheduled_message_id);
  return scheduled?.job_id === job_id && !scheduled.failed ? scheduled : undefined;
}

function deliver(tx: Writer, job: DueJob, composed: Composed): void {
  const scheduled = scheduledOf(tx, job);
  if (!scheduled) return;
  const { user_id, scheduled_message_id, client, read_by_sender } = scheduled;
  const author = tx.users.get(user_id)!;
  if (!author.is_active) throw accountDeactivated();
  if (isClosed(tx)) throw realmDeactivated();
  const late_seconds = tx.now - scheduled.scheduled_delivery_timestamp;
  if (late_seconds > DELIVERY_LATE_SECONDS_MAX) throw deliveryTooLate();
  const recipient = recipientOf(tx, author, scheduled);
  const { id } = sendMessage(tx, author, recipient, composed, { client, read_by_sender });

  rememberToken(tx, author, tokenOf(scheduled_message_id), id);
  tx.scheduled_messages.delete(user_id, scheduled_message_id);
  tx.emit(scheduledRemoved(scheduled_message_id), ownOf(author));
}

/** It stays until its author changes or deletes it. */
function giveBack(tx: Writer, job: DueJob, reason: string): void {
  const scheduled = scheduledOf(tx, job);
  if (!scheduled) return;

  const failed = { ...scheduled, failed: true };
  tx.scheduled_messages.put(failed);
  tx.emit(scheduledUpdated(tx, failed), ownOf(scheduled));
  if (isClosed(tx)) return;
  sendNoticeToPeople(tx, [scheduled.user_id], wordsOf(tx, scheduled, reason));
}

function wordsOf(reader: Reader, scheduled: ScheduledMessage, reason: string): string {
  const time = new Date(scheduled.scheduled_delivery_timestamp * 1000).toISOString();
  const view = `[your scheduled messages](${reader.config.url}/#scheduled)`;
  return (
    `Your message for <time:${time}> stays unsent, for this reason:\n\n> ${reason}\n\n` +
    `You find it in ${view}, to change, reschedule or delete it.`
  );
}
