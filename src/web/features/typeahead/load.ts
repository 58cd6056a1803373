// Fetches what one may mean, once, when somebody begins to name it: topics, emoji, languages.
import { fetchTopics } from "../../api/calls.ts";
import { fetchRecentTopics } from "../../api/deed-calls.ts";
import { sync } from "../../here.ts";
import { now, touch } from "../../live.ts";
import { whenRenderer } from "../../render/loading.ts";
import type { Changed } from "../../snapshot.ts";
import { noteTopic, takeTopics } from "../topics/state.ts";
import type { Trigger } from "./trigger.ts";

let recent: Promise<void> | undefined;

/** Resolves when more may be proposed than before; undefined where nothing has to be fetched. */
export function loadFor({ kind, channel }: Trigger): Promise<void> | undefined {
  if (kind === "emoji" || kind === "code") return whenRenderer();
  if (kind === "channel") {
    if (recent) return undefined;
    return (recent = loadRecent().catch(() => void (recent = undefined)));
  }
  if (kind !== "topic") return undefined;
  const { channels, topics } = now();
  const row = [...channels.channels.values()].find((known) => known.row.name === channel)?.row;
  if (!row || topics.whole.has(row.stream_id) || refused.has(row.stream_id)) return undefined;
  return loadTopics(row.stream_id);
}

async function loadRecent(): Promise<void> {
  const { topics } = await fetchRecentTopics(sync, { allow_empty_topic_name: true });
  const changed: Changed = new Set();
  for (const { stream_id, topic, max_id } of topics)
    noteTopic(now().topics, stream_id, { name: topic, max_id }, changed);
  touch(changed);
}

const loading = new Map<number, Promise<void>>();
/** What the server refuses is not asked for again. */
const refused = new Set<number>();

/** Loads all topics of a channel. */
export function loadTopics(stream_id: number): Promise<void> {
  const known = loading.get(stream_id);
  if (known) return known;
  const fetched = fetchAll(stream_id).finally(() => loading.delete(stream_id));
  loading.set(stream_id, fetched);
  return fetched;
}

async function fetchAll(stream_id: number): Promise<void> {
  if (now().topics.whole.has(stream_id)) return;
  try {
    const { topics } = await fetchTopics(sync, { stream_id, allow_empty_topic_name: true });
    const changed: Changed = new Set();
    takeTopics(now().topics, stream_id, topics, changed);
    touch(changed);
  } catch {
    // Topics that are known already are proposed all the same.
    refused.add(stream_id);
  }
}
