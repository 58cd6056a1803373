// Keyboard navigation between conversations and rows of the sidebar.
import { effect } from "@preact/signals";
import { keyOfConversation } from "../../conversation-keys.ts";
import { go, view } from "../../store/address.ts";
import { type Command, commandOf, keysOf, registerCommands } from "../../ui/keys/commands.ts";
import { conversationOfMessage } from "../../feed/items.ts";
import { fetchAround } from "../../sync/load-feed.ts";
import { narrowKey } from "../../store/narrow.ts";
import { viewFor } from "../../store/feed-views.ts";
import { keyName } from "../../ui/keys/key-names.ts";
import { maybeState, getState } from "../../store/store.ts";
import { captureTyping } from "../../ui/buffer-typing.ts";
import { trapFocus } from "../../ui/dialog.tsx";
import { isLayered } from "../../ui/layers.ts";
import { afterNextFrame } from "../../ui/loading/scheduling.ts";
import { revealIn } from "../../ui/measure.ts";
import { showToast } from "../../ui/toast.tsx";
import { elementFor } from "../../content/required-element.ts";
import {
  channelView,
  type ConversationRef,
  conversationOf,
  topicView,
  type View,
} from "../../views.ts";
import { t, type TextKey } from "../../words/words.ts";
import { channelHome } from "../channels/home-selectors.ts";
import { isInFeed, selectedMessage } from "../conversation/selection-state.ts";
import { savePosition } from "../conversation/position-state.ts";
import { viewOfConversation } from "../lists/selectors.ts";
import { openPalette } from "../palette/open.ts";
import { type NextKind, unreadAfter } from "../unread/next-selectors.ts";
import type { UnreadConversation } from "../unread/by-conversation-state.ts";
import { openChannel } from "./topics.tsx";
import { closeDrawer, isDrawerOpen, openDrawer } from "./drawer-state.ts";
import { filtered, goToKey, isFiltering } from "./filtering.ts";
import { openHelpMenu } from "./menu.ts";
import { sidebarChannels, sidebarConversations, sidebarTopics } from "./selectors.ts";

const PREFETCHED_COUNT = 3;

const currentConversation = (): ConversationRef | undefined => {
  const currentView = view.peek();
  const state = maybeState();
  return currentView.kind === "messages" && state
    ? conversationOf(currentView.terms, state.people.me)
    : undefined;
};

const toConversationRef = ({ stream_id, topic, user_ids }: UnreadConversation): ConversationRef =>
  stream_id === null ? { user_ids } : { stream_id, topic };

function goToUnread(kind: NextKind): boolean | void {
  const state = maybeState();
  if (!state) return false;
  const channels = sidebarChannels(state).map(({ row }) => row.stream_id);
  const conversation = currentConversation();
  const current = conversation && {
    key: keyOfConversation(conversation),
    stream_id: "user_ids" in conversation ? null : conversation.stream_id,
    topic: "user_ids" in conversation ? "" : conversation.topic,
  };
  const isAmong = current && (kind === "direct") === (current.stream_id === null);
  const [next, ...later] = unreadAfter(state, kind, channels, isAmong ? current : undefined);
  if (!next) {
    showToast({ text: t(`no-unread-${kind}`) });
    return;
  }
  go(viewOfConversation(toConversationRef(next)));
  for (const conversation of later.slice(0, PREFETCHED_COUNT))
    prefetch(viewOfConversation(toConversationRef(conversation)));
}

/** Prefetched, so that opening it takes only one frame. */
function prefetch(to: View): void {
  if (to.kind !== "messages") return;
  const feed = viewFor(to.terms);
  if (feed.segments.length > 0) return;
  fetchAround(feed, "first_unread", { priority: "prefetch" }).catch(() => undefined);
}

/**
 * Conversations in the order of the sidebar: direct messages, then the topics of the open channel.
 */
function stepConversation(offset: number, isUnread: boolean): boolean {
  const state = maybeState();
  if (!state) return false;
  const conversations = sidebarPlaces().filter(
    (conversation) => !isUnread || state.unread.conversations.has(keyOfConversation(conversation)),
  );
  if (conversations.length === 0) return false;
  const current = currentConversation();
  const all = sidebarPlaces().map(keyOfConversation);
  const index = current ? all.indexOf(keyOfConversation(current)) : -1;
  const next =
    offset > 0
      ? conversations.find((conversation) => all.indexOf(keyOfConversation(conversation)) > index)
      : conversations.findLast(
          (conversation) =>
            all.indexOf(keyOfConversation(conversation)) < (index === -1 ? Infinity : index),
        );
  if (!next) return false;
  go(viewOfConversation(next));
  return true;
}

function sidebarPlaces(): ConversationRef[] {
  const state = getState();
  const open = openChannel();
  const conversation = currentConversation();
  const topic = conversation && "stream_id" in conversation ? conversation.topic : undefined;
  const directs = sidebarConversations(state).map((user_ids): ConversationRef => ({ user_ids }));
  const channels = sidebarChannels(state).flatMap(({ row: { stream_id } }): ConversationRef[] => {
    const topics =
      stream_id === open
        ? sidebarTopics(state, stream_id, topic)
        : [...(state.unread.channels.get(stream_id)?.conversations ?? [])]
            .filter(({ isMuted }) => !isMuted)
            .map((conversation) => conversation.topic);
    return topics.map((name) => ({ stream_id, topic: name }));
  });
  return [...directs, ...channels];
}

