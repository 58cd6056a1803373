// English words that are too common to be in the search index.
import { withoutEnds } from "../trim.ts";

export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an and are as at be but by did do does for from had has have he her his i if in into " +
    "is it its me my no not of on or our she so such t s than that the their them then there " +
    "these they this to was we were what which who will with you your"
  ).split(" "),
);

/** A query of stop words searches only this many of the newest messages. */
export const UNINDEXED_MESSAGES_MAX = 2_000;

interface CommonWords {
  /** The stop words of a query that the search ignores, in lower case, each once. */
  readonly ignored: readonly string[];
  /** The query has no other words, so it searches the newest messages only. */
  readonly areAll: boolean;
}

/** An apostrophe joins words that are searched separately, as in "it's". */
const isCommon = (word: string) => word.split(/['’]/u).every((part) => STOP_WORDS.has(part));

/** Tells which words of a query are not in the search index. Phrases are compared with the text. */
export function commonWordsIn(query: string): CommonWords {
  const all = query.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (all.length > 0 && all.every((word) => STOP_WORDS.has(word))) {
    return { ignored: [], areAll: true };
  }
  const unquoted = query.toLowerCase().replace(/"[^"]*"?/gu, " ");
  const single = unquoted.split(/\s+/u).map((part) => withoutEnds(part, /\P{L}/u));
  return { ignored: [...new Set(single.filter(isCommon))], areAll: false };
}
