// Conversations by their key and by their view.
import { now } from "../../store/store.ts";
import { directView, type ConversationRef, topicView, type View } from "../../views.ts";
import { conversationKey } from "../../conversation-keys.ts";
import { foldTopic, topicKey } from "../../conversation-keys.ts";

/** The key that unread conversations and topics use too. */
export const keyOfPlace = (place: ConversationRef): string =>
  "user_ids" in place ? conversationKey(place.user_ids) : topicKey(place.stream_id, place.topic);

export function viewOfPlace(place: ConversationRef): View {
  if ("user_ids" in place) return directView(place.user_ids, now().people.me);
  return topicView(place.stream_id, place.topic);
}

/** The link stays valid if the topic is moved or renamed. */
export function permalinkView(place: ConversationRef): View {
  const view = viewOfPlace(place);
  if ("user_ids" in place) return view;
  const { stream_id, topic } = place;
  const newest = now().topics.known.get(stream_id)?.get(foldTopic(topic))?.max_id ?? 0;
  return newest > 0 ? topicView(stream_id, topic, { operator: "with", id: newest }) : view;
}
