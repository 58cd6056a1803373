// Updates the search index for messages whose terms are in segments, page by page.
import type { Reader, Writer } from "../../realm.ts";
import type { SearchSegment } from "../../schema/records-messages.ts";
import { pageWithChanges } from "./page.ts";
import { firstIdOf, holdsTerm, LEVEL_MAX, numberAt, pageAt, pageIndexOf } from "./segments.ts";
import { changeWords } from "./term-list.ts";

interface PageChanges {
  segment: SearchSegment;
  place: number;
  changes: Map<string, Map<number, boolean>>;
}

/** Collects changes and applies them. */
export class TermChanges {
  private readonly pages = new Map<string, PageChanges>();

  constructor(private readonly tx: Writer) {}

  /** Adds a message to the list of a term, or removes it. */
  add(id: number, term: string, isIncluded: boolean): void {
    const segment = holderOf(this.tx, id, term);
    if (!segment) return;
    const index = pageIndexOf(segment, term);
    const key = `${segment.level} ${segment.number} ${index}`;
    let page = this.pages.get(key);
    if (!page) this.pages.set(key, (page = { segment, place: index, changes: new Map() }));
    let change = page.changes.get(term);
    if (!change) page.changes.set(term, (change = new Map()));
    change.set(id - firstIdOf(segment), isIncluded);
  }

  make(): void {
    const words = new Map<SearchSegment, { gained: string[]; lost: Set<string> }>();
    for (const { segment, place: index, changes } of this.pages.values()) {
      const before = pageAt(this.tx, segment, index)!;
      const { page, gained, lost } = pageWithChanges(before, changes);
      this.tx.search_pages.put({ ...before, ...page });
      let all = words.get(segment);
      if (!all) words.set(segment, (all = { gained: [], lost: new Set() }));
      all.gained.push(...gained);
      for (const term of lost) all.lost.add(term);
    }
    for (const [segment, { gained, lost }] of words) {
      if (segment.level > 0) changeWords(this.tx, segment, gained, lost);
    }
  }
}

export function holderOf(
  reader: Pick<Reader, "search_segments">,
  id: number,
  term: string,
): SearchSegment | undefined {
  for (let level = 0; level <= LEVEL_MAX; level++) {
    const segment = reader.search_segments.get(level, numberAt(level, id));
    if (segment && holdsTerm(reader, segment, term)) return segment;
  }
  return undefined;
}
