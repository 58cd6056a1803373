// The conversations visited in this tab, last first; before the first visit, the newest ones.
import { effect } from "@preact/signals";
import { view } from "../../store/address.ts";
import { known } from "../../store/store.ts";
import type { State } from "../../store/state.ts";
import { type ConversationRef, conversationOf } from "../../views.ts";
import { personOf } from "../people/state.ts";
import { conversationKey, foldTopic, topicKey } from "../../conversation-keys.ts";
import { recentKnown } from "./load.ts";
import { type RecentPlace, recentPlaces } from "./places.ts";

const VISITED_MAX = 30;

/** Views by key. The last visited one is last. */
const visited = new Map<string, ConversationRef>();

effect(() => {
  const shown = view.value;
  const state = known();
  if (shown.kind !== "messages" || !state) return;
  const place = conversationOf(shown.terms, state.people.me);
  if (!place) return;
  const key =
    "user_ids" in place ? conversationKey(place.user_ids) : topicKey(place.stream_id, place.topic);
  visited.delete(key);
  visited.set(key, place);
  if (visited.size > VISITED_MAX) visited.delete(visited.keys().next().value!);
});

/** Rank of a recent visit: 0 is the current view; undefined: not visited recently. */
export function visitedAt(key: string): number | undefined {
  const at = [...visited.keys()].reverse().indexOf(key);
  return at === -1 ? undefined : at;
}

export function lastPlaces(state: State, count: number): RecentPlace[] {
  const own = [...visited].reverse().flatMap(([key, place]) => placeNow(state, key, place));
  const keys = new Set(own.map(({ key }) => key));
  const others = recentPlaces(state, recentKnown).filter(({ key }) => !keys.has(key));
  return [...own, ...others].slice(0, count);
}

/** With its current name. Undefined if it was moved or is inaccessible. */
function placeNow(state: State, key: string, place: ConversationRef): RecentPlace[] {
  if ("user_ids" in place) {
    if (!place.user_ids.every((id) => personOf(state.people, id))) return [];
    const max_id = state.conversations.conversations.get(key)?.max_message_id ?? 0;
    return [{ key, place, max_id, participants: [] }];
  }
  const topic = state.topics.known.get(place.stream_id)?.get(foldTopic(place.topic));
  if (!topic || !state.channels.channels.has(place.stream_id)) return [];
  return [{ key, place, max_id: topic.max_id, participants: [] }];
}
