// A user's scheduled messages for the user's clients.
import type { Static } from "typebox";
import type { PlainEvent } from "../../contract/events.ts";
import type { scheduledShape } from "../../contract/shapes/personal.ts";
import type { Reader } from "../../realm.ts";
import type { ScheduledMessage } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { shownHtml } from "../messages/foreign-media-wire.ts";

function scheduledObject(
  reader: Reader,
  scheduled: ScheduledMessage,
): Static<typeof scheduledShape> {
  const { type, to, topic } = scheduled;
  return {
    scheduled_message_id: scheduled.scheduled_message_id,
    ...(type === "stream" ? { type, to: to[0]!, topic } : { type, to }),
    content: scheduled.content,
    rendered_content: shownHtml(reader, scheduled.rendered_content),
    scheduled_delivery_timestamp: scheduled.scheduled_delivery_timestamp,
    failed: scheduled.failed,
  };
}

export const scheduledOf = (reader: Reader, { user_id }: User): ScheduledMessage[] => [
  ...reader.scheduled_messages.range({ from: [user_id], to: [user_id + 1] }),
];

/** Earliest due date first. */
export function scheduledSnapshot(reader: Reader, user: User) {
  const own = scheduledOf(reader, user);
  own.sort((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp);
  return {
    scheduled_messages: own.map((scheduledMessage) => scheduledObject(reader, scheduledMessage)),
  };
}

export const scheduledAdded = (reader: Reader, scheduled: ScheduledMessage): PlainEvent => ({
  type: "scheduled_messages",
  op: "add",
  scheduled_messages: [scheduledObject(reader, scheduled)],
});

export const scheduledUpdated = (reader: Reader, scheduled: ScheduledMessage): PlainEvent => ({
  type: "scheduled_messages",
  op: "update",
  scheduled_message: scheduledObject(reader, scheduled),
});

export const scheduledRemoved = (scheduled_message_id: number): PlainEvent => ({
  type: "scheduled_messages",
  op: "remove",
  scheduled_message_id,
});
