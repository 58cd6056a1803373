// Shows a view from the cache before the server's answer.
import { fetchBeforeState } from "../../sync/load-feed.ts";
import { matchesNarrow, isContiguous, narrowKey } from "../../store/narrow.ts";
import { isOfUnsubscribedChannel } from "../../store/feed-view.ts";
import type { FeedView } from "../../feed/segments.ts";
import { personal, sync } from "../../sync/session.ts";
import { getState } from "../../store/store.ts";
import type { CachedViewRow } from "../../sync/layout.ts";
import type { View } from "../../views.ts";
import { addCachedMessages } from "../messages/cache-selectors.ts";
import { isReadIn } from "./read-marker-state.ts";

type CachedView = Pick<CachedViewRow, "messages" | "ranges">;

/** The first view of the page, read from the cache in parallel with the initial state. */
let early: { key: string; view: Promise<CachedView | undefined> } | undefined;

/** Requests cached messages for the first view, which returning users usually have. */
export function requestEarly(currentView: View): void {
  if (sync.user_id !== undefined || currentView.kind !== "messages") return;
  const { terms } = currentView;
  if (terms.some(({ operator }) => operator === "search")) return;
  const nearId = Number(terms.find(({ operator }) => operator === "near")?.operand);
  const first = isReadIn(terms) ? "first_unread" : "newest";
  const cachedFeed = fetchBeforeState(terms, nearId > 0 ? nearId : first).catch(() => undefined);
  early = { key: narrowKey(terms), view: cachedFeed };
}

/** Whether something is displayed already. A promise if the cache must be read. */
export function showCached(view: FeedView): boolean | Promise<boolean> {
  if (view.segments.length > 0) {
    // No event reports all changes of such views, so their cache is useless.
    if (
      !isContiguous(view.terms) ||
      view.unresolved.length > 0 ||
      isOfUnsubscribedChannel(view, getState())
    ) {
      view.provisional ??= "early";
      view.unresolved.length = 0;
    }
    return view.provisional !== undefined;
  }
  const { viewCache } = sync;
  const cachedRow = viewCache.atOnce(view.key);
  if (cachedRow) return addToView(view, cachedRow, "disk");
  const earlyRequest = early?.key === view.key ? early.view : undefined;
  early = undefined;
  if (!earlyRequest && !viewCache.canContain(view.key)) return false;
  return (earlyRequest ?? viewCache.find(view.key)).then((cachedView) => {
    if (view.segments.length > 0) return view.provisional !== undefined;
    return cachedView !== undefined && addToView(view, cachedView, earlyRequest ? "early" : "disk");
  });
}

/** The cache lacks earlier events, so the view is requested from the server anyway. */
function addToView(
  view: FeedView,
  { messages, ranges }: CachedView,
  as: "disk" | "early",
): boolean {
  const state = getState();
  addCachedMessages(state, messages);
  const isIn = (id: number) => {
    const message = state.messages.byId.get(id);
    return message !== undefined && matchesNarrow(view.terms, message, state) !== false;
  };
  const segments = ranges.map(({ from, to, ids }) => ({ from, to, ids: ids.filter(isIn) }));
  view.segments = segments.filter(({ ids }) => ids.length > 0);
  if (view.segments.length === 0) return false;
  view.provisional = as;
  view.revision++;
  // Applies actions that the server has not confirmed.
  personal.peek()?.mutations.reapply();
  return true;
}
