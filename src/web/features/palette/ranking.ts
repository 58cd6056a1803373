// Finds and ranks names while typing: words before initials before letters, most recent first.
import { folded, isInWord } from "../../matching.ts";
import { firstOf, itemAt, lastOf } from "../../content/item-at.ts";

export interface Candidate {
  key: string;
  name: string;
  /** Higher for more recent use; breaks ties between equal matches. */
  recency: number;
}

/** Quality of matches, from best to worst. */
const MATCH_SCORES = { start: 4, words: 3, initials: 2, inside: 1, letters: 0, near: -1 } as const;

/** With at most this many results, names with a typing error are searched, too. */
const FEW_MATCHES = 2;

interface PreparedCandidate<T> {
  candidate: T;
  name: string;
}

/** Prepares candidates for searching, which takes longer than the search itself. */
export const prepared = <T extends Candidate>(candidates: Iterable<T>): PreparedCandidate<T>[] =>
  Array.from(candidates, (candidate) => ({ candidate, name: foldedOnce(candidate.name) }));

/** Names rarely change, and folding is expensive. */
const names = new Map<string, string>();
const NAMES_MAX = 40_000;

function foldedOnce(name: string): string {
  let prepared = names.get(name);
  if (prepared === undefined) {
    if (names.size >= NAMES_MAX) names.clear();
    names.set(name, (prepared = folded(name)));
  }
  return prepared;
}

export class Ranking<T extends Candidate> {
  /** Candidates of the previous query. A longer query matches no others. */
  private previous: { query: string; prepared: PreparedCandidate<T>[] };
  /** Like `left`, for names with a typing error. */
  private near: { query: string; prepared: PreparedCandidate<T>[] } | undefined;
  /** Total number of examined names. */
  examinedCount = 0;

  constructor(private readonly all: PreparedCandidate<T>[]) {
    this.previous = { query: "", prepared: all };
  }

  /** The best matches, at most `count`. */
  find(typed: string, count: number): T[] {
    const query = folded(typed).trim().replace(/\s+/gu, " ");
    if (query === "") return [];
    const from = query.startsWith(this.previous.query) ? this.previous.prepared : this.all;
    const candidates: PreparedCandidate<T>[] = [];
    const best: { candidate: T; score: number }[] = [];
    for (const item of from) {
      this.examinedCount++;
      if (!hasLetters(query, item.name)) continue;
      // It may match after the next character.
      candidates.push(item);
      const score = fitOf(query, item.name);
      if (score !== undefined) insert(best, { candidate: item.candidate, score }, count);
    }
    this.previous = { query, prepared: candidates };
    if (best.length <= FEW_MATCHES && isLongEnough(query)) this.addNear(query, best, count);
    return best.map(({ candidate }) => candidate);
  }

  private addNear(query: string, best: { candidate: T; score: number }[], count: number): void {
    const { near } = this;
    const from = near && query.startsWith(near.query) ? near.prepared : this.all;
    this.examinedCount += from.length;
    const candidates = from.filter(({ name }) => isNear(query, name));
    this.near = { query, prepared: candidates };
    const bestItems = new Set(best.map(({ candidate }) => candidate));
    for (const { candidate } of candidates) {
      if (!bestItems.has(candidate)) insert(best, { candidate, score: MATCH_SCORES.near }, count);
    }
  }
}

type RankedCandidate = { candidate: Candidate; score: number };

const isBetter = (a: RankedCandidate, b: RankedCandidate): boolean =>
  a.score !== b.score
    ? a.score > b.score
    : a.candidate.recency !== b.candidate.recency
      ? a.candidate.recency > b.candidate.recency
      : a.candidate.name.length < b.candidate.name.length;

/** Inserts into a short sorted list; most candidates rank below its last entry. */
function insert<R extends RankedCandidate>(best: R[], candidate: R, count: number): void {
  if (best.length >= count && !isBetter(candidate, lastOf(best))) return;
  let index = best.length;
  while (index > 0 && isBetter(candidate, itemAt(best, index - 1))) index--;
  best.splice(index, 0, candidate);
  if (best.length > count) best.pop();
}

/** How well the name matches. Undefined if it does not match. */
function fitOf(query: string, name: string): number | undefined {
  if (name.startsWith(query)) return MATCH_SCORES.start;
  if (beginWords(query, name)) return MATCH_SCORES.words;
  const withoutSpaces = query.replaceAll(" ", "");
  if (hasInitials(withoutSpaces, name)) return MATCH_SCORES.initials;
  if (name.includes(query)) return MATCH_SCORES.inside;
  return hasCloseLetters(withoutSpaces, name) ? MATCH_SCORES.letters : undefined;
}

/** Shorter queries occur as scattered letters in almost every name. */
const LETTERS_MIN = 3;
/** Letters that are farther apart match names by chance: "frost" in "from Slack, Mattermost". */
const LETTERS_SPAN_FACTOR = 2;

