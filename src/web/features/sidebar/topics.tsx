// The topics below the open channel in the sidebar.
import { computed, useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { foldTopic, topicKey } from "../../conversation-keys.ts";
import { addressOf, sheetView } from "../../store/address.ts";
import { getState, subscribe } from "../../store/store.ts";
import { Count } from "../../ui/count.tsx";
import { Icon } from "../../ui/icon.tsx";
import { RowBoundary } from "../../ui/loading/boundary.tsx";
import { topicView, type View } from "../../views.ts";
import { t } from "../../words/words.ts";
import { topicName } from "../conversation/selectors.ts";
import { useStableOrder } from "../lists/stable-order.ts";
import { type RowMenu, topicMenu } from "../menus/menus.ts";
import { loadTopics } from "../topics/load-actions.ts";
import { isResolved, unresolved } from "../topics/rules.ts";
import { LazyRowMenuButton } from "./lazy-buttons.tsx";
import { sidebarTopics } from "./selectors.ts";
import { isShown } from "./views.tsx";

export const operandOf = (currentView: View, operator: string): string | undefined =>
  currentView.kind === "messages"
    ? currentView.terms.find((term) => term.operator === operator && !term.negated)?.operand
    : undefined;

const openedChannel = computed(() => {
  const currentView = sheetView.value;
  if (currentView.kind === "topics") return currentView.stream_id;
  const operand = operandOf(currentView, "channel");
  return operand === undefined ? undefined : Number(operand);
});

/** The channel of the view, whose topics are expanded. */
export const openChannel = (): number | undefined => openedChannel.value;

/** Limits rendering to the rows that a change of the view affects. */
export const useComputedValue = <T,>(find: () => T): T => useComputed(find).value;

/** The topics of the open channel. Loaded when it is first expanded. */
export function Topics({ stream_id }: { stream_id: number }) {
  subscribe(`topics:${stream_id}`, `unread:channel/${stream_id}`);
  useEffect(() => {
    // Known topics are displayed meanwhile, or if the request fails.
    loadTopics(stream_id).catch(() => undefined);
  }, [stream_id]);
  const current = operandOf(sheetView.value, "topic");
  const topics = useStableOrder(sidebarTopics(getState(), stream_id, current), foldTopic);
  return <TopicRows stream_id={stream_id} topics={topics} hasAll />;
}

interface TopicRowsProps {
  stream_id: number;
  topics: readonly string[];
  hasAll?: boolean;
}

export function TopicRows({ stream_id, topics, hasAll = false }: TopicRowsProps) {
  const all = addressOf({ kind: "topics", stream_id });
  return (
    <ul class="sidebar-topics">
      {topics.map((topic) => (
        <RowBoundary key={foldTopic(topic)} variant="sidebar-row">
          <TopicRow stream_id={stream_id} topic={topic} />
        </RowBoundary>
      ))}
      {hasAll && (
        <li>
          <a
            class="sidebar-row"
            href={all}
            data-muted=""
            aria-current={isShown(all) ? "page" : undefined}
          >
            <bdi class="t">{t("all-topics")}</bdi>
          </a>
        </li>
      )}
    </ul>
  );
}

function TopicRow({ stream_id, topic }: { stream_id: number; topic: string }) {
  const key = topicKey(stream_id, topic);
  subscribe(`unread:${key}`, `topic:${key}`);
  const {
    ids = [],
    mentions = 0,
    isMuted = false,
  } = getState().unread.conversations.get(key) ?? {};
  const address = addressOf(topicView(stream_id, topic));
  const isDone = isResolved(topic);
  const onMenu: RowMenu = (target) => void topicMenu(target, stream_id, topic);
  const isHere = useComputedValue(() => {
    const current = operandOf(sheetView.value, "topic");
    if (current === undefined || openChannel() !== stream_id) return false;
    return foldTopic(current) === foldTopic(topic);
  });
  return (
    <li>
      <a
        class="sidebar-row"
        href={address}
        data-unread={ids.length > 0 && !isMuted ? "" : undefined}
        data-muted={isMuted || isDone ? "" : undefined}
        aria-current={isHere ? "page" : undefined}
        onContextMenu={onMenu}
      >
        {isDone && <Icon name="resolve" size={16} />}
        <bdi class="t">{topicName(unresolved(topic))}</bdi>
        {isDone && <span class="vh">{t("resolved")}</span>}
        <Count count={ids.length} mentions={mentions} isMuted={isMuted} />
      </a>
      <LazyRowMenuButton name={topicName(unresolved(topic))} open={onMenu} />
    </li>
  );
}
