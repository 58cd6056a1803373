// A page of an index segment: sorted terms, each with the messages that contain it.

/**
 * Terms, one per line, and a list for each: its length in bytes, then the distance of each message
 * from the previous one. Numbers use seven bits per byte; the eighth bit marks continuation.
 */
interface Page {
  terms: string;
  lists: Uint8Array;
}

/** Fits into a disk page of 4 KB together with its key. */
const PAGE_BYTES = 3_900;
const NEARLY_FULL_BYTES = 3_500;
const NUMBER_BYTES_MAX = 5;
const LINE_BREAK = "\n";
const LINE_CODE = 10;

/** Messages to add (true) or remove, by term and offset. */
type Changes = ReadonlyMap<string, ReadonlyMap<number, boolean>>;

/** Returns the page with the changes applied, and the added and removed terms. */
export function pageWithChanges(page: Page, changes: Changes) {
  const lists = new Map<string, number[]>();
  for (const reader = new PageReader(page); reader.term !== undefined; reader.next()) {
    const offsets: number[] = [];
    reader.each((offset) => offsets.push(offset));
    lists.set(reader.term, offsets);
  }
  const [gainedTerms, lostTerms]: [string[], string[]] = [[], []];
  for (const [term, change] of changes) {
    const before = lists.get(term);
    const after = before?.filter((offset) => !change.has(offset)) ?? [];
    for (const [offset, isIncluded] of change) if (isIncluded) after.push(offset);
    if (!before && after.length > 0) gainedTerms.push(term);
    if (before && after.length === 0) lostTerms.push(term);
    lists.set(
      term,
      after.sort((a, b) => a - b),
    );
  }
  const writer = new PageWriter();
  const terms = gainedTerms.length > 0 ? [...lists.keys()].sort() : lists.keys();
  for (const term of terms) {
    const offsets = lists.get(term)!;
    if (offsets.length > 0) writer.add(term, offsets);
  }
  return { page: writer.toPage(), gained: gainedTerms, lost: lostTerms };
}

/**
 * Returns the page without some messages, and the removed terms; undefined if it contains none of
 * them.
 */
export function pageWithout(page: Page, isRemoved: (offset: number) => boolean) {
  const writer = new PageWriter();
  const lostTerms: string[] = [];
  let isChanged = false;
  for (const reader = new PageReader(page); reader.term !== undefined; reader.next()) {
    const offsets: number[] = [];
    reader.each((offset) => {
      if (isRemoved(offset)) isChanged = true;
      else offsets.push(offset);
    });
    if (offsets.length > 0) writer.add(reader.term, offsets);
    else lostTerms.push(reader.term);
  }
  return isChanged ? { page: writer.toPage(), lost: lostTerms } : undefined;
}

/** A page as it is stored, with terms in UTF-8. */
interface PageBytes {
  terms: Uint8Array;
  lists: Uint8Array;
}

/** Calls `fn` with the messages of each accepted term that starts with a text. */
export function eachWithPrefix(
  { terms, lists }: PageBytes,
  text: Uint8Array,
  isWanted: (term: string) => boolean,
  fn: (offset: number) => void,
): void {
  const from = new Lines(terms, lists);
  if (text.every((byte, index) => terms[index] === byte)) from.take(0, isWanted, fn);
  const line = new Uint8Array(text.length + 1);
  line[0] = LINE_CODE;
  line.set(text, 1);
  for (let index = find(terms, line, 0); index >= 0; index = find(terms, line, from.next - 1)) {
    from.take(index + 1, isWanted, fn);
  }
}

/** The same for each term that contains a text. */
export function eachContaining(
  { terms, lists }: PageBytes,
  text: Uint8Array,
  isWanted: (term: string) => boolean,
  fn: (offset: number) => void,
): void {
  const from = new Lines(terms, lists);
  for (let index = find(terms, text, 0); index >= 0; index = find(terms, text, from.next)) {
    from.take(terms.lastIndexOf(LINE_CODE, index) + 1, isWanted, fn);
  }
}

/** Applied to plain byte arrays, because a Buffer view per page would cost more than the search. */
const indexOf = Buffer.prototype.indexOf as (
  this: Uint8Array,
  bytes: Uint8Array,
  from: number,
) => number;

const find = (bytes: Uint8Array, term: Uint8Array, from: number) =>
  from < bytes.length ? indexOf.call(bytes, term, from) : -1;

const decoder = new TextDecoder();

/** Reads the terms of a page with their lists in order. */
class Lines {
  /** Start of the next term. */
  next = 0;
  private readonly from: Cursor;

