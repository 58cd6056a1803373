// All conversations by their newest message; older ones load on request.
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { go } from "../../store/address.ts";
import { remembered } from "../../ui/history-entry.ts";
import { deviceChoice } from "../../device-storage.ts";
import { subscribe, getState } from "../../store/store.ts";
import { matchesWords } from "../../matching.ts";
import type { State } from "../../store/state.ts";
import { Button } from "../../ui/button.tsx";
import { List } from "../../ui/list/list.tsx";
import { BlankRows } from "../../ui/loading/blank.tsx";
import { t } from "../../words/words.ts";
import { conversationName, topicName } from "../conversation/selectors.ts";
import { Tip } from "../page/tip.tsx";
import { Filters } from "../lists/filters.tsx";
import { openInNewTab } from "../lists/open-view.ts";
import { viewOfConversation } from "../lists/selectors.ts";
import { ConversationListRow } from "../lists/row.tsx";
import { ListView, NewMessageButton } from "../lists/list-view.tsx";
import { useStableOrder } from "../lists/stable-order.ts";
import { toggleMuted } from "../topics/actions.ts";
import { markConversationsAsRead } from "../unread/actions.ts";
import { usePeriodically } from "../lists/refresh.ts";
import { isRecentLoaded, loadMore, loadRecent, recentKnown } from "./load.ts";
import { type RecentConversation, conversationsIn } from "./places.ts";

const FILTERS = ["all", "unread", "own", "direct"] as const;
type RecentFilter = (typeof FILTERS)[number];
const filter = deviceChoice<RecentFilter>("recent-filter", FILTERS);

export function Recent() {
  subscribe("recent", "dms", "channels");
  const state = getState();
  for (const id of state.channels.channels.keys()) subscribe(`topics:${id}`);
  if (filter.value === "unread") subscribe("unread:all");
  const text = useSignal("");
  const isFailed = useSignal(false);
  const selectedRow = useSignal(remembered.peek().row);
  const setFailed = (hasFailed: boolean) => () => void (isFailed.value = hasFailed);
  const load = (ask: () => Promise<void>) => void ask().then(setFailed(false), setFailed(true));
  usePeriodically(() => load(loadRecent));
  const conversations = conversationsIn(state, recentKnown).filter((item) =>
    isListed(state, item, text.value),
  );
  const items = useStableOrder(conversations, ({ key }) => key);
  const key = items.map((item) => `${item.key}:${item.max_id}:${item.participants}`).join("\n");
  const stableRows = useMemo(() => items, [key]);
  return (
    <ListView
      title={t("recent")}
      sub={t("recent-sub")}
      label={t("recent-label")}
      lead={<NewMessageButton />}
    >
      <div class="col" data-wide="">
        <Filters all={FILTERS} selected={filter} text={text} />
        <div class="recent-list" aria-busy={!isRecentLoaded()}>
          {!isRecentLoaded() && !isFailed.value && items.length === 0 && <BlankRows />}
          <List
            items={stableRows}
            selected={selectedRow}
            onOpen={({ conversation }, isInNewTab) =>
              isInNewTab
                ? openInNewTab(viewOfConversation(conversation))
                : go(viewOfConversation(conversation))
            }
            keys={KEYS}
            renderItem={(conversation, isSelected) => (
              <Row key={conversation.key} recent={conversation} isSelected={isSelected} />
            )}
          />
        </div>
        {items.length === 0 && isRecentLoaded() && (
          <p class="empty-note">
            {text.value === "" ? t("recent-none") : t("none-found", { words: text.value })}
          </p>
        )}
        <div class="list-foot">
          {isFailed.value && <p role="alert">{t("load-failed")}</p>}
          {recentKnown.down_to !== null && (isRecentLoaded() || isFailed.value) && (
            <Button onClick={() => load(loadMore)}>{t("load-more")}</Button>
          )}
        </div>
        {items.length > 0 && <Tip step="intro_recent_view_modal" textKey="tip-recent" />}
      </div>
    </ListView>
  );
}

function Row({ recent, isSelected }: { recent: RecentConversation; isSelected: boolean }) {
  const { key, conversation, max_id, participants } = recent;
  return (
    <ConversationListRow
      conversation={conversation}
      itemKey={key}
      isSelected={isSelected}
      max_id={max_id}
      participants={participants}
      lead="small"
      hasChannel
    />
  );
}

const KEYS: Readonly<Record<string, (item: RecentConversation) => boolean | void>> = {
  e: ({ key }) => {
    const unread = getState().unread.conversations.get(key);
    markConversationsAsRead(unread ? [unread] : []);
  },
  M: ({ conversation }) => {
    if ("user_ids" in conversation) return false;
    toggleMuted(conversation.stream_id, conversation.topic);
    return true;
  },
};

function isListed(
  state: State,
  { key, conversation, participants }: RecentConversation,
  text: string,
): boolean {
  const isDirect = "user_ids" in conversation;
  if (filter.value === "direct" && !isDirect) return false;
  if (filter.value === "unread" && !state.unread.conversations.has(key)) return false;
  if (filter.value === "own" && !isDirect && !participants.includes(state.people.me)) return false;
  return text.trim() === "" || matchesWords(text, nameOf(state, conversation));
}

function nameOf({ channels }: State, conversation: RecentConversation["conversation"]): string {
  if ("user_ids" in conversation) return conversationName(conversation.user_ids);
  const channel = channels.channels.get(conversation.stream_id)?.row.name ?? "";
  return `${topicName(conversation.topic)} ${channel}`;
}
