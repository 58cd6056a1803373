// Names as they are compared: two that look alike, and differ in signs that nobody sees, are one.
import { normalized } from "./normalized.ts";

/** Signs without width, of direction, and those that only choose how another is drawn. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufeff]/gu;
const PLAIN = /^[ -~]*$/;

/** Without case and unseen signs, in composed letters; "" where there is nothing to see. */
export function comparedName(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase();
  const seen = normalized(name.replace(UNSEEN, ""), "NFC");
  // Capitals know more folds than small letters, but for the i without a dot, which is its own.
  const folded = seen.split("ı").map((part) => part.toUpperCase().toLowerCase());
  return normalized(folded.join("ı").replaceAll("ς", "σ"), "NFC");
}
