// Finds users by prefixes of the words in their names, with an index.
import { folded } from "../../matching.ts";
import { itemAt, lastOf, valueOf } from "../../content/item-at.ts";

export const nameParts = (name: string): string[] =>
  folded(name)
    .split(/[\s\-_.,'()@]+/u)
    .filter((word) => word !== "");

interface NamedItem {
  readonly id: number;
  readonly name: string;
}

interface ReadName {
  readonly id: number;
  readonly name: string;
  readonly words: readonly string[];
  /** Whether the user was removed or renamed since. */
  isOld: boolean;
  /** The last update of the index that found it. */
  generation: number;
  /** The last search that found it. */
  foundBy: number;
}

interface Entry {
  readonly word: string;
  readonly entryName: ReadName;
}

/** Index of the words of names in alphabetical order, so that prefixes are ranges. */
export class NameIndex {
  /** Sorted runs, each shorter than the previous one, so that long ones are rarely sorted again. */
  private runs: Entry[][] = [];
  /** Entries since the last run, unsorted. */
  private fresh: Entry[] = [];
  private readonly names = new Map<number, ReadName>();
  /** Number of users with this name. */
  private readonly usersByName = new Map<string, number>();
  private hasOld = false;
  private searches = 0;
  private generation = 0;
  /** The remaining users of an update in steps. */
  private remainingNames: Iterator<NamedItem> | undefined;
  /** Total number of entries that searches have examined. */
  examinedCount = 0;
  /** Total number of names that were read. */
  readCount = 0;

  /** Indexes new and changed names; skips others. */
  setItems(all: Iterable<NamedItem>): void {
    this.readAgain();
    this.readSome(all, Infinity);
  }

  /** The next step starts over. */
  readAgain(): void {
    this.remainingNames = undefined;
  }

  /** Indexes up to `count` names, continuing after the previous step. Returns true when done. */
  readSome(all: Iterable<NamedItem>, count: number): boolean {
    if (!this.remainingNames) this.generation++;
    this.remainingNames ??= all[Symbol.iterator]();
    const until = this.readCount + count;
    while (this.readCount < until) {
      const { done, value } = this.remainingNames.next();
      if (done) {
        this.remainingNames = undefined;
        this.forgetGone();
        this.order();
        return true;
      }
      this.readName(value);
    }
    this.order();
    return false;
  }

  private readName({ id, name }: NamedItem): void {
    const before = this.names.get(id);
    if (before) before.generation = this.generation;
    if (before?.name === name) return;
    if (before) this.drop(before);
    this.readCount++;
    const { generation } = this;
    const read: ReadName = {
      id,
      name,
      words: nameParts(name),
      isOld: false,
      generation,
      foundBy: 0,
    };
    this.names.set(id, read);
    this.usersByName.set(name, (this.usersByName.get(name) ?? 0) + 1);
    for (const word of new Set(read.words)) this.fresh.push({ word, entryName: read });
  }

  private forgetGone(): void {
    for (const [id, read] of this.names) {
      if (read.generation === this.generation) continue;
      this.names.delete(id);
      this.drop(read);
    }
  }

  private drop(read: ReadName): void {
    read.isOld = this.hasOld = true;
    this.usersByName.set(read.name, valueOf(this.usersByName, read.name) - 1);
  }

  /** Whether several indexed users have this name. */
  isShared(name: string): boolean {
    return (this.usersByName.get(name) ?? 0) > 1;
  }

  /** Users with a name in which each word of the query starts a word. */
  find(query: string): number[] {
    const entries = this.entries();
    const lowerBound = (word: string) => this.lowerBound(entries, word);
    const countOf = (word: string) => lowerBound(`${word}\uffff`) - lowerBound(word);
    // Starts with the rarest word, since others may match thousands of names.
    const [first, ...rest] = nameParts(query)
      .map((word, _, all) => ({ word, count: all.length === 1 ? 0 : countOf(word) }))
      .sort((a, b) => a.count - b.count)
      .map(({ word }) => word);
    if (first === undefined) return [...this.names.keys()];
    const ids: number[] = [];
    this.searches++;
    for (let index = lowerBound(first); index < entries.length; index++) {
      const { word, entryName } = itemAt(entries, index);
      this.examinedCount++;
      if (!word.startsWith(first)) break;
      if (entryName.foundBy === this.searches || !hasAll(entryName, rest)) continue;
      entryName.foundBy = this.searches;
      ids.push(entryName.id);
    }
    return ids;
  }

  /** Turns fresh entries into a run and merges it with runs that are not longer. */
  private order(): void {
    if (this.fresh.length === 0) return;
    let run = this.fresh.sort(inOrder);
    this.fresh = [];
    for (let last = this.runs.pop(); last; last = this.runs.pop()) {
      if (last.length > run.length) {
        this.runs.push(last);
        break;
      }
      run = mergeEntries(last, run);
    }
    this.runs.push(run);
  }

  /** All entries in order. */
  private entries(): readonly Entry[] {
    this.order();
    let all = this.runs.pop() ?? [];
    for (const run of this.runs.splice(0).reverse()) all = mergeEntries(run, all);
    if (this.hasOld) all = all.filter(isCurrent);
    this.hasOld = false;
    this.runs.push(all);
    return all;
  }

  /** Returns the index of the first entry whose word does not sort before `word`. */
  private lowerBound(entries: readonly Entry[], word: string): number {
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      this.examinedCount++;
      if (itemAt(entries, middle).word < word) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const isCurrent = ({ entryName }: Entry) => !entryName.isOld;

const inOrder = (a: Entry, b: Entry) =>
  a.word < b.word ? -1 : a.word > b.word ? 1 : a.entryName.id - b.entryName.id;

function hasAll({ words }: ReadName, beginnings: readonly string[]): boolean {
  return beginnings.every((beginning) => words.some((word) => word.startsWith(beginning)));
}

function mergeEntries(first: readonly Entry[], others: readonly Entry[]): Entry[] {
  const all: Entry[] = [];
  let index = 0;
  for (const entry of first) {
    while (index < others.length && inOrder(itemAt(others, index), entry) < 0)
      all.push(itemAt(others, index++));
    all.push(entry);
  }
  for (const other of others.slice(index)) all.push(other);
  return all;
}

/** A ranking criterion. Higher is better. */
export type Criterion<T> = (item: T) => number;

/** The best few by the first criterion, then the next; evaluates later criteria only for ties. */
export function bestBy<T>(all: Iterable<T>, count: number, criteria: readonly Criterion<T>[]): T[] {
  const ranked: { one: T; rank: Rank }[] = [];
  for (const item of all) {
    if (ranked.length === count && !isBeyond(item, lastOf(ranked).rank, criteria)) continue;
    const rank = criteria.map((criterion) => criterion(item));
    const index = ranked.findIndex((other) => isBefore(rank, other.rank));
    ranked.splice(index === -1 ? ranked.length : index, 0, { one: item, rank });
    if (ranked.length > count) ranked.pop();
  }
  return ranked.map(({ one }) => one);
}

function isBeyond<T>(item: T, rank: Rank, criteria: readonly Criterion<T>[]): boolean {
  for (const [index, criterion] of criteria.entries()) {
    const [value, least] = [criterion(item), itemAt(rank, index)];
    if (value !== least) return value > least;
  }
  return false;
}

/** The first few in an order, without sorting everything. */
export function firstBy<T>(
  all: Iterable<T>,
  count: number,
  isBefore: (a: T, b: T) => boolean,
): T[] {
  const best: T[] = [];
  for (const item of all) {
    if (best.length === count && !isBefore(item, lastOf(best))) continue;
    const index = best.findIndex((other) => isBefore(item, other));
    best.splice(index === -1 ? best.length : index, 0, item);
    if (best.length > count) best.pop();
  }
  return best;
}

/** Criteria in order of importance. Higher is better. */
export type Rank = readonly number[];

export function isBefore(a: Rank, b: Rank): boolean {
  for (const [index, value] of a.entries()) {
    const other = itemAt(b, index);
    if (value !== other) return value > other;
  }
  return false;
}
