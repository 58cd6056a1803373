// The conversations visited in this tab, last first; before the first visit, the newest ones.
import { effect } from "@preact/signals";
import { view } from "../../store/address.ts";
import { maybeState } from "../../store/store.ts";
import type { State } from "../../store/state.ts";
import { type ConversationRef, conversationOf } from "../../views.ts";
import { personOf } from "../people/state.ts";
import { foldTopic, keyOfConversation } from "../../conversation-keys.ts";
import { recentKnown } from "./load.ts";
import { type RecentConversation, conversationsIn } from "./places.ts";

const VISITED_MAX = 30;

/** Views by key. The last visited one is last. */
const visited = new Map<string, ConversationRef>();

effect(() => {
  const currentView = view.value;
  const state = maybeState();
  if (currentView.kind !== "messages" || !state) return;
  const conversation = conversationOf(currentView.terms, state.people.me);
  if (!conversation) return;
  const key = keyOfConversation(conversation);
  visited.delete(key);
  visited.set(key, conversation);
  if (visited.size > VISITED_MAX) visited.delete(visited.keys().next().value!);
});

/** Rank of a recent visit: 0 is the current view; undefined: not visited recently. */
export function visitedAt(key: string): number | undefined {
  const index = [...visited.keys()].reverse().indexOf(key);
  return index === -1 ? undefined : index;
}

export function lastConversations(state: State, count: number): RecentConversation[] {
  const visitedHere = [...visited]
    .reverse()
    .flatMap(([key, conversation]) => currentConversationOf(state, key, conversation));
  const keys = new Set(visitedHere.map(({ key }) => key));
  const others = conversationsIn(state, recentKnown).filter(({ key }) => !keys.has(key));
  return [...visitedHere, ...others].slice(0, count);
}

/** With its current name. Undefined if it was moved or is inaccessible. */
function currentConversationOf(
  state: State,
  key: string,
  conversation: ConversationRef,
): RecentConversation[] {
  if ("user_ids" in conversation) {
    if (!conversation.user_ids.every((id) => personOf(state.people, id))) return [];
    const max_id = state.conversations.conversations.get(key)?.max_message_id ?? 0;
    return [{ key, conversation, max_id, participants: [] }];
  }
  const topic = state.topics.byChannel
    .get(conversation.stream_id)
    ?.get(foldTopic(conversation.topic));
  if (!topic || !state.channels.channels.has(conversation.stream_id)) return [];
  return [{ key, conversation, max_id: topic.max_id, participants: [] }];
}
