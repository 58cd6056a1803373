// The views that are known in memory, by what they show; the least lately opened go first.
import type { NarrowTerm } from "../../text/narrow-fragment.ts";
import type { Changed, Event } from "../snapshot.ts";
import type { State } from "../state.ts";
import { narrowKey, setTerms, viewKey } from "./narrow.ts";
import { allIds, type FeedView, newView, reduceView } from "./view.ts";

/** Messages in memory at most; what only forgotten views hold leaves with them. */
export const MESSAGES_MAX = 20_000;
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

/** After the state took in the events. */
export function reduceViews(events: readonly Event[], state: State, changed: Changed): void {
  for (const view of views.values()) {
    const { revision, unsure } = view;
    const { length } = unsure;
    for (const event of events) reduceView(view, event, state);
    if (view.revision !== revision || unsure.length !== length) changed.add(viewKey(view.terms));
  }
}

/** After a lost event queue, views may have gaps and are requested again when opened. */
export function doubtViews(): void {
  for (const view of views.values()) {
    view.segments = [];
    view.provisional = undefined;
    view.revision++;
  }
}

export function forgetViews(): void {
  views.clear();
}

/** Keeps memory within its bound; `shown` is never dropped. */
export function trimViews(state: State, shown: FeedView): void {
  for (const [key, view] of views) {
    if (views.size <= VIEWS_MAX && state.messages.byId.size <= MESSAGES_MAX) return;
    if (view === shown) continue;
    views.delete(key);
    dropUnheld(state);
  }
}

function dropUnheld({ messages }: State): void {
  if (messages.byId.size <= MESSAGES_MAX) return;
  const held = new Set([...views.values()].flatMap(allIds));
  for (const id of messages.byId.keys()) if (!held.has(id)) messages.byId.delete(id);
}
