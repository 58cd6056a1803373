// Puts the emoji by their groups into the client, with the names that the server knows them by.
import type { BunPlugin } from "bun";
import source from "emoji-datasource/emoji.json";
import { emojiData } from "../text/emoji.ts";

/** Groups of the data source, as pickers show them. */
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

/** Takes the place of the client's module that has none. */
export const emoji: BunPlugin = {
  name: "emoji",
  setup(build) {
    build.onLoad({ filter: /[\\/]web[\\/]features[\\/]emoji[\\/]table\.ts$/ }, () => ({
      loader: "js",
      contents: `export const EMOJI = ${JSON.stringify(table())};`,
    }));
  },
};

/** For each group, codes and all of their names, the first one first. */
function table(): Record<string, [code: string, names: string][]> {
  const names = emojiData().code_to_names;
  const entries = Object.entries(GROUPS).map(([group, category]) => {
    const members = source
      .filter((one) => one.category === category)
      .sort((a, b) => a.sort_order - b.sort_order)
      .map(({ unified }) => unified.toLowerCase().replaceAll("-fe0f", ""))
      .flatMap((code) => (names[code] ? [[code, names[code].join(" ")]] : []));
    return [group, members];
  });
  return Object.fromEntries(entries) as ReturnType<typeof table>;
}
