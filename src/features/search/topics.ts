// Finds topics by parts of their names, through an index of three-letter sequences.
import type { Reader, Writer } from "../../realm.ts";
import type { Topic } from "../../schema/records.ts";
import {
  andNot,
  ascending,
  chunkOf,
  CHUNK_IDS,
  emptyChunk,
  idOf,
  setRange,
} from "../../store/bitmap/bitmap.ts";
import { countOf, decodeChunk, encodeChunk } from "../../store/bitmap/encodings.ts";
import { folded, WORDS } from "../../text/search/words.ts";
import { COST, idsBack, NarrowedSet, StoredSet } from "../messages/sets/sets.ts";

/** Number of candidate topics to check, newest first. */
const TOPICS_LOOKED_AT_MAX = 20_000;
const STEP_TOPICS = 200;
const RUN_LENGTH = 3;

/** Key for topics that are completely indexed, and for ids without a topic. */
const INDEXED = "";

/** Updates the index after a topic was created, renamed or deleted. */
export function indexTopic(tx: Writer, before: Topic | undefined, after: Topic | undefined): void {
  if (before?.name === after?.name) return;
  const { topic_id } = (after ?? before)!;
  const [runsBefore, now] = [runsIn(before?.name ?? ""), runsIn(after?.name ?? "")];
  for (const run of runsBefore.difference(now)) tx.topic_parts.remove([run], topic_id);
  for (const run of now.difference(runsBefore)) tx.topic_parts.add([run], topic_id);
  if (!before) tx.topic_parts.add([INDEXED], topic_id);
}

/** Topics with a part of three or more letters in a word of their name. */
export function topicsHolding(reader: Reader, part: string): Topic[] {
  const sets = [...runsIn(part)].map((run) => {
    return new StoredSet(run, COST.few, reader.topic_parts, [run]);
  });
  const last = reader.last("topics");
  const ids = idsBack(new NarrowedSet(sets, []), 0, last, TOPICS_LOOKED_AT_MAX);
  ids.push(...unindexedTopics(reader, TOPICS_LOOKED_AT_MAX));
  return ids.flatMap((id) => {
    const topic = reader.topics.get(id);
    return topic && folded(topic.name).includes(part) ? topic : [];
  });
}

/** Indexes some topics of an earlier version. Returns false if none are left. */
export function indexTopicsStep(tx: Writer): boolean {
  const ids = unindexedTopics(tx, STEP_TOPICS);
  for (const id of ids) {
    const topic = tx.topics.get(id);
    for (const run of runsIn(topic?.name ?? "")) tx.topic_parts.add([run], id);
  }
  for (const [n, idsOfChunk] of Map.groupBy(ids, chunkOf)) {
    const chunk = decodeChunk(tx.topic_parts.chunk([INDEXED], n));
    for (const id of idsOfChunk) setRange(chunk, id - idOf(n, 0), id - idOf(n, 0));
    tx.topic_parts.set([INDEXED], n, encodeChunk(chunk));
  }
  return ids.length > 0;
}

/** Oldest topics first. */
function unindexedTopics(reader: Reader, limit: number): number[] {
  const last = reader.last("topics");
  const ids: number[] = [];
  for (let n = 0; n <= chunkOf(last) && ids.length < limit; n++) {
    const bytes = reader.topic_parts.chunk([INDEXED], n);
    if (countOf(bytes) === CHUNK_IDS) continue;
    const all = setRange(emptyChunk(), 0, Math.min(CHUNK_IDS - 1, last - idOf(n, 0)));
    const rest = andNot(all, decodeChunk(bytes));
    for (const id of ascending(rest, idOf(n, 0), limit - ids.length)) ids.push(id);
  }
  return ids;
}

function runsIn(name: string): Set<string> {
  const runs = new Set<string>();
  for (const word of folded(name).match(WORDS) ?? []) {
    for (let index = 0; index + RUN_LENGTH <= word.length; index++) {
      runs.add(word.slice(index, index + RUN_LENGTH));
    }
  }
  return runs;
}
