// The inbox: unread messages by conversation, which can be opened, marked as read or muted.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { go } from "../../store/address.ts";
import { remembered } from "../../ui/history-entry.ts";
import { isTexts, deviceSetting, deviceChoice } from "../../device-storage.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { setColor } from "../../ui/colored.tsx";
import { Count } from "../../ui/count.tsx";
import { Icon } from "../../ui/icon.tsx";
import { type KeyResult, List } from "../../ui/list/list.tsx";
import { hasTouchScreen } from "../../touch-screen.ts";
import { channelView, type ConversationRef } from "../../views.ts";
import { formatCount } from "../../words/numbers.ts";
import { t } from "../../words/words.ts";
import { barOf } from "../conversation/bar/selectors.ts";
import { Tip } from "../page/tip.tsx";
import { Filters } from "../lists/filters.tsx";
import { openInNewTab } from "../lists/open-view.ts";
import { viewOfConversation } from "../lists/selectors.ts";
import { ConversationListRow } from "../lists/row.tsx";
import { ListView, NewMessageButton } from "../lists/list-view.tsx";
import { isPointed } from "../lists/stable-order.ts";
import { toggleMuted } from "../topics/actions.ts";
import { markOlderAsRead, markConversationsAsRead } from "../unread/actions.ts";
import type { UnreadConversation } from "../unread/by-conversation-state.ts";
import { EmptyInbox } from "./empty.tsx";
import {
  headKey,
  INBOX_FILTERS,
  type InboxFilter,
  type InboxHead,
  type InboxItem,
  inboxItems,
  newestUnreadId,
} from "./rows.ts";

const filter = deviceChoice<InboxFilter>("inbox-filter", INBOX_FILTERS);
const folded = deviceSetting<string[]>("inbox-folded", [], isTexts);

/** Number of the newest messages whose senders are shown as participants. */
const SENDERS_SHOWN = 4;

const InboxTip = () => (
  <Tip step="intro_inbox_view_modal" textKey={hasTouchScreen() ? "tip-inbox-touch" : "tip-inbox"} />
);

export function Inbox() {
  subscribe("unread:all", "channels", "folders", "settings");
  const text = useSignal("");
  const selectedRow = useSignal(remembered.peek().row);
  const retainedConversation = useRef<UnreadConversation>(undefined);
  const state = getState();
  const { all, conversations, isCut } = state.unread;
  const items = useItems(text.value, retainedConversation.current);
  useEffect(() => {
    const item = items.find(({ key }) => key === selectedRow.value);
    retainedConversation.current = item && !item.isHead ? item.conversation : undefined;
  }, [selectedRow.value]);
  // There may be older unread messages, as the start of the list explains.
  const isEmpty = items.length + conversations.size === 0 && !isCut;
  // In this view, muted messages do not count as unread.
  const isClear = items.length === 0 && filter.value === "unmuted" && text.value === "" && !isCut;
  const unmuted = [...conversations.values()].filter(({ isMuted }) => !isMuted);
  const emptyText = isCut ? undefined : t("nothing-unread");
  const sub =
    all.shown === 0
      ? emptyText
      : t("unread-in-places", { count: countOf(all.shown), places: unmuted.length });
  return (
    <ListView
      title={t("inbox")}
      sub={sub}
      label={t("unread")}
      lead={<NewMessageButton />}
      actions={
        all.shown > 0 && (
          <Button icon="check" onClick={() => markConversationsAsRead(unmuted)}>
            {t("mark-all-read")}
          </Button>
        )
      }
    >
      <div class="col" data-wide="">
        {isCut && <OlderUnreadNote />}
        {!isEmpty && <Filters all={INBOX_FILTERS} selected={filter} text={text} />}
        {isEmpty || isClear ? (
          <EmptyInbox />
        ) : (
          <>
            {items.length === 0 && <EmptyFilterNote text={text.value} />}
            <List
              items={items}
              selected={selectedRow}
              onOpen={open}
              keys={KEYS}
              renderItem={renderItem}
            />
            {items.length > 0 && <InboxTip />}
          </>
        )}
      </div>
    </ListView>
  );
}

const renderItem = (item: InboxItem, isSelected: boolean) =>
  item.isHead ? (
    <Head key={item.key} head={item} isSelected={isSelected} />
  ) : (
    <Row key={item.key} conversation={item.conversation} isSelected={isSelected} />
  );

function OlderUnreadNote() {
  return (
    <p class="inbox-older">
      <span>{t("older-unread")}</span>
      <Button kind="quiet" onClick={() => void markOlderAsRead()}>
        {t("mark-older-read")}
      </Button>
    </p>
  );
}

/** The server limits the list, so there are more than this number. */
const countOf = (count: number) => formatCount(count) + (getState().unread.isCut ? "+" : "");

function useItems(text: string, retained: UnreadConversation | undefined): InboxItem[] {
  const before = useRef<readonly string[]>([]);
  const query = { filter: filter.value, text, folded: new Set(folded.value), retained };
  const items = inboxItems(getState(), {
    ...query,
    before: isPointed.value ? before.current : [],
  });
  before.current = items.map(({ key }) => key);
  // Returns the same array while nothing changes, so that rows are not rendered again.
  const key = items.map(shownOf).join("\n");
  return useMemo(() => items, [key, folded.value]);
}

