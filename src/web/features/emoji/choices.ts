// The choices of an emoji picker: recent, custom and all others by group, searchable by name.
import { EMOJI, type Group } from "./table.ts";

export interface Choice {
  emoji_name: string;
  emoji_code: string;
  reaction_type: "unicode_emoji" | "realm_emoji";
  /** All that it is called, separated by spaces. */
  names: string;
  /** The picture of one that is the organization's. */
  url?: string;
}

export interface Section {
  id: "used" | "own" | "found" | Group;
  choices: Choice[];
}

interface Custom {
  id: string;
  name: string;
  source_url: string;
  deactivated: boolean;
}

const FOUND_MAX = 90;

/** `used`: codes, the most used first. */
export function sectionsOf(custom: readonly Custom[], used: readonly string[]): Section[] {
  const groups = Object.entries(EMOJI) as [Group, readonly (readonly [string, string])[]][];
  const sections: Section[] = groups.map(([id, list]) => {
    return { id, choices: list.map(([code, names]) => unicode(code, names)) };
  });
  const own = custom.filter(({ deactivated }) => !deactivated).map(customChoice);
  const all = new Map([...own, ...sections.flatMap(({ choices }) => choices)].map(byCode));
  const mine = used.flatMap((code) => all.get(code) ?? []);
  const first: Section[] = [
    { id: "used", choices: mine },
    { id: "own", choices: own },
  ];
  return [...first, ...sections].filter(({ choices }) => choices.length > 0);
}

const byCode = (choice: Choice) => [choice.emoji_code, choice] as const;

function unicode(code: string, names: string): Choice {
  const [emoji_name = ""] = names.split(" ");
  return { emoji_name, emoji_code: code, reaction_type: "unicode_emoji", names };
}

function customChoice({ id, name, source_url }: Custom): Choice {
  const what = { emoji_name: name, emoji_code: id, reaction_type: "realm_emoji" as const };
  return { ...what, names: name, url: source_url };
}

/** Matches the beginnings of words in names. Earlier words rank higher. */
export function found(sections: readonly Section[], words: string): Choice[] {
  const sought = words
    .trim()
    .toLowerCase()
    .replaceAll(/[\s:]+/g, "_")
    .replace(/^_|_$/g, "");
  if (sought === "") return [];
  const seen = new Set<string>();
  const ranked = sections.flatMap(({ choices }) =>
    choices.flatMap((choice) => {
      const rank = rankOf(choice.names, sought);
      if (rank === undefined || seen.has(choice.emoji_code)) return [];
      seen.add(choice.emoji_code);
      return [{ choice, rank }];
    }),
  );
  ranked.sort((a, b) => a.rank - b.rank);
  return ranked.slice(0, FOUND_MAX).map(({ choice }) => choice);
}

function rankOf(names: string, sought: string): number | undefined {
  const ranks = names.split(" ").flatMap((name) => {
    if (name === sought) return [0];
    if (name.startsWith(sought)) return [1];
    if (name.split(/[_-]/).some((word) => word.startsWith(sought))) return [2];
    return name.includes(sought) ? [3] : [];
  });
  return ranks.length === 0 ? undefined : Math.min(...ranks);
}

/** The index to which an arrow key moves in lists with rows of this length. */
export function moved(
  lengths: readonly number[],
  at: number,
  key: string,
  columns: number,
): number | undefined {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total === 0) return undefined;
  const inside = (index: number) => Math.max(0, Math.min(total - 1, index));
  switch (key) {
    case "ArrowRight":
      return inside(at + 1);
    case "ArrowLeft":
      return inside(at - 1);
    case "ArrowDown":
    case "ArrowUp":
      return vertically(lengths, at, key === "ArrowDown" ? 1 : -1, columns);
    default:
      return undefined;
  }
}

function vertically(lengths: readonly number[], at: number, step: 1 | -1, columns: number): number {
  const rows: number[][] = [];
  let next = 0;
  for (const length of lengths) {
    for (let from = 0; from < length; from += columns) {
      const count = Math.min(columns, length - from);
      rows.push(Array.from({ length: count }, () => next++));
    }
  }
  const row = rows.findIndex((one) => one.includes(at));
  const to = rows[row + step];
  if (!to) return at;
  return to[Math.min(rows[row]!.indexOf(at), to.length - 1)]!;
}
