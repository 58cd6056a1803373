// What a person's clients see of the reminders that the person asked for.
import type { PlainEvent } from "../../events.ts";
import type { Reader } from "../../realm.ts";
import type { Reminder } from "../../records-messages.ts";
import type { User } from "../../records.ts";

export function reminderObject(reminder: Reminder): Record<string, unknown> {
  return {
    reminder_id: reminder.reminder_id,
    type: "private",
    to: [reminder.user_id],
    content: reminder.content,
    rendered_content: reminder.rendered_content,
    scheduled_delivery_timestamp: reminder.scheduled_delivery_timestamp,
    failed: reminder.failed,
    reminder_target_message_id: reminder.reminder_target_message_id,
  };
}

/** The one that is due first comes first. */
export function remindersSnapshot(reader: Reader, { user_id }: User) {
  const own = [...reader.reminders.range({ from: [user_id], to: [user_id + 1] })];
  own.sort((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp);
  return { reminders: own.map(reminderObject) };
}

export const reminderAdded = (reminder: Reminder): PlainEvent => ({
  type: "reminders",
  op: "add",
  reminders: [reminderObject(reminder)],
});

export const reminderRemoved = (reminder_id: number): PlainEvent => ({
  type: "reminders",
  op: "remove",
  reminder_id,
});
