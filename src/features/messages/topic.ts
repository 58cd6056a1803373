// The name of a topic: how it is read from a request, and which topic of a channel it names.
import { topicUnprintable } from "../../contract/errors/messages.ts";
import type { Reader } from "../../realm.ts";
import type { Topic } from "../../schema/records.ts";
import { withoutOuterSpace } from "../../text/ends.ts";
import { spellingsOf, writtenName } from "../../text/input/written-name.ts";
import { unprintableAt } from "../channels/rules.ts";
import { EMPTY_TOPIC_NAME, TOPIC_LENGTH_MAX } from "./rules.ts";

const NO_TOPIC = "(no topic)";
const CUT = "...";
/** What most topics are made of; it needs no closer look. */
const PLAIN = /^[ -~]{0,60}$/;

/** The topic as it is kept: one that is too long is cut, one that cannot be shown refused. */
export function topicName(given: string): string {
  const name = withoutOuterSpace(writtenName(given));
  if (name === EMPTY_TOPIC_NAME || name === NO_TOPIC) return "";
  if (PLAIN.test(name)) return name;
  const position = unprintableAt(name);
  if (position > 0) throw topicUnprintable(position);
  return cutTopic(name);
}

/** Do two names stand for one topic? Case and ways of writing do not matter. */
export const isOneTopic = (one: string, other: string): boolean =>
  writtenName(one).toLowerCase() === writtenName(other).toLowerCase();

/** The name, or as much of it as a topic's name may be long. */
export function cutTopic(name: string): string {
  const characters = [...name];
  if (characters.length <= TOPIC_LENGTH_MAX) return name;
  return characters.slice(0, TOPIC_LENGTH_MAX - CUT.length).join("") + CUT;
}

/**
 * The topic of this name in the channel, whatever the case and the way it is written; undefined
 * while it has no message.
 */
export function topicOf(reader: Reader, stream_id: number, name: string): Topic | undefined {
  const spelled = (spelling: string) =>
    reader.topics.one("name", stream_id, spelling.toLowerCase());
  const topic = spelled(name);
  if (topic) return topic;
  for (const spelling of spellingsOf(name)) {
    const other = spelling === name ? undefined : spelled(spelling);
    if (other) return other;
  }
  return undefined;
}

/** The topic that a request names; one that an earlier version stored is found as it is. */
export function topicGiven(reader: Reader, stream_id: number, given: string): Topic | undefined {
  const asGiven = withoutOuterSpace(given);
  return topicOf(reader, stream_id, topicName(given)) ?? topicOf(reader, stream_id, asGiven);
}
