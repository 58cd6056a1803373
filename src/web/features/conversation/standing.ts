// The position in a view that is opened, and what must be fetched for it.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { go } from "../../address.ts";
import { idOf, type Standing } from "../../feed/anchor.ts";
import { placeOfMessage } from "../../feed/items.ts";
import { type Anchor, fetchAround } from "../../feed/load.ts";
import { isConversation } from "../../feed/narrow.ts";
import { type FeedView, newestSegment, segmentAt } from "../../feed/view.ts";
import { viewFor } from "../../feed/views.ts";
import { now } from "../../live.ts";
import { placeOf, topicView } from "../../views.ts";
import { conversationKey } from "../conversations/state.ts";
import type { Message } from "../messages/state.ts";
import { topicKey } from "../topics/state.ts";
import { leave } from "./left.ts";
import { isReadIn } from "./reader.ts";

type Known = Pick<FeedView, "segments">;

export const newestIn = (view: Known): number => view.segments.at(-1)?.ids.at(-1) ?? 0;

/** The newest that one could know of: what is unread is, fetched or not. */
export const newestKnown = (view: Pick<FeedView, "segments" | "terms">): number =>
  Math.max(newestIn(view), newestUnread(view));

/** Fetches what is needed to stand there. */
export async function standingFor(
  terms: readonly NarrowTerm[],
  kept: Standing | undefined,
): Promise<Standing> {
  const view = viewFor(terms);
  const near = Number(terms.find(({ operator }) => operator === "near")?.operand);
  const keptId = kept && "at" in kept && kept.at !== "end" ? kept.at.id : undefined;
  if (kept && (keptId === undefined || segmentAt(view, keptId))) {
    if (keptId === undefined && !("near" in kept)) await fetchAround(view, "newest");
    if ("near" in kept) await fetchAround(view, kept.near);
    return kept;
  }
  const first: Anchor = isReadIn(terms) ? "first_unread" : "newest";
  const anchor = keptId ?? (near > 0 ? near : first);
  const known = firstUnread(view);
  if (anchor === "first_unread" && known !== undefined) return { near: known };
  const isRead = isConversation(terms, now().people.me) && newestUnread(view) === 0;
  if (anchor === "first_unread" && isRead && newestSegment(view)) return { at: "end" };
  const found = await fetchAround(view, anchor);
  if (kept && keptId !== undefined) return kept;
  if (anchor === "first_unread") {
    const unread = firstUnread(view);
    if (unread !== undefined) return { near: unread };
    if (found === undefined || !segmentAt(view, found)) await fetchAround(view, "newest");
    return { at: "end" };
  }
  return found === undefined ? { at: "end" } : { near: found };
}

/**
 * In what the disk had one stands where one stood, or where there is something to read; nowhere, if
 * it lacks that place: whoever is to be elsewhere is not shown something else first.
 */
export function standingIn(
  view: FeedView,
  terms: readonly NarrowTerm[],
  kept: Standing | undefined,
): Standing | undefined {
  const near = Number(terms.find(({ operator }) => operator === "near")?.operand);
  const unread = isReadIn(terms) ? firstUnread(view) : undefined;
  const first = near > 0 ? near : unread;
  const wanted: Standing = kept ?? (first === undefined ? { at: "end" } : { near: first });
  const id = idOf(wanted);
  return (id === undefined ? newestSegment(view) : segmentAt(view, id)) && wanted;
}

/** In the ranges that are known. */
export function firstUnread({ segments }: Known): number | undefined {
  const { placeOf } = now().unread;
  for (const { ids } of segments) {
    const id = ids.find((one) => placeOf.has(one));
    if (id !== undefined) return id;
  }
  return undefined;
}

export function newestUnread(view: Pick<FeedView, "segments" | "terms">): number {
  const ids = unreadIn(view);
  if (ids) return ids.at(-1) ?? 0;
  const { placeOf: placed } = now().unread;
  return view.segments.at(-1)?.ids.findLast((id) => placed.has(id)) ?? 0;
}

/** Messages of others at the end, after a message. Excludes muted users. */
export function othersAfter(view: FeedView, id: number): Message[] {
  const ids = newestSegment(view)?.ids ?? [];
  const { messages, people } = now();
  return ids
    .slice(ids.findLastIndex((one) => one <= id) + 1)
    .flatMap((one) => messages.byId.get(one) ?? [])
    .filter(({ sender_id }) => sender_id !== people.me && !people.muted.has(sender_id));
}

/** How much there is to read in a conversation beyond a message. */
export function unreadAfter(view: Pick<FeedView, "terms">, id: number): number {
  return unreadIn(view)?.filter((one) => one > id).length ?? 0;
}

/** Ascending; undefined: the view is no conversation. */
function unreadIn({ terms }: Pick<FeedView, "terms">): readonly number[] | undefined {
  const place = placeOf(terms, now().people.me);
  if (!place) return undefined;
  const key =
    "topic" in place ? topicKey(place.stream_id, place.topic) : conversationKey(place.user_ids);
  return now().unread.places.get(key)?.ids ?? [];
}

/** A topic that was renamed or moved as a whole is shown under its new name. */
export function followTopic(
  terms: readonly NarrowTerm[],
  ids: readonly number[],
  standing: Standing | undefined,
  focused: number | undefined,
): boolean {
  const place = placeOf(terms, now().people.me);
  const to = place && "topic" in place ? topicOf(ids) : undefined;
  if (!to) return false;
  const view = topicView(to.stream_id, to.topic);
  const kept = standing ?? { near: ids.at(-1)! };
  leave(viewFor(view.terms).key, { standing: kept, at: Date.now(), newest: Infinity, focused });
  go(view, { replace: true });
  return true;
}

/** The one topic in which these messages stand now, if it is one. */
function topicOf(ids: readonly number[]) {
  const { messages, people } = now();
  const all = ids.flatMap((id) => messages.byId.get(id) ?? []);
  const places = all.map((message) => placeOfMessage(message, people.me));
  const keys = new Set(places.map((to) => ("topic" in to ? topicKey(to.stream_id, to.topic) : "")));
  const [to] = places;
  return keys.size === 1 && to && "topic" in to ? to : undefined;
}

/** The first that came after `newest` while nobody looked, where all before it was read. */
export function newWhileAway(view: Known, newest: number): number | undefined {
  const first = document.hasFocus() ? undefined : firstUnread(view);
  return first !== undefined && first > newest ? first : undefined;
}
