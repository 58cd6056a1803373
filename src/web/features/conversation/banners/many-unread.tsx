// The banner above very many unread messages: a button to the end, and one to mark them as read.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { NarrowTerm } from "../../../../text/narrow-fragment.ts";
import { keyOfConversation } from "../../../conversation-keys.ts";
import { subscribe, getState } from "../../../store/store.ts";
import type { State } from "../../../store/state.ts";
import { conversationOf } from "../../../views.ts";
import { t } from "../../../words/words.ts";
import { markConversationsAsRead } from "../../unread/actions.ts";
import type { UnreadConversation } from "../../unread/by-conversation-state.ts";
import { scrollToEdge } from "../move-actions.ts";

/** Number of unread messages from which the buttons are offered. */
const MANY_UNREAD = 500;

export function ManyUnreadBanner({ terms }: { terms: readonly NarrowTerm[] }) {
  subscribe("unread:all");
  const isDone = useSignal(false);
  const conversations = unreadIn(terms, getState());
  const count = conversations.reduce((sum, { ids }) => sum + ids.length, 0);
  // Stays visible, even if messages are read meanwhile.
  const wasMany = useRef(count >= MANY_UNREAD);
  if (isDone.value || !wasMany.current || count === 0) return null;
  const toNewest = () => {
    isDone.value = true;
    void scrollToEdge("down");
  };
  return (
    <p class="conversation-hint" role="status">
      <span>{t("unread-many", { count })}</span>
      <button type="button" onClick={toNewest}>
        {t("jump-to-latest")}
      </button>
      <button type="button" onClick={() => markConversationsAsRead(conversations)}>
        {t("mark-all-read")}
      </button>
    </p>
  );
}

/**
 * The unread messages of a conversation, a channel or everything. Muted ones count only in their
 * own conversation.
 */
function unreadIn(terms: readonly NarrowTerm[], { unread, people }: State): UnreadConversation[] {
  const conversation = conversationOf(terms, people.me);
  const only = conversation && unread.conversations.get(keyOfConversation(conversation));
  if (conversation) return only ? [only] : [];
  const [term, ...others] = terms;
  const isChannel = term?.operator === "channel" && !term.negated;
  if (others.length > 0 || (term && !isChannel)) return [];
  const all = [...unread.conversations.values()].filter(({ isMuted }) => !isMuted);
  return term ? all.filter(({ stream_id }) => stream_id === Number(term.operand)) : all;
}
