// Finds the terms of ASCII texts in one pass, and makes no strings of words that are known.
import { INLINE_ELEMENTS, plainText } from "../plain-text.ts";
import { STOP_WORDS } from "./stop-words.ts";
import { hashSeed, hashWith, WordTable } from "./word-table.ts";
import { formsOf, termsOf, WORD_LENGTH_MAX } from "./words.ts";

const WORDS_KEPT_MAX = 20_000;
const TEXT_BYTES_MAX = 65_536;

/** Every term of a text. Terms may repeat; cheaper than `termsOf` for ASCII texts. */
export function termList(text: string): readonly string[] {
  return knownTerms(text, TEXT_CODES) ?? [...termsOf(text)];
}

/** The same for the visible text of rendered HTML. */
export function termListOfHtml(html: string): readonly string[] {
  return knownTerms(html, HTML_CODES) ?? [...termsOf(plainText(html))];
}

/**
 * Returns undefined for texts that need `termsOf`: long ones, those with entities or with
 * characters that are not ASCII, and those that consist of stop words.
 */
function knownTerms(text: string, codes: Uint8Array): string[] | undefined {
  if (text.length > TEXT_BYTES_MAX) return undefined;
  const size = textBytes.write(text);
  if (size !== text.length) return undefined;
  if (knownWords.words.length >= WORDS_KEPT_MAX) knownWords = new KnownWords();
  knownWords.turn++;
  const terms: string[] = [];
  for (let position = 0, length = 0, hash = hashSeed; position <= size; position++) {
    const code = position < size ? codes[textBytes[position]!]! : OTHER;
    if (code > MARK_MAX) {
      if (length === WORD_LENGTH_MAX) continue;
      word[length++] = code;
      hash = hashWith(hash, code);
      continue;
    }
    if (code === ENTITY) return undefined;
    if (code === TAG) {
      const end = tagEnd(position, size);
      const isInline = end > 0 && isInlineTag(text, position);
      if (end > 0) position = end;
      if (isInline) continue;
    }
    if (length > 0) knownWords.addTerms(word, length, hash, terms);
    length = 0;
    hash = hashSeed;
  }
  return terms.length === 0 ? undefined : terms;
}

/** Has space for one more character, so that the size of a text shows whether all are ASCII. */
const textBytes = Buffer.allocUnsafeSlow(TEXT_BYTES_MAX + 4);
/** The current word, which continues behind an inline tag. */
const word = Buffer.allocUnsafeSlow(WORD_LENGTH_MAX);

/** The tables map each byte to a letter or digit in lower case, or to one of these codes. */
const OTHER = 0;
const TAG = 1;
const ENTITY = 2;
const MARK_MAX = ENTITY;
const TEXT_CODES = new Uint8Array(256);
for (const character of "abcdefghijklmnopqrstuvwxyz0123456789") {
  const code = character.charCodeAt(0);
  TEXT_CODES[code] = code;
  TEXT_CODES[character.toUpperCase().charCodeAt(0)] = code;
}
const HTML_CODES = TEXT_CODES.slice();
HTML_CODES["<".charCodeAt(0)] = TAG;
HTML_CODES["&".charCodeAt(0)] = ENTITY;
const [LESS, GREATER, SLASH] = ["<", ">", "/"].map((sign) => sign.charCodeAt(0));

/** Returns the position of the `>` that ends a tag; 0 if the character does not begin one. */
function tagEnd(start: number, size: number): number {
  for (let position = start + 1; position < size; position++) {
    if (textBytes[position] === GREATER) return position;
    if (textBytes[position] === LESS) return 0;
  }
  return 0;
}

function isInlineTag(html: string, start: number): boolean {
  const nameStart = textBytes[start + 1] === SLASH ? start + 2 : start + 1;
  let end = nameStart;
  while (TEXT_CODES[textBytes[end]!]! > MARK_MAX) end++;
  return INLINE_ELEMENTS.has(html.slice(nameStart, end));
}

class KnownWords extends WordTable {
  /** Number of the current text. */
  turn = 0;
  /** The text in which a word last occurred, by number. */
  private readonly turns: number[] = [];
  private readonly forms: (readonly string[])[] = [];

  /** Adds the forms of a word, unless it has occurred in this text before or is a stop word. */
  addTerms(characters: Buffer, length: number, hash: number, terms: string[]): void {
    const index = this.indexOfWord(characters, length, hash);
    if (this.turns[index] === this.turn) return;
    this.turns[index] = this.turn;
    const forms = (this.forms[index] ??= this.find(this.words[index]!));
    for (let i = 0; i < forms.length; i++) terms.push(forms[i]!);
  }

  private find(known: string): readonly string[] {
    return STOP_WORDS.has(known) ? NO_FORMS : formsOf(known);
  }
}

const NO_FORMS: readonly string[] = [];
let knownWords = new KnownWords();
