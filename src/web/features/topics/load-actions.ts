// All topics of a channel.
import { fetchTopics } from "../../api/calls.ts";
import { sync } from "../../sync/session.ts";
import { withConcurrentEvents, getState, invalidate } from "../../store/store.ts";
import type { Changed } from "../../contract/snapshot.ts";
import { isSubscribed } from "../channels/state.ts";
import { reduceTopics, addTopics } from "./state.ts";

const loading = new Map<number, Promise<void>>();

/**
 * Loads all topics of a channel: once, and again if the list is outdated or there are no events for
 * the channel.
 */
export function loadTopics(stream_id: number): Promise<void> {
  const { topics, channels } = getState();
  const isUpToDate = topics.completeChannels.has(stream_id) && isSubscribed(channels, stream_id);
  if (isUpToDate && !topics.unverified.has(stream_id)) return Promise.resolve();
  const runningLoad = loading.get(stream_id);
  if (runningLoad) return runningLoad;
  const load = fetchTopicsOf(stream_id).finally(() => loading.delete(stream_id));
  loading.set(stream_id, load);
  return load;
}

async function fetchTopicsOf(stream_id: number, isAgain = false): Promise<void> {
  const ask = () => fetchTopics(sync, { stream_id, allow_empty_topic_name: true });
  const [{ topics }, concurrent] = await withConcurrentEvents(ask);
  const changed: Changed = new Set();
  const { topics: slice, messages } = getState();
  addTopics(slice, stream_id, topics, changed);
  for (const event of concurrent) reduceTopics(slice, event, messages.byId, changed);
  invalidate(changed);
  // A topic was removed from the list meanwhile.
  if (slice.unverified.has(stream_id) && !isAgain) await fetchTopicsOf(stream_id, true);
}
