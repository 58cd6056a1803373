// The state that views read, each by keys: what changes a key draws its readers anew, once.
import { batch, type Signal, signal } from "@preact/signals";
import { attempt } from "./failures/attempt.ts";
import { doubtViews, reduceViews } from "./feed/views.ts";
import type { Changed, Deed, Event, Snapshot } from "./snapshot.ts";
import { hydrate, reduce, type State } from "./state.ts";

let current: State | undefined;
const revisions = new Map<string, Signal<number>>();
/** Whether there is a state, so that `now()` may be called. */
export const isStarted = signal(false);

/** `changed` undefined: the state was replaced, and everything may be another. */
type Listener = (changed: Changed | undefined) => void;
const listeners = new Set<Listener>();

/** The state if there is one, for views, which are rendered again once there is. */
export const known = (): State | undefined => (isStarted.value ? current : undefined);

/** The state. Use `keyed` to name the parts on which rendering depends. */
export function now(): State {
  if (!current) throw new Error("nothing is known yet");
  return current;
}

/** Reads a key: the view or effect that calls this is run again when it changes. */
export function keyed(...keys: string[]): void {
  for (const key of keys) {
    let revision = revisions.get(key);
    if (!revision) {
      revision = signal(0, { unwatched: () => revisions.delete(key) });
      revisions.set(key, revision);
    }
    // Reading subscribes.
    void revision.value;
  }
}

/** Starts with a snapshot, or starts again with a later one. */
export function start(snapshot: Snapshot): State {
  current = hydrate(snapshot);
  doubtViews();
  batch(() => {
    for (const revision of revisions.values()) revision.value++;
    isStarted.value = true;
  });
  tellListeners(undefined);
  return current;
}

/** The events that come while an answer is on its way, for each answer. */
const flights = new Set<Event[]>();

/**
 * Applies events that arrived during the request over the answer. If events were lost meanwhile,
 * requests it again.
 */
export async function flown<T>(ask: () => Promise<T>): Promise<[T, readonly Event[]]> {
  const came: Event[] = [];
  const state = current;
  flights.add(came);
  try {
    const answer = await ask();
    return current && current !== state ? await flown(ask) : [answer, came];
  } finally {
    flights.delete(came);
  }
}

/** The events of one poll, told as one change. */
export function apply(events: readonly Event[]): Changed {
  for (const came of flights) came.push(...events);
  const changed = reduce(now(), events);
  reduceViews(events, now(), changed);
  touch(changed);
  return changed;
}

/** Events of one's own stand in no log, so they have no place in one. */
export function take(deeds: readonly Deed[]): void {
  if (deeds.length > 0) apply(deeds.map((event) => ({ ...event, id: -1 }) as Event));
}

/** Tells that something was changed by other means than events: a fetch, or an act of one's own. */
export function touch(changed: Changed): void {
  if (changed.size === 0) return;
  batch(() => {
    for (const key of changed) {
      const revision = revisions.get(key);
      if (revision) revision.value++;
    }
  });
  tellListeners(changed);
}

/** A listener that fails keeps the change from no other. */
function tellListeners(changed: Changed | undefined): void {
  for (const listener of listeners) {
    attempt(
      () => listener(changed),
      () => undefined,
    );
  }
}

/** Hears of all changes by their keys; gives what ends it. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Forgets everything, as after signing out. */
export function end(): void {
  current = undefined;
  isStarted.value = false;
}
