// Topic names: how a request's name is normalized, and which topic of a channel it names.
import { topicUnprintable } from "../../contract/errors/messages.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Topic } from "../../schema/records.ts";
import { withoutOuterSpace } from "../../text/trim.ts";
import { withoutStackedMarks } from "../../text/input/combining-marks.ts";
import { spellingsOf, writtenName } from "../../text/input/normalize-name.ts";
import { unprintableIndex } from "../channels/rules.ts";
import { olderTopic } from "./older-spellings.ts";
import { EMPTY_TOPIC_NAME, TOPIC_LENGTH_MAX } from "./rules.ts";

const NO_TOPIC = "(no topic)";
const TRUNCATION_MARK = "...";
/** Most names match this and need no further checks. */
const PLAIN = /^[ -~]{0,60}$/;
/** The length in UTF-16 code units, which leaves room for decomposed and invisible characters. */
const REQUESTED_LENGTH_MAX = 10 * TOPIC_LENGTH_MAX;

/**
 * The topic name as it is stored: cut to the maximum length, without invisible characters and with
 * at most 8 combining marks per character. Control characters are an error.
 */
export function topicName(value: string): string {
  const name = withoutOuterSpace(writtenName(value));
  if (name === EMPTY_TOPIC_NAME || name === NO_TOPIC) return "";
  if (PLAIN.test(name)) return name;
  const position = unprintableIndex(name);
  if (position > 0) throw topicUnprintable(position);
  return cutTopic(withoutStackedMarks(name));
}

/** Whether two names are the same topic, ignoring case and invisible differences. */
export const isSameTopic = (first: string, other: string): boolean =>
  writtenName(first).toLowerCase() === writtenName(other).toLowerCase();

/**
 * The name that a message gives its topic: an existing topic keeps its spelling except for letter
 * case, which each message chooses.
 */
export function existingSpelling(existing: Topic | undefined, requestedName: string): string {
  const isInOtherCase = existing?.name.toLowerCase() === requestedName.toLowerCase();
  return existing && !isInOtherCase ? existing.name : requestedName;
}

/** Cuts a name that is longer than a topic name may be. */
export function cutTopic(name: string): string {
  const characters = [...name];
  if (characters.length <= TOPIC_LENGTH_MAX) return name;
  return characters.slice(0, TOPIC_LENGTH_MAX - TRUNCATION_MARK.length).join("") + TRUNCATION_MARK;
}

/**
 * The topic of this name in the channel, ignoring case and invisible differences; undefined if it
 * has no messages.
 */
export function topicOf(reader: Reader, stream_id: number, name: string): Topic | undefined {
  return topicFinder(reader, name)(stream_id);
}

/** Finds the topic of this name in any channel. Normalizes the name once for all channels. */
export function topicFinder(
  reader: Reader,
  name: string,
): (stream_id: number) => Topic | undefined {
  if (name.length > REQUESTED_LENGTH_MAX) return () => undefined;
  const lowerCaseName = name.toLowerCase();
  let otherSpellings: string[] | undefined;
  return (stream_id) => {
    const withSpelling = (spelling: string) => reader.topics.findBy("name", stream_id, spelling);
    const topic = withSpelling(lowerCaseName);
    if (topic) return topic;
    otherSpellings ??= spellingsOf(name)
      .map((spelling) => spelling.toLowerCase())
      .filter((spelling) => spelling !== lowerCaseName);
    for (const spelling of otherSpellings) {
      const other = withSpelling(spelling);
      if (other) return other;
    }
    return olderTopic(reader, stream_id, name);
  };
}

/** Stores a topic, new or changed. `before`: the topic as it is stored. */
export function putTopic(tx: Writer, before: Topic | undefined, topic: Topic): void {
  if (before && before.name !== topic.name) tx.next("topic_names");
  tx.topics.put(topic, before);
}

/** The topic that a request names, including names that earlier versions stored in another form. */
export function requestedTopic(
  reader: Reader,
  stream_id: number,
  value: string,
): Topic | undefined {
  const trimmed = withoutOuterSpace(value);
  return topicOf(reader, stream_id, topicName(value)) ?? topicOf(reader, stream_id, trimmed);
}
