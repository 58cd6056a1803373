// Events about a user's flags, which are sent to that user only.
import type { PlainEvent } from "../../../contract/events.ts";

export interface MessageDetail {
  type: "stream" | "private";
  mentioned?: true;
  user_ids?: number[];
  stream_id?: number;
  topic?: string;
  unmuted_stream_msg?: boolean;
}

export function flagsUpdated(
  op: "add" | "remove",
  flag: string,
  messages: readonly number[],
  message_details?: Record<number, MessageDetail>,
): PlainEvent {
  const event = { type: "update_message_flags", op, operation: op, flag, messages, all: false };
  return (message_details ? { ...event, message_details } : event) as PlainEvent;
}

export function everythingRead(): PlainEvent {
  const [op, flag, messages] = ["add", "read", [] as number[]];
  return { type: "update_message_flags", op, operation: op, flag, messages, all: true };
}