const shownOf = (item: InboxItem) =>
  item.isHead ? `${item.key} ${item.count} ${item.folder}` : item.key;

function open(item: InboxItem, isInNewTab: boolean): void {
  if (item.isHead) {
    if (item.stream_id === null) fold(item, !item.isFolded);
    else if (isInNewTab) openInNewTab(channelView(item.stream_id));
    else go(channelView(item.stream_id));
    return;
  }
  const to = viewOfConversation(conversationOf(item.conversation));
  if (isInNewTab) openInNewTab(to);
  else go(to);
}

const conversationOf = ({ stream_id, topic, user_ids }: UnreadConversation): ConversationRef =>
  stream_id === null ? { user_ids } : { stream_id, topic };

function fold({ key }: InboxHead, isFolded: boolean): void {
  const others = folded.value.filter((foldedKey) => foldedKey !== key);
  folded.value = isFolded ? [...others, key] : others;
}

/** Goes from a row to its heading, then collapses it, then moves further up, like in a tree. */
function keyOutward(item: InboxItem): KeyResult {
  if (!item.isHead) return headKey(item.conversation.stream_id);
  if (item.isFolded) return item.above ?? false;
  fold(item, true);
  return true;
}

function keyInward(item: InboxItem): KeyResult {
  if (!item.isHead) return false;
  if (!item.isFolded) return item.first;
  fold(item, false);
  return true;
}

const KEYS: Readonly<Record<string, (item: InboxItem) => KeyResult>> = {
  e: (item) => markConversationsAsRead(item.isHead ? item.conversations : [item.conversation]),
  M: (item) => {
    if (item.isHead || item.conversation.stream_id === null) return false;
    toggleMuted(item.conversation.stream_id, item.conversation.topic);
    return true;
  },
  ArrowLeft: keyOutward,
  h: keyOutward,
  ArrowRight: keyInward,
  l: keyInward,
};

function Head({ head, isSelected }: { head: InboxHead; isSelected: boolean }) {
  const { stream_id, folder, above, isFolded, count, mentions, key } = head;
  const words = stream_id === null ? undefined : barOf({ stream_id, topic: "" });
  const name =
    folder === undefined ? (words?.channel?.name ?? t("direct-messages")) : folder || t("channels");
  return (
    <div class="list-head" data-key={key} data-selected={isSelected ? "" : undefined}>
      <span class="ch" data-c="" ref={(node) => setColor(node, words?.color)}>
        <Icon name={words?.icon ?? iconOf(folder)} size={18} />
      </span>
      <h2 aria-level={above === undefined ? 2 : 3}>
        <button
          type="button"
          aria-expanded={!isFolded}
          data-focus=""
          onClick={() => fold(head, !isFolded)}
        >
          {folder === undefined ? (
            <bdi>{name}</bdi>
          ) : (
            <small>
              <bdi>{name}</bdi>
            </small>
          )}
        </button>
      </h2>
      {stream_id !== null && above === undefined && <FolderName stream_id={stream_id} />}
      <Count count={count} mentions={isFolded ? mentions : 0} />
      {isFolded && <Icon name="right" size={16} class="folded" />}
      <IconButton
        icon="check"
        size="s"
        label={t("mark-read", { name })}
        onClick={() => markConversationsAsRead(head.conversations)}
      />
    </div>
  );
}

const iconOf = (folder: string | undefined) =>
  folder === undefined ? "chat" : folder === "" ? "list" : "folder";

function FolderName({ stream_id }: { stream_id: number }) {
  subscribe("folders");
  const { channels, folders } = getState().channels;
  const id = channels.get(stream_id)?.row.folder_id;
  const folder = id === null || id === undefined ? undefined : folders.get(id);
  return folder ? <small>{folder.name}</small> : null;
}

function Row({
  conversation,
  isSelected,
}: {
  conversation: UnreadConversation;
  isSelected: boolean;
}) {
  subscribe(`unread:${conversation.key}`);
  const { stream_id, topic } = conversation;
  const unread = getState().unread.conversations.get(conversation.key) ?? conversation;
  const buttons = (
    <>
      <IconButton
        icon="check"
        size="s"
        label={t("mark-as-read")}
        onClick={() => markConversationsAsRead([unread])}
      />
      {stream_id !== null && (
        <IconButton
          icon="bell-off"
          size="s"
          label={t("mute-topic")}
          onClick={() => toggleMuted(stream_id, topic)}
        />
      )}
    </>
  );
  return (
    <ConversationListRow
      conversation={conversationOf(conversation)}
      itemKey={conversation.key}
      isSelected={isSelected}
      max_id={newestUnreadId(unread)}
      seen_ids={unread.ids.slice(-SENDERS_SHOWN)}
      lead={stream_id === null ? "large" : "none"}
      actions={buttons}
    />
  );
}

function EmptyFilterNote({ text }: { text: string }) {
  const { all } = getState().unread;
  return (
    <div class="empty-note">
      <p>{text === "" ? t("inbox-none-so") : t("none-found", { words: text })}</p>
      {text === "" && filter.value !== "all" && all.shown + all.muted > 0 && (
        <Button onClick={() => (filter.value = "all")}>{t("show-all-unread")}</Button>
      )}
    </div>
  );
}
