// Which unread conversation comes next: followed ones, then as the rail has its channels.
import { foldTopic, policyOf, VISIBILITY } from "../topics/state.ts";
import type { State } from "../../state.ts";
import { recentConversations, conversationKey } from "../conversations/state.ts";
import type { UnreadPlace } from "./places.ts";

export type NextKind = "topic" | "followed" | "direct";

/** A topic that one is in, whether or not something is unread there. */
interface Here {
  key: string;
  stream_id: number | null;
  topic: string;
}

interface Ranked {
  key: string;
  rank: readonly number[];
  place?: UnreadPlace;
}

/** In order, beginning after where one is. */
export function unreadAfter(
  state: State,
  kind: NextKind,
  channels: readonly number[],
  here: Here | undefined,
): UnreadPlace[] {
  const ranked = kind === "direct" ? directs(state) : topics(state, kind, channels, here);
  if (here && !ranked.some(({ key }) => key === here.key)) {
    ranked.push({ key: here.key, rank: rankOf(state, channels, here) });
  }
  ranked.sort((a, b) => compare(a.rank, b.rank));
  const at = here === undefined ? -1 : ranked.findIndex(({ key }) => key === here.key);
  const order = [...ranked.slice(at + 1), ...ranked.slice(0, Math.max(0, at))];
  return order.flatMap(({ place }) => place ?? []);
}

function topics(
  state: State,
  kind: NextKind,
  channels: readonly number[],
  here: Here | undefined,
): Ranked[] {
  const ranked: Ranked[] = [];
  for (const place of state.unread.places.values()) {
    const { key, stream_id, topic, isMuted } = place;
    if (stream_id === null || (isMuted && key !== here?.key)) continue;
    const rank = rankOf(state, channels, place);
    const isFollowed = policyOf(state.topics, stream_id, topic) === VISIBILITY.followed;
    if (kind === "followed" && !isFollowed) continue;
    ranked.push({ key, rank, place });
  }
  return ranked;
}

/** Followed first, then by channel, there those that call one, then the newest. */
function rankOf(state: State, channels: readonly number[], { key, stream_id, topic }: Here) {
  if (stream_id === null) return [-1];
  const place = state.unread.places.get(key);
  const isFollowed = policyOf(state.topics, stream_id, topic) === VISIBILITY.followed;
  const known = state.topics.known.get(stream_id)?.get(foldTopic(topic))?.max_id ?? 0;
  const at = channels.indexOf(stream_id);
  return [
    isFollowed ? 0 : 1,
    at === -1 ? channels.length : at,
    (place?.mentions ?? 0) > 0 ? 0 : 1,
    -Math.max(place?.ids.at(-1) ?? 0, known),
  ];
}

function directs({ conversations, unread }: State): Ranked[] {
  return recentConversations(conversations).flatMap(({ user_ids, max_message_id }) => {
    const key = conversationKey(user_ids);
    const place = unread.places.get(key);
    return place ? [{ key, rank: [-max_message_id], place }] : [];
  });
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < a.length; at++) {
    const difference = a[at]! - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
