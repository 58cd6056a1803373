// Translates the words of a search into sets of messages that contain all of them.
import type { Reader } from "../../realm.ts";
import type { Topic } from "../../schema/records.ts";
import type { ParsedQuery, QueryWord } from "../../text/search/query.ts";
import { STOP_WORDS } from "../../text/search/stop-words.ts";
import type { Lookup } from "../messages/sets/received.ts";
import { COST, type IdSet, ListedSet, NarrowedSet, Union } from "../messages/sets/sets.ts";
import { TextMatches, TopicMatches, segmentGroupsOf } from "./matches.ts";
import { LiteralMatches, NewestMatches, WordMatches } from "./read-text.ts";
import type { RequiredWord } from "./term-matcher.ts";
import { topicsHolding } from "./topics.ts";

/** The sets that a message must be in. `asParts`: words are also found inside words. */
export function searchSets(
  reader: Reader,
  { words, hasOnlyStopWords, phrases, compounds }: ParsedQuery,
  messageOf: Lookup,
  asParts: boolean,
): IdSet[] {
  if (words.length === 0) return [new ListedSet([])];
  const literals = [
    ...phrases.map((phrase) => new LiteralMatches(reader, messageOf, phrase, true)),
    ...compounds.map((compound) => new LiteralMatches(reader, messageOf, compound, false)),
  ];
  const sources = segmentGroupsOf(reader);
  const sets = words.map((word): IdSet => {
    const needle = asParts ? partOf(word) : word;
    const inText = new TextMatches(reader, sources, needle);
    const topics = topicsWith(reader, needle);
    if (topics.length === 0) return inText;
    return new Union([inText, new TopicMatches(reader, topics)], COST.person);
  });
  if (!hasOnlyStopWords || asParts) return [...sets, ...literals];
  // Stop words are not in the index, so only the newest messages are searched for them.
  const exact = words.map((word) => ({ exact: word.exact! }));
  const read = new NarrowedSet(
    [new NewestMatches(reader), new WordMatches(reader, messageOf, exact)],
    [],
  );
  return [new Union([new NarrowedSet(sets, []), read], COST.wide), ...literals];
}

const PART_LENGTH_MIN = 3;

/** The text to look for inside words: the word without its ending. */
function partOf(word: QueryWord): RequiredWord {
  const part = word.exact ?? word.prefix!;
  return part.length < PART_LENGTH_MIN || STOP_WORDS.has(part) ? word : { part };
}

function topicsWith(reader: Reader, { exact, prefix, part }: RequiredWord): Topic[] {
  const topics = new Map<number, Topic>();
  const add = (matchingTopics: Iterable<Topic>) => {
    for (const topic of matchingTopics) topics.set(topic.topic_id, topic);
  };
  if (exact !== undefined) add(reader.topics.listBy("words", exact));
  if (prefix !== undefined) {
    const range = { from: [prefix], to: [`${prefix}\u{10ffff}`] };
    add(reader.topics.scanIndex("words", [], range));
  }
  if (part !== undefined) add(topicsHolding(reader, part));
  return [...topics.values()];
}
