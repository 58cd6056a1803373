// The segments of the search index.
import type { Reader } from "../../realm.ts";
import type { SearchPage, SearchSegment } from "../../schema/records-messages.ts";

// The terms of a new message are only in memory (`search_fresh`). When a block of 256 ids is full,
// they become a segment: pages of sorted terms, each with its messages. Sixteen segments are merged
// into one of the next level, a few pages at a time. So a send writes nothing to the index, and a
// search reads few pages.

const BLOCK_BITS = 8;
const BITS_PER_LEVEL = 4;
export const LEVEL_MAX = 2;

/** The number of the segment of a level that contains an id. */
export function numberAt(level: number, id: number): number {
  return Math.floor(id / idsIn(level));
}

/** Number of ids in a segment of a level. */
export function idsIn(level: number): number {
  return 2 ** (BLOCK_BITS + level * BITS_PER_LEVEL);
}

export function firstIdOf({ level, number }: SearchSegment): number {
  return number * idsIn(level);
}

type Segments = Pick<Reader, "search_segments">;

/** The segment into which this one is merged. */
function parentOf(reader: Segments, segment: SearchSegment): SearchSegment | undefined {
  const level = segment.level + 1;
  return reader.search_segments.get(level, numberAt(level, firstIdOf(segment)));
}

/** Its terms are still fresh rows, not pages. */
export const isOpen = ({ level, until }: SearchSegment) => level === 0 && until === "";

/** Whether this segment holds the term for its messages, rather than a larger one or its parts. */
export function holdsTerm(reader: Segments, segment: SearchSegment, term: string): boolean {
  if (segment.until !== null && !isOpen(segment) && term > segment.until) return false;
  const above = parentOf(reader, segment);
  return above === undefined || (above.until !== null && term > above.until);
}

/** The terms of the messages of an open segment. */
export function* freshTermsIn(reader: Reader, segment: SearchSegment) {
  const first = firstIdOf(segment);
  const end = Math.min(first + idsIn(segment.level), reader.last("messages") + 1);
  // Most ids have a row, so lookups cost no more than a range.
  for (let id = first; id < end; id++) {
    const fresh = reader.search_fresh.get(id);
    if (fresh) yield fresh;
  }
}

/** A page of a segment; undefined if it was merged into a larger one. */
export function pageAt(
  reader: Pick<Reader, "search_pages">,
  { level, number, firsts }: SearchSegment,
  index: number,
): SearchPage | undefined {
  return reader.search_pages.get(level, number, firsts[index]!);
}

/** The remaining pages of a segment, starting with the one of a term. */
export function pagesFrom(
  reader: Reader,
  segment: SearchSegment,
  term: string,
): Iterable<SearchPage> {
  const places = segment.firsts.keys().drop(Math.max(0, pageIndexOf(segment, term)));
  return pagesAt(reader, segment, places);
}

function* pagesAt(reader: Reader, segment: SearchSegment, places: Iterable<number>) {
  for (const index of places) {
    const page = pageAt(reader, segment, index);
    if (page) yield page;
  }
}

/** The index of a term's page: the last one that does not start after it. */
export function pageIndexOf({ firsts }: SearchSegment, term: string): number {
  let [low, high] = [0, firsts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (firsts[middle]! <= term) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
