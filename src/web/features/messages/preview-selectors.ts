// The text of a message in one line for lists; plain text that is never inserted as HTML.
import { withoutStackedMarks } from "../../../text/input/combining-marks.ts";
import { ownValue } from "../../../text/input/own-value.ts";
import { COMMAND } from "../../../text/widget.ts";
import { glyphOf } from "../../content/enrich.ts";
import type { Message } from "../../contract/message.ts";
import { showsEmojiAsText } from "../emoji/selectors.ts";

const LINE_LENGTH_MAX = 240;
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
};

const lines = new WeakMap<Message, { content: string; isSpelled: boolean; line: string }>();

export function lineOf(message: Message): string {
  const cachedLine = lines.get(message);
  const isSpelled = showsEmojiAsText();
  if (cachedLine?.content === message.content && cachedLine.isSpelled === isSpelled)
    return cachedLine.line;
  const line = previewLine(message.content);
  lines.set(message, { content: message.content, isSpelled, line });
  return line;
}

/** Leaves out the contents of spoilers, except their titles. */
function removeSpoilers(html: string): string {
  const from = html.indexOf('<div class="spoiler-content"');
  if (from === -1) return html;
  let depth = 0;
  for (const { 0: tag, 1: end, index } of html.slice(from).matchAll(/<(\/?)div\b[^<>]*>/g)) {
    depth += end === "" ? 1 : -1;
    if (depth > 0) continue;
    const after = html.slice(from + index + tag.length);
    return `${html.slice(0, from)} … ${removeSpoilers(after)}`;
  }
  return `${html.slice(0, from)} …`;
}

/** The first line of a message for other users. Omits the command of a poll or of /me. */
export const previewLine = (html: string): string => plainLine(html.replace(COMMAND, "<p>"));

/**
 * Converts the server's HTML to text. Images are replaced by their descriptions, custom emoji by
 * names, and so are all emoji if the user prefers text.
 */
export function plainLine(html: string): string {
  const isSpelled = showsEmojiAsText();
  const text = removeSpoilers(html)
    .replace(
      /<span class="katex-mathml">.*?<annotation[^>]*>(.*?)<\/annotation>.*?<\/span>/gs,
      "$1",
    )
    .replace(/<span class="katex-html"[^>]*>.*?<\/span>/gs, "")
    .replace(
      /<span[^>]*class="emoji emoji-([0-9a-f-]+)"[^>]*>(.*?)<\/span>/gs,
      (_, code: string, name: string) => (isSpelled ? name : glyphOf(code)),
    )
    .replace(/<img[^>]*\balt="([^"]*)"[^>]*>/g, " $1 ")
    .replace(/<(br|\/p|\/li|\/div|\/h\d|\/tr|\/td)\b[^>]*>/g, " ")
    .replace(/<[^<>]*>/g, "");
  return withoutStackedMarks(decodeEntities(text))
    .replace(/\s+/gu, " ")
    .trim()
    .slice(0, LINE_LENGTH_MAX);
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return ownValue(NAMED, name) ?? whole;
    return lettersOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

const lettersOf = (point: number): string =>
  point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "";
