// What a person does with a topic: whether to hear of it, resolving it, all it has.
import { fetchTopics, editMessage, setTopicPolicy } from "../../api/calls.ts";
import { sync } from "../../here.ts";
import { now, touch } from "../../live.ts";
import { optimistic, showRefusal } from "../../optimistic.ts";
import type { Changed } from "../../snapshot.ts";
import { showToast } from "../../ui/toast.tsx";
import { say, type Word } from "../../words/words.ts";
import { type GroupSetting, membersOf } from "../groups/state.ts";
import { foretoldMove } from "./foretold.ts";
import { isResolved, resolved, unresolved } from "./resolved.ts";
import { foldTopic, policyOf, takeTopics, topicKey, VISIBILITY } from "./state.ts";

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

/** Muted where it was not, else as the channel is. */
export function toggleMuted(stream_id: number, topic: string): void {
  const isMuted = policyOf(now().topics, stream_id, topic) === VISIBILITY.muted;
  choosePolicy(stream_id, topic, isMuted ? VISIBILITY.default : VISIBILITY.muted);
}

export function toggleFollowed(stream_id: number, topic: string): void {
  const isFollowed = policyOf(now().topics, stream_id, topic) === VISIBILITY.followed;
  choosePolicy(stream_id, topic, isFollowed ? VISIBILITY.default : VISIBILITY.followed);
}

/** By a right of the organization or of the channel; the server looks at the same two. */
export function mayResolve(stream_id: number): boolean {
  const { people, groups, organization, channels } = now();
  const settings = [
    organization.fields["realm_can_resolve_topics_group"],
    channels.channels.get(stream_id)?.row["can_resolve_topics_group"],
  ] as (GroupSetting | undefined)[];
  return settings.some(
    (setting) => setting !== undefined && membersOf(groups, setting).has(people.me),
  );
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

const loading = new Map<number, Promise<void>>();

/** All topics of a channel, asked for once. */
export function loadTopics(stream_id: number): Promise<void> {
  if (now().topics.whole.has(stream_id)) return Promise.resolve();
  const running = loading.get(stream_id);
  if (running) return running;
  const load = fetchTopics(sync, { stream_id, allow_empty_topic_name: true })
    .then(({ topics }) => {
      const changed: Changed = new Set();
      takeTopics(now().topics, stream_id, topics, changed);
      touch(changed);
    })
    .finally(() => loading.delete(stream_id));
  loading.set(stream_id, load);
  return load;
}

/** The unread of one topic, for what marks it as read. */
export const unreadOf = (stream_id: number, topic: string) => {
  const place = now().unread.places.get(topicKey(stream_id, topic));
  return place ? [place] : [];
};
