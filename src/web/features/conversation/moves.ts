// Keyboard movement in a feed: by message, by page, to the ends, into a conversation.
import { go } from "../../address.ts";
import { placeOfMessage } from "../../feed/items.ts";
import { isContiguous, isInterleaved } from "../../feed/narrow.ts";
import { now } from "../../live.ts";
import { directView, topicView, type View } from "../../views.ts";
import type { Message } from "../messages/state.ts";
import { current, selectedMessage } from "./current.ts";

/** To the next message; from elsewhere first to the one that one is at. */
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

export function page(way: "up" | "down"): void {
  const feed = current.peek()?.shownFeed();
  if (!feed) return;
  feed.page(way);
  const rows = feed.rows();
  // At the ends there is no page left, but a first or a last message.
  const row = way === "down" && feed.isAtEnd() ? rows.at(-1) : feed.first();
  if (row) feed.roving.focus(row);
}

/** To the first or last message that there is, fetched if need be. */
export async function toEdge(way: "up" | "down"): Promise<void> {
  const open = current.peek();
  await open?.jump(way === "up" ? "oldest" : "newest");
  const rows = open?.shownFeed()?.rows() ?? [];
  const row = way === "up" ? rows[0] : rows.at(-1);
  if (row && current.peek() === open) open!.shownFeed()!.roving.focus(row);
}

/** The message among what was said before and after it. */
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

/** In search results, each message is a hit of its own. */
export function standsAmongOthers(): boolean {
  const terms = current.peek()?.terms;
  return terms !== undefined && isInterleaved(terms, now().people.me) && !isContiguous(terms);
}

/** In such views, Enter opens the conversation. */
export const enter = (): boolean => standsAmongOthers() && zoom();
