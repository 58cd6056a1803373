// Conversations by their key and by their view.
import { known } from "../../live.ts";
import { directView, type Place, topicView, type View } from "../../views.ts";
import { conversationKey } from "../conversations/state.ts";
import { foldTopic, topicKey } from "../topics/state.ts";

/** The same key as unread places and topics have. */
export const keyOfPlace = (place: Place): string =>
  "user_ids" in place ? conversationKey(place.user_ids) : topicKey(place.stream_id, place.topic);

export function viewOfPlace(place: Place): View {
  if ("user_ids" in place) return directView(place.user_ids, known()!.people.me);
  return topicView(place.stream_id, place.topic);
}

/** The link stays valid if the topic is moved or renamed. */
export function lastingView(place: Place): View {
  const view = viewOfPlace(place);
  if ("user_ids" in place) return view;
  const { stream_id, topic } = place;
  const newest = known()!.topics.known.get(stream_id)?.get(foldTopic(topic))?.max_id ?? 0;
  return newest > 0 ? topicView(stream_id, topic, { operator: "with", id: newest }) : view;
}
