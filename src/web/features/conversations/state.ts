/** Direct conversations, the newest first. */
import { conversationKey, peopleOf } from "../../conversation-keys.ts";
import type { Changed, Event, Snapshot } from "../../contract/snapshot.ts";

interface Conversation {
  /** The other users, ascending; empty for notes to self. */
  user_ids: number[];
  max_message_id: number;
}

export interface Conversations {
  conversations: Map<string, Conversation>;
  /** Keys whose newest message was removed, so the new one must be requested. */
  unverified: Set<string>;
}

export const CONVERSATION_FIELDS = ["recent_private_conversations"] as const;

export function hydrateConversations(snapshot: Snapshot): Conversations {
  const conversations = new Map<string, Conversation>();
  const unverified = new Set<string>();
  const rows = snapshot.recent_private_conversations ?? [];
  for (const { user_ids, max_message_id, is_doubted } of rows) {
    const people = peopleOf(user_ids, snapshot.user_id ?? 0);
    const key = conversationKey(people);
    conversations.set(key, { user_ids: people, max_message_id });
    if (is_doubted) unverified.add(key);
  }
  return { conversations, unverified };
}

/** Unknown entries stay unknown in other tabs and after a start from the cache. */
export function dehydrateConversations({
  conversations,
  unverified,
}: Conversations): Partial<Snapshot> {
  const rows = [...conversations].map(([key, conversation]) =>
    unverified.has(key) ? { ...conversation, is_doubted: true } : conversation,
  );
  return { recent_private_conversations: rows };
}

/** Returns the conversations, newest first. */
export function recentConversations({ conversations }: Conversations): Conversation[] {
  return [...conversations.values()].sort((a, b) => b.max_message_id - a.max_message_id);
}

export function reduceConversations(
  slice: Conversations,
  event: Event,
  me: number,
  changed: Changed,
): void {
  if (event.type === "delete_message") return markUnverified(slice, event, changed);
  if (event.type !== "message") return;
  const { type, id, display_recipient } = event.message;
  if (type !== "private") return;
  const ids: number[] = display_recipient.map((person: { id: number }) => person.id);
  recordConversation(slice, peopleOf(ids, me), id, changed);
}

/** The event does not name the conversation of the message. */
function markUnverified(
  slice: Conversations,
  event: Event<"delete_message">,
  changed: Changed,
): void {
  if (event.message_type !== "private") return;
  const ids = event.message_ids ?? [event.message_id];
  for (const [key, { max_message_id }] of slice.conversations) {
    if (!ids.includes(max_message_id)) continue;
    slice.unverified.add(key);
    changed.add("dms");
  }
}

/** Sets the newest message of the conversation, if there is one. */
export function setNewestMessage(
  { conversations, unverified }: Conversations,
  key: string,
  max_message_id: number | undefined,
  changed: Changed,
): void {
  const conversation = conversations.get(key);
  if (!unverified.delete(key) || !conversation) return;
  if (max_message_id === undefined) conversations.delete(key);
  else conversations.set(key, { ...conversation, max_message_id });
  changed.add("dms").add(`dm:${key}`);
}

export function recordConversation(
  { conversations, unverified }: Conversations,
  user_ids: number[],
  max_message_id: number,
  changed: Changed,
): void {
  const key = conversationKey(user_ids);
  const conversation = conversations.get(key);
  if (conversation && conversation.max_message_id >= max_message_id) return;
  conversations.set(key, { user_ids, max_message_id });
  unverified.delete(key);
  changed.add("dms").add(`dm:${key}`);
}
