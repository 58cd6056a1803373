// Parses search queries into words and phrases, and matches words against them.
import { withoutEnds } from "../trim.ts";
import { STOP_WORDS } from "./stop-words.ts";
import { truncated, folded, isUnspaced, pairsOf, stemWord, WORDS } from "./words.ts";

/** A word that must occur in a message. */
export interface QueryWord {
  /** An exact term. */
  exact?: string;
  /** A prefix of a term. */
  prefix?: string;
}

export interface ParsedQuery {
  words: QueryWord[];
  /** The query contains only stop words, which are not in the index. */
  hasOnlyStopWords: boolean;
  /** The words outside of quotes; a phrase is highlighted as a whole. */
  unquoted: QueryWord[];
  /** Folded phrases. Each must occur in the Markdown source or the topic. */
  phrases: string[];
  /** Folded compounds. Each must occur in the visible text or the topic. */
  compounds: string[];
}

/** Parses words and quoted phrases. The last word, and words before a star, may be incomplete. */
export function parseQuery(query: string): ParsedQuery {
  const searched: ParsedQuery = {
    words: [],
    hasOnlyStopWords: false,
    unquoted: [],
    phrases: [],
    compounds: [],
  };
  const stops: QueryWord[] = [];
  const parts = [...folded(query.replace(QUOTES, '"')).matchAll(/"([^"]*)"?|[^\s"]+/g)];
  for (const [index, [part, quoted]] of parts.entries()) {
    const isLast = index === parts.length - 1 && quoted === undefined;
    const words = part.match(WORDS) ?? [];
    for (const [position, word] of words.entries()) {
      const isOpen = (isLast || part.endsWith("*")) && position === words.length - 1;
      const queryWord = wordsFrom(word, isOpen);
      (STOP_WORDS.has(word) ? stops : searched.words).push(...queryWord);
      if (!STOP_WORDS.has(word) && quoted === undefined) searched.unquoted.push(...queryWord);
    }
    if (quoted?.trim()) searched.phrases.push(quoted.trim());
    else if (isCompound(words, part)) searched.compounds.push(withoutEnds(part, SILENT));
  }
  // A query of stop words only searches for them.
  if (searched.words.length === 0) {
    searched.words = stops;
    searched.hasOnlyStopWords = stops.length > 0;
    searched.unquoted = searched.phrases.length > 0 ? [] : stops;
  }
  return searched;
}

/** Whether the word matches, including inside other words. */
export function matchesQuery(word: string, { exact, prefix }: QueryWord): boolean {
  if (prefix !== undefined && word.startsWith(prefix)) return true;
  if (exact === undefined || word === exact) return exact !== undefined;
  // A stem has the same first letter as its word, which avoids most of the costly stemming.
  return word.charCodeAt(0) === exact.charCodeAt(0) && stemWord(truncated(word)) === exact;
}

/** Several terms with less meaning than their combination, such as `a.b` or a run of Chinese. */
function isCompound(words: readonly string[], part: string): boolean {
  if (words.length === 0) return false;
  if (words.length === 1) return isUnspaced(words[0]!) && [...words[0]!].length > 2;
  return (
    words.some((word) => isUnspaced(word)) || LETTER_APOSTROPHE.test(withoutEnds(part, SILENT))
  );
}

function wordsFrom(word: string, isOpen: boolean): QueryWord[] {
  if (!isUnspaced(word)) {
    const exact = stemWord(truncated(word));
    return isOpen && word.length >= PREFIX_LENGTH_MIN
      ? [{ exact, prefix: truncated(word) }]
      : [{ exact }];
  }
  const pairs = pairsOf(word);
  if (pairs.length === 1) return [{ prefix: word }];
  return pairs.slice(0, -1).map((exact) => ({ exact }));
}

const PREFIX_LENGTH_MIN = 2;
const QUOTES = /[“”„«»]/g;
const LETTER_APOSTROPHE = /[^\p{L}\p{N}\p{M}']/u;
const SILENT = /[^\p{L}\p{N}]/u;
