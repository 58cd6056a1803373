// The target of a message: a conversation, its key in stores, and its form in requests.
import type { ConversationRef } from "../../views.ts";

/** The destination of a message. */
export type Target =
  | { readonly type: "channel"; readonly stream_id: number; readonly topic: string }
  | { readonly type: "direct"; readonly user_ids: readonly number[] };

/** The target in the form that the mutation queue uses. */
export function targetOf(conversation: ConversationRef): Target {
  if ("user_ids" in conversation) return { type: "direct", user_ids: conversation.user_ids };
  return { type: "channel", stream_id: conversation.stream_id, topic: conversation.topic };
}

export function conversationOfTarget(target: Target): ConversationRef {
  if (target.type === "direct") return { user_ids: [...target.user_ids] };
  return { stream_id: target.stream_id, topic: target.topic };
}

/**
 * The form in `POST /drafts` and `/scheduled_messages`; notes to self contain the user's own id.
 */
export function wireConversation(
  conversation: ConversationRef,
  me: number,
): { to: number[]; topic: string } {
  if (!("user_ids" in conversation))
    return { to: [conversation.stream_id], topic: conversation.topic };
  return { to: conversation.user_ids.length === 0 ? [me] : conversation.user_ids, topic: "" };
}
