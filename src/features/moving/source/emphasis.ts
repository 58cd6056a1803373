// Puts text between the marks of bold, italic and deleted text.
import type { SlackStyle } from "./records-rules.ts";

/** Marks a mention in text whose mentions are inserted later. */
export const MENTION = "\u0001";
const EDGES = new RegExp(
  `^((?:\\s|${MENTION}\\d+${MENTION})*)([^]*?)((?:\\s|${MENTION}\\d+${MENTION})*)$`,
);

/**
 * Markdown requires marks directly beside the text, so spaces are moved outside; and so are
 * mentions, which are none beside a mark.
 */
export function emphasized(text: string, style: SlackStyle): string {
  if (!(style.bold || style.italic || style.strike)) return text;
  return text
    .split("\n")
    .map((line) => {
      const [, before = "", inner = "", after = ""] = EDGES.exec(line) ?? [];
      return inner === "" ? line : before + marked(inner, style) + after;
    })
    .join("\n");
}

function marked(inner: string, { bold, italic, strike }: SlackStyle): string {
  let text = inner;
  if (strike) text = `~~${text}~~`;
  if (italic) text = `*${text}*`;
  return bold ? `**${text}**` : text;
}