/** Whether the letters follow each other closely, the first one at the start of a word. */
function hasCloseLetters(letters: string, name: string): boolean {
  if (letters.length < LETTERS_MIN) return false;
  const first = firstOf(letters);
  for (let from = name.indexOf(first); from !== -1; from = name.indexOf(first, from + 1)) {
    if (!isWordStart(name, from)) continue;
    let end = from + 1;
    for (let index = 1; index < letters.length && end > 0; index++) {
      end = name.indexOf(itemAt(letters, index), end) + 1;
    }
    if (end > 0 && end - from <= letters.length * LETTERS_SPAN_FACTOR) return true;
  }
  return false;
}

/** Whether the letters occur in this order, with anything in between. */
function hasLetters(query: string, name: string): boolean {
  let from = 0;
  for (let index = 0; index < query.length; index++) {
    const letter = itemAt(query, index);
    if (letter === " ") continue;
    from = name.indexOf(letter, from) + 1;
    if (from === 0) return false;
  }
  return true;
}

/** Whether each word of the query starts a word of the name, in order. */
function beginWords(query: string, name: string): boolean {
  let from = 0;
  for (const word of query.split(" ")) {
    from = indexOfWord(name, word, from);
    if (from === -1) return false;
    from += word.length;
  }
  return true;
}

function indexOfWord(name: string, word: string, from: number): number {
  for (let index = name.indexOf(word, from); index !== -1; index = name.indexOf(word, index + 1)) {
    if (index === 0 || !isInWord(itemAt(name, index - 1))) return index;
  }
  return -1;
}

/** Whether the words of the name start with these letters, from the first word on. */
function hasInitials(initials: string, name: string): boolean {
  let matchedCount = 0;
  for (let index = 0; index < name.length && matchedCount < initials.length; index++) {
    if (!isWordStart(name, index)) continue;
    if (name[index] !== initials[matchedCount]) return false;
    matchedCount++;
  }
  return matchedCount === initials.length;
}

const isWordStart = (name: string, index: number): boolean =>
  isInWord(itemAt(name, index)) && (index === 0 || !isInWord(itemAt(name, index - 1)));

/** In shorter words, one wrong letter would match too much. */
const NEAR_MIN = 4;

const isLongEnough = (query: string): boolean =>
  query.split(" ").some(({ length }) => length >= NEAR_MIN);

/**
 * Whether each word starts a word of the name except for one letter: wrong, added, missing or
 * swapped.
 */
function isNear(query: string, name: string): boolean {
  return query
    .split(" ")
    .every((word) => indexOfWord(name, word, 0) !== -1 || beginsWithTypo(word, name));
}

/** The first letter must match. */
function beginsWithTypo(word: string, name: string): boolean {
  if (word.length < NEAR_MIN) return false;
  const first = firstOf(word);
  for (let index = name.indexOf(first); index !== -1; index = name.indexOf(first, index + 1)) {
    if (isWordStart(name, index) && matchesWithTypo(word, name, index)) return true;
  }
  return false;
}

function matchesWithTypo(word: string, name: string, from: number): boolean {
  let index = 1;
  while (index < word.length && word[index] === name[from + index]) index++;
  const matchFrom = (inWord: number, inName: number) =>
    name.startsWith(word.slice(index + inWord), from + index + inName);
  const isSwapped =
    word[index] === name[from + index + 1] && word[index + 1] === name[from + index];
  return matchFrom(1, 1) || matchFrom(1, 0) || matchFrom(0, 1) || (isSwapped && matchFrom(2, 2));
}

/** Splits a name into parts, and marks those that match the query. */
export function markedParts(typed: string, name: string): { text: string; isFound: boolean }[] {
  const query = folded(typed).trim();
  const letters = [...name];
  const plain = letters.map(folded);
  const isMatched = letters.map(() => false);
  const whole = plain.join("");
  const position = query === "" ? -1 : startOf(whole, query);
  if (position >= 0) markRange(plain, isMatched, position, position + query.length);
  else markMatchedLetters(plain, isMatched, query.replaceAll(" ", ""));
  const segments: { text: string; isFound: boolean }[] = [];
  for (const [index, text] of letters.entries()) {
    const last = segments.at(-1);
    const isFound = isMatched[index] === true;
    if (last?.isFound === isFound) last.text += text;
    else segments.push({ text, isFound });
  }
  return segments;
}

/** Prefers an occurrence at the start of a word. */
function startOf(whole: string, query: string): number {
  const index = indexOfWord(whole, query, 0);
  return index === -1 ? whole.indexOf(query) : index;
}

function markRange(plain: readonly string[], isMatched: boolean[], from: number, to: number): void {
  let position = 0;
  for (const [index, text] of plain.entries()) {
    if (position >= from && position < to) isMatched[index] = true;
    position += text.length;
  }
}

function markMatchedLetters(plain: readonly string[], isMatched: boolean[], query: string): void {
  let next = 0;
  for (const [index, text] of plain.entries()) {
    if (next >= query.length) return;
    if (text !== "" && query.startsWith(text, next)) {
      isMatched[index] = true;
      next += text.length;
    }
  }
}
