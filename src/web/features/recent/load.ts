// Loads recent conversations from the server in batches.
import { fetchRecentTopics } from "../../api/message-calls.ts";
import { sync } from "../../sync/session.ts";
import { withConcurrentEvents, getState, onChange, invalidate } from "../../store/store.ts";
import type { Changed } from "../../contract/snapshot.ts";
import { LEFT, recordTopic, reduceTopics } from "../topics/state.ts";
import { topicKey } from "../../conversation-keys.ts";
import type { RecentKnown } from "./places.ts";

/** Infinity: nothing was requested yet. */
export const recentKnown: RecentKnown = {
  participants: new Map(),
  down_to: Infinity,
  isDoubted: false,
};

let runningLoad: Promise<void> | undefined;

onChange((changed) => {
  if (changed?.has(LEFT)) recentKnown.isDoubted = true;
  // After a new snapshot, messages in between may be missing.
  if (changed) return;
  recentKnown.participants.clear();
  recentKnown.down_to = Infinity;
});

export const isRecentLoaded = (): boolean => recentKnown.down_to !== Infinity;

/** Requests the newest conversations, unless they are known. */
export function loadRecent(): Promise<void> {
  if (isRecentLoaded() && !recentKnown.isDoubted) return Promise.resolve();
  return start(Infinity);
}

/** Loads older topics. */
export function loadMore(): Promise<void> {
  const { down_to } = recentKnown;
  return down_to === null ? Promise.resolve() : start(down_to);
}

const start = (from: number): Promise<void> =>
  (runningLoad ??= ask(from).finally(() => (runningLoad = undefined)));

async function ask(from: number): Promise<void> {
  if (from === Infinity) recentKnown.isDoubted = false;
  const [response, concurrent] = await withConcurrentEvents(() => {
    const before = isRecentLoaded() && from !== Infinity ? { before: from } : {};
    return fetchRecentTopics(sync, { ...before, allow_empty_topic_name: true });
  }).catch((error) => {
    recentKnown.isDoubted = true;
    throw error;
  });
  const changed: Changed = new Set(["recent"]);
  const { topics, messages } = getState();
  for (const { stream_id, topic, max_id, participants } of response.topics) {
    recordTopic(topics, stream_id, { name: topic, max_id }, changed);
    recentKnown.participants.set(topicKey(stream_id, topic), [...participants]);
  }
  for (const event of concurrent) reduceTopics(topics, event, messages.byId, changed);
  // Keeps the number of displayed conversations.
  const before = response.before ?? 0;
  const down_to = Math.min(recentKnown.down_to ?? 0, before);
  recentKnown.down_to = down_to || null;
  invalidate(changed);
  if (before > down_to) await ask(before);
}
