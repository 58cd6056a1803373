// The search terms of a text: its words, folded, unchanged and stemmed.
import { ownValue } from "../input/own-value.ts";
import { stem } from "porter2";
import { normalized } from "../normalize.ts";
import { STOP_WORDS } from "./stop-words.ts";

/** Longer words are truncated, in texts and in queries. */
export const WORD_LENGTH_MAX = 40;

/** Every term of a text, each once: only letters and digits, in the order of the text. */
export function termsOf(text: string): Set<string> {
  const words = new Set(folded(text).match(WORDS));
  const context = [...words].filter((word) => !STOP_WORDS.has(word));
  // Very short words are used only if there are no others.
  return new Set((context.length === 0 ? [...words] : context).flatMap(formsOf));
}

/** Text without case, accents and other variations. */
export function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const stripped = normalized(text, "NFKD").toLowerCase().replace(MARKS, "");
  const foldedText = normalized(stripped, "NFC");
  return foldedText.replace(FOLDED_LETTERS, (character) => ownValue(CHARACTERS, character)!);
}

/** The forms of a word: unchanged, for incomplete queries, and stemmed. */
export function formsOf(word: string): string[] {
  if (isUnspaced(word)) return pairsOf(word);
  const value = truncated(word);
  const stem = stemWord(value);
  return stem === value ? [value] : [value, stem];
}

/** There is a stemmer only for English; words of other languages change little. */
export function stemWord(word: string): string {
  return STEMMED.test(word) ? stem(word) : word;
}

export function truncated(word: string): string {
  return word.length > WORD_LENGTH_MAX ? word.slice(0, WORD_LENGTH_MAX).toWellFormed() : word;
}

/** Overlapping pairs, and the last character, so that each character begins a term. */
export function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.map((character, index) => character + (characters[index + 1] ?? ""));
}

/** Whether the word is in a script without spaces between words. */
export function isUnspaced(word: string): boolean {
  return word.charCodeAt(0) > 0x7f && STARTS_UNSPACED.test(word);
}

const UNSPACED_SCRIPTS =
  "[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}" +
  "\\p{sc=Khmer}\\p{sc=Myanmar}\\u30fc]";
const STARTS_UNSPACED = new RegExp(`^${UNSPACED_SCRIPTS}`, "v");
/** Excludes U+E000 to U+FFFF, so that the order of strings equals that of their UTF-8 encoding. */
const CHARACTER = "[[\\p{L}\\p{N}\\p{M}]--[\\ue000-\\uffff]]";

/** Runs of letters that form a word, in folded text. */
export const WORDS = new RegExp(
  `[${CHARACTER}&&${UNSPACED_SCRIPTS}]+|[${CHARACTER}--${UNSPACED_SCRIPTS}]+`,
  "gv",
);
const ASCII = /^[\0-\x7f]*$/;

const STEMMED = /^[a-z]{3,}$/;

/**
 * Marks on Latin, Greek, Cyrillic, Hebrew and Arabic letters, except in й, which is a letter of its
 * own.
 */
const MARKS = /(?<!и)\u0306|[\u0300-\u0305\u0307-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u0652]/g;
const CHARACTERS: Readonly<Record<string, string>> = {
  "’": "'",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
  ς: "σ",
};
const FOLDED_LETTERS = new RegExp(`[${Object.keys(CHARACTERS).join("")}]`, "g");

const REMEMBERED_MAX = 1_000;
const remembered = new Map<string, readonly [string][]>();

/** The terms of a text as index keys; cached, because the name of a busy topic is indexed often. */
export function termKeys(text: string): readonly [string][] {
  let keys = remembered.get(text);
  if (!keys) {
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(text, (keys = [...termsOf(text)].map((term): [string] => [term])));
  }
  return keys;
}
