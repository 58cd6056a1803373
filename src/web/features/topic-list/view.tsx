// All topics of a channel, newest first, with unread counts and policies.
import { type Signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { go } from "../../store/address.ts";
import { remembered } from "../../ui/history-entry.ts";
import { deviceChoice } from "../../device-storage.ts";
import { subscribe, getState } from "../../store/store.ts";
import { matchesWords } from "../../matching.ts";
import type { State } from "../../store/state.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Colored } from "../../ui/colored.tsx";
import { Icon } from "../../ui/icon.tsx";
import { List } from "../../ui/list/list.tsx";
import { topicView } from "../../views.ts";
import { t } from "../../words/words.ts";
import { joinChannel } from "../channels/actions.ts";
import { ChannelNotFound } from "../channels/not-found.tsx";
import { ChannelActions, PanelToggle } from "../conversation/bar/bar.tsx";
import { NewChannel } from "../conversation/empty.tsx";
import { barOf } from "../conversation/bar/selectors.ts";
import { topicName } from "../conversation/selectors.ts";
import { Filters } from "../lists/filters.tsx";
import { openInNewTab } from "../lists/open-view.ts";
import { ConversationListRow } from "../lists/row.tsx";
import { ListView } from "../lists/list-view.tsx";
import { useStableOrder } from "../lists/stable-order.ts";
import { newestTopics } from "../sidebar/selectors.ts";
import { BlankRows } from "../../ui/loading/blank.tsx";
import { markConversationsAsRead } from "../unread/actions.ts";
import { toggleMuted, toggleResolved, unreadOf } from "../topics/actions.ts";
import { usePeriodically } from "../lists/refresh.ts";
import { loadTopics } from "../topics/load-actions.ts";
import { isResolved } from "../topics/rules.ts";
import { policyOf, VISIBILITY } from "../topics/state.ts";
import { topicKey } from "../../conversation-keys.ts";
import { channelMenu } from "../menus/menus.ts";
import { channelSubtitle } from "../channels/selectors.ts";

const FILTERS = ["all", "open", "unread", "followed"] as const;
type TopicFilter = (typeof FILTERS)[number];
const filter = deviceChoice<TopicFilter>("topics-filter", FILTERS);

interface TopicRow {
  key: string;
  topic: string;
  max_id: number;
}

export function TopicList({ stream_id }: { stream_id: number }) {
  subscribe(`channel:${stream_id}`, `topics:${stream_id}`, `unread:channel/${stream_id}`);
  const state = getState();
  const text = useSignal("");
  const isFailed = useSignal(false);
  const selectedRow = useSignal(remembered.peek().row);
  const isWhole = state.topics.completeChannels.has(stream_id);
  const setFailed = (hasFailed: boolean) => () => void (isFailed.value = hasFailed);
  const channel = state.channels.channels.get(stream_id);
  // Requests nothing while hidden.
  const ask = () => channel && void loadTopics(stream_id).then(setFailed(false), setFailed(true));
  usePeriodically(ask, channel && stream_id);
  const rows = useStableOrder(rowsOf(state, stream_id, text.value), ({ key }) => key);
  const stableRows = useMemo(
    () => rows,
    [rows.map(({ key, max_id }) => `${key}:${max_id}`).join("\n")],
  );
  const bar = barOf({ stream_id, topic: "" });
  if (!channel)
    return <ListView title={t("channel")} label={t("topics")} children={<ChannelNotFound />} />;
  return (
    <ListView
      title={
        <>
          <Colored color={bar.color} class="ch">
            <Icon name={bar.icon} />
          </Colored>
          <bdi class="tp">{channel.row.name}</bdi>
        </>
      }
      sub={channelSubtitle(channel.row)}
      label={t("topics")}
      lead={<ChannelActions stream_id={stream_id} isList />}
      actions={
        <TopicListActions stream_id={stream_id} isIn={channel.membership === "subscribed"} />
      }
    >
      <div class="col">
        <Filters all={FILTERS} selected={filter} text={text} />
        <div class="recent-list" aria-busy={!isWhole && !isFailed.value}>
          {!isWhole && !isFailed.value && rows.length === 0 && <BlankRows />}
          <Topics stream_id={stream_id} rows={stableRows} selected={selectedRow} />
        </div>
        {isFailed.value && (
          <p class="empty-note" role="alert">
            {t("load-failed")}
          </p>
        )}
        {rows.length === 0 && isWhole && <EmptyTopicList text={text.value} stream_id={stream_id} />}
      </div>
    </ListView>
  );
}

interface TopicsProps {
  stream_id: number;
  rows: readonly TopicRow[];
  selected: Signal<string | undefined>;
}

function Topics({ stream_id, rows, selected }: TopicsProps) {
  return (
    <List
      items={rows}
      selected={selected}
      onOpen={({ topic }, isInNewTab) =>
        (isInNewTab ? openInNewTab : go)(topicView(stream_id, topic))
      }
      keys={keysOf(stream_id)}
      renderItem={({ key, topic, max_id }, isSelected) => (
        <ConversationListRow
          key={key}
          conversation={{ stream_id, topic }}
          itemKey={key}
          isSelected={isSelected}
          max_id={max_id}
          seen_ids={[max_id]}
          lead="none"
        />
      )}
    />
  );
}

function TopicListActions({ stream_id, isIn }: { stream_id: number; isIn: boolean }) {
  return (
    <>
      {!isIn && (
        <Button icon="plus" onClick={() => void joinChannel(stream_id)}>
          {t("join-channel")}
        </Button>
      )}
      <PanelToggle />
      <IconButton
        icon="dots"
        label={t("more")}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => void channelMenu(currentTarget, stream_id)}
      />
    </>
  );
}

function rowsOf(state: State, stream_id: number, text: string): TopicRow[] {
  const { topics, unread } = state;
  return newestTopics(state, stream_id)
    .filter(({ name }) => {
      const policy = policyOf(topics, stream_id, name);
      if (filter.value === "open" && isResolved(name)) return false;
      if (filter.value === "followed" && policy !== VISIBILITY.followed) return false;
      if (filter.value === "unread" && !unread.conversations.has(topicKey(stream_id, name)))
        return false;
      return matchesWords(text, topicName(name));
    })
    .map(({ name, max_id }) => ({ key: topicKey(stream_id, name), topic: name, max_id }));
}

const keysOf = (stream_id: number): Record<string, (item: TopicRow) => boolean | void> => ({
  e: ({ topic }) => markConversationsAsRead(unreadOf(stream_id, topic)),
  M: ({ topic }) => toggleMuted(stream_id, topic),
  T: ({ topic }) => void toggleResolved(stream_id, topic),
});

function EmptyTopicList({ text, stream_id }: { text: string; stream_id: number }) {
  if (text !== "" || filter.value !== "all") {
    return (
      <p class="empty-note">
        {text === "" ? t("topics-none-so") : t("none-found", { words: text })}
      </p>
    );
  }
  return <NewChannel stream_id={stream_id} />;
}
