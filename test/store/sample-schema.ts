/** A small schema with one of each kind that a store has, and seeded random numbers. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "bun:test";
import { bitmap, table } from "../../src/store/declare.ts";
import type { Readers, Writers } from "../../src/store/declare.ts";

interface Person {
  id: number;
  name: string;
  team: number;
  boss: number | null;
}

interface Seat {
  room: number;
  seat: number;
  holder: string;
}

export interface Note {
  id: number;
  author: number;
  title: string;
  rank: number | null;
  tags: string[];
  text: string;
}

interface Word {
  author: number;
  word: string;
  times: number;
  /** Unique among the words of one person, except for 0. */
  code: number;
}

export const schema = {
  tables: {
    people: table<Person>()({
      prefix: 10,
      key: ["id"],
      fields: ["id", "name", "team", "boss"],
      cached: true,
      indexes: {
        name: { of: ({ name }) => [name] },
        team: { of: ({ team, boss }) => [team, boss ?? 0] },
        boss: { of: ({ boss }) => boss ?? undefined },
      },
    }),
    seats: table<Seat>()({
      prefix: 11,
      key: ["room", "seat"],
      fields: ["room", "seat", "holder"],
      cached: true,
      rows: { prefix: 22, key: ["seat", "room"] },
      indexes: {
        room: { of: ({ room: space }) => [space] },
        holder: { of: ({ holder }) => holder },
      },
    }),
    notes: table<Note>()({
      prefix: 12,
      key: ["id"],
      fields: ["id", "author", "title", "rank", "tags", "text"],
      indexes: {
        title: { prefix: 13, of: ({ author, title }) => [author, title.toLowerCase()] },
        rank: { prefix: 14, of: ({ rank }) => rank ?? undefined },
        tag: { prefix: 15, each: ({ tags, author }) => tags.map((tag) => [tag, author]) },
      },
    }),
    words: table<Word>()({
      prefix: 16,
      journaled: true,
      key: ["author", "word"],
      fields: ["author", "word", "times", "code"],
      indexes: {
        code: {
          prefix: 17,
          unique: true,
          of: ({ author: user_id, code }) => (code ? [user_id, code] : undefined),
        },
      },
    }),
  },
  bitmaps: { seen: bitmap(20), starred: bitmap(21) },
};

export type Sample = typeof schema;
export type Reader = Readers<Sample>;
export type Writer = Writers<Sample>;

/** A temporary directory, deleted after the tests of the file. */
export function scratch(): string {
  const path = mkdtempSync(join(tmpdir(), "skein-store-"));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export interface RandomChance {
  /** Returns an integer from 0 to below `max`. */
  below(max: number): number;
  pick<T>(items: readonly T[]): T;
  /** Returns true with a probability of 1 in `times`. */
  once(times: number): boolean;
}

/** Random numbers that are the same for the same seed: a 48-bit linear congruential generator. */
export function chanceOf(seed: number): RandomChance {
  let state = BigInt(seed) * 0x9e3779b97f4an;
  const below = (max: number) => {
    state = (state * 0x5deece66dn + 11n) & 0xffffffffffffn;
    return Number(((state >> 16n) * BigInt(max)) >> 32n);
  };
  return {
    below,
    pick: (items) => items[below(items.length)]!,
    once: (times) => below(times) === 0,
  };
}
