// Normalizes names of topics and channels, and removes invisible characters.
import { normalized } from "../normalize.ts";

const PLAIN = /^[ -~]*$/;
const WIDE_SPACES = /[\u00a0\u202f]/g;
const BIDI_CONTROLS = /\p{Bidi_Control}/gu;
const ZERO_WIDTH = /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]/g;
/**
 * Between letters, joiners select a form (Persian, Hindi); between emoji, they combine them. All
 * others are removed.
 */
const STRAY_JOINERS = new RegExp(
  "(?<![\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}])[\\u200c\\u200d]" +
    "|[\\u200c\\u200d](?![\\p{L}\\p{M}\\p{Extended_Pictographic}])",
  "gu",
);

/**
 * Composed letters (NFC) and plain spaces, without direction controls and zero-width characters.
 */
export function writtenName(name: string): string {
  if (PLAIN.test(name)) return name;
  const seen = normalized(name, "NFC")
    .replace(WIDE_SPACES, " ")
    .replace(BIDI_CONTROLS, "")
    .replace(ZERO_WIDTH, "")
    .replace(STRAY_JOINERS, "");
  return normalized(seen, "NFC");
}

/**
 * The forms in which earlier versions may have stored a name: as given, normalized, decomposed, or
 * with non-breaking spaces. Most names have only one.
 */
export function spellingsOf(value: string): readonly string[] {
  const written = writtenName(value);
  const apart = normalized(written, "NFD");
  return [...new Set([written, value, apart, written.replaceAll(" ", "\u00a0")])];
}
