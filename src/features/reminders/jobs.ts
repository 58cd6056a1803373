// Delivers due reminders as direct messages of the notification bot.
import type { Reader, Realm, Writer } from "../../realm.ts";
import type { Reminder } from "../../schema/records-messages.ts";
import type { DueJob, User } from "../../schema/records.ts";
import { canReadMessage } from "../messages/access.ts";
import { type ComposedMessage, compose } from "../messages/content/compose.ts";
import { sendNoticeToPeople } from "../messages/send/notices.ts";
import { isDeactivated } from "../realm/access.ts";
import { toOwner } from "./actions.ts";
import { reminderRemoved } from "./wire.ts";
import { wordsOf } from "./text.ts";

/** Sends the message and deletes the reminder in one transaction, so that it is delivered once. */
export async function sendReminder(realm: Realm, job: DueJob): Promise<void> {
  const reminder = reminderOf(realm.read, job);
  if (!reminder) return;
  const user = realm.read.users.get(reminder.user_id)!;
  const composed = currentText(realm.read, user, reminder);
  await realm.write((tx) => deliver(tx, job, composed));
}

/** undefined if it was delivered or deleted. */
function reminderOf(reader: Reader, { payload }: DueJob): Reminder | undefined {
  const { user_id, reminder_id } = payload as Reminder;
  const reminder = reader.reminders.get(user_id, reminder_id);
  return reminder?.failed ? undefined : reminder;
}

/** Shows the current message, or its last readable version. */
function currentText(reader: Reader, user: User, reminder: Reminder): ComposedMessage {
  const message = reader.messages.get(reminder.reminder_target_message_id);
  if (message && canReadMessage(reader, user, message)) {
    const composed = compose(reader, user, wordsOf(reader, user, message, reminder.note));
    if (composed.rendered) return composed;
  }
  return compose(reader, user, reminder.content);
}

/** Deactivated users get no reminder, but find it when they return. */
function deliver(tx: Writer, job: DueJob, composed: ComposedMessage): void {
  const reminder = reminderOf(tx, job);
  if (!reminder) return;
  const { user_id, reminder_id } = reminder;
  const user = tx.users.get(user_id)!;
  if (!user.is_active || isDeactivated(tx)) return tx.reminders.put({ ...reminder, failed: true });

  sendNoticeToPeople(tx, [user_id], composed);
  tx.reminders.delete(user_id, reminder_id);
  tx.emit(reminderRemoved(reminder_id), toOwner(user));
}
