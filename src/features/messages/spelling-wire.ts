// Topic names ignore case, but each message keeps the spelling with which it was sent.
import type { Reader } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { Topic } from "../../schema/records.ts";

/** The topic in the message's spelling; "" for direct messages. */
export function subjectOf(
  reader: Reader,
  message: Message,
  topic: Topic | undefined = reader.topics.get(message.topic_id),
): string {
  if (!topic) return "";
  const { spelling } = message;
  // Messages of earlier versions have no spelling.
  const isOwn = (spelling ?? null) !== null && !wasRespelled(reader, message, topic);
  return isOwn ? spelling! : baseOf(topic);
}

/** The spelling of messages without one of their own, which are most. */
export const baseOf = ({ name, base }: Topic): string => base ?? name;

/** Changes the topic's displayed spelling; its messages keep theirs. */
export function withSpelling(topic: Topic, name: string): Topic {
  return name === topic.name ? topic : { ...topic, base: baseOf(topic), name };
}

/** Adds messages with these spellings. `areNewest`: the last one is the newest of the topic. */
export function withSpellings(
  topic: Topic,
  spellings: readonly string[],
  areNewest: boolean,
): Topic {
  const base = baseOf(topic);
  const isMixed = spellings.some((spelling) => spelling !== base);
  const spelledTopic = isMixed ? { ...topic, base } : topic;
  return areNewest ? withSpelling(spelledTopic, spellings.at(-1)!) : spelledTopic;
}

/** The topic's name as spelled in its newest message that remains, or that a user can read. */
export function nameByMessage(reader: Reader, topic: Topic, id: number): string {
  // If all messages use the same spelling, none is read.
  const message = topic.base === undefined ? undefined : reader.messages.get(id);
  return message ? subjectOf(reader, message, topic) : topic.name;
}

/** The value that a message's record stores. */
export const spellingIn = (topic: Topic, subject: string): string | null =>
  subject === baseOf(topic) ? null : subject;

/**
 * A rename of the whole topic changes the spelling of all its messages without changing their
 * records.
 */
function wasRespelled(reader: Reader, { id, renames_seen }: Message, topic: Topic): boolean {
  const { topic_id, rename_id } = topic;
  const renamesSeen = renames_seen ?? 0;
  if (rename_id <= renamesSeen) return false;
  for (const { last_id } of reader.topic_renames.range({
    from: [topic_id, renamesSeen + 1],
    to: [topic_id + 1],
  })) {
    if (id <= last_id) return true;
  }
  return false;
}
