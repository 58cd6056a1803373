// Splits the text of an HTML archive into words; script.txt does the same in the browser.
import { normalized } from "../../../text/normalize.ts";

/** Files with words, of which a search loads one per word. */
export const BUCKETS = 128;
const WORD_LENGTH_MAX = 40;
/** Each character of a script without spaces counts as a word. */
const SINGLE_CHARACTER_WORD =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u;
const LETTER = /^[\p{L}\p{N}_]$/u;

export function searchWords(text: string): string[] {
  const folded = normalized(text, "NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words: string[] = [];
  let word = "";
  const end = () => {
    if (word !== "") words.push(word);
    word = "";
  };
  for (const letter of folded) {
    if (SINGLE_CHARACTER_WORD.test(letter)) {
      end();
      words.push(letter);
    } else if (!LETTER.test(letter)) end();
    else if (word.length < WORD_LENGTH_MAX) word += letter;
  }
  end();
  return words;
}

/** Depends on the first two characters only, so that prefixes of a word find it. */
export function bucketOf(word: string): number {
  return (word.charCodeAt(0) * 31 + (word.charCodeAt(1) || 0)) % BUCKETS;
}
