// One page of a segment of the index: terms in order, each with the messages that have it.

/**
 * Its terms in lines, and a list for each: how many bytes it has, then how far each message is
 * from the one before it. Numbers take seven bits a byte; the eighth says that more follow.
 */
export interface Page {
  terms: string;
  lists: Uint8Array;
}

/** A page of four kilobytes of the disk, with its key. */
const PAGE_BYTES = 3_900;
const NEARLY_FULL_BYTES = 3_500;
const NUMBER_BYTES_MAX = 5;
const LINE = "\n";
const LINE_CODE = 10;

/** By term: messages that come to its list (true) or go from it, by their offset. */
export type Changes = ReadonlyMap<string, ReadonlyMap<number, boolean>>;

/** The page with the changes, and the terms that it has gained and lost by them. */
export function changed(page: Page, changes: Changes) {
  const lists = new Map<string, number[]>();
  for (const reader = new PageReader(page); reader.term !== undefined; reader.next()) {
    const offsets: number[] = [];
    reader.each((offset) => offsets.push(offset));
    lists.set(reader.term, offsets);
  }
  const [gained, lost]: [string[], string[]] = [[], []];
  for (const [term, change] of changes) {
    const before = lists.get(term);
    const after = before?.filter((offset) => !change.has(offset)) ?? [];
    for (const [offset, isIn] of change) if (isIn) after.push(offset);
    if (!before && after.length > 0) gained.push(term);
    if (before && after.length === 0) lost.push(term);
    lists.set(
      term,
      after.sort((a, b) => a - b),
    );
  }
  const into = new PageWriter();
  const terms = gained.length > 0 ? [...lists.keys()].sort() : lists.keys();
  for (const term of terms) {
    const offsets = lists.get(term)!;
    if (offsets.length > 0) into.add(term, offsets);
  }
  return { page: into.written(), gained, lost };
}

/** The page without some messages, and the terms it lost with them; undefined: it has none. */
export function without(page: Page, isGone: (offset: number) => boolean) {
  const into = new PageWriter();
  const lost: string[] = [];
  let isChanged = false;
  for (const reader = new PageReader(page); reader.term !== undefined; reader.next()) {
    const offsets: number[] = [];
    reader.each((offset) => {
      if (isGone(offset)) isChanged = true;
      else offsets.push(offset);
    });
    if (offsets.length > 0) into.add(reader.term, offsets);
    else lost.push(reader.term);
  }
  return isChanged ? { page: into.written(), lost } : undefined;
}

/** A page as it is stored: terms are UTF-8. */
export interface PageBytes {
  terms: Uint8Array;
  lists: Uint8Array;
}

/** Calls `fn` with the messages of each wanted term that begins with a text. */
export function eachBeginning(
  { terms, lists }: PageBytes,
  text: Uint8Array,
  isWanted: (term: string) => boolean,
  fn: (offset: number) => void,
): void {
  const from = new Lines(terms, lists);
  if (text.every((byte, at) => terms[at] === byte)) from.take(0, isWanted, fn);
  const line = new Uint8Array(text.length + 1);
  line[0] = LINE_CODE;
  line.set(text, 1);
  for (let at = find(terms, line, 0); at >= 0; at = find(terms, line, from.next - 1)) {
    from.take(at + 1, isWanted, fn);
  }
}

/** The same of each term that a text is anywhere in. */
export function eachHolding(
  { terms, lists }: PageBytes,
  text: Uint8Array,
  isWanted: (term: string) => boolean,
  fn: (offset: number) => void,
): void {
  const from = new Lines(terms, lists);
  for (let at = find(terms, text, 0); at >= 0; at = find(terms, text, from.next)) {
    from.take(terms.lastIndexOf(LINE_CODE, at) + 1, isWanted, fn);
  }
}

/** As it works on any bytes: a view for each page would cost more than the look. */
const indexOf = Buffer.prototype.indexOf as (
  this: Uint8Array,
  bytes: Uint8Array,
  from: number,
) => number;

const find = (bytes: Uint8Array, wanted: Uint8Array, from: number) =>
  from < bytes.length ? indexOf.call(bytes, wanted, from) : -1;

const decoder = new TextDecoder();

