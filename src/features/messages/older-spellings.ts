// Finds topics that earlier versions stored with invisible characters, by their visible names.
import type { Reader } from "../../realm.ts";
import type { Topic } from "../../schema/records.ts";
import { withoutOuterSpace } from "../../text/trim.ts";
import { withoutStackedMarks } from "../../text/input/combining-marks.ts";
import { writtenName } from "../../text/input/normalize-name.ts";
import { normalized } from "../../text/normalize.ts";

/** Maximum of such topics per channel; further ones are found only by their exact spelling. */
const SPELLINGS_MAX = 1_000;
/**
 * Most names match this and need no further checks, because they contain no invisible characters.
 */
const PLAIN_ASCII = /^[!-~](?:[ -~]*[!-~])?$/;

/** The stored names in lower case, keyed by the name in today's normalized form. */
type Spellings = ReadonlyMap<string, readonly string[]>;

/**
 * Spellings by organization and channel. Because `topicName` normalizes new names, only a move from
 * another channel adds such a topic to a channel.
 */
const cachedSpellings = new WeakMap<Reader["config"], Map<number, Spellings>>();

/** The topic whose name looks the same but is stored in another spelling. */
export function olderTopic(reader: Reader, stream_id: number, name: string): Topic | undefined {
  const spellings = spellingsIn(reader, stream_id);
  if (spellings.size === 0) return undefined;
  for (const spelling of spellings.get(comparisonForm(name)) ?? []) {
    const topic = reader.topics.findBy("name", stream_id, spelling);
    if (topic) return topic;
  }
  return undefined;
}

/** Must be called when a topic is created in the channel with a name that exists elsewhere. */
export function recordSpelling({ config }: Reader, stream_id: number, name: string): void {
  if (isOlder(name)) cachedSpellings.get(config)?.delete(stream_id);
}

/** Lists the channel's topics once after each start, and only if a topic is not found. */
function spellingsIn(reader: Reader, stream_id: number): Spellings {
  const channels = cachedSpellings.get(reader.config) ?? new Map<number, Spellings>();
  cachedSpellings.set(reader.config, channels);
  return channels.getOrInsertComputed(stream_id, () => {
    const spellings = new Map<string, string[]>();
    let count = 0;
    for (const { name } of reader.topics.scanIndex("name", [stream_id])) {
      if (!isOlder(name)) continue;
      spellings.getOrInsertComputed(comparisonForm(name), () => []).push(name.toLowerCase());
      if (++count === SPELLINGS_MAX) break;
    }
    return spellings;
  });
}

/** Composed names without any of these characters look as they are stored. */
const NOT_NORMALIZED = new RegExp(
  "^\\s|\\s$|[\\u00a0\\u202f\\u00ad\\u180e\\u200b\\u2060-\\u2064\\ufeff]" +
    "|\\p{Bidi_Control}|\\p{Join_Control}|\\p{M}{8}",
  "u",
);

function isOlder(name: string): boolean {
  if (PLAIN_ASCII.test(name)) return false;
  if (!NOT_NORMALIZED.test(name) && normalized(name, "NFC") === name) return false;
  return comparisonForm(name) !== name.toLowerCase();
}

function comparisonForm(name: string): string {
  if (PLAIN_ASCII.test(name)) return name.toLowerCase();
  return withoutStackedMarks(withoutOuterSpace(writtenName(name))).toLowerCase();
}
