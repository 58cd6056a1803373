// The pinned messages of channels, as the server last listed them.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { fetchPins, type Pin } from "../../api/channel-extras-calls.ts";
import { sync } from "../../sync/session.ts";
import { invalidate, maybeState, onChange, subscribe } from "../../store/store.ts";

const lists = signal<ReadonlyMap<number, readonly Pin[]>>(new Map());

const pinsOf = (stream_id: number): readonly Pin[] => lists.value.get(stream_id) ?? [];

/** The server lists no pins for spectators, nor of a channel that the user cannot see. */
const isVisible = (stream_id: number) =>
  sync.connection.peek().kind !== "visiting" &&
  maybeState()?.channels.channels.has(stream_id) === true;

/** The pin of a message, if the list of its channel is known. */
export const knownPin = (stream_id: number, message_id: number): Pin | undefined =>
  lists
    .peek()
    .get(stream_id)
    ?.find((pin) => pin.message_id === message_id);

export const isKnown = (stream_id: number): boolean => lists.value.has(stream_id);

/** If the pins of the channel are not known yet, requests them and returns false. */
export function isPinned(stream_id: number, message_id: number): boolean {
  if (isVisible(stream_id) && !lists.peek().has(stream_id)) void loadPins(stream_id);
  return pinsOf(stream_id).some((pin) => pin.message_id === message_id);
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
  for (const [stream_id, pins] of lists.peek()) {
    if (changed?.has(`pins:${stream_id}`) && isVisible(stream_id)) void loadPins(stream_id);
    const renamed = pins.filter(({ pinned_by }) => changed?.has(`user:${pinned_by}`));
    if (renamed.length > 0) redrawRows(renamed);
  }
});

/** The latest request of each channel. */
const requests = new Map<number, Promise<readonly Pin[]>>();

/** If the user has lost access, the list is empty. */
export async function loadPins(stream_id: number): Promise<void> {
  if (!isVisible(stream_id)) return;
  const request = fetchPins(sync, { stream_id }).then(
    ({ pins }): readonly Pin[] => pins,
    () => [],
  );
  requests.set(stream_id, request);
  const pins = await request;
  // A later request has newer data.
  if (requests.get(stream_id) !== request) return;
  requests.delete(stream_id);
  const before = pinsOf(stream_id);
  lists.value = new Map(lists.peek()).set(stream_id, pins);
  redrawRows([...before, ...pins]);
}

const redrawRows = (pins: readonly Pin[]) =>
  invalidate(pins.map(({ message_id }) => `message:${message_id}` as const));
