// The conversation that a scheduled message will be sent to.
import { peopleOf } from "../../conversation-keys.ts";
import type { ConversationRef } from "../../views.ts";
import type { ScheduledMessage } from "../personal/state.ts";

export function conversationOfScheduled(message: ScheduledMessage, me: number): ConversationRef {
  return message.type === "stream"
    ? { stream_id: message.to, topic: message.topic }
    : { user_ids: peopleOf(message.to, me) };
}
