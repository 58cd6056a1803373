// Keys that identify conversations: topics and groups of users.
import { writtenName } from "../text/input/normalize-name.ts";
import type { ConversationRef } from "./views.ts";

/** Names that differ only in case or invisible characters are one topic, as on the server. */
export const foldTopic = (name: string): string => writtenName(name).toLowerCase();

export const topicKey = (stream_id: number, topic: string): string =>
  `${stream_id}/${foldTopic(topic)}`;

/** The users of a conversation except the current one, ascending. */
export function peopleOf(user_ids: readonly number[], me: number): number[] {
  return [...new Set(user_ids)].filter((id) => id !== me).sort((a, b) => a - b);
}

/** No topic has this key. */
export const conversationKey = (user_ids: readonly number[]): string => `dm/${user_ids.join(",")}`;

/** Equal for all spellings of the same conversation. */
export const keyOfConversation = (conversation: ConversationRef): string =>
  "user_ids" in conversation
    ? conversationKey(conversation.user_ids)
    : topicKey(conversation.stream_id, conversation.topic);
