// Reminders: users ask to be reminded of a message at a later time.
import Type from "typebox";
import {
  deliveryTimePast,
  messageUnrenderable,
  reminderNotFound,
  reminderNoteTooLong,
} from "../../contract/errors/messages.ts";
import { reminderShape } from "../../contract/shapes/personal.ts";
import { list, nothing } from "../../contract/shapes/value-types.ts";
import { endpoint, int, optional, textOf } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Seconds, User } from "../../schema/records.ts";
import { accessMessage } from "../messages/access.ts";
import { type ComposedMessage, compose } from "../messages/content/compose.ts";
import { checkListLength } from "../messages/list-limits.ts";
import { REMINDER_NOTE_LENGTH_MAX, REMINDERS_MAX } from "./rules.ts";
import { reminderAdded, reminderRemoved, remindersOf, remindersSnapshot } from "./wire.ts";
import { wordsOf } from "./text.ts";

export const REMIND = "remind";

/** `composed`: the current content of the reminder. */
function createReminder(
  tx: Writer,
  user: User,
  reminder_target_message_id: number,
  note: string,
  { content, rendered }: ComposedMessage,
  scheduled_delivery_timestamp: Seconds,
): number {
  checkFuture(tx, scheduled_delivery_timestamp);
  accessMessage(tx, user, reminder_target_message_id);
  if (!rendered) throw messageUnrenderable();
  const message = { content, rendered_content: rendered.html };
  const texts = [...remindersOf(tx, user), message].map((item) => [
    item.content,
    item.rendered_content,
  ]);
  checkListLength("reminders", REMINDERS_MAX, texts);

  const { user_id } = user;
  const reminder_id = tx.next("reminders");
  const job_at = Math.min(scheduled_delivery_timestamp * 1000, Number.MAX_SAFE_INTEGER);
  const job_id = tx.enqueue(REMIND, job_at, { user_id, reminder_id });
  const fields = { user_id, reminder_id, reminder_target_message_id, note, failed: false };
  const reminder = { ...fields, ...message, scheduled_delivery_timestamp, job_at, job_id };
  tx.reminders.put(reminder);
  tx.emit(reminderAdded(tx, reminder), toOwner(user));
  return reminder_id;
}

function deleteReminder(tx: Writer, user: User, reminder_id: number): void {
  const reminder = tx.reminders.get(user.user_id, reminder_id);
  if (!reminder) throw reminderNotFound();

  tx.due.delete(reminder.job_at, reminder.job_id);
  tx.reminders.delete(user.user_id, reminder_id);
  tx.emit(reminderRemoved(reminder_id), toOwner(user));
}

export const toOwner = ({ user_id }: User) => ({ to: "people", user_ids: [user_id] }) as const;

export const getReminders = endpoint({
  summary: "List your reminders",
  tag: "Scheduled messages",
  params: {},
  answer: Type.Object({ reminders: list(reminderShape) }),
  run: ({ realm, user }) => remindersSnapshot(realm.read, user),
});

export const postReminder = endpoint({
  summary: "Create a reminder of a message",
  tag: "Scheduled messages",
  params: {
    message_id: int,
    scheduled_delivery_timestamp: int,
    note: optional(textOf({ trimmed: true })),
  },
  answer: Type.Object({ reminder_id: Type.Integer() }),
  async run({ realm, user }, { message_id, scheduled_delivery_timestamp: timestamp, note = "" }) {
    if ([...note].length > REMINDER_NOTE_LENGTH_MAX) {
      throw reminderNoteTooLong(REMINDER_NOTE_LENGTH_MAX);
    }
    checkFuture(realm.read, timestamp);
    const message = accessMessage(realm.read, user, message_id);
    const composed = compose(realm.read, user, wordsOf(realm.read, user, message, note));
    const reminder_id = await realm.write((tx) =>
      createReminder(tx, user, message_id, note, composed, timestamp),
    );
    return { reminder_id };
  },
});

export const removeReminder = endpoint({
  summary: "Delete a reminder",
  tag: "Scheduled messages",
  params: { reminder_id: int },
  answer: nothing,
  async run({ realm, user }, { reminder_id }) {
    await realm.write((tx) => deleteReminder(tx, user, reminder_id));
    return {};
  },
});

function checkFuture(reader: Reader, scheduled_delivery_timestamp: Seconds): void {
  if (scheduled_delivery_timestamp <= reader.now) throw deliveryTimePast();
}
