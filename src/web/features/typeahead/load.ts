// Fetches what one may mean, once, when somebody begins to name it: topics, emoji, languages.
import { now } from "../../live.ts";
import { whenRenderer } from "../../render/loading.ts";
import { isRecentLoaded, loadRecent } from "../recent/load.ts";
import { loadTopics as loadWhole } from "../topics/whole.ts";
import type { Trigger } from "./trigger.ts";

/** Resolves when more may be proposed than before; undefined where nothing has to be fetched. */
export function loadFor({ kind, channel }: Trigger): Promise<void> | undefined {
  if (kind === "emoji" || kind === "code") return whenRenderer();
  if (kind === "channel") {
    return isRecentLoaded() ? undefined : loadRecent().catch(() => undefined);
  }
  if (kind !== "topic") return undefined;
  const { channels, topics } = now();
  const row = [...channels.channels.values()].find((known) => known.row.name === channel)?.row;
  if (!row || topics.whole.has(row.stream_id) || refused.has(row.stream_id)) return undefined;
  return loadTopics(row.stream_id);
}

/** Requests that the server rejected are not repeated. */
const refused = new Set<number>();

/** Loads all topics of a channel; without them those that are known are proposed all the same. */
export async function loadTopics(stream_id: number): Promise<void> {
  if (!refused.has(stream_id)) await loadWhole(stream_id).catch(() => refused.add(stream_id));
}
