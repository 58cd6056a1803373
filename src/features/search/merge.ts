// Merges indexed terms into segments in bounded steps, in the background or as part of a send.
import type { Reader, Writer } from "../../realm.ts";
import type { SearchPage, SearchSegment } from "../../schema/records-messages.ts";
import { removedAmong, removedIn } from "./gc.ts";
import { PageReader, PageWriter } from "./page.ts";
import {
  firstIdOf,
  freshTermsIn,
  idsIn,
  isOpen,
  LEVEL_MAX,
  numberAt,
  pagesFrom,
} from "./segments.ts";
import { indexTopicsStep } from "./topics.ts";
import { dropWords, putWords } from "./term-list.ts";

/** Every search reads all open segments. If there are more, sends close them. */
const OPEN_SEGMENTS_MAX = 8;

/** Upper limits of one step. */
interface StepLimits {
  terms: number;
  offsets: number;
}

/** About a millisecond of work. */
const BACKGROUND_STEP: StepLimits = { terms: 1_000, offsets: 8_000 };
/** About twice what 256 messages add, so that merging keeps up. */
const STEP_PER_SEND: StepLimits = { terms: 3_000, offsets: 25_000 };

/** Starts the segment of a new message. */
export function beginSegment(tx: Writer, number: number): void {
  tx.search_segments.put({ level: 0, number, until: "", firsts: [] });
  const open = openSegments(tx);
  if (open.length <= OPEN_SEGMENTS_MAX) return;
  closeSegment(tx, open[0]!);
  for (let level = 1; level <= LEVEL_MAX; level++) {
    const next = nextToMerge(tx, level);
    if (next) mergeNextTerms(tx, next, STEP_PER_SEND);
  }
}

/** Performs one step. Returns false if there is nothing to do. */
export function mergeStep(tx: Writer): boolean {
  // The newest segment is still being filled.
  const [oldest, next] = openSegments(tx);
  if (oldest && next) {
    closeSegment(tx, oldest);
    return true;
  }
  for (let level = 1; level <= LEVEL_MAX; level++) {
    const merging = nextToMerge(tx, level);
    if (!merging) continue;
    mergeNextTerms(tx, merging, BACKGROUND_STEP);
    return true;
  }
  return indexTopicsStep(tx);
}

/** Oldest first. */
function openSegments(reader: Reader): SearchSegment[] {
  return [...reader.search_segments.range()].filter(isOpen).sort((a, b) => a.number - b.number);
}

/** Writes the terms of its messages to pages. */
function closeSegment(tx: Writer, segment: SearchSegment): void {
  const first = firstIdOf(segment);
  const lists = new Map<string, number[]>();
  for (const { id, terms } of freshTermsIn(tx, segment)) {
    const offset = id - first;
    for (const term of terms) {
      const offsets = lists.get(term);
      if (!offsets) lists.set(term, [offset]);
      else if (offsets[offsets.length - 1] !== offset) offsets.push(offset);
    }
    tx.search_fresh.delete(id);
  }
  const pages = new Pages(tx, segment);
  for (const term of [...lists.keys()].sort()) pages.add(term, lists.get(term)!);
  tx.search_segments.put({ ...segment, until: null, firsts: pages.finish() });
}

/** The oldest segment of a level that is being merged or can be. */
function nextToMerge(tx: Writer, level: number): SearchSegment | undefined {
  const segments = [...tx.search_segments.range()];
  const openSegment = segments.find((segment) => segment.level === level && segment.until !== null);
  if (openSegment) return openSegment;
  const numbers = new Set<number>();
  const blocked = new Set<number>();
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

/** Moves the next terms from the parts of a segment to its own pages. */
function mergeNextTerms(tx: Writer, segment: SearchSegment, share: StepLimits): void {
  const walks = partsOf(tx, segment).map((part) => new TermIterator(tx, part, segment));
  const pages = new Pages(tx, segment);
  const isRemoved = removedIn(removedAmong(tx, firstIdOf(segment)), segment);
  const terms: string[] = [];
  let count = 0;
  let takenUntil = segment.until!;
  let least = lowestTerm(walks);
  const isFull = (shares: number) =>
    terms.length >= shares * share.terms || count >= shares * share.offsets;
  // Ends with a nearly full page if possible, because the next step starts a new one.
  while (least !== undefined && !isFull(2) && !(isFull(1) && pages.isNearlyFull)) {
    let offsets: number[] = [];
    for (const walk of walks) if (walk.term === least) walk.take(offsets);
    count += offsets.length;
    if (isRemoved) offsets = offsets.filter((offset) => !isRemoved(offset));
    if (offsets.length > 0) {
      pages.add(least, offsets);
      terms.push(least);
    }
    [takenUntil, least] = [least, lowestTerm(walks)];
  }
  putWords(tx, segment, terms);
  const isComplete = least === undefined;
  for (const walk of walks) walk.dropMerged(isComplete);
  const until = isComplete ? null : takenUntil;
  tx.search_segments.put({ ...segment, until, firsts: pages.finish() });
}

function partsOf(tx: Writer, segment: SearchSegment): SearchSegment[] {
  const isPart = (other: SearchSegment) =>
    other.level === segment.level - 1 &&
    numberAt(segment.level, firstIdOf(other)) === segment.number;
  return [...tx.search_segments.range()].filter(isPart).sort((a, b) => a.number - b.number);
}

function lowestTerm(walks: readonly TermIterator[]): string | undefined {
  let least: string | undefined;
  for (const { term } of walks) {
    if (term !== undefined && (least === undefined || term < least)) least = term;
  }
  return least;
}

/** Iterates over the terms of a part that the larger segment has not taken yet. */
class TermIterator {
  term: string | undefined;
  /** Offset of the part's ids in the larger segment. */
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
    this.pages = pagesFrom(tx, part, until!)[Symbol.iterator]();
    do this.next();
    while (this.term !== undefined && this.term <= until!);
  }

  /** Adds the messages of the term and advances to the next. */
  take(offsets: number[]): void {
    this.reader!.addTo(offsets, this.base);
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

  /** Deletes pages that the larger segment has taken completely. */
  dropMerged(isComplete: boolean): void {
    const { level, number } = this.part;
    if (this.term !== undefined) this.begun.pop();
    for (const first of this.begun) this.tx.search_pages.delete(level, number, first);
    if (!isComplete) return;
    this.tx.search_segments.delete(level, number);
    dropWords(this.tx, this.part);
  }
}

/** Appends pages to a segment. */
class Pages {
  private readonly firsts: string[];
  private page = new PageWriter();

  constructor(
    private readonly tx: Writer,
    private readonly segment: SearchSegment,
  ) {
    this.firsts = [...segment.firsts];
  }

  get isNearlyFull(): boolean {
    return this.page.isNearlyFull;
  }

  add(term: string, offsets: readonly number[]): void {
    if (this.page.isFullFor(term, offsets.length)) this.put();
    this.page.add(term, offsets);
  }

  /** Returns the first terms of all pages of the segment. */
  finish(): string[] {
    if (this.page.first !== undefined || this.firsts.length === 0) this.put();
    return this.firsts;
  }

  private put(): void {
    const { level, number } = this.segment;
    // The first page also covers terms that an edit adds before all others.
    const first = this.firsts.length === 0 ? "" : this.page.first!;
    this.tx.search_pages.put({ level, number, first, ...this.page.toPage() });
    this.firsts.push(first);
    this.page = new PageWriter();
  }
}
