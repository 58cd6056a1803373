// Finds people by the beginnings of their names' words, which are read once and not at each key.
import { folded } from "../../matching.ts";

export const wordsOf = (name: string): string[] =>
  folded(name)
    .split(/[\s\-_.,'()@]+/u)
    .filter((word) => word !== "");

interface Named {
  readonly id: number;
  readonly name: string;
}

interface Read {
  readonly id: number;
  readonly name: string;
  readonly words: readonly string[];
  /** The person is gone, or is called otherwise. */
  isOld: boolean;
  /** The last reading that has met it. */
  reading: number;
  /** The last search that has found it. */
  foundBy: number;
}

interface Entry {
  readonly word: string;
  readonly read: Read;
}

/** Index of the words of names in alphabetical order, so that prefixes are ranges. */
export class NameIndex {
  /** Sorted runs, each shorter than the one before, so that long ones are seldom sorted again. */
  private runs: Entry[][] = [];
  /** Entries since the last run, unsorted. */
  private fresh: Entry[] = [];
  private readonly names = new Map<number, Read>();
  /** How many are called so. */
  private readonly bearers = new Map<string, number>();
  private hasOld = false;
  private searches = 0;
  private readings = 0;
  /** The rest of a reading in steps. */
  private left: Iterator<Named> | undefined;
  /** How many entries searches have looked at: what a key costs. */
  looked = 0;
  /** How many names were read. */
  read = 0;

  /** Reads the names that are new or other than before; the others are left as they are. */
  take(all: Iterable<Named>): void {
    this.readAgain();
    this.readSome(all, Infinity);
  }

  /** The next piece is the first of all again. */
  readAgain(): void {
    this.left = undefined;
  }

  /** Reads so many of those that `take` would read, on from the last piece; true: it has all. */
  readSome(all: Iterable<Named>, count: number): boolean {
    if (!this.left) this.readings++;
    this.left ??= all[Symbol.iterator]();
    const until = this.read + count;
    while (this.read < until) {
      const { done, value } = this.left.next();
      if (done) {
        this.left = undefined;
        this.forgetGone();
        this.order();
        return true;
      }
      this.readName(value);
    }
    this.order();
    return false;
  }

  private readName({ id, name }: Named): void {
    const before = this.names.get(id);
    if (before) before.reading = this.readings;
    if (before?.name === name) return;
    if (before) this.drop(before);
    this.read++;
    const { readings: reading } = this;
    const read: Read = { id, name, words: wordsOf(name), isOld: false, reading, foundBy: 0 };
    this.names.set(id, read);
    this.bearers.set(name, (this.bearers.get(name) ?? 0) + 1);
    for (const word of new Set(read.words)) this.fresh.push({ word, read });
  }

  private forgetGone(): void {
    for (const [id, read] of this.names) {
      if (read.reading === this.readings) continue;
      this.names.delete(id);
      this.drop(read);
    }
  }

  private drop(read: Read): void {
    read.isOld = this.hasOld = true;
    this.bearers.set(read.name, this.bearers.get(read.name)! - 1);
  }

  /** Several people of those that were read are called so. */
  isShared(name: string): boolean {
    return (this.bearers.get(name) ?? 0) > 1;
  }

  /** Users with a name in which each word of the query starts a word. */
  find(query: string): number[] {
    const entries = this.entries();
    const from = (word: string) => this.from(entries, word);
    const countOf = (word: string) => from(`${word}\uffff`) - from(word);
    // Starts with the rarest word, since others may match thousands of names.
    const [first, ...rest] = wordsOf(query)
      .map((word, _, all) => ({ word, count: all.length === 1 ? 0 : countOf(word) }))
      .sort((a, b) => a.count - b.count)
      .map(({ word }) => word);
    if (first === undefined) return [...this.names.keys()];
    const found: number[] = [];
    this.searches++;
    for (let at = from(first); at < entries.length; at++) {
      const { word, read } = entries[at]!;
      this.looked++;
      if (!word.startsWith(first)) break;
      if (read.foundBy === this.searches || !hasAll(read, rest)) continue;
      read.foundBy = this.searches;
      found.push(read.id);
    }
    return found;
  }

  /** Turns fresh entries into a run and merges it with runs that are not longer. */
  private order(): void {
    if (this.fresh.length === 0) return;
    let run = this.fresh.sort(inOrder);
    this.fresh = [];
    while (this.runs.length > 0 && this.runs.at(-1)!.length <= run.length)
      run = merged(this.runs.pop()!, run);
    this.runs.push(run);
  }

  /** All of them, in one order. */
  private entries(): readonly Entry[] {
    this.order();
    let all = this.runs.pop() ?? [];
    while (this.runs.length > 0) all = merged(this.runs.pop()!, all);
    if (this.hasOld) all = all.filter(isCurrent);
    this.hasOld = false;
    this.runs.push(all);
    return all;
  }

  /** The first entry that is not before the word. */
  private from(entries: readonly Entry[], word: string): number {
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      this.looked++;
      if (entries[middle]!.word < word) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const isCurrent = ({ read }: Entry) => !read.isOld;

const inOrder = (a: Entry, b: Entry) =>
  a.word < b.word ? -1 : a.word > b.word ? 1 : a.read.id - b.read.id;

function hasAll({ words }: Read, beginnings: readonly string[]): boolean {
  return beginnings.every((beginning) => words.some((word) => word.startsWith(beginning)));
}

function merged(some: readonly Entry[], others: readonly Entry[]): Entry[] {
  const all: Entry[] = [];
  let at = 0;
  for (const one of some) {
    while (at < others.length && inOrder(others[at]!, one) < 0) all.push(others[at++]!);
    all.push(one);
  }
  while (at < others.length) all.push(others[at++]!);
  return all;
}

/** A ranking criterion. Higher is better. */
export type Criterion<T> = (one: T) => number;

/** The first few by the first criterion, then the next: no more of them is asked than decides. */
export function bestBy<T>(all: Iterable<T>, count: number, criteria: readonly Criterion<T>[]): T[] {
  const chosen: { one: T; rank: Rank }[] = [];
  for (const one of all) {
    if (chosen.length === count && !isBeyond(one, chosen.at(-1)!.rank, criteria)) continue;
    const rank = criteria.map((criterion) => criterion(one));
    const at = chosen.findIndex((other) => isBefore(rank, other.rank));
    chosen.splice(at === -1 ? chosen.length : at, 0, { one, rank });
    if (chosen.length > count) chosen.pop();
  }
  return chosen.map(({ one }) => one);
}

function isBeyond<T>(one: T, rank: Rank, criteria: readonly Criterion<T>[]): boolean {
  for (let at = 0; at < rank.length; at++) {
    const value = criteria[at]!(one);
    if (value !== rank[at]) return value > rank[at]!;
  }
  return false;
}

/** The first few by an order, without ordering all. */
export function best<T>(all: Iterable<T>, count: number, isBefore: (a: T, b: T) => boolean): T[] {
  const chosen: T[] = [];
  for (const one of all) {
    if (chosen.length === count && !isBefore(one, chosen.at(-1)!)) continue;
    const at = chosen.findIndex((other) => isBefore(one, other));
    chosen.splice(at === -1 ? chosen.length : at, 0, one);
    if (chosen.length > count) chosen.pop();
  }
  return chosen;
}

/** Criteria in order of importance. Higher is better. */
export type Rank = readonly number[];

export function isBefore(a: Rank, b: Rank): boolean {
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return a[at]! > b[at]!;
  return false;
}
