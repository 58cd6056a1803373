// Caches the messages of a view on disk, except those for which no events will arrive.
import { type FeedView, type Segment, newestSegment } from "../../feed/segments.ts";
import { sync } from "../../sync/session.ts";
import { getState } from "../../store/store.ts";
import type { CachedRange } from "../../sync/layout.ts";
import type { ViewToCache } from "../../sync/view-cache.ts";
import { conversationOf } from "../../views.ts";
import { isCacheable } from "../messages/cache-selectors.ts";
import { isSearchView } from "../search/result-selectors.ts";
import { policyOf, VISIBILITY } from "../topics/state.ts";

/** The newest messages of a view that are cached, besides those that were viewed. */
const NEWEST_CACHED = 50;

/** Views that are cached later: this tab must first receive all events that the cache contains. */
const waitingViews = new Map<string, { view: FeedView; ids: readonly number[] }>();

sync.listen(() => {
  const pendingViews = [...waitingViews.values()];
  waitingViews.clear();
  for (const { view, ids } of pendingViews) void cacheView(view, ids);
});

/** `ids`: messages that are or were on the page. */
export async function cacheView(view: FeedView, ids: readonly number[]): Promise<void> {
  const content = contentToCache(view, ids);
  if (content && !(await sync.viewCache.store(content))) waitingViews.set(view.key, { view, ids });
}

function contentToCache(view: FeedView, visibleIds: readonly number[]): ViewToCache | undefined {
  const { key, terms, segments, provisional } = view;
  if (provisional || isSearchView(terms)) return undefined;
  const { messages } = getState();
  const newest = newestSegment(view)?.ids.slice(-NEWEST_CACHED) ?? [];
  const idsToCache = new Set([...visibleIds, ...newest]);
  const ranges = segments.flatMap((segment) => rangesOf(segment, idsToCache));
  const ids = ranges.flatMap((range) => range.ids);
  const all = ids.flatMap((id) => messages.byId.get(id) ?? []).filter(isCacheable);
  if (all.length === 0) return undefined;
  return { key, ranges, messages: all, stream_id: channelOf(view), isDear: isWorthCaching(view) };
}

/** The requested parts of a range, each contiguous. */
function rangesOf({ from, to, ids }: Segment, idsToCache: ReadonlySet<number>): CachedRange[] {
  const ranges: { from: number; to: number; ids: number[] }[] = [];
  let open: number[] | undefined;
  for (const [index, id] of ids.entries()) {
    if (!idsToCache.has(id)) open = undefined;
    else if (open) {
      open.push(id);
      ranges.at(-1)!.to = index === ids.length - 1 ? to : id;
    } else {
      open = [id];
      ranges.push({
        from: index === 0 ? from : id,
        to: index === ids.length - 1 ? to : id,
        ids: open,
      });
    }
  }
  return ranges;
}

function channelOf({ terms }: FeedView): number | null {
  const term = terms.find(({ operator, negated }) => operator === "channel" && !negated);
  return Number(term?.operand) || null;
}

/** Evicted last: direct messages, followed topics and pinned views. */
function isWorthCaching({ terms }: FeedView): boolean {
  const { people, topics, channels } = getState();
  const conversation = conversationOf(terms, people.me);
  if (!conversation) return false;
  if ("user_ids" in conversation) return true;
  const { stream_id, topic } = conversation;
  const isFollowed = policyOf(topics, stream_id, topic) === VISIBILITY.followed;
  return isFollowed || channels.channels.get(stream_id)?.row.pin_to_top === true;
}
