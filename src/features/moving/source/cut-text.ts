// Finds the place where a long text is split.

/**
 * Maximum of UTF-16 code units per character. The part that fits is within `room` times this
 * number.
 */
const UNITS = 2;
/**
 * Links and other elements that must not be split are searched within this distance, in characters.
 */
const WINDOW = 2_500;
/** Inline code, links, addresses, mentions and times. */
const WHOLE = new RegExp(
  [
    String.raw`\u0060[^\u0060\n]+\u0060`,
    String.raw`\[[^[\]\n]{1,2000}\]\([^\s()]{1,2000}\)`,
    String.raw`https?:\/\/[^\s<>]+`,
    String.raw`[@#]_?\*\*[^*\n]{1,300}\*\*`,
    String.raw`<time:[^<>\n]{1,100}>`,
  ].join("|"),
  "g",
);

/** Whether the rest of the text has at most this number of characters. */
export function isShort(content: string, at: number, room: number): boolean {
  const length = content.length - at;
  return length <= room || (length <= UNITS * room && [...content.slice(at)].length <= room);
}

/** The next part: at most `room` characters, up to a line break or a space if possible. */
export function cutAt(content: string, at: number, room: number): string {
  const letters = [...content.slice(at, at + UNITS * (room + WINDOW))];
  const line = letters.lastIndexOf("\n", room - 1);
  if (line > room / 2) return letters.slice(0, line).join("");
  const space = letters.lastIndexOf(" ", room - 1);
  const end = space > room / 2 ? space : Math.min(room, letters.length);
  const start = startOfWhole(letters, end);
  return letters.slice(0, start > room / 2 ? start : end).join("");
}

/**
 * Returns the start of the link or other element that a split at `end` would divide; `end` if there
 * is none.
 */
function startOfWhole(letters: readonly string[], end: number): number {
  const from = Math.max(0, end - WINDOW, letters.lastIndexOf("\n", end - 1) + 1);
  const before = letters.slice(from, end).join("");
  const text = before + letters.slice(end, end + WINDOW).join("");
  for (const { 0: whole, index } of text.matchAll(WHOLE)) {
    if (index >= before.length) break;
    if (index + whole.length > before.length) return from + [...text.slice(0, index)].length;
  }
  return end;
}
