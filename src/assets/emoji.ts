// Bundles the emoji by group into the client, shared by its picker and renderer.
import type { BunPlugin } from "bun";
import source from "emoji-datasource/emoji.json";
import { join } from "node:path";
import { emojiData } from "../text/emoji.ts";

const KEYWORD_LENGTH_MIN = 3;
/** Words that occur in too many emoji names to find one by. */
const IGNORED_WORDS = new Set([
  "face",
  "sign",
  "with",
  "and",
  "the",
  "other",
  "symbol",
  "black",
  "for",
]);
const TABLE = join(import.meta.dir, "../web/features/emoji/table.ts");

/** Groups of the data source, as the picker shows them. */
const GROUPS = {
  smileys: "Smileys & Emotion",
  people: "People & Body",
  nature: "Animals & Nature",
  food: "Food & Drink",
  travel: "Travel & Places",
  activities: "Activities",
  objects: "Objects",
  symbols: "Symbols",
  flags: "Flags",
} as const;

/** Provides the client's emoji table and derives its lookup table from it. */
export const emoji: BunPlugin = {
  name: "emoji",
  setup(build) {
    build.onLoad({ filter: /[\\/]web[\\/]features[\\/]emoji[\\/]table\.ts$/ }, () => ({
      loader: "js",
      contents: unpackingModule(table()),
    }));
    build.onLoad({ filter: /[\\/]web[\\/]features[\\/]emoji[\\/]keywords\.ts$/ }, () => ({
      loader: "js",
      contents: `import { EMOJI } from ${JSON.stringify(TABLE)};
        const codes = Object.values(EMOJI).flat().map(([code]) => code);
        const words = ${JSON.stringify(keywords())};
        export const KEYWORDS = new Map(codes.map((code, at) => [code, words[at]]));`,
    }));
    build.onLoad({ filter: /[\\/]text[\\/]emoji-table\.json$/ }, () => ({
      loader: "js",
      contents: `import { EMOJI } from ${JSON.stringify(TABLE)};
        const all = Object.values(EMOJI).flat();
        export default Object.fromEntries(all.map(([code, names]) => [code, names.split(" ")]));`,
    }));
  },
};

/**
 * Generates a module that builds its table from characters and names, which is smaller, also
 * compressed.
 */
function unpackingModule(table: Record<Group, NamedEmoji[]>): string {
  const packed = Object.entries(table).map(([group, groupEmoji]) => {
    return [
      group,
      groupEmoji.map(([code]) => characterOf(code)).join(" "),
      namesOf(groupEmoji).join("\n"),
    ];
  });
  return `const codeOf = (sign) =>
      Array.from(sign, (one) => one.codePointAt(0).toString(16).padStart(4, "0")).join("-");
    const unpack = (signs, names) => {
      const all = names.split("\\n");
      return signs.split(" ").map((sign, at) => [codeOf(sign), all[at]]);
    };
    export const EMOJI = Object.fromEntries(
      ${JSON.stringify(packed)}.map(([group, ...rest]) => [group, unpack(...rest)]),
    );`;
}

const characterOf = (code: string) =>
  String.fromCodePoint(...code.split("-").map((point) => parseInt(point, 16)));

/** Words of the Unicode name and the subcategory that no name has, in the order of the table. */
function keywords(): string[] {
  const byCode = new Map(source.map((item) => [codeOf(item), item]));
  return Object.values(table())
    .flat()
    .map(([code, names]) => {
      const { name, subcategory } = byCode.get(code) ?? {};
      const nameParts = new Set(names.split(/[ _-]/));
      const words = `${name ?? ""} ${subcategory ?? ""}`.toLowerCase().split(/[^a-z]+/);
      const isKeyword = (word: string) =>
        word.length >= KEYWORD_LENGTH_MIN && !nameParts.has(word) && !IGNORED_WORDS.has(word);
      return [...new Set(words.filter(isKeyword))].join(" ");
    });
}

const codeOf = ({ unified }: { unified: string }) => unified.toLowerCase().replaceAll("-fe0f", "");

const namesOf = (groupEmoji: readonly NamedEmoji[]) => groupEmoji.map(([, names]) => names);

type Group = keyof typeof GROUPS;
type NamedEmoji = [code: string, names: string];

/** For each group: codes with all their names, the primary name first. */
function table(): Record<Group, NamedEmoji[]> {
  const namesByCode = emojiData().code_to_names;
  const entries = Object.entries(GROUPS).map(([group, category]): [string, NamedEmoji[]] => {
    const codes = source
      .filter((item) => item.category === category)
      .sort((a, b) => a.sort_order - b.sort_order)
      .map(codeOf)
      .filter((code) => namesByCode[code] !== undefined);
    return [group, codes.map((code) => [code, namesByCode[code]!.join(" ")])];
  });
  const tables = Object.fromEntries(entries) as Record<Group, NamedEmoji[]>;
  const words = Object.values(tables).flat().length;
  const all = Object.keys(namesByCode).length;
  if (words !== all) throw new Error(`${all - words} emoji are in no group`);
  return tables;
}
