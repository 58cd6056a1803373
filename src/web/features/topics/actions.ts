// Actions on topics: mute, follow and resolve.
import { editMessage, setTopicPolicy } from "../../api/deed-calls.ts";
import { now } from "../../live.ts";
import { optimistic, showRefusal } from "../../optimistic.ts";
import { showToast } from "../../ui/toast.tsx";
import { say, type Word } from "../../words/words.ts";
import { foretoldMove } from "./foretold.ts";
import { isResolved, resolved, unresolved } from "./resolved.ts";
import { foldTopic, policyOf, topicKey, VISIBILITY } from "./state.ts";
import { loadTopics } from "./whole.ts";

const SAID: Readonly<Record<number, Word>> = {
  [VISIBILITY.default]: "topic-now-default",
  [VISIBILITY.muted]: "topic-now-muted",
  [VISIBILITY.unmuted]: "topic-now-unmuted",
  [VISIBILITY.followed]: "topic-now-followed",
};

export function choosePolicy(stream_id: number, topic: string, visibility_policy: number): void {
  const before = policyOf(now().topics, stream_id, topic);
  if (before === visibility_policy) return;
  const foretold = (policy: number) => ({
    type: "user_topic" as const,
    stream_id,
    topic_name: topic,
    last_updated: Math.floor(Date.now() / 1000),
    visibility_policy: policy,
  });
  const wanted = setTopicPolicy.asked({ stream_id, topic, visibility_policy });
  void optimistic(wanted, [foretold(visibility_policy)], [foretold(before)]);
  showToast({
    words: say(SAID[visibility_policy]!),
    undo: () => choosePolicy(stream_id, topic, before),
  });
}

/** The policies of topics that this tab muted, so that unmuting restores them, by topic key. */
const beforeMute = new Map<string, number>();

/** Mutes the topic. If it is muted, restores the policy that it had before. */
export function toggleMuted(stream_id: number, topic: string): void {
  const key = topicKey(stream_id, topic);
  const policy = policyOf(now().topics, stream_id, topic);
  if (policy === VISIBILITY.muted) {
    choosePolicy(stream_id, topic, beforeMute.get(key) ?? VISIBILITY.default);
    beforeMute.delete(key);
    return;
  }
  beforeMute.set(key, policy);
  choosePolicy(stream_id, topic, VISIBILITY.muted);
}

export function toggleFollowed(stream_id: number, topic: string): void {
  const isFollowed = policyOf(now().topics, stream_id, topic) === VISIBILITY.followed;
  choosePolicy(stream_id, topic, isFollowed ? VISIBILITY.default : VISIBILITY.followed);
}

/** Renames the whole topic; the server tells where its messages went. */
export async function toggleResolved(stream_id: number, topic: string): Promise<void> {
  const to = isResolved(topic) ? unresolved(topic) : resolved(topic);
  try {
    const message_id = await newestOf(stream_id, topic);
    if (message_id === undefined) return;
    const mode = "change_all";
    const [from, at] = [
      { stream_id, topic },
      { stream_id, topic: to },
    ];
    const told = { propagate_mode: mode, send_notification_to_new_thread: true } as const;
    const { foretold, inverse } = foretoldMove({ message_id, mode, from, to: at });
    void optimistic(editMessage.asked({ message_id, topic: to, ...told }), foretold, inverse, {
      change: { message_id, from, to: at },
    });
  } catch (error) {
    showRefusal(error);
  }
}

async function newestOf(stream_id: number, topic: string): Promise<number | undefined> {
  const found = () => now().topics.known.get(stream_id)?.get(foldTopic(topic))?.max_id;
  if (found() === undefined) await loadTopics(stream_id);
  return found();
}

/** The unread of one topic, for what marks it as read. */
export const unreadOf = (stream_id: number, topic: string) => {
  const place = now().unread.places.get(topicKey(stream_id, topic));
  return place ? [place] : [];
};
