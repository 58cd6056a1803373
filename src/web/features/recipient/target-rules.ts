// The target of a message: a conversation, its key in stores, and its form in requests.
import type { ConversationRef } from "../../views.ts";
import { conversationKey } from "../../conversation-keys.ts";
import { topicKey } from "../../conversation-keys.ts";

/** The destination of a message. */
export type Target =
  | { readonly type: "channel"; readonly stream_id: number; readonly topic: string }
  | { readonly type: "direct"; readonly user_ids: readonly number[] };

/** The target in the form that the mutation queue uses. */
export function targetOf(place: ConversationRef): Target {
  if ("user_ids" in place) return { type: "direct", user_ids: place.user_ids };
  return { type: "channel", stream_id: place.stream_id, topic: place.topic };
}

export function placeOfTarget(target: Target): ConversationRef {
  if (target.type === "direct") return { user_ids: [...target.user_ids] };
  return { stream_id: target.stream_id, topic: target.topic };
}

/** Equal for all spellings of the same conversation. */
export function placeKey(place: ConversationRef): string {
  return "user_ids" in place
    ? conversationKey(place.user_ids)
    : topicKey(place.stream_id, place.topic);
}

/**
 * The form in `POST /drafts` and `/scheduled_messages`; notes to self contain the user's own id.
 */
export function wirePlace(place: ConversationRef, me: number): { to: number[]; topic: string } {
  if (!("user_ids" in place)) return { to: [place.stream_id], topic: place.topic };
  return { to: place.user_ids.length === 0 ? [me] : place.user_ids, topic: "" };
}
