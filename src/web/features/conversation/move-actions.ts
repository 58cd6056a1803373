// Keyboard movement in a feed: by message, by page, to the ends, into a conversation.
import { go } from "../../store/address.ts";
import { placeOfMessage } from "../../feed/items.ts";
import { isContiguous, isInterleaved } from "../../store/narrow.ts";
import { now } from "../../store/store.ts";
import { directView, topicView, type View } from "../../views.ts";
import type { Message } from "../../contract/message.ts";
import { current } from "./current-state.ts";
import { selectedMessage } from "./selection-state.ts";

/** Moves to the next message, or first to the current one if the focus is elsewhere. */
export function step(way: "up" | "down"): void {
  const feed = current.peek()?.shownFeed();
  if (!feed) return;
  const { focusedId, id } = feed.roving;
  if (focusedId === undefined) {
    const row = id === undefined ? feed.first() : feed.reveal(id);
    if (row) feed.roving.focus(row);
    return;
  }
  const next = feed.neighbour(focusedId, way);
  const row = next === undefined ? undefined : feed.reveal(next);
  if (row) feed.roving.focus(row);
}

export function pageBy(way: "up" | "down"): void {
  const feed = current.peek()?.shownFeed();
  if (!feed) return;
  feed.page(way);
  const rows = feed.rows();
  // At the ends, moves to the first or last message.
  const row = way === "down" && feed.isAtEnd() ? rows.at(-1) : feed.first();
  if (row) feed.roving.focus(row);
}

/** Moves to the first or last message, and loads it if necessary. */
export async function scrollToEdge(way: "up" | "down"): Promise<void> {
  const open = current.peek();
  await open?.jump(way === "up" ? "oldest" : "newest");
  const feed = open?.shownFeed();
  const rows = feed?.rows() ?? [];
  const row = way === "up" ? rows[0] : rows.at(-1);
  if (row && current.peek() === open) feed?.roving.focus(row);
}

/** The conversation of the message, opened at this message. */
export function inContext(message: Message, operator: "near" | "with" = "near"): View {
  const { me } = now().people;
  const place = placeOfMessage(message, me);
  if ("user_ids" in place) return directView(place.user_ids, me, message.id);
  return topicView(place.stream_id, place.topic, { operator, id: message.id });
}

export function zoom(): boolean {
  const message = selectedMessage();
  if (!message) return false;
  go(inContext(message));
  return true;
}

/** In search results, each message is a separate result. */
export function isInSearchResults(): boolean {
  const terms = current.peek()?.terms;
  return terms !== undefined && isInterleaved(terms, now().people.me) && !isContiguous(terms);
}

/** In such views, Enter opens the conversation. */
export const enter = (): boolean => isInSearchResults() && zoom();
