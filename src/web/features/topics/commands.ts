// Keyboard commands for the open topic.
import { keyOfConversation } from "../../conversation-keys.ts";
import { addressOf, view } from "../../store/address.ts";
import { registerCommands } from "../../ui/keys/commands.ts";
import { conversationOfMessage } from "../../feed/items.ts";
import { maybeState, getState } from "../../store/store.ts";
import { type ConversationRef, conversationOf } from "../../views.ts";
import { selectedMessage, selectedRow } from "../conversation/selection-state.ts";
import { permalinkView } from "../lists/selectors.ts";
import { markConversationsAsRead } from "../unread/actions.ts";
import { toggleFollowed, toggleMuted, toggleResolved } from "./actions.ts";
import { isOpen, canResolve } from "./permissions.ts";
import { copyLink } from "../lists/open-view.ts";

const currentConversation = () => {
  const currentView = view.value;
  const state = maybeState();
  return currentView.kind === "messages" && state
    ? conversationOf(currentView.terms, state.people.me)
    : undefined;
};

/** The open topic, or that of the focused message. */
const currentTopic = () => {
  const conversation = currentConversation() ?? currentTopicRef();
  return conversation && "stream_id" in conversation ? conversation : undefined;
};

function currentTopicRef(): ConversationRef | undefined {
  const message = selectedRow()?.contains(document.activeElement) ? selectedMessage() : undefined;
  return message && conversationOfMessage(message, getState().people.me);
}

const onTopic = (action: (stream_id: number, topic: string) => void) => (): boolean => {
  const topic = currentTopic();
  if (topic) action(topic.stream_id, topic.topic);
  return topic !== undefined;
};

const isOpenTopic = () => {
  const topic = currentTopic();
  return topic !== undefined && isOpen(topic.stream_id);
};

registerCommands(
  {
    id: "mute-topic",
    textKey: "mute-this-topic",
    keys: ["M"],
    when: isOpenTopic,
    run: onTopic(toggleMuted),
  },
  {
    id: "follow-topic",
    textKey: "follow-this-topic",
    keys: ["f"],
    when: isOpenTopic,
    run: onTopic(toggleFollowed),
  },
  {
    id: "resolve-topic",
    textKey: "resolve-this-topic",
    keys: ["T"],
    when: () => maybeState() !== undefined && canResolve(currentTopic()?.stream_id ?? 0),
    run: onTopic((stream_id, topic) => void toggleResolved(stream_id, topic)),
  },
  {
    // The command of a message has the same key, and takes precedence in a feed.
    id: "copy-place-link",
    textKey: "copy-topic-link",
    keys: ["Y"],
    when: () => currentConversation() !== undefined,
    run: () => {
      const conversation = currentConversation();
      if (conversation) copyLink(addressOf(permalinkView(conversation)));
    },
  },
  {
    id: "read-place",
    textKey: "mark-topic-read",
    when: () => currentConversation() !== undefined,
    run: () => {
      const conversation = currentConversation();
      const unread =
        conversation && getState().unread.conversations.get(keyOfConversation(conversation));
      markConversationsAsRead(unread ? [unread] : []);
    },
  },
);
