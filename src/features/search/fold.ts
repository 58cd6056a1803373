// Makes segments of what was indexed, a bounded step with every 256th message.
import type { Writer } from "../../realm.ts";
import type { SearchPage, SearchSegment } from "../../records.ts";
import { hashBegun, hashWith, WordTable } from "../../text/word-table.ts";
import { PageReader, PageWriter } from "./page.ts";
import { allPages, firstIdOf, freshIn, idsIn, isOpen, LEVEL_MAX, numberAt } from "./segments.ts";
import { dropWords, putWords } from "./words.ts";

/** About twice of what 256 messages bring, so that the steps keep up. */
const STEP_TERMS = 3_000;
const STEP_OFFSETS = 25_000;

/** The segment of a new message is begun; what came before it is put in order. */
export function beginSegment(tx: Writer, number: number): void {
  const segments = [...tx.search_segments.range()];
  for (const segment of segments) if (isOpen(segment)) closeSegment(tx, segment);
  tx.search_segments.put({ level: 0, number, until: "", firsts: [] });
  for (let level = 1; level <= LEVEL_MAX; level++) {
    const next = nextToMerge(tx, level, number * idsIn(0));
    if (next) mergeOn(tx, next);
  }
}

/** The terms of its messages come into pages. */
function closeSegment(tx: Writer, segment: SearchSegment): void {
  const first = firstIdOf(segment);
  const table = new WordTable();
  const counts: number[] = [];
  const newest: number[] = [];
  const pairs: number[] = [];
  for (const { id, terms } of freshIn(tx, segment)) {
    eachTerm(table, decoder.decode(terms), (place) => {
      if (newest[place] === id) return;
      newest[place] = id;
      counts[place] = (counts[place] ?? 0) + 1;
      pairs.push(place, id - first);
    });
    tx.search_fresh.delete(id);
  }

  const { offsets, ends } = grouped(pairs, counts);
  const pages = new Pages(tx, segment);
  const places = new Map(table.words.map((term, place) => [term, place]));
  for (const term of table.words.toSorted()) {
    const place = places.get(term)!;
    pages.add(term, offsets, ends[place - 1] ?? 0, ends[place]!);
  }
  tx.search_segments.put({ ...segment, until: null, firsts: pages.finish() });
}

const decoder = new TextDecoder();
const SPACE = 32;

/** Calls `fn` with the place of each term of a line. */
function eachTerm(table: WordTable, terms: string, fn: (place: number) => void): void {
  for (let from = 0, hash = hashBegun, at = 0; at <= terms.length; at++) {
    const code = terms.charCodeAt(at);
    if (at < terms.length && code !== SPACE) {
      hash = hashWith(hash, code);
      continue;
    }
    if (at > from) fn(table.placeOf(terms, from, at, hash));
    from = at + 1;
    hash = hashBegun;
  }
}

/** Of pairs of a place and an offset: the offsets by place, and where those of each end. */
function grouped(pairs: readonly number[], counts: readonly number[]) {
  const ends = new Uint32Array(counts.length);
  let sum = 0;
  for (const [place, count] of counts.entries()) {
    ends[place] = sum;
    sum += count;
  }
  const offsets = new Uint16Array(sum);
  for (let at = 0; at < pairs.length; at += 2) offsets[ends[pairs[at]!]!++] = pairs[at + 1]!;
  return { offsets, ends };
}

/** The oldest segment of a level that is being made, or that can be made of whole ones. */
function nextToMerge(tx: Writer, level: number, newest_id: number): SearchSegment | undefined {
  const segments = [...tx.search_segments.range()];
  const begun = segments.find((one) => one.level === level && one.until !== null);
  if (begun) return begun;
  const numbers = new Set<number>();
  const blocked = new Set([numberAt(level, newest_id)]);
  for (const segment of segments) {
    if (segment.level >= level) continue;
    const number = numberAt(level, firstIdOf(segment));
    numbers.add(number);
    if (segment.level < level - 1 || segment.until !== null) blocked.add(number);
  }
  const ready = [...numbers].filter((number) => !blocked.has(number));
  if (ready.length === 0) return undefined;
  return { level, number: Math.min(...ready), until: "", firsts: [] };
}

