// Events about submessages.
import type { PlainEvent } from "../../contract/events.ts";
import type { Submessage } from "../../schema/records-messages.ts";

export function submessageAdded(submessage: Submessage): PlainEvent {
  const { id, message_id, sender_id, msg_type, content } = submessage;
  return { type: "submessage", msg_type, content, message_id, sender_id, submessage_id: id };
}
