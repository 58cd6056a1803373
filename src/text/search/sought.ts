// What a person looks for: the words and phrases of a query, and whether a word is one of them.
import { withoutEnds } from "../ends.ts";
import { cut, folded, isUnspaced, pairsOf, stemmed, STOP_WORDS, WORDS } from "./words.ts";

/** One thing that must be in a message. */
export interface SoughtWord {
  /** A term, */
  exact?: string;
  /** or any term that begins so. */
  prefix?: string;
}

export interface Sought {
  words: SoughtWord[];
  /** Folded; each must stand so in the content as it was written, or in the topic. */
  phrases: string[];
  /** Folded; each must stand so in the content as it is seen, or in the topic. */
  compounds: string[];
}

/** Words, and phrases in quotes. The last word, and any before a star, may be unfinished. */
export function soughtIn(query: string): Sought {
  const sought: Sought = { words: [], phrases: [], compounds: [] };
  const stops: SoughtWord[] = [];
  const parts = [...folded(query.replace(QUOTES, '"')).matchAll(/"([^"]*)"?|[^\s"]+/g)];
  for (const [at, [part, quoted]] of parts.entries()) {
    const isLast = at === parts.length - 1 && quoted === undefined;
    const words = part.match(WORDS) ?? [];
    for (const [place, word] of words.entries()) {
      const isOpen = (isLast || part.endsWith("*")) && place === words.length - 1;
      (STOP_WORDS.has(word) ? stops : sought.words).push(...soughtFor(word, isOpen));
    }
    if (quoted?.trim()) sought.phrases.push(quoted.trim());
    else if (isCompound(words, part)) sought.compounds.push(withoutEnds(part, SILENT));
  }
  // Who looks for nothing but the smallest words means them.
  if (sought.words.length === 0) sought.words = stops;
  return sought;
}

/** The same words, wherever they stand in others. */
export function answers(word: string, { exact, prefix }: SoughtWord): boolean {
  if (prefix !== undefined && word.startsWith(prefix)) return true;
  if (exact === undefined || word === exact) return exact !== undefined;
  // A stem begins as its word does, and stemming is what takes time.
  return word.charCodeAt(0) === exact.charCodeAt(0) && stemmed(cut(word)) === exact;
}

/** Several terms that say less than what they make together: `a.b`, or a run of Chinese. */
function isCompound(words: readonly string[], part: string): boolean {
  if (words.every((word) => STOP_WORDS.has(word))) return false;
  if (words.length === 1) return isUnspaced(words[0]!) && [...words[0]!].length > 2;
  return words.some((word) => isUnspaced(word)) || JOINED.test(withoutEnds(part, SILENT));
}

function soughtFor(word: string, isOpen: boolean): SoughtWord[] {
  if (!isUnspaced(word)) {
    const exact = stemmed(cut(word));
    return isOpen && word.length >= PREFIX_LENGTH_MIN
      ? [{ exact, prefix: cut(word) }]
      : [{ exact }];
  }
  const pairs = pairsOf(word);
  if (pairs.length === 1) return [{ prefix: word }];
  return pairs.slice(0, -1).map((exact) => ({ exact }));
}

const PREFIX_LENGTH_MIN = 2;
const QUOTES = /[“”„«»]/g;
const JOINED = /[^\p{L}\p{N}\p{M}']/u;
const SILENT = /[^\p{L}\p{N}]/u;
