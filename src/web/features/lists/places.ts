// Conversations by their key and by their view.
import { known } from "../../live.ts";
import { directView, type Place, topicView, type View } from "../../views.ts";
import { conversationKey } from "../conversations/state.ts";
import { topicKey } from "../topics/state.ts";

/** As unread places and topics have it. */
export const keyOfPlace = (place: Place): string =>
  "user_ids" in place ? conversationKey(place.user_ids) : topicKey(place.stream_id, place.topic);

export function viewOfPlace(place: Place): View {
  if ("user_ids" in place) return directView(place.user_ids, known()!.people.me);
  return topicView(place.stream_id, place.topic);
}
