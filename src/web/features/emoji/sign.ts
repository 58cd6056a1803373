// How an emoji stands in what is said: as the system's glyph, or by its name for who wants text.
import { glyphOf } from "../../content/enrich.ts";
import { keyed, known } from "../../live.ts";

export function spellsEmoji(): boolean {
  keyed("setting:emojiset");
  return known()?.settings.settings["emojiset"] === "text";
}

export const signOf = (code: string, name: string | undefined): string =>
  spellsEmoji() ? `:${name}:` : glyphOf(code);
