// Compares the search index with the messages, in a copy that does not change.
import type { Reader } from "../../realm.ts";
import type { Message, SearchPage, SearchSegment } from "../../schema/records-messages.ts";
import { hasOffset } from "../../store/bitmap/encodings.ts";
import { chunkOf, offsetOf } from "../../store/bitmap/bitmap.ts";
import { termsOf } from "../../text/search/words.ts";
import { holderOf } from "./change.ts";
import { ignoreDamage, isFresh, textOf } from "./index.ts";
import { PageReader } from "./page.ts";
import {
  firstIdOf,
  idsIn,
  holdsTerm,
  isOpen,
  LEVEL_MAX,
  numberAt,
  pageIndexOf,
} from "./segments.ts";
import { areListed } from "./term-list.ts";

type IndexTables = Pick<
  Reader,
  "messages" | "search_segments" | "search_pages" | "search_words" | "search_parts" | "search_gone"
>;

type SegmentKey = Pick<SearchSegment, "level" | "number">;

export interface SearchFaults {
  /** Number of checked messages. */
  messages: number;
  /** Missing segments whose pages still exist, as they must have been. */
  segments: SearchSegment[];
  /** Missing or unreadable pages. */
  pages: Pick<SearchPage, "level" | "number" | "first">[];
  /** Blocks of 256 messages without a segment. */
  blocks: number[];
  /** Messages that are not found by all of their words. */
  lost: number[];
  /** Messages that are found by a word that they do not contain. */
  strays: [id: number, term: string][];
  /** Segments in which a part of some word is not found. */
  unlisted: SegmentKey[];
}

/** Further faults of one kind are left to the next check. */
const FAULTS_MAX = 100_000;
const MESSAGES_AT_ONCE = 100;

export async function searchFaultsIn(
  tables: IndexTables,
  rest: () => Promise<unknown>,
): Promise<SearchFaults> {
  const faults: SearchFaults = {
    messages: 0,
    segments: [],
    pages: [],
    blocks: [],
    lost: [],
    strays: [],
    unlisted: [],
  };
  lostSegments(tables, faults);
  const newest = [...tables.messages.sound(ignoreDamage, { reverse: true, limit: 1 })][0]?.id ?? 0;
  for (let number = 0; number <= numberAt(LEVEL_MAX, newest); number++) {
    await new Range(tables, number, faults).compare(rest);
  }
  for (const segment of tables.search_segments.range()) {
    if (segment.level === 0) continue;
    const { level, number } = segment;
    if (!areListed(tables, segment, termsOfSegment(tables, segment))) {
      addFault(faults.unlisted, { level, number });
    }
    await rest();
  }
  return faults;
}

export function countOfFaults(faults: SearchFaults): number {
  const { segments, pages, blocks, lost, strays, unlisted } = faults;
  return [segments, pages, blocks, lost, strays, unlisted].reduce(
    (sum, { length }) => sum + length,
    0,
  );
}

function lostSegments({ search_pages, search_segments }: IndexTables, faults: SearchFaults): void {
  const segments = new Map<string, SearchSegment>();
  for (const { level, number, first } of search_pages.sound(ignoreDamage)) {
    if (search_segments.has(level, number)) continue;
    const segmentKey = `${level} ${number}`;
    const segment = segments.get(segmentKey) ?? { level, number, until: null, firsts: [] };
    segments.set(segmentKey, segment);
    segment.firsts.push(first);
  }
  for (const segment of segments.values()) {
    if (segment.firsts[0] !== "") segment.firsts.unshift("");
    addFault(faults.segments, segment);
  }
}

/** The messages of a segment of the highest level, existing or future. */
class Range {
  private readonly first: number;
  /** Ids of the messages that a term finds, in order. */
  private readonly idsByTerm = new Map<string, number[]>();
  private entries = 0;
  private matched = 0;

  constructor(
    private readonly tables: IndexTables,
    number: number,
    private readonly faults: SearchFaults,
  ) {
    this.first = number * idsIn(LEVEL_MAX);
  }

  async compare(rest: () => Promise<unknown>): Promise<void> {
    const { tables, first } = this;
    const end = first + idsIn(LEVEL_MAX);
    const segments = [...tables.search_segments.range()].filter((segment) => {
      return firstIdOf(segment) >= first && firstIdOf(segment) < end && !isOpen(segment);
    });
    for (const segment of segments.toSorted((a, b) => firstIdOf(a) - firstIdOf(b))) {
      this.enter(segment);
      await rest();
    }
    for (let from = first; from < end;) {
      const range = { from: [from], to: [end], limit: MESSAGES_AT_ONCE };
      const batch = [...tables.messages.sound(ignoreDamage, range)];
      for (const message of batch) this.checkMessage(message);
      if (batch.length < MESSAGES_AT_ONCE) break;
      from = batch.at(-1)!.id + 1;
      await rest();
    }
    if (this.entries > this.matched) this.findStrays();
  }

