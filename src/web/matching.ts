// Sorts names, and finds them by typed words, ignoring case and diacritics.
import { normalized } from "../text/normalize.ts";

/** Reusing the collator is much faster. */
let collator: Intl.Collator | undefined;

/** Compares by the rules of the language. */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator(undefined, { sensitivity: "base", numeric: true });
  return collator.compare(a, b);
}

const MARKS = /\p{M}/gu;
const PLAIN = /^[\0-\x7f]*$/;

/** Lower case without marks. Fast for ASCII. */
export const folded = (text: string): string =>
  PLAIN.test(text) ? text.toLowerCase() : normalized(text, "NFKD").replace(MARKS, "").toLowerCase();

/** Whether each typed word starts a different word of the text. */
export function matchesWords(query: string, text: string): boolean {
  const words = folded(query).split(/\s+/u).filter(Boolean);
  return words.length === 0 || containsWords(words, text);
}

/** `words` must be folded. */
export const containsWords = (words: readonly string[], text: string): boolean =>
  matchesAllWords(words, folded(text));

/** Both must be folded. */
export function matchesAllWords(words: readonly string[], text: string): boolean {
  const usedWords = new Set<number>();
  // Longer words are matched first, since a shorter one may match elsewhere.
  const sorted = words.length > 1 ? words.toSorted((a, b) => b.length - a.length) : words;
  return sorted.every((word) => matchesUnusedWord(text, word, usedWords));
}

function matchesUnusedWord(text: string, word: string, usedWords: Set<number>): boolean {
  for (let index = text.indexOf(word); index !== -1; index = text.indexOf(word, index + 1)) {
    const isFree = index === 0 || !isInWord(text[index - 1]!);
    if (!isFree || usedWords.has(index)) continue;
    usedWords.add(index);
    return true;
  }
  return false;
}

export const isInWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);
