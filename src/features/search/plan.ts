// From the words of a search to the sets of messages that all of them are found in.
import type { Reader } from "../../realm.ts";
import type { Topic } from "../../schema/records.ts";
import type { Sought, SoughtWord } from "../../text/search/sought.ts";
import { STOP_WORDS } from "../../text/search/words.ts";
import type { Lookup } from "../messages/sets/received.ts";
import { COST, type IdSet, Listed, Union } from "../messages/sets/sets.ts";
import { InText, InTopics, Literally, segmentGroupsOf } from "./found.ts";
import type { Wanted } from "./term-matcher.ts";
import { topicsHolding } from "./topics.ts";

/** The sets that a message must be in. `asParts`: words are also found inside words. */
export function searchSets(
  reader: Reader,
  { words, phrases, compounds }: Sought,
  messageOf: Lookup,
  asParts: boolean,
): IdSet[] {
  if (words.length === 0) return [new Listed([])];
  const shelves = segmentGroupsOf(reader);
  const sets = words.map((word): IdSet => {
    const wanted = asParts ? partOf(word) : word;
    const inText = new InText(reader, shelves, wanted);
    const topics = topicsWith(reader, wanted);
    if (topics.length === 0) return inText;
    return new Union([inText, new InTopics(reader, topics)], COST.person);
  });
  for (const phrase of phrases) sets.push(new Literally(reader, messageOf, phrase, true));
  for (const compound of compounds) sets.push(new Literally(reader, messageOf, compound, false));
  return sets;
}

const PART_LENGTH_MIN = 3;

/** What to look for inside of words: the word without its ending. */
function partOf(word: SoughtWord): Wanted {
  const part = word.exact ?? word.prefix!;
  return part.length < PART_LENGTH_MIN || STOP_WORDS.has(part) ? word : { part };
}

function topicsWith(reader: Reader, { exact, prefix, part }: Wanted): Topic[] {
  const topics = new Map<number, Topic>();
  const add = (found: Iterable<Topic>) => {
    for (const topic of found) topics.set(topic.topic_id, topic);
  };
  if (exact !== undefined) add(reader.topics.by("words", exact));
  if (prefix !== undefined) {
    const range = { from: [prefix], to: [`${prefix}\u{10ffff}`] };
    add(reader.topics.scanIndex("words", [], range));
  }
  if (part !== undefined) add(topicsHolding(reader, part));
  return [...topics.values()];
}
