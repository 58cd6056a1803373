// Conversations by their key and by their view.
import { getState } from "../../store/store.ts";
import { directView, type ConversationRef, topicView, type View } from "../../views.ts";
import { foldTopic } from "../../conversation-keys.ts";

export function viewOfConversation(conversation: ConversationRef): View {
  if ("user_ids" in conversation) return directView(conversation.user_ids, getState().people.me);
  return topicView(conversation.stream_id, conversation.topic);
}

/** The link stays valid if the topic is moved or renamed. */
export function permalinkView(conversation: ConversationRef): View {
  const view = viewOfConversation(conversation);
  if ("user_ids" in conversation) return view;
  const { stream_id, topic } = conversation;
  const newest = getState().topics.byChannel.get(stream_id)?.get(foldTopic(topic))?.max_id ?? 0;
  return newest > 0 ? topicView(stream_id, topic, { operator: "with", id: newest }) : view;
}
