// How what is typed into a filter finds names: by words, whatever their marks and case.
import { normalized } from "../text/normalized.ts";

const MARKS = /\p{M}/gu;
const PLAIN = /^[\0-\x7f]*$/;

/** Without case and without marks on letters; what has none of them takes no time. */
export const folded = (text: string): string =>
  PLAIN.test(text) ? text.toLowerCase() : normalized(text, "NFKD").replace(MARKS, "").toLowerCase();

/** Does every word that was typed begin some word of the text? */
export function finds(typed: string, text: string): boolean {
  const words = folded(typed).split(/\s+/u).filter(Boolean);
  return words.length === 0 || hasAll(words, text);
}

/** `words`: folded already. */
export function hasAll(words: readonly string[], text: string): boolean {
  const hay = folded(text);
  return words.every((word) => beginsWord(hay, word));
}

function beginsWord(hay: string, word: string): boolean {
  for (let at = hay.indexOf(word); at !== -1; at = hay.indexOf(word, at + 1)) {
    if (at === 0 || !isInWord(hay[at - 1]!)) return true;
  }
  return false;
}

export const isInWord = (letter: string): boolean => /[\p{L}\p{N}]/u.test(letter);