/** Cycles through the views and channels of the sidebar. */
function stepChannel(offset: number): boolean | void {
  const state = maybeState();
  if (!state) return false;
  const channels = sidebarChannels(state).map(({ row }) => row.stream_id);
  if (channels.length === 0) return;
  const index = channels.indexOf(openChannel() ?? -1);
  const next = index === -1 ? (offset > 0 ? 0 : channels.length - 1) : index + offset;
  go(channelHome(channels[(next + channels.length) % channels.length]!));
}

/** From a topic to its channel, and back to the topic of the current or newest message. */
function zoomOut(): boolean {
  const current = currentConversation();
  if (current && "stream_id" in current) {
    go(channelView(current.stream_id));
    return true;
  }
  const message = isInFeed() && !current ? selectedMessage() : undefined;
  if (message) {
    const to = viewOfConversation(conversationOfMessage(message, getState().people.me));
    // Stores a position, so that the conversation opens at this message and reading it marks
    // messages as read.
    const saved = { standing: { near: message.id }, at: Date.now(), newest: Infinity };
    if (to.kind === "messages")
      savePosition(narrowKey(to.terms), { ...saved, focused: message.id });
    go(to);
    return true;
  }
  const open = openChannel();
  if (open === undefined) return false;
  const [newest] = sidebarTopics(getState(), open);
  if (newest === undefined) return false;
  go(topicView(open, newest));
  return true;
}

function startFilter(): void {
  filtered.value = "";
  // If the filter is open, only the focus moves.
  if (isFiltering.value) document.querySelector<HTMLElement>(".sidebar-top input")?.focus();
  else captureTyping(t("filter-sidebar"));
  isFiltering.value = true;
  if (getComputedStyle(elementFor(document, ".sidebar")).display === "none") {
    openDrawer();
  }
}

/** Menus next to the main menu; their shortcut is the main menu's key and then an arrow key. */
const besideMain = (id: "own-menu" | "help-menu", arrow: string, run: () => void): Command => ({
  id,
  textKey: id,
  get keys() {
    return keysOf(commandOf("main-menu")).map((key) => `${key} ${arrow}`);
  },
  isUnlisted: true,
  run,
});

/** Commands that move to the next place; those with Alt also work while the user is typing. */
const moveCommand = (id: string, textKey: TextKey, key: string, run: Command["run"]): Command => {
  const whileWriting = key.startsWith("Alt+");
  const when = () => !isLayered();
  return { id, textKey, keys: [key], repeats: true, whileWriting, when, run };
};

registerCommands(
  moveCommand("next-unread", "next-unread", "n", () => goToUnread("topic")),
  moveCommand("next-followed", "next-unread-followed", "N", () => goToUnread("followed")),
  moveCommand("next-direct", "next-unread-direct", "p", () => goToUnread("direct")),
  moveCommand("next-place", "next-place", "Alt+ArrowDown", () => stepConversation(1, false)),
  moveCommand("previous-place", "previous-place", "Alt+ArrowUp", () => stepConversation(-1, false)),
  moveCommand("next-unread-place", "next-unread-place", "Alt+Shift+ArrowDown", () =>
    stepConversation(1, true),
  ),
  moveCommand("previous-unread-place", "previous-unread-place", "Alt+Shift+ArrowUp", () =>
    stepConversation(-1, true),
  ),
  moveCommand("next-channel", "next-channel", "D", () => stepChannel(1)),
  moveCommand("previous-channel", "previous-channel", "A", () => stepChannel(-1)),
  { id: "topic-or-channel", textKey: "topic-or-channel", keys: ["s"], run: zoomOut },
  {
    id: "close-drawer",
    textKey: "close",
    keys: ["Escape"],
    isUnlisted: true,
    when: () => isDrawerOpen.value && !isLayered(),
    run: closeDrawer,
  },
  {
    id: "main-menu",
    textKey: "main-menu",
    keys: ["g"],
    run: () => document.querySelector<HTMLElement>(".sidebar-organization")?.click(),
  },
  besideMain("own-menu", "ArrowRight", () =>
    document.querySelector<HTMLElement>(".sidebar-user")?.click(),
  ),
  besideMain("help-menu", "ArrowLeft", openHelpMenu),
  { id: "filter-rail", textKey: "filter-sidebar", keys: ["q"], run: startFilter },
  {
    id: "palette",
    textKey: "go-to",
    keys: ["Mod+K"],
    whileWriting: true,
    run: () => void openPalette(),
  },
);

/** With the keyboard, the sidebar scrolls to the current row. With the pointer, nothing moves. */
view.subscribe(() => {
  void afterNextFrame().then(() => {
    const list = document.querySelector(".sidebar-scroll");
    const row = list?.querySelector(".sidebar-row[aria-current]");
    if (!list || !row || list.matches(":hover")) return;
    // On screens of little height, the views scroll together with the list.
    for (const container of [row.closest(".sidebar-scroll > *"), list])
      if (container) revealIn(container, row);
  });
});

/** Updated with the state and the language. */
effect(() => {
  const [key] = keysOf(commandOf("palette"));
  goToKey.value = key === undefined ? "" : keyName(key);
});

/** While the drawer is open, Tab stays in it. */
document.addEventListener("keydown", (event) => {
  const isDrawerOver = document.querySelector(".sidebar-backdrop")?.checkVisibility() === true;
  if (event.key !== "Tab" || !isDrawerOver || isLayered()) return;
  trapFocus(event, elementFor(document, ".sidebar"));
});
