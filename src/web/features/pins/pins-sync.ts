// The pinned messages of channels, as the server last listed them.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { fetchPins, type Pin } from "../../api/channel-extras-calls.ts";
import { sync } from "../../sync/session.ts";
import { maybeState, onChange, subscribe } from "../../store/store.ts";

const lists = signal<ReadonlyMap<number, readonly Pin[]>>(new Map());

const pinsOf = (stream_id: number): readonly Pin[] => lists.value.get(stream_id) ?? [];

/** The server lists no pins of a channel that the user cannot see. */
const isVisible = (stream_id: number) => maybeState()?.channels.channels.has(stream_id) === true;

/** Requests a list that is not known yet, for the next call. */
export function isPinned(stream_id: number, message_id: number): boolean {
  if (isVisible(stream_id) && !lists.peek().has(stream_id)) void loadPins(stream_id);
  return pinsOf(stream_id).some((one) => one.message_id === message_id);
}

/** The list of a channel, kept up to date while it is displayed. */
export function usePins(stream_id: number): readonly Pin[] {
  subscribe(`channel:${stream_id}`);
  const isMissing = isVisible(stream_id) && !lists.value.has(stream_id);
  useEffect(() => {
    if (isMissing) void loadPins(stream_id);
  }, [stream_id, isMissing]);
  return pinsOf(stream_id);
}

onChange((changed) => {
  // Events may have been lost.
  if (!changed) lists.value = new Map();
  for (const stream_id of lists.peek().keys()) {
    if (changed?.has(`pins:${stream_id}`) && isVisible(stream_id)) void loadPins(stream_id);
  }
});

/** If there is no response, such as after losing access, the list is empty. */
export async function loadPins(stream_id: number): Promise<void> {
  const pins = await fetchPins(sync, { stream_id }).then(
    (found) => found.pins,
    () => [],
  );
  lists.value = new Map(lists.peek()).set(stream_id, pins);
}
