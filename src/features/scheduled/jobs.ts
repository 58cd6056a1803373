// Sends scheduled messages that are due, or informs the author of a failure.
import { Refusal, accountDeactivated } from "../../contract/errors/general.ts";
import { deliveryTooLate } from "../../contract/errors/messages.ts";
import { realmDeactivated } from "../../contract/errors/realm.ts";
import type { Reader, Realm, Writer } from "../../realm.ts";
import type { ScheduledMessage } from "../../schema/records-messages.ts";
import type { DueJob } from "../../schema/records.ts";
import { type ComposedMessage, compose } from "../messages/content/compose.ts";
import { sendNoticeToPeople } from "../messages/send/notices.ts";
import { rememberToken, sendMessage } from "../messages/send/send.ts";
import { isDeactivated } from "../realm/access.ts";
import { toOwner, tokenOf } from "./actions.ts";
import { recipientOf } from "./recipients.ts";
import { DELIVERY_LATE_SECONDS_MAX } from "./rules.ts";
import { scheduledRemoved, scheduledUpdated } from "./wire.ts";

/** Sends the message and deletes the schedule in one transaction, so that it is sent once. */
export async function sendScheduled(realm: Realm, job: DueJob): Promise<void> {
  const scheduled = scheduledOf(realm.read, job);
  if (!scheduled) return;
  const author = realm.read.users.get(scheduled.user_id)!;
  const composed = compose(realm.read, author, scheduled.content);
  try {
    await realm.write((tx) => deliver(tx, job, composed));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await realm.write((tx) => markFailed(tx, job, error.message));
  }
}

/** undefined if it was sent, failed or deleted, or if another job will send it. */
function scheduledOf(reader: Reader, { job_id, payload }: DueJob): ScheduledMessage | undefined {
  const { user_id, scheduled_message_id } = payload as ScheduledMessage;
  const scheduled = reader.scheduled_messages.get(user_id, scheduled_message_id);
  return scheduled?.job_id === job_id && !scheduled.failed ? scheduled : undefined;
}

function deliver(tx: Writer, job: DueJob, composed: ComposedMessage): void {
  const scheduled = scheduledOf(tx, job);
  if (!scheduled) return;
  const { user_id, scheduled_message_id, client, read_by_sender } = scheduled;
  const author = tx.users.get(user_id)!;
  if (!author.is_active) throw accountDeactivated();
  if (isDeactivated(tx)) throw realmDeactivated();
  const late_seconds = tx.now - scheduled.scheduled_delivery_timestamp;
  if (late_seconds > DELIVERY_LATE_SECONDS_MAX) throw deliveryTooLate();
  const recipient = recipientOf(tx, author, scheduled);
  const { id } = sendMessage(tx, author, recipient, composed, { client, read_by_sender });

  rememberToken(tx, author, tokenOf(scheduled_message_id), id);
  tx.scheduled_messages.delete(user_id, scheduled_message_id);
  tx.emit(scheduledRemoved(scheduled_message_id), toOwner(author));
}

/** Marks it as failed. It is kept until its author changes or deletes it. */
function markFailed(tx: Writer, job: DueJob, reason: string): void {
  const scheduled = scheduledOf(tx, job);
  if (!scheduled) return;

  const failed = { ...scheduled, failed: true };
  tx.scheduled_messages.put(failed);
  tx.emit(scheduledUpdated(tx, failed), toOwner(scheduled));
  if (isDeactivated(tx)) return;
  sendNoticeToPeople(tx, [scheduled.user_id], wordsOf(tx, scheduled, reason));
}

function wordsOf(reader: Reader, scheduled: ScheduledMessage, reason: string): string {
  const time = new Date(scheduled.scheduled_delivery_timestamp * 1000).toISOString();
  const view = `[your scheduled messages](${reader.config.url}/#scheduled)`;
  return (
    `Your message for <time:${time}> was not sent, for this reason:\n\n> ${reason}\n\n` +
    `To change, reschedule or delete it, open ${view}.`
  );
}
