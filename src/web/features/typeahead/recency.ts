// Recent senders: in the topic, in the channel, and to the current user.
import type { State } from "../../store/state.ts";
import type { ConversationRef } from "../../views.ts";
import { foldTopic, keyOfConversation } from "../../conversation-keys.ts";

/** The newest message by user. Higher is more recent. */
export interface Recency {
  topic: Map<number, { id: number; timestamp: number }>;
  channel: Map<number, number>;
  direct: Map<number, number>;
}

let cached: { state: State; key: string; recency: Recency } | undefined;

/** Cached until a message arrives, moves or is deleted, or a conversation is loaded. */
export function recencyIn(state: State, conversation: ConversationRef | undefined): Recency {
  const { newest, byId, moves } = state.messages;
  const { size } = state.conversations.conversations;
  const place = conversation && keyOfConversation(conversation);
  const key = `${place} ${newest} ${byId.size} ${moves} ${size}`;
  if (cached?.state !== state || cached.key !== key) {
    cached = { state, key, recency: countRecency(state, conversation) };
  }
  return cached.recency;
}

function countRecency(state: State, conversation: ConversationRef | undefined): Recency {
  const recency: Recency = { topic: new Map(), channel: new Map(), direct: new Map() };
  const stream_id =
    conversation && "stream_id" in conversation ? conversation.stream_id : undefined;
  const topic = conversation && "topic" in conversation ? foldTopic(conversation.topic) : undefined;
  if (stream_id !== undefined) {
    for (const message of state.messages.byId.values()) {
      if (message.stream_id !== stream_id) continue;
      const { id, sender_id, timestamp } = message;
      if (id > (recency.channel.get(sender_id) ?? 0)) recency.channel.set(sender_id, id);
      if (foldTopic(message.subject) !== topic) continue;
      if (id > (recency.topic.get(sender_id)?.id ?? 0))
        recency.topic.set(sender_id, { id, timestamp });
    }
  }
  for (const { user_ids, max_message_id } of state.conversations.conversations.values()) {
    for (const id of user_ids) {
      if (max_message_id > (recency.direct.get(id) ?? 0)) recency.direct.set(id, max_message_id);
    }
  }
  return recency;
}