  constructor(
    private readonly terms: Uint8Array,
    lists: Uint8Array,
  ) {
    this.from = new Cursor(lists);
  }

  take(start: number, isWanted: (term: string) => boolean, fn: (offset: number) => void): void {
    const { terms, from } = this;
    for (let offset = this.next; offset < start; offset++)
      if (terms[offset] === LINE_CODE) from.skipList();
    const line = terms.indexOf(LINE_CODE, start);
    const end = line < 0 ? terms.length : line;
    if (isWanted(decoder.decode(terms.subarray(start, end)))) from.eachOfList(fn);
    else from.skipList();
    this.next = end + 1;
  }
}

/** Iterates over the terms of a page. */
export class PageReader {
  term: string | undefined;
  private readonly terms: readonly string[];
  private readonly from: Cursor;
  private offset = 0;
  private isRead = true;

  constructor({ terms, lists }: Page) {
    this.terms = terms === "" ? [] : terms.split(LINE_BREAK);
    this.from = new Cursor(lists);
    this.next();
  }

  next(): void {
    if (!this.isRead) this.from.skipList();
    this.isRead = false;
    this.term = this.terms[this.offset++];
    if (this.term === undefined) this.isRead = true;
  }

  /** Calls `fn` with the offsets of the current term. May be called once per term. */
  each(fn: (offset: number) => void): void {
    this.from.eachOfList(fn);
    this.isRead = true;
  }

  /** Adds the offsets of the current term, plus `base`, to a list. May be called once per term. */
  addTo(list: number[], base: number): void {
    this.from.addListTo(list, base);
    this.isRead = true;
  }
}

/** Collects sorted terms until the page is full. */
export class PageWriter {
  private readonly terms: string[] = [];
  private buffer = new Uint8Array(PAGE_BYTES);
  private offset = 0;
  private characters = 0;

  get first(): string | undefined {
    return this.terms[0];
  }

  /** Whether a term with this many messages does not fit. The first term always fits. */
  isFullFor(term: string, count: number): boolean {
    if (this.terms.length === 0) return false;
    return this.offset + this.characters + term.length + count * 2 > PAGE_BYTES;
  }

  get isNearlyFull(): boolean {
    return this.offset + this.characters > NEARLY_FULL_BYTES;
  }

  add(term: string, offsets: readonly number[]): void {
    this.terms.push(term);
    this.characters += term.length + 1;
    this.reserve((offsets.length + 1) * NUMBER_BYTES_MAX);
    const lengthAt = this.offset;
    let before = -1;
    // Most lists are shorter than 128 bytes, so their length takes one byte.
    this.offset++;
    for (let i = 0; i < offsets.length; i++) {
      this.number(offsets[i]! - before - 1);
      before = offsets[i]!;
    }
    const length = this.offset - lengthAt - 1;
    if (length < 128) this.buffer[lengthAt] = length;
    else this.resizeList(lengthAt, length);
  }

  toPage(): Page {
    return { terms: this.terms.join(LINE_BREAK), lists: this.buffer.slice(0, this.offset) };
  }

  private number(value: number): void {
    let rest = value;
    for (; rest > 127; rest >>>= 7) this.buffer[this.offset++] = (rest & 127) | 128;
    this.buffer[this.offset++] = rest;
  }

  /** Moves a list to make room for its actual length. */
  private resizeList(lengthAt: number, length: number): void {
    const list = this.buffer.slice(lengthAt + 1, this.offset);
    this.offset = lengthAt;
    this.number(length);
    this.buffer.set(list, this.offset);
    this.offset += length;
  }

  private reserve(more: number): void {
    if (this.offset + more <= this.buffer.length) return;
    const larger = new Uint8Array((this.offset + more) * 2);
    larger.set(this.buffer);
    this.buffer = larger;
  }
}

class Cursor {
  private offset = 0;

  constructor(private readonly from: Uint8Array) {}

  skipList(): void {
    const length = this.number();
    this.offset += length;
  }

  eachOfList(fn: (offset: number) => void): void {
    const length = this.number();
    const end = this.offset + length;
    for (let offset = -1; this.offset < end;) {
      offset += this.number() + 1;
      fn(offset);
    }
  }

  addListTo(list: number[], base: number): void {
    const length = this.number();
    const end = this.offset + length;
    for (let offset = base - 1; this.offset < end;) {
      offset += this.number() + 1;
      list.push(offset);
    }
  }

  private number(): number {
    let byte = this.from[this.offset++]!;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = this.from[this.offset++]!;
      value |= (byte & 127) << shift;
    }
    return value;
  }
}
