// A user's reminders for the user's clients.
import type { Static } from "typebox";
import type { PlainEvent } from "../../contract/events.ts";
import type { reminderShape } from "../../contract/shapes/personal.ts";
import type { Reader } from "../../realm.ts";
import type { Reminder } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { shownHtml } from "../messages/foreign-media-wire.ts";

type ReminderFields = Static<typeof reminderShape>;

function reminderObject(reader: Reader, reminder: Reminder): ReminderFields {
  return {
    reminder_id: reminder.reminder_id,
    type: "private",
    to: [reminder.user_id],
    content: reminder.content,
    rendered_content: shownHtml(reader, reminder.rendered_content),
    scheduled_delivery_timestamp: reminder.scheduled_delivery_timestamp,
    failed: reminder.failed,
    reminder_target_message_id: reminder.reminder_target_message_id,
  };
}

export const remindersOf = (reader: Reader, { user_id }: User): Reminder[] => [
  ...reader.reminders.range({ from: [user_id], to: [user_id + 1] }),
];

/** Earliest due date first. */
export function remindersSnapshot(reader: Reader, user: User) {
  const own = remindersOf(reader, user);
  own.sort((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp);
  return { reminders: own.map((reminder) => reminderObject(reader, reminder)) };
}

export const reminderAdded = (reader: Reader, reminder: Reminder): PlainEvent => ({
  type: "reminders",
  op: "add",
  reminders: [reminderObject(reader, reminder)],
});

export const reminderRemoved = (reminder_id: number): PlainEvent => ({
  type: "reminders",
  op: "remove",
  reminder_id,
});
