// Asks the server where something was written lately, some at a time.
import { fetchRecentTopics } from "../../api/deed-calls.ts";
import { sync } from "../../here.ts";
import { flown, now, onChange, touch } from "../../live.ts";
import type { Changed } from "../../snapshot.ts";
import { noteTopic, reduceTopics, topicKey } from "../topics/state.ts";
import type { RecentKnown } from "./places.ts";

/** Infinity: nothing was asked yet. */
export const recentKnown: RecentKnown = { participants: new Map(), down_to: Infinity };

let running: Promise<void> | undefined;

onChange((changed) => {
  // Another snapshot: what is between is not known.
  if (changed) return;
  recentKnown.participants.clear();
  recentKnown.down_to = Infinity;
});

export const isRecentLoaded = (): boolean => recentKnown.down_to !== Infinity;

/** What is newest, unless it is known. */
export function loadRecent(): Promise<void> {
  return isRecentLoaded() ? Promise.resolve() : loadMore();
}

/** Loads the topics before those that are there. */
export function loadMore(): Promise<void> {
  if (recentKnown.down_to === null) return Promise.resolve();
  return (running ??= ask().finally(() => (running = undefined)));
}

async function ask(): Promise<void> {
  const [answer, came] = await flown(() => {
    const before = recentKnown.down_to === Infinity ? {} : { before: recentKnown.down_to! };
    return fetchRecentTopics(sync, { ...before, allow_empty_topic_name: true });
  });
  const changed: Changed = new Set(["recent"]);
  const { topics } = now();
  for (const { stream_id, topic, max_id, participants } of answer.topics) {
    noteTopic(topics, stream_id, { name: topic, max_id }, changed);
    recentKnown.participants.set(topicKey(stream_id, topic), [...participants]);
  }
  for (const event of came) reduceTopics(topics, event, changed);
  recentKnown.down_to = answer.before;
  touch(changed);
}
