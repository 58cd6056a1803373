// Cleans user names of an archive by removing characters that would break a mention.
import { withoutStackedMarks } from "../../text/input/combining-marks.ts";
import { normalized } from "../../text/normalize.ts";
import { FULL_NAME_LENGTH_MAX, hasMarkupCharacters } from "../rights/rules.ts";

/** Returns "" if too little remains. */
export function plainName(text: string): string {
  const written = withoutStackedMarks(normalized(text, "NFC"));
  const letters = [...written].filter((letter) => !hasMarkupCharacters(letter));
  const name = letters
    .join("")
    .replace(/\|\d+$/, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const truncated = [...name].slice(0, FULL_NAME_LENGTH_MAX).join("").trim();
  return [...truncated].length < 2 ? "" : truncated;
}
