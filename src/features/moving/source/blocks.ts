// Converts Slack's blocks to Markdown: rich text, sections, headers, tables and the like.
import { fenced } from "../../../text/markdown/make-fence.ts";
import { isObject } from "../is-object.ts";
import { unicodeEmojiName } from "./emoji-names.ts";
import type { SlackBlock, SlackElement, SlackStyle } from "./records-rules.ts";
import { linkOf, markdownOf, type MentionNames, timeOf, unescaped } from "./mrkdwn.ts";

const INDENT_MAX = 8;

export function markdownOfBlocks(blocks: readonly SlackBlock[], names: MentionNames): string {
  const parts = blocks.map((block) => markdownOfBlock(block, names));
  return parts.filter((part) => part.trim() !== "").join("\n\n");
}

function markdownOfBlock(block: SlackBlock, names: MentionNames): string {
  switch (block.type) {
    case "rich_text":
      return richText(block.elements ?? [], names);
    case "section": {
      const texts = [block.text, ...(block.fields ?? [])];
      return texts
        .map((text) => markdownOf(text?.text ?? "", names))
        .join("\n")
        .trim();
    }
    case "header":
      return block.text?.text ? `**${unescaped(block.text.text)}**` : "";
    case "context":
      return (block.elements ?? [])
        .map(({ text }) => (typeof text === "string" ? markdownOf(text, names) : ""))
        .join(" ");
    case "divider":
      return "---";
    case "image":
      return block.image_url ? linkOf(block.image_url, block.alt_text ?? "image") : "";
    case "table":
      return tableOf(block.rows ?? [], names);
    default:
      return "";
  }
}

function richText(elements: readonly SlackElement[], names: MentionNames): string {
  return elements
    .map((element) => partOf(element, names))
    .join("\n")
    .trim();
}

function partOf(element: SlackElement, names: MentionNames): string {
  const children = element.elements ?? [];
  const text = () => children.map((child) => inlineOf(child, names)).join("");
  switch (element.type) {
    case "rich_text_quote":
      return `${fenced("quote", text().trim())}\n`;
    case "rich_text_preformatted": {
      const code = children.map((child) => String(child.text ?? child.url ?? "")).join("");
      return `${fenced("", code.replace(/\n$/, ""))}\n`;
    }
    case "rich_text_list":
      return listOf(element, names);
    default:
      return text();
  }
}

/** In Slack each change of the indent begins a new list; a continued list has an offset. */
function listOf(
  { elements = [], style, indent, offset }: SlackElement,
  names: MentionNames,
): string {
  const space = "  ".repeat(Math.min(Math.max(0, Number(indent) || 0), INDENT_MAX));
  const first = Math.max(0, Number(offset) || 0) + 1;
  return elements
    .map((item, index) => {
      const mark = style === "ordered" ? `${first + index}.` : "*";
      const text = (item.elements ?? []).map((child) => inlineOf(child, names)).join("");
      return `${space}${mark} ${text.replaceAll("\n", " ")}`;
    })
    .join("\n");
}

function inlineOf(element: SlackElement, names: MentionNames): string {
  const style: SlackStyle = isObject(element.style) ? element.style : {};
  const text = element.text ?? "";
  switch (element.type) {
    case "text":
      return styledAs(text, style);
    case "link":
      return styledAs(linkOf(element.url ?? "", text), { ...style, code: false });
    case "emoji":
      return emojiOf(element);
    case "user":
      return names.user(element.user_id ?? "");
    case "channel":
      return names.channel(element.channel_id ?? "");
    case "usergroup":
      return `@${element.usergroup_id ?? ""}`;
    case "broadcast":
      return "@**all**";
    case "color":
      return element.value ?? "";
    case "date":
      return timeOf(Number(element.timestamp)) || (element.fallback ?? "");
    case "rich_text_section":
      return (element.elements ?? []).map((child) => inlineOf(child, names)).join("");
    default:
      return text;
  }
}

/** Newer exports have the characters of a Unicode emoji, which keep its skin tone. */
function emojiOf({ name = "", unicode = "" }: SlackElement): string {
  const [base = "", tone] = name.split("::");
  const known = unicodeEmojiName(base);
  const points = unicode.split("-").map((part) => Number.parseInt(part, 16));
  const hasLetters = points.every((point) => point > 0x7f && point <= 0x10ffff);
  const isPlain = known !== undefined && tone === undefined;
  return hasLetters && !isPlain ? String.fromCodePoint(...points) : `:${known ?? base}:`;
}

/** The fence of code is longer than any run of backticks in it. */
function codeOf(line: string): string {
  let longest = 0;
  for (const [run] of line.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

/** Markdown requires markers directly beside the text, so spaces are moved outside. */
function styledAs(text: string, { bold, italic, strike, code }: SlackStyle): string {
  if (text.trim() === "" || !(bold || italic || strike || code)) return text;
  const inner = text.trim();
  const start = text.length - text.trimStart().length;
  const [before, after] = [text.slice(0, start), text.slice(start + inner.length)];
  const lines = inner.split("\n").map((line) => {
    if (line.trim() === "") return line;
    let marked = code ? codeOf(line) : line;
    if (strike) marked = `~~${marked}~~`;
    if (italic) marked = `*${marked}*`;
    return bold ? `**${marked}**` : marked;
  });
  return before + lines.join("\n") + after;
}

function tableOf(rows: readonly SlackBlock[][], names: MentionNames): string {
  const lines = rows.map((row) => {
    const cells = row.map((cell) => {
      const text = cell.elements ? richText(cell.elements, names) : String(cell.text?.text ?? "");
      return text.replaceAll("\n", " ").replaceAll("|", "\\|");
    });
    return `| ${cells.join(" | ")} |`;
  });
  const [head = "", ...rest] = lines;
  const columns = rows[0]?.length ?? 0;
  return columns === 0 ? "" : [head, `|${" --- |".repeat(columns)}`, ...rest].join("\n");
}
