// Displays emoji as the system's glyphs, or by name for users who prefer text.
import { glyphOf } from "../../content/enrich.ts";
import { subscribe, maybeState } from "../../store/store.ts";

export function showsEmojiAsText(): boolean {
  subscribe("setting:emojiset");
  return maybeState()?.settings.settings["emojiset"] === "text";
}

export const emojiGlyph = (code: string, name: string | undefined): string =>
  showsEmojiAsText() ? `:${name}:` : glyphOf(code);
