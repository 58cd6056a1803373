// Names and codes of Unicode emoji.
import table from "./emoji-table.json";

/** Hexadecimal code points joined by "-", without variation selectors. */
export function emojiCode(name: string): string | undefined {
  codes ??= codesByName();
  return codes.get(name);
}

/** Returns the primary name of a code. */
export function emojiName(code: string): string | undefined {
  return namesOf(code)?.[0];
}

/** Data with which clients know the same names. */
export function emojiData(): { code_to_names: Readonly<Record<string, readonly string[]>> } {
  return { code_to_names: names };
}

const KEYCAP = String.raw`[0-9#*]\ufe0f?\u20e3`;
const FLAG = String.raw`\p{Regional_Indicator}{2}`;
const TAGS = String.raw`[\u{e0020}-\u{e007f}]*`;
const PICTURE = String.raw`\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0e|\ufe0f)*`;

/** Matches everything that may be an emoji of several code points. */
export const EMOJI_SEQUENCE = new RegExp(
  `${FLAG}|${KEYCAP}|${PICTURE}${TAGS}(?:\\u200d${PICTURE})*`,
  "gu",
);

/** Returns the code of a sequence that `EMOJI_SEQUENCE` matches. */
export function emojiOf(sequence: string): string | undefined {
  if (sequence.includes("\ufe0e") || TEXT_PRESENTATION.test(sequence)) return undefined;
  const code = Array.from(sequence.replaceAll("\ufe0f", ""), hexadecimal).join("-");
  return namesOf(code) === undefined ? undefined : code;
}

const CLASS = /^emoji-([0-9a-f]{2,8}(?:-[0-9a-f]{2,8})*)$/;

/** Returns the characters of a rendered emoji from its classes; undefined for custom emoji. */
export function lettersOf(classes: readonly string[]): string | undefined {
  const code = classes.flatMap((item) => CLASS.exec(item)?.[1] ?? [])[0];
  const points = code?.split("-").map((part) => Number.parseInt(part, 16));
  return points?.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : undefined;
}

/** Characters of ordinary text, such as © and ↔, are emoji only with a variation selector. */
const TEXT_PRESENTATION = /^\P{Emoji_Presentation}\u20e3?$/u;

const names: Readonly<Record<string, readonly string[]>> = table;
let codes: Map<string, string> | undefined;

function namesOf(code: string): readonly string[] | undefined {
  return Object.hasOwn(names, code) ? names[code] : undefined;
}

function codesByName(): Map<string, string> {
  const map = new Map<string, string>();
  for (const code in names) for (const name of names[code]!) map.set(name, code);
  return map;
}

function hexadecimal(character: string): string {
  return character.codePointAt(0)!.toString(16).padStart(4, "0");
}
