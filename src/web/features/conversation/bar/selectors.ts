// The contents of the bar above the messages of a conversation.
import type { BarWords } from "../../../feed/paint.ts";
import { addressOf } from "../../../store/address.ts";
import { getState } from "../../../store/store.ts";
import { channelView, directView, type ConversationRef, topicView } from "../../../views.ts";
import { t } from "../../../words/words.ts";
import { channelHome } from "../../channels/home-selectors.ts";
import { isResolved, unresolved } from "../../topics/rules.ts";
import { conversationName, topicName } from "../selectors.ts";

export function barOf(conversation: ConversationRef): BarWords {
  const { people, channels } = getState();
  if ("user_ids" in conversation) {
    return {
      icon: "chat",
      color: undefined,
      channel: undefined,
      title: conversationName(conversation.user_ids),
      address: addressOf(directView(conversation.user_ids, people.me)),
    };
  }
  const { stream_id, topic } = conversation;
  const row = channels.channels.get(stream_id)?.row;
  const address = addressOf(topicView(stream_id, topic));
  return {
    icon: row?.is_web_public ? "globe" : row?.invite_only ? "lock" : "hash",
    color: row?.color,
    channel: {
      name: row?.name ?? t("unknown-channel"),
      // Computed lazily, because lists do not need it and it iterates over all topics.
      get address() {
        const home = addressOf(channelHome(stream_id));
        // A link to the current address would do nothing.
        return home === address ? addressOf(channelView(stream_id)) : home;
      },
    },
    title: topicName(unresolved(topic)),
    isResolved: isResolved(topic),
    address,
  };
}
