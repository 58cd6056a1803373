// All terms of the large segments once more, for parts of words to be found in.
import type { Reader, Writer } from "../../realm.ts";
import type { SearchSegment } from "../../records-messages.ts";

const LINE = "\n";

/** Adds the next terms of a segment, in order. */
export function putWords(tx: Writer, segment: SearchSegment, terms: readonly string[]): void {
  const { level, number } = segment;
  if (terms.length === 0) return;
  tx.search_words.put({ level, number, first: terms[0]!, lines: linesOf(terms) });
}

/** Terms that came to a segment by edits, and terms that no message of it has any more. */
export function changeWords(
  tx: Writer,
  segment: SearchSegment,
  gained: readonly string[],
  lost: ReadonlySet<string>,
): void {
  const rows = rowsOf(tx, segment);
  if (rows.length === 0) return putWords(tx, segment, gained.toSorted());
  for (const [at, row] of rows.entries()) {
    const next = rows[at + 1]?.first;
    const isHere = (term: string) =>
      (at === 0 || term >= row.first) && (next === undefined || term < next);
    const more = gained.filter(isHere);
    if (more.length === 0 && ![...lost].some(isHere)) continue;
    const terms = row.lines.split(LINE).filter((term) => term !== "" && !lost.has(term));
    tx.search_words.put({ ...row, lines: linesOf([...terms, ...more]) });
  }
}

const linesOf = (terms: readonly string[]) => LINE + terms.join(LINE) + LINE;

export function dropWords(tx: Writer, segment: SearchSegment): void {
  const { level, number } = segment;
  for (const { first } of rowsOf(tx, segment)) tx.search_words.delete(level, number, first);
}

/** The terms of a segment that hold a part. */
export function wordsWith(reader: Reader, segment: SearchSegment, part: string): string[] {
  const found: string[] = [];
  for (const { lines } of rowsOf(reader, segment)) {
    for (let at = lines.indexOf(part); at >= 0;) {
      const end = lines.indexOf(LINE, at);
      found.push(lines.slice(lines.lastIndexOf(LINE, at) + 1, end));
      at = lines.indexOf(part, end);
    }
  }
  return found;
}

function rowsOf(reader: Reader, { level, number }: SearchSegment) {
  return [...reader.search_words.range({ from: [level, number], to: [level, number + 1] })];
}
