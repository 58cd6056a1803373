// The search terms of a text: its words, folded, unchanged and stemmed.
import { ownValue } from "../input/own-value.ts";
import { stem } from "porter2";
import { normalized } from "../normalize.ts";
import { STOP_WORDS } from "./stop-words.ts";
import { hashSeed, hashWith, WordTable } from "./word-table.ts";

/** Longer words are truncated, in texts and in queries. */
const WORD_LENGTH_MAX = 40;
const WORDS_KEPT_MAX = 20_000;

/** Every term of a text, each once: only letters and digits, in the order of the text. */
export function termsOf(text: string): Set<string> {
  const words = new Set(folded(text).match(WORDS));
  const context = [...words].filter((word) => !STOP_WORDS.has(word));
  // Very short words are used only if there are no others.
  return new Set((context.length === 0 ? [...words] : context).flatMap(formsOf));
}

/** The same in UTF-8, each with a space before and after it; terms may repeat. */
export function termLine(text: string): Uint8Array {
  const foldedText = folded(text);
  const length = ASCII.test(foldedText) ? writeLine(foldedText) : 0;
  if (length > 0) return line.slice(0, length);
  return encoder.encode([" ", ...termsOf(foldedText), ""].join(" ").slice(1));
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let line = new Uint8Array(1_024);

/** Fast path: writes the terms of a text whose words are all cached to `line`. */
function writeLine(foldedText: string): number {
  if (knownWords.words.length >= WORDS_KEPT_MAX) knownWords = new KnownWords();
  knownWords.turn++;
  let length = 0;
  for (let from = 0, hash = hashSeed, index = 0; index <= foldedText.length; index++) {
    const code = foldedText.charCodeAt(index);
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) {
      if (index - from < WORD_LENGTH_MAX) hash = hashWith(hash, code);
      continue;
    }
    const to = Math.min(index, from + WORD_LENGTH_MAX);
    if (to > from) length = writeForms(knownWords.indexOfWord(foldedText, from, to, hash), length);
    from = index + 1;
    hash = hashSeed;
  }
  if (length > 0) line[length++] = SPACE;
  return length;
}

const SPACE = 32;

function writeForms(index: number, offset: number): number {
  const forms = knownWords.formsAt(index);
  if (knownWords.turns[index] === knownWords.turn) return offset;
  knownWords.turns[index] = knownWords.turn;
  if (offset + forms.length >= line.length) {
    const larger = new Uint8Array(line.length * 2);
    larger.set(line);
    line = larger;
  }
  // The forms are short, so a loop is faster than a copy.
  for (let i = 0; i < forms.length; i++) line[offset + i] = forms[i]!;
  return offset + forms.length;
}

/** Cached forms of words. */
class KnownWords extends WordTable {
  /** The text in which a word last occurred, by number. */
  readonly turns: number[] = [];
  turn = 0;
  private readonly forms: Uint8Array[] = [];

  /** Each with a space before it; empty for a stop word. */
  formsAt(index: number): Uint8Array {
    return (this.forms[index] ??= this.find(this.words[index]!));
  }

  /** Copies the word, because a substring would keep the whole text in memory. */
  protected override wordAt(text: string, from: number, to: number): string {
    return decoder.decode(encoder.encode(text.slice(from, to)));
  }

  private find(word: string): Uint8Array {
    return encoder.encode(STOP_WORDS.has(word) ? "" : ` ${formsOf(word).join(" ")}`);
  }
}

let knownWords = new KnownWords();

/** Text without case, accents and other variations. */
export function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const stripped = normalized(text, "NFKD").toLowerCase().replace(MARKS, "");
  const foldedText = normalized(stripped, "NFC");
  return foldedText.replace(FOLDED_LETTERS, (character) => ownValue(CHARACTERS, character)!);
}

/** The forms of a word: unchanged, for incomplete queries, and stemmed. */
function formsOf(word: string): string[] {
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
