// A second list of all terms of large segments, for searching parts of words.
import type { Reader, Writer } from "../../realm.ts";
import type { SearchParts, SearchSegment } from "../../schema/records-messages.ts";

const LINE_BREAK = "\n";
const LINE_CODE = 10;

// The terms of a segment are stored in rows of some thousand. For each sequence of three
// characters, a record of the segment states which rows may contain it, so that a part that occurs
// in no term is usually rejected without reading the rows.

/** Number of hash slots for sequences of three characters. */
const SLOTS = 4_096;
const SLOT_BYTES = 4;
/** Further rows share these bits. */
const ROW_BITS = 32;

/** Adds the next terms of a segment, in order. */
export function putWords(tx: Writer, segment: SearchSegment, terms: readonly string[]): void {
  const { level, number } = segment;
  const [first] = terms;
  if (first === undefined) return;
  tx.search_words.put({ level, number, first, lines: linesOf(terms) });
  const parts = tx.search_parts.get(level, number) ?? emptyParts(segment);
  tx.search_parts.put(withRow(parts, terms));
}

export function emptyParts({
  level,
  number,
}: Pick<SearchSegment, "level" | "number">): SearchParts {
  return { level, number, masks: new Uint8Array(SLOTS * SLOT_BYTES), firsts: [] };
}

/** Adds a row with these terms. */
export function withRow(parts: SearchParts, terms: readonly string[]): SearchParts {
  const { firsts } = parts;
  const masks = parts.masks.slice();
  for (const term of terms) mark(masks, firsts.length, term);
  return { ...parts, masks, firsts: [...firsts, terms[0]!] };
}

/**
 * Applies edits: terms that the segment gained, and terms that no message of it contains anymore.
 */
export function changeWords(
  tx: Writer,
  segment: SearchSegment,
  gainedTerms: readonly string[],
  lostTerms: ReadonlySet<string>,
): void {
  const { level, number } = segment;
  const parts = tx.search_parts.get(level, number);
  if (!parts) return putWords(tx, segment, gainedTerms.toSorted());
  const masks = parts.masks.slice();
  for (const [index, first] of parts.firsts.entries()) {
    const next = parts.firsts[index + 1];
    const isInRow = (term: string) =>
      (index === 0 || term >= first) && (next === undefined || term < next);
    const more = gainedTerms.filter(isInRow);
    if (more.length === 0 && ![...lostTerms].some(isInRow)) continue;
    const row = tx.search_words.get(level, number, first)!;
    const terms = termsIn(row.lines).filter((term) => !lostTerms.has(term));
    tx.search_words.put({ ...row, lines: linesOf([...terms, ...more]) });
    for (const term of more) mark(masks, index, term);
  }
  if (gainedTerms.length > 0) tx.search_parts.put({ ...parts, masks });
}

export const termsIn = (lines: string) => lines.split(LINE_BREAK).filter((term) => term !== "");

const linesOf = (terms: readonly string[]) => LINE_BREAK + terms.join(LINE_BREAK) + LINE_BREAK;

export function dropWords(tx: Writer, { level, number }: SearchSegment): void {
  for (const first of tx.search_parts.get(level, number)?.firsts ?? []) {
    tx.search_words.delete(level, number, first);
  }
  tx.search_parts.delete(level, number);
}

/** Whether each term is in a row of the segment and can be found by any part of it. */
export function areListed(
  { search_words, search_parts }: Pick<Reader, "search_words" | "search_parts">,
  { level, number }: SearchSegment,
  terms: ReadonlySet<string>,
): boolean {
  const segmentRange = { from: [level, number], to: [level, number + 1] };
  const [parts] = search_parts.sound(() => {}, segmentRange);
  if (!parts) return terms.size === 0;
  const rows = new Map<string, string>();
  for (const { first, lines } of search_words.sound(() => {}, segmentRange)) rows.set(first, lines);
  const remainingTerms = new Set(terms);
  let nextPart = emptyParts({ level, number });
  for (const first of parts.firsts) {
    const termsInRow = termsIn(rows.get(first) ?? "").filter((term) => remainingTerms.delete(term));
    nextPart = withRow(nextPart, termsInRow.length > 0 ? termsInRow : [first]);
  }
  return (
    remainingTerms.size === 0 &&
    nextPart.masks.every((byte, index) => (byte & ~parts.masks[index]!) === 0)
  );
}

/** The terms of a segment that contain a part of three or more characters. */
export function wordsWith(
  reader: Reader,
  { level, number }: SearchSegment,
  part: string,
  bytes: Uint8Array,
): string[] {
  const masks = reader.search_parts.readFields(level, number)?.span("masks");
  const mask = masks ? maskOf(masks, part) : 0;
  if (mask === 0) return [];
  const words: string[] = [];
  for (const [index, first] of reader.search_parts.get(level, number)!.firsts.entries()) {
    if ((mask & rowBit(index)) === 0) continue;
    const row = reader.search_words.readFields(level, number, first)!.span("lines");
    const lines = Buffer.from(row.buffer, row.byteOffset, row.length);
    for (let position = lines.indexOf(bytes); position >= 0;) {
      const end = lines.indexOf(LINE_CODE, position);
      words.push(lines.toString("utf8", lines.lastIndexOf(LINE_CODE, position) + 1, end));
      position = lines.indexOf(bytes, end);
    }
  }
  return words;
}

/** The rows that may contain a part. */
function maskOf(masks: Uint8Array, part: string): number {
  let mask = -1;
  for (let index = 0; index + 3 <= part.length && mask !== 0; index++) {
    const slot = slotAt(part, index) * SLOT_BYTES;
    mask &=
      masks[slot]! | (masks[slot + 1]! << 8) | (masks[slot + 2]! << 16) | (masks[slot + 3]! << 24);
  }
  return mask;
}

function mark(masks: Uint8Array, index: number, term: string): void {
  const bit = index % ROW_BITS;
  for (let position = 0; position + 3 <= term.length; position++) {
    masks[slotAt(term, position) * SLOT_BYTES + (bit >>> 3)]! |= 1 << (bit & 7);
  }
}

const rowBit = (index: number) => 1 << (index % ROW_BITS);

/** Part of the disk format: the filters depend on it. */
function slotAt(text: string, index: number): number {
  const run =
    Math.imul(text.charCodeAt(index), 0x2c9277b5) ^
    Math.imul(text.charCodeAt(index + 1), 0x5f356495) ^
    Math.imul(text.charCodeAt(index + 2), 0x1b873593);
  return ((run ^ (run >>> 15)) >>> 0) & (SLOTS - 1);
}
