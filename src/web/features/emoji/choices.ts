// The choices of an emoji picker: recent, custom and all others by group, searchable by name.
import { EMOJI, type EmojiGroup } from "./table.ts";
import { itemAt } from "../../content/item-at.ts";

export interface EmojiChoice {
  emoji_name: string;
  emoji_code: string;
  reaction_type: "unicode_emoji" | "realm_emoji";
  /** All names of the emoji, separated by spaces. */
  names: string;
  /** The image of a custom emoji. */
  url?: string;
}

export interface EmojiSection {
  id: "used" | "own" | "found" | EmojiGroup;
  choices: EmojiChoice[];
}

interface OwnEmoji {
  id: string;
  name: string;
  source_url: string;
  deactivated: boolean;
}

const MATCHES_MAX = 90;

/** `used`: codes, most used first. */
export function sectionsOf(
  custom: readonly OwnEmoji[],
  frequentCodes: readonly string[],
): EmojiSection[] {
  const groups = Object.entries(EMOJI) as [EmojiGroup, readonly (readonly [string, string])[]][];
  const sections: EmojiSection[] = groups.map(([id, list]) => {
    return { id, choices: list.map(([code, names]) => unicode(code, names)) };
  });
  const customEmoji = custom.filter(({ deactivated }) => !deactivated).map(customChoice);
  const all = new Map([...customEmoji, ...sections.flatMap(({ choices }) => choices)].map(byCode));
  const mine = frequentCodes.flatMap((code) => all.get(code) ?? []);
  const first: EmojiSection[] = [
    { id: "used", choices: mine },
    { id: "own", choices: customEmoji },
  ];
  return [...first, ...sections].filter(({ choices }) => choices.length > 0);
}

const byCode = (choice: EmojiChoice) => [choice.emoji_code, choice] as const;

function unicode(code: string, names: string): EmojiChoice {
  const [emoji_name = ""] = names.split(" ");
  return { emoji_name, emoji_code: code, reaction_type: "unicode_emoji", names };
}

function customChoice({ id, name, source_url }: OwnEmoji): EmojiChoice {
  const emojiFields = { emoji_name: name, emoji_code: id, reaction_type: "realm_emoji" as const };
  return { ...emojiFields, names: name, url: source_url };
}

/** Data that a search uses in addition to names. */
interface EmojiKeywords {
  /** Further words of an emoji, by its code. */
  readonly keywords?: ReadonlyMap<string, string> | undefined;
  /** Names of emoji, by words of the user's language. */
  readonly synonyms?: ReadonlyMap<string, readonly string[]> | undefined;
}

/**
 * Matches the beginnings of words in names, then further words. The main name ranks above others,
 * and frequently used emoji rank above the same match of others.
 */
export function searchEmoji(
  sections: readonly EmojiSection[],
  text: string,
  further: EmojiKeywords = {},
) {
  const query = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s:]+/g, "_")
    .replace(/^_|_$/g, "");
  if (query === "") return [];
  const seenCodes = new Set<string>();
  const synonymCodes = codesBySynonym(query, further);
  const ranked = sections.flatMap(({ id, choices }) =>
    choices.flatMap((choice) => {
      const rank = rankOf(choice.names, query) ?? rankBeside(choice, query, synonymCodes, further);
      if (rank === undefined || seenCodes.has(choice.emoji_code)) return [];
      seenCodes.add(choice.emoji_code);
      return [{ choice, rank: id === "used" ? rank - 1 : rank }];
    }),
  );
  ranked.sort((a, b) => a.rank - b.rank);
  return ranked.slice(0, MATCHES_MAX).map(({ choice }) => choice);
}

function rankOf(names: string, query: string): number | undefined {
  const ranks = names.split(" ").flatMap((name, index) => {
    if (name === query) return [index === 0 ? -1 : 0];
    if (name.startsWith(query)) return [1];
    if (name.split(/[_-]/).some((word) => word.startsWith(query))) return [2];
    return name.includes(query) ? [3] : [];
  });
  return ranks.length === 0 ? undefined : Math.min(...ranks);
}

/** Shorter input is the beginning of too many words, so it must match a whole word. */
const SYNONYM_LENGTH_MIN = 3;

function codesBySynonym(query: string, { synonyms }: EmojiKeywords): ReadonlySet<string> {
  const words = [...(synonyms?.keys() ?? [])].filter((word) =>
    query.length < SYNONYM_LENGTH_MIN ? word === query : word.startsWith(query),
  );
  return new Set(words.flatMap((word) => synonyms?.get(word) ?? []));
}

function rankBeside(
  { emoji_name, emoji_code }: EmojiChoice,
  query: string,
  synonymCodes: ReadonlySet<string>,
  { keywords }: EmojiKeywords,
): number | undefined {
  if (synonymCodes.has(emoji_name)) return 2;
  const words = keywords?.get(emoji_code)?.split(" ") ?? [];
  if (words.includes(query)) return 4;
  return words.some((word) => word.startsWith(query)) ? 5 : undefined;
}

const MODIFIER_BASE = /\p{Emoji_Modifier_Base}/u;
/** Characters that contain several people, for which fonts have no skin tones. */
const UNTONED = /^1f(?:46a|46f|93c)/;
const SELECTOR = "\ufe0f";

/** Returns the emoji with the skin tone; undefined if it has none, or if it has several people. */
export function withTone(code: string, tone: string): string | undefined {
  if (tone === "" || UNTONED.test(code)) return undefined;
  const signs = code.split("-").map(characterOf);
  if (signs.filter((codePoint) => MODIFIER_BASE.test(codePoint)).length !== 1) return undefined;
  const toned = signs.map((codePoint) =>
    MODIFIER_BASE.test(codePoint) ? codePoint + characterOf(tone) : codePoint,
  );
  const isWritten = signs.length > 1 && (signs.at(-1)?.length ?? 0) === 1;
  return toned.join("") + (isWritten ? SELECTOR : "");
}

const characterOf = (point: string) => String.fromCodePoint(Number.parseInt(point, 16));

/** The index to which an arrow key moves in lists with rows of this length. */
export function moveInGrid(
  lengths: readonly number[],
  position: number,
  key: string,
  columns: number,
): number | undefined {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total === 0) return undefined;
  const inside = (index: number) => Math.max(0, Math.min(total - 1, index));
  switch (key) {
    case "ArrowRight":
      return inside(position + 1);
    case "ArrowLeft":
      return inside(position - 1);
    case "ArrowDown":
    case "ArrowUp":
      return moveVertically(lengths, position, key === "ArrowDown" ? 1 : -1, columns);
    default:
      return undefined;
  }
}

function moveVertically(
  lengths: readonly number[],
  index: number,
  step: 1 | -1,
  columns: number,
): number {
  const rows: number[][] = [];
  let next = 0;
  for (const length of lengths) {
    for (let from = 0; from < length; from += columns) {
      const count = Math.min(columns, length - from);
      rows.push(Array.from({ length: count }, () => next++));
    }
  }
  const row = rows.findIndex((candidate) => candidate.includes(index));
  const to = rows[row + step];
  if (!to) return index;
  return itemAt(to, Math.min(itemAt(rows, row).indexOf(index), to.length - 1));
}
