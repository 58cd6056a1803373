// Selects the messages that are cached on disk, and adds cached messages to the state.
import { getState } from "../../store/store.ts";
import type { State } from "../../store/state.ts";
import type { Message } from "../../contract/message.ts";

/** Adds messages that are not known yet. */
export function addCachedMessages({ messages, unread }: State, cached: readonly Message[]): void {
  for (const message of cached) {
    const { id, flags } = message;
    if (messages.byId.has(id)) continue;
    const others = flags.filter((flag) => flag !== "read" && flag !== "starred");
    const read = unread.byMessage.has(id) ? [] : ["read"];
    const starred = messages.starred.has(id) ? ["starred"] : [];
    messages.byId.set(id, { ...message, flags: [...read, ...starred, ...others] });
  }
}

/**
 * In channels that the user has left, no events arrive that would remove the message from the
 * cache.
 */
export function isCacheable({ stream_id }: Message): boolean {
  if (stream_id === undefined) return true;
  return getState().channels.channels.get(stream_id)?.membership === "subscribed";
}
