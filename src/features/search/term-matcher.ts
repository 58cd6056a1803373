// Finds the messages of a segment that contain a matching term.
import type { Reader } from "../../realm.ts";
import type { SearchSegment } from "../../schema/records-messages.ts";
import type { QueryWord } from "../../text/search/query.ts";
import { eachWithPrefix, eachContaining } from "./page.ts";
import { firstIdOf, freshTermsIn, holdsTerm, isOpen, pageIndexOf } from "./segments.ts";
import { wordsWith } from "./term-list.ts";

/** A search word: a complete term, a prefix, or a part. */
export interface RequiredWord extends QueryWord {
  part?: string;
}

/** Searches for one word in several segments. */
export class TermMatcher {
  private readonly prefixes: readonly Uint8Array[];
  private readonly part: Uint8Array | undefined;
  private readonly inLine: readonly Uint8Array[];
  private readonly common: Uint8Array;

  constructor(private readonly requiredWord: RequiredWord) {
    const { exact, prefix, part } = requiredWord;
    this.prefixes = shortest(exact, prefix).map(bytesOf);
    if (part !== undefined) this.part = bytesOf(part);
    const searchedFor: string[] = [];
    if (exact !== undefined) searchedFor.push(` ${exact} `);
    if (prefix !== undefined) searchedFor.push(` ${prefix}`);
    if (part !== undefined) searchedFor.push(part);
    this.inLine = searchedFor.map(bytesOf);
    // Most rows do not even contain the common prefix of a word and its stem.
    this.common = this.inLine.reduce(commonPrefix);
  }

  /** Calls `fn` with the matching ids, in no order, possibly repeated. */
  each(reader: Reader, segment: SearchSegment, fn: (id: number) => void): void {
    if (isOpen(segment)) return this.eachFresh(reader, segment, fn);
    const first = firstIdOf(segment);
    const add = (offset: number) => fn(first + offset);
    const containsTerm = (term: string) => holdsTerm(reader, segment, term);
    const isMatchHere = (term: string) => this.isMatch(term) && containsTerm(term);
    const { level, number, firsts } = segment;
    for (const index of this.pagesIn(reader, segment)) {
      // Undefined if it was merged into a larger segment.
      const page = reader.search_pages.readFields(level, number, firsts[index]!);
      if (!page) continue;
      const bytes = { terms: page.span("terms"), lists: page.span("lists") };
      for (const text of this.prefixes) eachWithPrefix(bytes, text, isMatchHere, add);
      if (this.part) eachContaining(bytes, this.part, containsTerm, add);
    }
  }

  private isMatch(term: string): boolean {
    const { exact, prefix } = this.requiredWord;
    return term === exact || (prefix !== undefined && term.startsWith(prefix));
  }

  /** The pages that may contain a match. */
  private pagesIn(reader: Reader, segment: SearchSegment): Set<number> {
    const { exact, prefix, part } = this.requiredWord;
    const { firsts, level } = segment;
    const places = new Set<number>();
    if (exact !== undefined) places.add(pageIndexOf(segment, exact));
    if (prefix !== undefined) {
      for (let index = Math.max(0, pageIndexOf(segment, prefix)); index < firsts.length; index++) {
        if (firsts[index]! > prefix && !firsts[index]!.startsWith(prefix)) break;
        places.add(index);
      }
    }
    if (part === undefined) return places;
    if (level === 0) return new Set(firsts.keys());
    for (const word of wordsWith(reader, segment, part, this.part!))
      places.add(pageIndexOf(segment, word));
    return places;
  }

  private eachFresh(reader: Reader, segment: SearchSegment, fn: (id: number) => void): void {
    const { inLine, common } = this;
    for (const { id, line } of freshTermsIn(reader, segment)) {
      if (!includes.call(line, common)) continue;
      if (inLine.length === 1 || inLine.some((variants) => includes.call(line, variants))) fn(id);
    }
  }
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text);

/**
 * Returns both words, or only the shorter one if it is a prefix of the other. Most stems are
 * prefixes of their words.
 */
function shortest(exact: string | undefined, prefix: string | undefined): string[] {
  if (exact === undefined || prefix === undefined) return [exact ?? prefix ?? []].flat();
  if (exact.startsWith(prefix)) return [prefix];
  return prefix.startsWith(exact) ? [exact] : [exact, prefix];
}

function commonPrefix(first: Uint8Array, other: Uint8Array): Uint8Array {
  let length = 0;
  while (length < first.length && first[length] === other[length]) length++;
  return first.subarray(0, length);
}

/** Applied to plain byte arrays, because a Buffer view per row would cost more than the search. */
const includes = Buffer.prototype.includes as (this: Uint8Array, bytes: Uint8Array) => boolean;
