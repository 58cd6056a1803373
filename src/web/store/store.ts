// The state that views subscribe to by keys: a changed key renders its subscribers again, once.
import { batch, type Signal, signal } from "@preact/signals";
import { invalidateViews, reduceViews } from "./feed-views.ts";
import type { ChangeKey } from "../contract/change-keys.ts";
import type { Changed, LocalEvent, Event, Snapshot } from "../contract/snapshot.ts";
import { hydrate, reduce, type State } from "./state.ts";

let current: State | undefined;
const revisions = new Map<ChangeKey, Signal<number>>();
/** Whether there is a state, so that `getState()` may be called. */
export const isStarted = signal(false);

/** `changed` is undefined if the state was replaced, so that anything may differ. */
type Listener = (changed: Changed | undefined) => void;
const listeners = new Set<Listener>();

/** The state if there is one, for views, which are rendered again once there is. */
export const maybeState = (): State | undefined => (isStarted.value ? current : undefined);

/** Returns the state. Call `subscribe` to name the parts on which rendering depends. */
export function getState(): State {
  if (!current) throw new Error("No state yet.");
  return current;
}

/** Subscribes to a key: the view or effect that calls this runs again when it changes. */
export function subscribe(...keys: ChangeKey[]): void {
  for (const key of keys) void revisionOf(key);
}

/**
 * Subscribes to a key, and returns a number that differs after each change. Unlike a listener that
 * an effect adds, it misses no change between the first rendering and its effects.
 */
export function revisionOf(key: ChangeKey): number {
  let revision = revisions.get(key);
  if (!revision) {
    revision = signal(0, { unwatched: () => revisions.delete(key) });
    revisions.set(key, revision);
  }
  return revision.value;
}

/** Starts with a snapshot, or starts again with a later one. */
export function start(snapshot: Snapshot): State {
  current = hydrate(snapshot);
  invalidateViews();
  batch(() => {
    for (const revision of revisions.values()) revision.value++;
    isStarted.value = true;
  });
  notifyListeners(undefined);
  return current;
}

/** Events that arrive while a response is pending, for each pending request. */
const pendingRequests = new Set<Event[]>();

/**
 * Applies events that arrived during the request over the answer. If events were lost meanwhile,
 * requests it again.
 */
export async function withConcurrentEvents<T>(
  request: () => Promise<T>,
): Promise<[T, readonly Event[]]> {
  const concurrent: Event[] = [];
  const state = current;
  pendingRequests.add(concurrent);
  try {
    const response = await request();
    return current && current !== state
      ? await withConcurrentEvents(request)
      : [response, concurrent];
  } finally {
    pendingRequests.delete(concurrent);
  }
}

/** Applies the events of one poll, and notifies once. */
export function apply(events: readonly Event[]): Changed {
  for (const concurrent of pendingRequests) concurrent.push(...events);
  const changed = reduce(getState(), events);
  reduceViews(events, getState(), changed);
  invalidate(changed);
  return changed;
}

/** Local events are not in the server's log, so they have no number. */
export function applyLocal(localEvents: readonly LocalEvent[]): void {
  if (localEvents.length > 0) apply(localEvents.map((event) => ({ ...event, id: -1 }) as Event));
}

/** Must be called after a change without events: a response, or an action of the user. */
export function invalidate(keys: Changed | readonly ChangeKey[]): void {
  const changed = keys instanceof Set ? keys : new Set(keys);
  if (changed.size === 0) return;
  batch(() => {
    for (const key of changed) {
      const revision = revisions.get(key);
      if (revision) revision.value++;
    }
  });
  notifyListeners(changed);
}

/** An error in a listener does not keep the others from being called. */
function notifyListeners(changed: Changed | undefined): void {
  for (const listener of listeners) {
    try {
      listener(changed);
    } catch (error) {
      reportError(error);
    }
  }
}

/** Calls the listener with the keys of every change. Returns a function that stops. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
