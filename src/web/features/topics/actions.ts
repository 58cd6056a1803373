// Actions on topics: mute, follow and resolve.
import { editMessage, setTopicPolicy } from "../../api/message-calls.ts";
import { getState } from "../../store/store.ts";
import { optimistic, showRefusal } from "../../sync/optimistic.ts";
import { showToast } from "../../ui/toast.tsx";
import { t, type TextKey } from "../../words/words.ts";
import { optimisticMove } from "./move-actions.ts";
import { isResolved, resolved, unresolved } from "./rules.ts";
import { policyOf, VISIBILITY } from "./state.ts";
import { foldTopic, topicKey } from "../../conversation-keys.ts";
import { loadTopics } from "./load-actions.ts";

const POLICY_MESSAGES: Readonly<Record<number, TextKey>> = {
  [VISIBILITY.default]: "topic-now-default",
  [VISIBILITY.muted]: "topic-now-muted",
  [VISIBILITY.unmuted]: "topic-now-unmuted",
  [VISIBILITY.followed]: "topic-now-followed",
};

export function choosePolicy(stream_id: number, topic: string, visibility_policy: number): void {
  const before = policyOf(getState().topics, stream_id, topic);
  if (before === visibility_policy) return;
  const localEvent = (policy: number) => ({
    type: "user_topic" as const,
    stream_id,
    topic_name: topic,
    last_updated: Math.floor(Date.now() / 1000),
    visibility_policy: policy,
  });
  const request = setTopicPolicy.toRequest({ stream_id, topic, visibility_policy });
  void optimistic(request, [localEvent(visibility_policy)], [localEvent(before)]);
  showToast({
    text: t(POLICY_MESSAGES[visibility_policy]!),
    undo: () => choosePolicy(stream_id, topic, before),
  });
}

/** The policies of topics before this tab muted or followed them, by policy and topic key. */
const policiesBefore = new Map<string, number>();

/** Mutes the topic. If it is muted, restores the policy that it had before. */
export const toggleMuted = (stream_id: number, topic: string): void =>
  togglePolicy(stream_id, topic, VISIBILITY.muted);

/** Follows the topic. If it is followed, restores the policy that it had before. */
export const toggleFollowed = (stream_id: number, topic: string): void =>
  togglePolicy(stream_id, topic, VISIBILITY.followed);

function togglePolicy(stream_id: number, topic: string, targetPolicy: number): void {
  const key = `${targetPolicy} ${topicKey(stream_id, topic)}`;
  const policy = policyOf(getState().topics, stream_id, topic);
  if (policy === targetPolicy) {
    choosePolicy(stream_id, topic, policiesBefore.get(key) ?? VISIBILITY.default);
    policiesBefore.delete(key);
    return;
  }
  policiesBefore.set(key, policy);
  choosePolicy(stream_id, topic, targetPolicy);
}

/** Renames the whole topic; the server's events report the moved messages. */
export async function toggleResolved(stream_id: number, topic: string): Promise<void> {
  const to = isResolved(topic) ? unresolved(topic) : resolved(topic);
  try {
    const message_id = await newestOf(stream_id, topic);
    if (message_id === undefined) return;
    const mode = "change_all";
    const [from, topicRef] = [
      { stream_id, topic },
      { stream_id, topic: to },
    ];
    const params = { propagate_mode: mode, send_notification_to_new_thread: true } as const;
    const { local, inverse } = optimisticMove({ message_id, mode, from, to: topicRef });
    void optimistic(editMessage.toRequest({ message_id, topic: to, ...params }), local, inverse, {
      change: { message_id, from, to: topicRef },
    });
  } catch (error) {
    showRefusal(error);
  }
}

/** The id of the newest message of a topic. */
export async function newestOf(stream_id: number, topic: string): Promise<number | undefined> {
  const newestId = () => getState().topics.byChannel.get(stream_id)?.get(foldTopic(topic))?.max_id;
  if (newestId() === undefined) await loadTopics(stream_id);
  return newestId();
}

/** The unread messages of one topic, for marking it as read. */
export const unreadOf = (stream_id: number, topic: string) => {
  const unread = getState().unread.conversations.get(topicKey(stream_id, topic));
  return unread ? [unread] : [];
};
