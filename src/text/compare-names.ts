// Normalizes names for comparison: names that look alike or differ in invisible characters are
// equal.
import { normalized } from "./normalize.ts";

/** Zero-width characters, direction controls and variation selectors. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufeff]/gu;
const PLAIN = /^[ -~]*$/;

/**
 * Folds case, removes invisible characters and composes letters. Returns "" if nothing visible is
 * left.
 */
export function comparedName(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase();
  const visible = normalized(name.replace(INVISIBLE, ""), "NFC");
  // Uppercase folds more than lowercase, except for the dotless i, which stays distinct.
  const folded = visible.split("ı").map((part) => part.toUpperCase().toLowerCase());
  return normalized(folded.join("ı").replaceAll("ς", "σ"), "NFC");
}
