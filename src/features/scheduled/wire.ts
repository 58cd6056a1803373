// What a person's clients see of the messages that the person has scheduled.
import type { PlainEvent } from "../../events.ts";
import type { Reader } from "../../realm.ts";
import type { ScheduledMessage } from "../../records-messages.ts";
import type { User } from "../../records.ts";

export function scheduledObject(scheduled: ScheduledMessage): Record<string, unknown> {
  const { type, to, topic } = scheduled;
  return {
    scheduled_message_id: scheduled.scheduled_message_id,
    type,
    ...(type === "stream" ? { to: to[0], topic } : { to }),
    content: scheduled.content,
    rendered_content: scheduled.rendered_content,
    scheduled_delivery_timestamp: scheduled.scheduled_delivery_timestamp,
    failed: scheduled.failed,
  };
}

/** The one that is due first comes first. */
export function scheduledSnapshot(reader: Reader, { user_id }: User) {
  const own = [...reader.scheduled_messages.range({ from: [user_id], to: [user_id + 1] })];
  own.sort((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp);
  return { scheduled_messages: own.map(scheduledObject) };
}

export const scheduledAdded = (scheduled: ScheduledMessage): PlainEvent => ({
  type: "scheduled_messages",
  op: "add",
  scheduled_messages: [scheduledObject(scheduled)],
});

export const scheduledUpdated = (scheduled: ScheduledMessage): PlainEvent => ({
  type: "scheduled_messages",
  op: "update",
  scheduled_message: scheduledObject(scheduled),
});

export const scheduledRemoved = (scheduled_message_id: number): PlainEvent => ({
  type: "scheduled_messages",
  op: "remove",
  scheduled_message_id,
});
