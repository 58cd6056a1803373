// The next unread conversation: followed topics first, then in the order of the sidebar.
import { policyOf, VISIBILITY } from "../topics/state.ts";
import { conversationKey, foldTopic } from "../../conversation-keys.ts";
import type { State } from "../../store/state.ts";
import { recentConversations } from "../conversations/state.ts";
import type { UnreadConversation } from "./by-conversation-state.ts";

export type NextKind = "topic" | "followed" | "direct";

/** The current topic, even without unread messages. */
interface UnreadPosition {
  key: string;
  stream_id: number | null;
  topic: string;
}

interface RankedConversation {
  key: string;
  rank: readonly number[];
  conversation?: UnreadConversation;
}

/** In order, starting after the current conversation. */
export function unreadAfter(
  state: State,
  kind: NextKind,
  channels: readonly number[],
  position: UnreadPosition | undefined,
): UnreadConversation[] {
  const ranked = kind === "direct" ? directs(state) : unreadTopics(state, kind, channels, position);
  if (position && !ranked.some(({ key }) => key === position.key)) {
    ranked.push({ key: position.key, rank: rankOf(state, channels, position) });
  }
  ranked.sort((a, b) => compare(a.rank, b.rank));
  const index = position === undefined ? -1 : ranked.findIndex(({ key }) => key === position.key);
  const order = [...ranked.slice(index + 1), ...ranked.slice(0, Math.max(0, index))];
  return order.flatMap(({ conversation }) => conversation ?? []);
}

function unreadTopics(
  state: State,
  kind: NextKind,
  channels: readonly number[],
  position: UnreadPosition | undefined,
): RankedConversation[] {
  const ranked: RankedConversation[] = [];
  for (const conversation of state.unread.conversations.values()) {
    const { key, stream_id, topic, isMuted } = conversation;
    if (stream_id === null || (isMuted && key !== position?.key)) continue;
    const rank = rankOf(state, channels, conversation);
    const isFollowed = policyOf(state.topics, stream_id, topic) === VISIBILITY.followed;
    if (kind === "followed" && !isFollowed) continue;
    ranked.push({ key, rank, conversation });
  }
  return ranked;
}

/** Followed topics first, then by channel: topics with mentions first, then the newest. */
function rankOf(
  state: State,
  channels: readonly number[],
  { key, stream_id, topic }: UnreadPosition,
) {
  if (stream_id === null) return [-1];
  const conversation = state.unread.conversations.get(key);
  const isFollowed = policyOf(state.topics, stream_id, topic) === VISIBILITY.followed;
  const newestId = state.topics.byChannel.get(stream_id)?.get(foldTopic(topic))?.max_id ?? 0;
  const index = channels.indexOf(stream_id);
  return [
    isFollowed ? 0 : 1,
    index === -1 ? channels.length : index,
    (conversation?.mentions ?? 0) > 0 ? 0 : 1,
    -Math.max(conversation?.ids.at(-1) ?? 0, newestId),
  ];
}

function directs({ conversations, unread }: State): RankedConversation[] {
  return recentConversations(conversations).flatMap(({ user_ids, max_message_id }) => {
    const key = conversationKey(user_ids);
    const conversation = unread.conversations.get(key);
    return conversation ? [{ key, rank: [-max_message_id], conversation }] : [];
  });
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
