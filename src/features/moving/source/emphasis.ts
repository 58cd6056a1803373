// Puts text between the marks of bold, italic and deleted text.
import type { SlackStyle } from "./records-rules.ts";

/** Marks a mention in text whose mentions are inserted later. */
export const MENTION = "\u0001";
/** Matches a space or a mention as a group, or any other character. */
const TOKEN = new RegExp(`(\\s|${MENTION}\\d+${MENTION})|[^]`, "g");

/**
 * Encloses each line in marks. Markdown requires marks directly beside the text, so spaces are
 * moved outside. Mentions are moved, too, because the renderer recognizes none beside a mark.
 */
export function emphasized(text: string, style: SlackStyle): string {
  if (!(style.bold || style.italic || style.strike)) return text;
  return text
    .split("\n")
    .map((line) => {
      const [from, to] = innerRange(line);
      if (from >= to) return line;
      return line.slice(0, from) + marked(line.slice(from, to), style) + line.slice(to);
    })
    .join("\n");
}

/** The range without spaces and mentions at the edges. */
function innerRange(line: string): [from: number, to: number] {
  let [from, to] = [line.length, 0];
  for (const { 0: token, 1: outer, index } of line.matchAll(TOKEN)) {
    if (outer !== undefined) continue;
    from = Math.min(from, index);
    to = index + token.length;
  }
  return [from, to];
}

function marked(inner: string, { bold, italic, strike }: SlackStyle): string {
  let text = inner;
  if (strike) text = `~~${text}~~`;
  if (italic) text = `*${text}*`;
  return bold ? `**${text}**` : text;
}
