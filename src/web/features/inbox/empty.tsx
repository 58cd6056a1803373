// The inbox without unread messages, which links to the last visited conversations.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { go } from "../../store/address.ts";
import { subscribe, getState } from "../../store/store.ts";
import { List } from "../../ui/list/list.tsx";
import { t } from "../../words/words.ts";
import { openInNewTab } from "../lists/open-view.ts";
import { viewOfConversation } from "../lists/selectors.ts";
import { ConversationListRow } from "../lists/row.tsx";
import { loadRecent } from "../recent/load.ts";
import { lastConversations } from "../recent/visited.ts";

const CONVERSATIONS_SHOWN = 3;
/** The drawing of a thread with a loop. */
const DRAWING = [
  "M1.5 12H44c12 0 10-9 20-9 8 0 10 7 4 12s-12 4-12-1",
  "c0-6 10-8 18-3 5 3 6 1 14 1h42.5",
].join("");

export function EmptyInbox() {
  subscribe("recent", "dms", "channels");
  const selectedRow = useSignal<string | undefined>(undefined);
  useEffect(() => void loadRecent(), []);
  const conversations = lastConversations(getState(), CONVERSATIONS_SHOWN);
  return (
    <div class="empty">
      <svg class="knotline" viewBox="0 0 132 24" aria-hidden="true">
        <path
          fill="none"
          stroke="currentColor"
          stroke-width="3"
          stroke-linecap="round"
          d={DRAWING}
        />
      </svg>
      <h2>{t("nothing-unread")}</h2>
      <p>{conversations.length > 0 ? t("inbox-empty") : t("inbox-empty-new")}</p>
      <List
        items={conversations}
        selected={selectedRow}
        label={t("recent")}
        onOpen={({ conversation }, isInNewTab) => {
          if (isInNewTab) openInNewTab(viewOfConversation(conversation));
          else go(viewOfConversation(conversation));
        }}
        renderItem={({ key, conversation, max_id }, isSelected) => (
          <ConversationListRow
            key={key}
            conversation={conversation}
            itemKey={key}
            isSelected={isSelected}
            max_id={max_id}
            lead="small"
            hasChannel
          />
        )}
      />
    </div>
  );
}
