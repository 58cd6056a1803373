// Determines the initial position in a view, and loads the messages around it.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { go } from "../../store/address.ts";
import { idOf, type ScrollPosition } from "../../feed/anchor.ts";
import { conversationOfMessage } from "../../feed/items.ts";
import { fetchAround } from "../../sync/load-feed.ts";
import { isConversation } from "../../store/narrow.ts";
import { type FetchAnchor, type FeedView, newestSegment, segmentAt } from "../../feed/segments.ts";
import { viewFor } from "../../store/feed-views.ts";
import { getState } from "../../store/store.ts";
import { conversationOf, topicView } from "../../views.ts";
import type { Message } from "../../contract/message.ts";
import { movedTopic } from "../compose/session-state.ts";
import { keyOfConversation, topicKey } from "../../conversation-keys.ts";
import { savePosition } from "./position-state.ts";
import { isReadIn } from "./read-marker-state.ts";

type KnownSegments = Pick<FeedView, "segments">;

export const newestIn = (view: KnownSegments): number => view.segments.at(-1)?.ids.at(-1) ?? 0;

/** The newest known id, including unread messages that are not loaded. */
export const newestKnown = (view: Pick<FeedView, "segments" | "terms">): number =>
  Math.max(newestIn(view), newestUnread(view));

/** Loads what is needed for the position. */
export async function loadPosition(
  terms: readonly NarrowTerm[],
  saved: ScrollPosition | undefined,
): Promise<ScrollPosition> {
  const view = viewFor(terms);
  const nearId = Number(terms.find(({ operator }) => operator === "near")?.operand);
  const savedId = saved && "at" in saved && saved.at !== "end" ? saved.at.id : undefined;
  if (saved && (savedId === undefined || segmentAt(view, savedId))) {
    if (savedId === undefined && !("near" in saved)) await fetchAround(view, "newest");
    if ("near" in saved) await fetchAround(view, saved.near);
    return saved;
  }
  const first: FetchAnchor = isReadIn(terms) ? "first_unread" : "newest";
  const anchor = savedId ?? (nearId > 0 ? nearId : first);
  const unreadId = firstUnread(view);
  if (anchor === "first_unread" && unreadId !== undefined) return { near: unreadId };
  const isRead = isConversation(terms, getState().people.me) && newestUnread(view) === 0;
  if (anchor === "first_unread" && isRead && newestSegment(view)) return { at: "end" };
  const fetchedId = await fetchAround(view, anchor);
  if (saved && savedId !== undefined) return saved;
  if (anchor === "first_unread") {
    const unread = firstUnread(view);
    if (unread !== undefined) return { near: unread };
    if (fetchedId === undefined || !segmentAt(view, fetchedId)) await fetchAround(view, "newest");
    return { at: "end" };
  }
  return fetchedId === undefined ? { at: "end" } : { near: fetchedId };
}

/**
 * The position in cached messages: the previous one, or the first unread message. undefined if the
 * cache lacks it, so that the view does not show another position first.
 */
export function cachedPosition(
  view: FeedView,
  terms: readonly NarrowTerm[],
  saved: ScrollPosition | undefined,
): ScrollPosition | undefined {
  const nearId = Number(terms.find(({ operator }) => operator === "near")?.operand);
  const unread = isReadIn(terms) ? firstUnread(view) : undefined;
  const first = nearId > 0 ? nearId : unread;
  const position: ScrollPosition = saved ?? (first === undefined ? { at: "end" } : { near: first });
  const id = idOf(position);
  return (id === undefined ? newestSegment(view) : segmentAt(view, id)) && position;
}

/** Returns the first unread message in the known ranges. */
export function firstUnread({ segments }: KnownSegments): number | undefined {
  const { byMessage } = getState().unread;
  for (const { ids } of segments) {
    const id = ids.find((candidate) => byMessage.has(candidate));
    if (id !== undefined) return id;
  }
  return undefined;
}

export function newestUnread(view: Pick<FeedView, "segments" | "terms">): number {
  const ids = unreadIn(view);
  if (ids) return ids.at(-1) ?? 0;
  const { byMessage: placed } = getState().unread;
  return view.segments.at(-1)?.ids.findLast((id) => placed.has(id)) ?? 0;
}

/** Messages of others at the end, after a message. Excludes muted users. */
export function messagesOfOthersAfter(view: FeedView, id: number): Message[] {
  const ids = newestSegment(view)?.ids ?? [];
  const { messages, people } = getState();
  return ids
    .slice(ids.findLastIndex((candidate) => candidate <= id) + 1)
    .flatMap((candidate) => messages.byId.get(candidate) ?? [])
    .filter(({ sender_id }) => sender_id !== people.me && !people.muted.has(sender_id));
}

/** Number of unread messages in a conversation after a message. */
export function unreadAfter(view: Pick<FeedView, "terms">, id: number): number {
  return unreadIn(view)?.filter((candidate) => candidate > id).length ?? 0;
}

/** Ascending; undefined if the view is not a conversation. */
function unreadIn({ terms }: Pick<FeedView, "terms">): readonly number[] | undefined {
  const conversation = conversationOf(terms, getState().people.me);
  if (!conversation) return undefined;
  return getState().unread.conversations.get(keyOfConversation(conversation))?.ids ?? [];
}

/** Follows a topic that was renamed or moved as a whole. */
export function followTopic(
  terms: readonly NarrowTerm[],
  ids: readonly number[],
  position: ScrollPosition | undefined,
  focused: number | undefined,
): boolean {
  const conversation = conversationOf(terms, getState().people.me);
  const to = conversation && "topic" in conversation ? topicOf(ids) : undefined;
  if (!conversation || !("topic" in conversation) || !to) return false;
  movedTopic.value = { from: conversation, to };
  const view = topicView(to.stream_id, to.topic);
  const saved = position ?? { near: ids.at(-1)! };
  savePosition(viewFor(view.terms).key, {
    standing: saved,
    at: Date.now(),
    newest: Infinity,
    focused,
  });
  go(view, { replace: true });
  return true;
}

/** The topic of these messages, if they are all in one. */
function topicOf(ids: readonly number[]) {
  const { messages, people } = getState();
  const all = ids.flatMap((id) => messages.byId.get(id) ?? []);
  const conversations = all.map((message) => conversationOfMessage(message, people.me));
  const keys = new Set(
    conversations.map((to) => ("topic" in to ? topicKey(to.stream_id, to.topic) : "")),
  );
  const [to] = conversations;
  return keys.size === 1 && to && "topic" in to ? to : undefined;
}

/**
 * Returns the first message after `newest` that arrived while the user was away, if all messages
 * before it are read.
 */
export function newWhileAway(view: KnownSegments, newest: number): number | undefined {
  const first = document.hasFocus() ? undefined : firstUnread(view);
  return first !== undefined && first > newest ? first : undefined;
}
