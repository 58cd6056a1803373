// The segments of the index: which messages each is of, and which of them holds a term.
import type { Reader } from "../../realm.ts";
import type { SearchPage, SearchSegment } from "../../schema/records-messages.ts";

// A message's terms are first written beside it, as one row (`search_fresh`). When 256 ids are
// full, their rows become a segment: pages of terms in order, each with the list of its messages.
// Sixteen segments become one of the next level, some pages at a time: so few places of the disk
// change with a message, and few are looked at for a word.

const BLOCK_BITS = 8;
const BITS_PER_LEVEL = 4;
export const LEVEL_MAX = 2;

/** Which segment of a level an id is in. */
export function numberAt(level: number, id: number): number {
  return Math.floor(id / idsIn(level));
}

/** How many ids a segment of a level is of. */
export function idsIn(level: number): number {
  return 2 ** (BLOCK_BITS + level * BITS_PER_LEVEL);
}

export function firstIdOf({ level, number }: SearchSegment): number {
  return number * idsIn(level);
}

type Segments = Pick<Reader, "search_segments">;

/** The segment that this one becomes a part of. */
export function aboveOf(reader: Segments, segment: SearchSegment): SearchSegment | undefined {
  const level = segment.level + 1;
  return reader.search_segments.get(level, numberAt(level, firstIdOf(segment)));
}

/** Nothing of it is in pages: its messages' terms are fresh. */
export const isOpen = ({ level, until }: SearchSegment) => level === 0 && until === "";

/** Is it this segment that has a term of its messages, not a larger one or its parts? */
export function isHolder(reader: Segments, segment: SearchSegment, term: string): boolean {
  if (segment.until !== null && !isOpen(segment) && term > segment.until) return false;
  const above = aboveOf(reader, segment);
  return above === undefined || (above.until !== null && term > above.until);
}

/** The fresh rows of a segment's messages. */
export function* freshIn(reader: Reader, segment: SearchSegment) {
  const first = firstIdOf(segment);
  const end = Math.min(first + idsIn(segment.level), reader.last("messages") + 1);
  // Most ids have a row, so that asking for each is no more than a walk.
  for (let id = first; id < end; id++) {
    const fresh = reader.search_fresh.get(id);
    if (fresh) yield fresh;
  }
}

/** A page of a segment; none where it became part of a larger one. */
export function pageAt(
  reader: Pick<Reader, "search_pages">,
  { level, number, firsts }: SearchSegment,
  place: number,
): SearchPage | undefined {
  return reader.search_pages.get(level, number, firsts[place]!);
}

/** The pages of a segment from the one with a term on, those that are left. */
export function pagesFrom(
  reader: Reader,
  segment: SearchSegment,
  term: string,
): Iterable<SearchPage> {
  const places = segment.firsts.keys().drop(Math.max(0, placeOf(segment, term)));
  return pagesAt(reader, segment, places);
}

function* pagesAt(reader: Reader, segment: SearchSegment, places: Iterable<number>) {
  for (const place of places) {
    const page = pageAt(reader, segment, place);
    if (page) yield page;
  }
}

/** Which of the pages a term is on: the last that does not begin after it. */
export function placeOf({ firsts }: SearchSegment, term: string): number {
  let [low, high] = [0, firsts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (firsts[middle]! <= term) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
