// The cached views by key; the least recently opened ones are dropped first.
import type { NarrowTerm } from "../../text/narrow-fragment.ts";
import type { Changed, Event } from "../contract/snapshot.ts";
import type { State } from "./state.ts";
import { narrowKey, setTerms, viewKey } from "./narrow.ts";
import { newView, reduceView } from "./feed-view.ts";
import { type FeedView, allIds } from "../feed/segments.ts";

/** Maximum of messages in memory; messages of dropped views are dropped with them. */
const MESSAGES_MAX = 20_000;
const VIEWS_MAX = 200;

/** In the order in which they were last opened. */
const views = new Map<string, FeedView>();

export function viewFor(narrow: readonly NarrowTerm[]): FeedView {
  const terms = setTerms(narrow);
  const key = narrowKey(terms);
  const view = views.get(key) ?? newView(terms);
  views.delete(key);
  views.set(key, view);
  return view;
}

/** Must be called after the state has processed the events. */
export function reduceViews(events: readonly Event[], state: State, changed: Changed): void {
  for (const view of views.values()) {
    const { revision, unresolved: unsure } = view;
    const { length } = unsure;
    for (const event of events) reduceView(view, event, state);
    if (view.revision !== revision || unsure.length !== length) changed.add(viewKey(view.terms));
  }
}

/** After a lost event queue, views may have gaps and are requested again when opened. */
export function invalidateViews(): void {
  for (const view of views.values()) {
    view.segments = [];
    view.provisional = undefined;
    view.revision++;
  }
}

/** Enforces the memory limit; `openView` is never dropped. */
export function trimViews(state: State, openView: FeedView): void {
  for (const [key, view] of views) {
    if (views.size <= VIEWS_MAX && state.messages.byId.size <= MESSAGES_MAX) return;
    if (view === openView) continue;
    views.delete(key);
    dropUnheld(state);
  }
}

function dropUnheld({ messages }: State): void {
  if (messages.byId.size <= MESSAGES_MAX) return;
  const loadedIds = new Set([...views.values()].flatMap(allIds));
  for (const id of messages.byId.keys()) if (!loadedIds.has(id)) messages.byId.delete(id);
}
