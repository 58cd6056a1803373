// Keyboard movement in a feed: by message, by page, to the ends, into a conversation.
import { go } from "../../store/address.ts";
import { conversationOfMessage } from "../../feed/items.ts";
import { isContiguous, isInterleaved } from "../../store/narrow.ts";
import { getState } from "../../store/store.ts";
import { directView, topicView, type View } from "../../views.ts";
import type { Message } from "../../contract/message.ts";
import { current } from "./current-state.ts";
import { selectedMessage } from "./selection-state.ts";

/** Moves to the next message, or first to the current one if the focus is elsewhere. */
export function moveFocus(direction: "up" | "down"): void {
  const feed = current.peek()?.shownFeed();
  if (!feed) return;
  const { focusedId, id } = feed.roving;
  if (focusedId === undefined) {
    // An unconfirmed message has a row, but it is not in the range of known ids.
    const row = id === undefined ? feed.first() : (feed.reveal(id) ?? feed.rowOf(id));
    if (row) feed.roving.focus(row);
    return;
  }
  const next = feed.neighbour(focusedId, direction);
  const row = next === undefined ? undefined : feed.reveal(next);
  if (row) feed.roving.focus(row);
}

export function pageBy(direction: "up" | "down"): void {
  const feed = current.peek()?.shownFeed();
  if (!feed) return;
  feed.page(direction);
  const rows = feed.rows();
  // At the ends, moves to the first or last message.
  const row = direction === "down" && feed.isAtEnd() ? rows.at(-1) : feed.first();
  if (row) feed.roving.focus(row);
}

/** Moves to the first or last message, and loads it if necessary. */
export async function scrollToEdge(direction: "up" | "down"): Promise<void> {
  const open = current.peek();
  await open?.jump(direction === "up" ? "oldest" : "newest");
  const feed = open?.shownFeed();
  const rows = feed?.rows() ?? [];
  const row = direction === "up" ? rows[0] : rows.at(-1);
  if (row && current.peek() === open) feed?.roving.focus(row);
}

/** The conversation of the message, opened at this message. */
export function viewAtMessage(message: Message): View {
  const { me } = getState().people;
  const conversation = conversationOfMessage(message, me);
  if ("user_ids" in conversation) return directView(conversation.user_ids, me, message.id);
  const position = { operator: "near", id: message.id } as const;
  return topicView(conversation.stream_id, conversation.topic, position);
}

export function openConversation(): boolean {
  const message = selectedMessage();
  if (!message) return false;
  go(viewAtMessage(message));
  return true;
}

/** In search results, each message is a separate result. */
export function isInSearchResults(): boolean {
  const terms = current.peek()?.terms;
  return terms !== undefined && isInterleaved(terms, getState().people.me) && !isContiguous(terms);
}

/** In such views, Enter opens the conversation. */
export const openSearchResult = (): boolean => isInSearchResults() && openConversation();
