// How names of topics and channels are written: without characters that cannot be seen.
import { normalized } from "../normalized.ts";

const PLAIN = /^[ -~]*$/;
const WIDE_SPACES = /[\u00a0\u202f]/g;
const BIDI_CONTROLS = /\p{Bidi_Control}/gu;
const ZERO_WIDTH = /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]/g;
/** Between letters they choose a form (Persian, Hindi), between emoji they make one of several. */
const STRAY_JOINERS = new RegExp(
  "(?<![\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}])[\\u200c\\u200d]" +
    "|[\\u200c\\u200d](?![\\p{L}\\p{M}\\p{Extended_Pictographic}])",
  "gu",
);

/** In composed letters (NFC), with plain spaces, without controls of direction and zero width. */
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
 * A name as it may be stored already, by a version that kept what was given: as given, written,
 * with letters taken apart, or with spaces that do not break. Most names have one spelling.
 */
export function spellingsOf(given: string): readonly string[] {
  const written = writtenName(given);
  const apart = normalized(written, "NFD");
  return [...new Set([written, given, apart, written.replaceAll(" ", "\u00a0")])];
}
