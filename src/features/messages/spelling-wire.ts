// How messages spell their topic: a topic is one whatever the case, and each message keeps its own.
import type { Reader } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { Topic } from "../../schema/records.ts";

/** The topic as the message spells it; "" of a direct message. */
export function subjectOf(
  reader: Reader,
  message: Message,
  topic: Topic | undefined = reader.topics.get(message.topic_id),
): string {
  if (!topic) return "";
  const { spelling } = message;
  // A message of an earlier version has none.
  const isOwn = (spelling ?? null) !== null && !wasRespelled(reader, message, topic);
  return isOwn ? spelling! : baseOf(topic);
}

/** As the messages spell it that say nothing of it, which are most. */
export const baseOf = ({ name, base }: Topic): string => base ?? name;

/** The topic with another spelling in lists; its messages keep theirs. */
export function shownAs(topic: Topic, name: string): Topic {
  return name === topic.name ? topic : { ...topic, base: baseOf(topic), name };
}

/** With messages that are spelled so; `areNewest`: the last of them is the newest of the topic. */
export function withSpellings(
  topic: Topic,
  spellings: readonly string[],
  areNewest: boolean,
): Topic {
  const base = baseOf(topic);
  const isMixed = spellings.some((spelling) => spelling !== base);
  const noted = isMixed ? { ...topic, base } : topic;
  return areNewest ? shownAs(noted, spellings.at(-1)!) : noted;
}

/** Its name for who knows nothing newer of it than this message. */
export function nameBy(reader: Reader, topic: Topic, id: number): string {
  // Where all messages spell it alike, none need be asked.
  const message = topic.base === undefined ? undefined : reader.messages.get(id);
  return message ? subjectOf(reader, message, topic) : topic.name;
}

/** What the record of a message says of it. */
export const spellingIn = (topic: Topic, subject: string): string | null =>
  subject === baseOf(topic) ? null : subject;

/** A rename of the whole topic respells all that was in it, and leaves their records alone. */
function wasRespelled(reader: Reader, { id, renames_seen }: Message, topic: Topic): boolean {
  const { topic_id, rename_id } = topic;
  const seen = renames_seen ?? 0;
  if (rename_id <= seen) return false;
  for (const { last_id } of reader.topic_renames.range({
    from: [topic_id, seen + 1],
    to: [topic_id + 1],
  })) {
    if (id <= last_id) return true;
  }
  return false;
}
