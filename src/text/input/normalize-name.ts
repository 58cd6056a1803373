// Normalizes names of topics and channels, and removes invisible characters.
import { normalized } from "../normalize.ts";

const PLAIN = /^[ -~]*$/;
const WIDE_SPACES = /[\u00a0\u2007\u202f]/g;
const BIDI_CONTROLS = /\p{Bidi_Control}/gu;
const ZERO_WIDTH = /[\u00ad\u180e\u200b\u2060-\u206f\ufeff\ufff9-\ufffb\u{1d173}-\u{1d17a}]/gu;
/** Characters without an appearance of their own: fillers, selectors of variants and blanks. */
const UNSEEN = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;
/**
 * Between letters, joiners select a form (Persian, Hindi); between emoji, they combine them. All
 * others are removed.
 */
const MISPLACED_JOINERS = new RegExp(
  "(?<![\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}])[\\u200c\\u200d]" +
    "|[\\u200c\\u200d](?![\\p{L}\\p{M}\\p{Extended_Pictographic}])",
  "gu",
);

/**
 * Composed letters (NFC) and plain spaces, without direction controls and zero-width characters.
 * A name that shows nothing is empty.
 */
export function writtenName(name: string): string {
  if (PLAIN.test(name)) return name;
  const visible = normalized(name, "NFC")
    .replace(WIDE_SPACES, " ")
    .replace(BIDI_CONTROLS, "")
    .replace(ZERO_WIDTH, "")
    .replace(MISPLACED_JOINERS, "");
  return UNSEEN.test(visible) ? "" : normalized(visible, "NFC");
}

/** Whether two names differ in nothing but invisible characters and composition. */
export const isSameWhenNormalized = (first: string, other: string): boolean =>
  first === other || writtenName(first) === writtenName(other);

/**
 * The forms in which earlier versions may have stored a name: as given, normalized, decomposed, or
 * with non-breaking spaces. Most names have only one.
 */
export function spellingsOf(value: string): readonly string[] {
  const name = writtenName(value);
  const decomposed = normalized(name, "NFD");
  return [...new Set([name, value, decomposed, name.replaceAll(" ", "\u00a0")])];
}
