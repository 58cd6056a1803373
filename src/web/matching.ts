// How names are put in order, and found by what is typed: by words, whatever their marks and case.
import { normalized } from "../text/normalized.ts";

/** One that is made once is many times quicker. */
let collator: Intl.Collator | undefined;

/** As the language has it. */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator(undefined, { sensitivity: "base", numeric: true });
  return collator.compare(a, b);
}

const MARKS = /\p{M}/gu;
const PLAIN = /^[\0-\x7f]*$/;

/** Without case and without marks on letters; what has none of them takes no time. */
export const folded = (text: string): string =>
  PLAIN.test(text) ? text.toLowerCase() : normalized(text, "NFKD").replace(MARKS, "").toLowerCase();

/** Does every word that was typed begin some word of the text, each another one? */
export function finds(typed: string, text: string): boolean {
  const words = folded(typed).split(/\s+/u).filter(Boolean);
  return words.length === 0 || hasAll(words, text);
}

/** `words`: folded already. */
export const hasAll = (words: readonly string[], text: string): boolean =>
  beginsAll(words, folded(text));

/** Both folded already. */
export function beginsAll(words: readonly string[], hay: string): boolean {
  const taken = new Set<number>();
  // What a longer one begins, a shorter one may begin as well, and can go elsewhere.
  const sorted = words.length > 1 ? words.toSorted((a, b) => b.length - a.length) : words;
  return sorted.every((word) => takesWord(hay, word, taken));
}

function takesWord(hay: string, word: string, taken: Set<number>): boolean {
  for (let at = hay.indexOf(word); at !== -1; at = hay.indexOf(word, at + 1)) {
    const isFree = at === 0 || !isInWord(hay[at - 1]!);
    if (!isFree || taken.has(at)) continue;
    taken.add(at);
    return true;
  }
  return false;
}

export const isInWord = (letter: string): boolean => /[\p{L}\p{N}]/u.test(letter);
