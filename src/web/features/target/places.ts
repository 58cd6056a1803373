// The target of a message: a conversation, its key in stores, and its form in requests.
import type { Target } from "../../sync/outbox.ts";
import type { Place } from "../../views.ts";
import { conversationKey } from "../conversations/state.ts";
import { topicKey } from "../topics/state.ts";

/** The conversation that is written to, as the outbox names it. */
export function targetOf(place: Place): Target {
  if ("user_ids" in place) return { type: "direct", user_ids: place.user_ids };
  return { type: "channel", stream_id: place.stream_id, topic: place.topic };
}

export function placeOfTarget(target: Target): Place {
  if (target.type === "direct") return { user_ids: [...target.user_ids] };
  return { stream_id: target.stream_id, topic: target.topic };
}

/** The same for every spelling of the same conversation. */
export function placeKey(place: Place): string {
  return "user_ids" in place
    ? conversationKey(place.user_ids)
    : topicKey(place.stream_id, place.topic);
}

/** How `POST /drafts` and `/scheduled_messages` name it; notes to oneself name oneself. */
export function wirePlace(place: Place, me: number): { to: number[]; topic: string } {
  if (!("user_ids" in place)) return { to: [place.stream_id], topic: place.topic };
  return { to: place.user_ids.length === 0 ? [me] : place.user_ids, topic: "" };
}
