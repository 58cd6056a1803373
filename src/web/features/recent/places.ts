// Conversations by their newest message, from the server's responses and later events.
import type { State } from "../../store/state.ts";
import type { ConversationRef } from "../../views.ts";
import { isSubscribed } from "../channels/state.ts";
import { policyOf, VISIBILITY } from "../topics/state.ts";
import { conversationKey, topicKey } from "../../conversation-keys.ts";

export interface RecentConversation {
  key: string;
  conversation: ConversationRef;
  max_id: number;
  /** The last senders, as far as known. The newest first. */
  participants: readonly number[];
}

/** Data that was requested and is not part of the event-driven state. */
export interface RecentKnown {
  /** The last senders of each conversation by topic key, the newest first. */
  participants: Map<string, number[]>;
  /**
   * The client knows all conversations whose newest message has at least this id. null: it knows
   * all conversations.
   */
  down_to: number | null;
  /** Messages left topics, so the newest messages and participants must be requested again. */
  isDoubted?: boolean;
}

const PARTICIPANTS_MAX = 5;

/** Newest first, without muted topics. */
export function conversationsIn(state: State, recentKnown: RecentKnown): RecentConversation[] {
  const { topics, channels, conversations, messages } = state;
  const down_to = recentKnown.down_to ?? 0;
  const results: RecentConversation[] = [];
  for (const [stream_id, list] of topics.byChannel) {
    if (!isSubscribed(channels, stream_id)) continue;
    for (const { name, max_id } of list.values()) {
      if (max_id < down_to || policyOf(topics, stream_id, name) === VISIBILITY.muted) continue;
      const key = topicKey(stream_id, name);
      const newest = messages.byId.get(max_id)?.sender_id;
      const others = (recentKnown.participants.get(key) ?? []).filter((id) => id !== newest);
      const participants = (newest === undefined ? others : [newest, ...others]).slice(
        0,
        PARTICIPANTS_MAX,
      );
      results.push({ key, conversation: { stream_id, topic: name }, max_id, participants });
    }
  }
  for (const { user_ids, max_message_id } of conversations.conversations.values()) {
    if (max_message_id < down_to) continue;
    const key = conversationKey(user_ids);
    const participants = user_ids.length > 1 ? user_ids : [];
    results.push({ key, conversation: { user_ids }, max_id: max_message_id, participants });
  }
  return results.sort((a, b) => b.max_id - a.max_id);
}
