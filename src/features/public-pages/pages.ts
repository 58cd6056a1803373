// Selects the topics and messages of a page, a hundred at a time, without reading the others.
import type { Reader } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { Channel, Topic } from "../../schema/records.ts";
import { chunkOf } from "../../store/bitmap/bitmap.ts";
import { canReadMessage } from "../messages/access.ts";
import { topicSet } from "../messages/sets/muted.ts";
import { idsBack, idsFrom } from "../messages/sets/sets.ts";
import { SPECTATOR } from "../rights/rules.ts";

const PAGE_MAX = 100;

/** Newest first; `next`: the cursor of the next page. */
export function topicsBefore(
  reader: Reader,
  { stream_id }: Channel,
  before: number,
  max = PAGE_MAX,
): { topics: Topic[]; next: number | undefined } {
  const foundTopics: Topic[] = [];
  const to = before === Infinity ? {} : { to: [chunkOf(before) + 1] };
  // Topics within a chunk are unordered, so the last chunk is read completely.
  for (const topic of reader.topics.scanIndex("latest", [stream_id], { reverse: true, ...to })) {
    if (topic.last_id >= before) continue;
    if (foundTopics.length > max && chunkOf(topic.last_id) < chunkOf(foundTopics.at(-1)!.last_id))
      break;
    foundTopics.push(topic);
  }
  foundTopics.sort((a, b) => b.last_id - a.last_id);
  const topics = foundTopics.slice(0, max);
  return { topics, next: foundTopics.length > max ? topics.at(-1)!.last_id : undefined };
}

interface MessagePage {
  messages: Message[];
  /** The cursor of the previous page; 0 is the beginning. */
  previous: number | undefined;
  next: number | undefined;
}

/** Messages after the cursor, oldest first. Consecutive pages are split at the same messages. */
export function messagesAfter(reader: Reader, { topic_id }: Topic, after: number): MessagePage {
  const set = topicSet(reader, topic_id);
  const last = reader.last("messages");
  const ids = idsFrom(set, after + 1, last, PAGE_MAX + 1);
  const pageIds = ids.slice(0, PAGE_MAX);
  const before = after > 0 ? idsBack(set, 0, Math.min(after, last), PAGE_MAX + 1) : [];
  const messages = pageIds.flatMap((id) => reader.messages.get(id) ?? []);
  return {
    messages: messages.filter(
      // During a move, a message may be in the sets of both topics.
      (message) => message.topic_id === topic_id && canReadMessage(reader, SPECTATOR, message),
    ),
    previous: before.length === 0 ? undefined : (before[PAGE_MAX] ?? 0),
    next: ids.length > PAGE_MAX ? pageIds.at(-1) : undefined,
  };
}