/** Takes the next terms out of the parts of a segment into its own pages. */
function mergeOn(tx: Writer, segment: SearchSegment): void {
  const walks = partsOf(tx, segment).map((part) => new Walk(tx, part, segment));
  const pages = new Pages(tx, segment);
  const terms: string[] = [];
  let count = 0;
  let least = leastOf(walks);
  while (least !== undefined && terms.length < STEP_TERMS && count < STEP_OFFSETS) {
    const offsets: number[] = [];
    for (const walk of walks) if (walk.term === least) walk.take(offsets);
    pages.add(least, offsets);
    terms.push(least);
    count += offsets.length;
    least = leastOf(walks);
  }
  putWords(tx, segment, terms);
  const isWhole = least === undefined;
  for (const walk of walks) walk.dropTaken(isWhole);
  const until = isWhole ? null : terms.at(-1)!;
  tx.search_segments.put({ ...segment, until, firsts: pages.finish() });
}

function partsOf(tx: Writer, segment: SearchSegment): SearchSegment[] {
  const isPart = (other: SearchSegment) =>
    other.level === segment.level - 1 &&
    numberAt(segment.level, firstIdOf(other)) === segment.number;
  return [...tx.search_segments.range()].filter(isPart).sort((a, b) => a.number - b.number);
}

function leastOf(walks: readonly Walk[]): string | undefined {
  let least: string | undefined;
  for (const { term } of walks) {
    if (term !== undefined && (least === undefined || term < least)) least = term;
  }
  return least;
}

/** Goes through the terms of a part that the larger segment has not taken yet. */
class Walk {
  term: string | undefined;
  /** Where the part's ids begin in the larger segment. */
  private readonly base: number;
  private readonly pages: Iterator<SearchPage>;
  private readonly begun: string[] = [];
  private reader: PageReader | undefined;

  constructor(
    private readonly tx: Writer,
    private readonly part: SearchSegment,
    { level, number, until }: SearchSegment,
  ) {
    this.base = firstIdOf(part) - number * idsIn(level);
    this.pages = allPages(tx, part)[Symbol.iterator]();
    do this.next();
    while (this.term !== undefined && this.term <= until!);
  }

  /** Adds the messages of the term, and goes to the next. */
  take(offsets: number[]): void {
    this.reader!.each((offset) => offsets.push(this.base + offset));
    this.next();
  }

  private next(): void {
    this.reader?.next();
    while (this.reader?.term === undefined) {
      const page = this.pages.next();
      if (page.done) break;
      this.begun.push(page.value.first);
      this.reader = new PageReader(page.value);
    }
    this.term = this.reader?.term;
  }

  /** Deletes what the larger segment has now; of a page of which it has a part, nothing. */
  dropTaken(isWhole: boolean): void {
    const { level, number } = this.part;
    if (this.term !== undefined) this.begun.pop();
    for (const first of this.begun) this.tx.search_pages.delete(level, number, first);
    if (!isWhole) return;
    this.tx.search_segments.delete(level, number);
    dropWords(this.tx, this.part);
  }
}

/** Puts pages behind those that a segment has. */
class Pages {
  private readonly firsts: string[];
  private page = new PageWriter();

  constructor(
    private readonly tx: Writer,
    private readonly segment: SearchSegment,
  ) {
    this.firsts = [...segment.firsts];
  }

  add(term: string, offsets: ArrayLike<number>, from = 0, to = offsets.length): void {
    if (this.page.isFullFor(term, to - from)) this.put();
    this.page.add(term, offsets, from, to);
  }

  /** Gives what all pages of the segment begin with. */
  finish(): string[] {
    if (this.page.first !== undefined || this.firsts.length === 0) this.put();
    return this.firsts;
  }

  private put(): void {
    const { level, number } = this.segment;
    // The first page also has room for terms that an edit puts before all others.
    const first = this.firsts.length === 0 ? "" : this.page.first!;
    this.tx.search_pages.put({ level, number, first, ...this.page.written() });
    this.firsts.push(first);
    this.page = new PageWriter();
  }
}
