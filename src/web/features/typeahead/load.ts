// Loads candidates when the user starts to type a name: topics, emoji or languages.
import { getState } from "../../store/store.ts";
import { whenRenderer } from "../../render/loading.ts";
import { isRecentLoaded, loadRecent } from "../recent/load.ts";
import { loadTopics as loadWhole } from "../topics/load-actions.ts";
import type { Trigger } from "./trigger.ts";

/** Resolves when more candidates are available; undefined if nothing must be loaded. */
export function loadFor({ kind, channel }: Trigger): Promise<void> | undefined {
  if (kind === "emoji" || kind === "code") return whenRenderer();
  if (kind === "channel") {
    return isRecentLoaded() ? undefined : loadRecent().catch(() => undefined);
  }
  if (kind !== "topic") return undefined;
  const { channels, topics } = getState();
  const row = [...channels.channels.values()].find(
    (candidate) => candidate.row.name === channel,
  )?.row;
  if (!row || topics.completeChannels.has(row.stream_id) || refused.has(row.stream_id))
    return undefined;
  return loadTopics(row.stream_id);
}

/** Requests that the server rejected are not repeated. */
const refused = new Set<number>();

/** Loads all topics of a channel; until then, known topics are suggested. */
export async function loadTopics(stream_id: number): Promise<void> {
  if (!refused.has(stream_id)) await loadWhole(stream_id).catch(() => refused.add(stream_id));
}
