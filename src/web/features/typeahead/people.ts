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

interface Entry {
  readonly word: string;
  readonly id: number;
}

/** Each name's words in the order of the alphabet, so that a beginning is a stretch of them. */
export class NameIndex {
  private entries: Entry[] = [];
  private readonly words = new Map<number, { name: string; words: string[] }>();
  private isSorted = true;
  /** How many entries searches have looked at: what a key costs. */
  looked = 0;
  /** How many names were read. */
  read = 0;

  /** Reads the names that are new or other than before; the others are left as they are. */
  take(all: Iterable<Named>): void {
    const present = new Set<number>();
    for (const named of all) {
      present.add(named.id);
      this.readName(named);
    }
    for (const id of this.words.keys()) {
      if (present.has(id)) continue;
      this.words.delete(id);
      this.isSorted = false;
    }
  }

  /** Reads so many of those that `take` would read; true: no more are left. */
  readSome(all: Iterable<Named>, count: number): boolean {
    const until = this.read + count;
    for (const named of all) {
      if (this.read >= until) return false;
      this.readName(named);
    }
    this.sort();
    return true;
  }

  private readName({ id, name }: Named): void {
    if (this.words.get(id)?.name === name) return;
    this.read++;
    this.words.set(id, { name, words: wordsOf(name) });
    this.isSorted = false;
  }

  /** Who has a name in which each word of the query begins a word. */
  find(query: string): number[] {
    this.sort();
    // Of several words the rarest leads: of ten thousand members one is number 421.
    const [first, ...rest] = wordsOf(query)
      .map((word, _, all) => ({ word, count: all.length === 1 ? 0 : this.countOf(word) }))
      .sort((a, b) => a.count - b.count)
      .map(({ word }) => word);
    if (first === undefined) return [...this.words.keys()];
    const found = new Set<number>();
    for (let at = this.from(first); at < this.entries.length; at++) {
      const { word, id } = this.entries[at]!;
      this.looked++;
      if (!word.startsWith(first)) break;
      if (rest.length === 0 || this.hasAll(id, rest)) found.add(id);
    }
    return [...found];
  }

  /** Of the entries that begin so. */
  private countOf(word: string): number {
    return this.from(`${word}\uffff`) - this.from(word);
  }

  private hasAll(id: number, beginnings: readonly string[]): boolean {
    const { words } = this.words.get(id)!;
    return beginnings.every((beginning) => words.some((word) => word.startsWith(beginning)));
  }

  private sort(): void {
    if (this.isSorted) return;
    this.entries = [];
    for (const [id, { words }] of this.words) {
      for (const word of new Set(words)) this.entries.push({ word, id });
    }
    this.entries.sort((a, b) => (a.word < b.word ? -1 : a.word > b.word ? 1 : a.id - b.id));
    this.isSorted = true;
  }

  /** The first entry that is not before the word. */
  private from(word: string): number {
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      this.looked++;
      if (this.entries[middle]!.word < word) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The first few by rank, which is asked of each once. */
export function bestBy<T>(all: readonly T[], count: number, rankOf: (one: T) => Rank): T[] {
  const ranked = all.map((one) => ({ one, rank: rankOf(one) }));
  return best(ranked, count, (a, b) => isBefore(a.rank, b.rank)).map(({ one }) => one);
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

/** What decides first stands first; more is better. */
export type Rank = readonly number[];

export function isBefore(a: Rank, b: Rank): boolean {
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return a[at]! > b[at]!;
  return false;
}