/** Terms of a page with their lists, taken in order. */
class Lines {
  /** Where the first term begins whose list is not passed. */
  next = 0;
  private readonly from: Cursor;

  constructor(
    private readonly terms: Uint8Array,
    lists: Uint8Array,
  ) {
    this.from = new Cursor(lists);
  }

  take(begin: number, isWanted: (term: string) => boolean, fn: (offset: number) => void): void {
    const { terms, from } = this;
    for (let at = this.next; at < begin; at++) if (terms[at] === LINE_CODE) from.skipList();
    const line = terms.indexOf(LINE_CODE, begin);
    const end = line < 0 ? terms.length : line;
    if (isWanted(decoder.decode(terms.subarray(begin, end)))) from.eachOfList(fn);
    else from.skipList();
    this.next = end + 1;
  }
}

/** Goes through the terms of a page. */
export class PageReader {
  term: string | undefined;
  private readonly terms: readonly string[];
  private readonly from: Cursor;
  private at = 0;
  private isRead = true;

  constructor({ terms, lists }: Page) {
    this.terms = terms === "" ? [] : terms.split(LINE);
    this.from = new Cursor(lists);
    this.next();
  }

  next(): void {
    if (!this.isRead) this.from.skipList();
    this.isRead = false;
    this.term = this.terms[this.at++];
    if (this.term === undefined) this.isRead = true;
  }

  /** Calls `fn` with the offsets of the term; once only. */
  each(fn: (offset: number) => void): void {
    this.from.eachOfList(fn);
    this.isRead = true;
  }
}

/** Collects terms, in order, until the page is full. */
export class PageWriter {
  private readonly terms: string[] = [];
  private into = new Uint8Array(PAGE_BYTES);
  private at = 0;
  private characters = 0;

  get first(): string | undefined {
    return this.terms[0];
  }

  /** Is there no room for a term with so many messages? There always is for the first. */
  isFullFor(term: string, count: number): boolean {
    if (this.terms.length === 0) return false;
    return this.at + this.characters + term.length + count * 2 > PAGE_BYTES;
  }

  get isNearlyFull(): boolean {
    return this.at + this.characters > NEARLY_FULL_BYTES;
  }

  add(term: string, offsets: ArrayLike<number>, from = 0, to = offsets.length): void {
    this.terms.push(term);
    this.characters += term.length + 1;
    this.reserve((to - from + 1) * NUMBER_BYTES_MAX);
    const lengthAt = this.at;
    let before = -1;
    // Most lists are shorter than 128 bytes: their length takes one byte.
    this.at++;
    for (let i = from; i < to; i++) {
      this.number(offsets[i]! - before - 1);
      before = offsets[i]!;
    }
    const length = this.at - lengthAt - 1;
    if (length < 128) this.into[lengthAt] = length;
    else this.lengthen(lengthAt, length);
  }

  written(): Page {
    return { terms: this.terms.join(LINE), lists: this.into.slice(0, this.at) };
  }

  private number(value: number): void {
    let rest = value;
    for (; rest > 127; rest >>>= 7) this.into[this.at++] = (rest & 127) | 128;
    this.into[this.at++] = rest;
  }

  /** Moves a list behind the length that it turned out to have. */
  private lengthen(lengthAt: number, length: number): void {
    const list = this.into.slice(lengthAt + 1, this.at);
    this.at = lengthAt;
    this.number(length);
    this.into.set(list, this.at);
    this.at += length;
  }

  private reserve(more: number): void {
    if (this.at + more <= this.into.length) return;
    const larger = new Uint8Array((this.at + more) * 2);
    larger.set(this.into);
    this.into = larger;
  }
}

class Cursor {
  private at = 0;

  constructor(private readonly from: Uint8Array) {}

  skipList(): void {
    const length = this.number();
    this.at += length;
  }

  eachOfList(fn: (offset: number) => void): void {
    const length = this.number();
    const end = this.at + length;
    for (let offset = -1; this.at < end;) {
      offset += this.number() + 1;
      fn(offset);
    }
  }

  private number(): number {
    let byte = this.from[this.at++]!;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = this.from[this.at++]!;
      value |= (byte & 127) << shift;
    }
    return value;
  }
}