  private enter(segment: SearchSegment): void {
    const base = firstIdOf(segment);
    for (const page of intactPages(this.tables, segment)) {
      for (const reader = new PageReader(page); reader.term !== undefined; reader.next()) {
        const { term } = reader;
        if (!holdsTerm(this.tables, segment, term)) continue;
        const ids = this.idsByTerm.get(term) ?? [];
        this.idsByTerm.set(term, ids);
        reader.each((offset) => {
          if (this.isDeleted(base + offset)) return;
          ids.push(base + offset);
          this.entries++;
        });
      }
    }
  }

  private checkMessage(message: Message): void {
    const { tables, faults } = this;
    faults.messages++;
    // The terms of the newest messages are only in memory.
    if (isFresh(tables, message.id)) return;
    let isLost = false;
    for (const term of termsOf(textOf(message))) {
      if (isIncluded(this.idsByTerm.get(term), message.id)) this.matched++;
      else {
        isLost = true;
        this.missing(message.id, term);
      }
    }
    if (isLost) addFault(faults.lost, message.id);
  }

  /** Records what must be repaired before the message can be added. */
  private missing(id: number, term: string): void {
    const { tables, faults } = this;
    const segment = holderOf(tables, id, term);
    const block = numberAt(0, id);
    if (!segment) {
      if (faults.blocks.at(-1) !== block) addFault(faults.blocks, block);
      return;
    }
    const { level, number, firsts } = segment;
    const first = firsts[pageIndexOf(segment, term)];
    if (first === undefined || intactPage(tables, { level, number, first })) return;
    const isKnown = faults.pages.some((page) => {
      return page.level === level && page.number === number && page.first === first;
    });
    if (!isKnown) addFault(faults.pages, { level, number, first });
  }

  private findStrays(): void {
    const terms = new Map<number, string[]>();
    for (const [term, ids] of this.idsByTerm) {
      for (const id of ids) {
        const own = terms.get(id);
        if (own) own.push(term);
        else terms.set(id, [term]);
      }
    }
    for (const [id, termsOfMessage] of terms) {
      const message = storedMessageAt(this.tables, id);
      if (message === "damaged") continue;
      const own = message ? termsOf(textOf(message)) : new Set<string>();
      for (const term of termsOfMessage)
        if (!own.has(term)) addFault(this.faults.strays, [id, term]);
    }
  }

  private isDeleted(id: number): boolean {
    const bytes = this.tables.search_gone.chunk([0], chunkOf(id));
    return bytes !== undefined && hasOffset(bytes, offsetOf(id));
  }
}

/** An unreadable message cannot be checked. */
function storedMessageAt({ messages }: IndexTables, id: number): Message | "damaged" | undefined {
  let isDamaged = false;
  const [message] = messages.sound(() => (isDamaged = true), { from: [id], to: [id + 1] });
  return isDamaged ? "damaged" : message;
}

function isIncluded(ids: readonly number[] | undefined, id: number): boolean {
  let [low, high] = [0, ids?.length ?? 0];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids![middle]! < id) low = middle + 1;
    else high = middle;
  }
  return ids?.[low] === id;
}

function termsOfSegment(tables: IndexTables, segment: SearchSegment): Set<string> {
  const terms = new Set<string>();
  for (const page of intactPages(tables, segment)) {
    for (const reader = new PageReader(page); reader.term !== undefined; reader.next()) {
      terms.add(reader.term);
    }
  }
  return terms;
}

function* intactPages(tables: IndexTables, { level, number, firsts }: SearchSegment) {
  for (const first of firsts) {
    const page = intactPage(tables, { level, number, first });
    if (page) yield page;
  }
}

function intactPage(
  { search_pages }: IndexTables,
  { level, number, first }: SearchFaults["pages"][number],
): SearchPage | undefined {
  const range = { from: [level, number, first], limit: 1 };
  const [page] = search_pages.sound(ignoreDamage, range);
  const matches = page?.level === level && page.number === number && page.first === first;
  return matches ? page : undefined;
}

function addFault<T>(list: T[], fault: T): void {
  if (list.length < FAULTS_MAX) list.push(fault);
}
