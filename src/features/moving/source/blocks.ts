// Converts Slack's blocks to Markdown: rich text, sections, headers, tables and the like.
import { withAddresses } from "../../../text/html/bare-address.ts";
import { escapeMarkdown } from "../../../text/html/escape-markdown.ts";
import { fenced } from "../../../text/markdown/make-fence.ts";
import { tableCell } from "../../../text/html/table-cell.ts";
import { isFields } from "../../../text/untrusted-json.ts";
import { emphasized } from "./emphasis.ts";
import { unicodeEmojiName } from "./emoji-names.ts";
import { joinTexts, withSeparateBlocks } from "./separate-blocks.ts";
import type { SlackBlock, SlackElement, SlackStyle } from "./records-rules.ts";
import type { MentionNames } from "./inserted-names.ts";
import { namesInTable, withPlainPipes } from "./table-rows.ts";
import { inlineLinkOf, linkOf, markdownOf, plainOf, timeOf, UNNAMED_GROUP } from "./mrkdwn.ts";

const INDENT_MAX = 8;

export function markdownOfBlocks(blocks: readonly SlackBlock[], names: MentionNames): string {
  const parts = blocks.map((block) => markdownOfBlock(block, names));
  return parts.filter((part) => part.trim() !== "").join("\n\n");
}

function markdownOfBlock(block: SlackBlock, names: MentionNames): string {
  const { elements = [], accessory, fields = [] } = block;
  switch (block.type) {
    case "rich_text":
      return richText(elements, names);
    case "section": {
      const texts = [block, ...fields].map(({ text }) => markdownOf(textIn(text), names));
      return joinTexts([...texts, accessory ? linkOfElement(accessory) : ""]);
    }
    case "header": {
      const title = textIn(block.text);
      return title ? `**${plainOf(title)}**` : "";
    }
    case "context": {
      const parts = elements.map((element) => {
        return linkOfElement(element) || markdownOf(textIn(element.text), names);
      });
      return linesOf(parts, " ");
    }
    case "actions":
      return linesOf(elements.map(linkOfElement), " ");
    case "markdown":
      return withPlainPipes(textIn(block.text));
    case "divider":
      return "---";
    case "image":
      return linkOfElement(block);
    case "video": {
      const title = textIn(block.title) || block.alt_text || "video";
      const url = block.title_url ?? block.video_url ?? "";
      return linesOf([linkOf(url, title), plainOf(textIn(block.description))], "\n");
    }
    case "table":
      return tableOf(block.rows ?? [], names);
    default:
      return "";
  }
}

/** The text of a value: an object with a text, or in some blocks the text itself. */
function textIn(value: unknown): string {
  const text = isFields(value) ? (value as { text?: unknown }).text : value;
  return typeof text === "string" ? text.toWellFormed().replaceAll(/[\0\u0004\u0005]/g, "") : "";
}

const linesOf = (parts: readonly string[], between: string) =>
  parts.filter((part) => part.trim() !== "").join(between);

/**
 * Links to pictures, and to the pages that buttons open. Other interactive elements have no link.
 */
function linkOfElement({ image_url, alt_text, title, text, url }: SlackElement): string {
  if (image_url) return linkOf(image_url, textIn(title) || alt_text || "image");
  return url && /^https?:/.test(url) ? linkOf(url, textIn(text)) : "";
}

/** The kinds of blocks and elements of a message that are not shown. */
export function hiddenKinds(blocks: readonly SlackBlock[] = []): string[] {
  const kinds = blocks.flatMap((block) => {
    const { type = "", elements = [], accessory } = block;
    if (type === "rich_text") {
      return elements
        .filter(({ type: part = "" }) => !RICH_TEXT.has(part))
        .map((part) => part.type);
    }
    if (type === "actions") return elements.filter(isHidden).map((element) => element.type);
    if (!RENDERED_TYPES.has(type)) return [type];
    return accessory && isHidden(accessory) ? [accessory.type] : [];
  });
  return [...new Set(kinds)].map((kind = "") => kind.replaceAll(/\W/g, "").slice(0, 40) || "?");
}

const isHidden = (element: SlackElement) => linkOfElement(element) === "";

const RENDERED_TYPES: ReadonlySet<string> = new Set([
  ...["section", "header", "context", "markdown", "divider", "image", "video", "table"],
]);
const RICH_TEXT: ReadonlySet<string> = new Set([
  ...["rich_text_section", "rich_text_quote", "rich_text_preformatted", "rich_text_list"],
]);

function richText(elements: readonly SlackElement[], names: MentionNames): string {
  const parts: string[] = [];
  let quoted: string[] = [];
  const endQuote = () => {
    if (quoted.length > 0) parts.push(`${fenced("quote", quoted.join("\n").trim())}\n`);
    quoted = [];
  };
  for (const element of elements) {
    // In a quote, Slack writes code and lists as elements of their own, with a border.
    const isQuoted = element.type === "rich_text_quote" || Number(element.border) > 0;
    if (!isQuoted) endQuote();
    (isQuoted ? quoted : parts).push(partOf(element, names));
  }
  endQuote();
  return withSeparateBlocks(parts.join("\n").trim());
}

function partOf(element: SlackElement, names: MentionNames): string {
  const children = element.elements ?? [];
  const text = () => inlinesOf(children, names);
  switch (element.type) {
    case "rich_text_preformatted": {
      const code = children.map((child) => textIn(child.text) || (child.url ?? "")).join("");
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
      const text = inlinesOf(item.elements ?? [], names);
      return `${space}${mark} ${text.replaceAll("\n", " ")}`;
    })
    .join("\n");
}

const inlinesOf = (elements: readonly SlackElement[], names: MentionNames) =>
  withAddresses(styledInlinesOf(elements, names));

/** Consecutive elements of the same style share one pair of marks. */
function styledInlinesOf(elements: readonly SlackElement[], names: MentionNames): string {
  let output = "";
  let run = "";
  let style: SlackStyle = {};
  for (const element of elements) {
    const own = element.type === "text" || element.type === "link" ? styleIn(element) : {};
    const isSame = EMPHASES.every((name) => Boolean(own[name]) === Boolean(style[name]));
    if (!isSame) {
      output += emphasized(run, style);
      [run, style] = ["", own];
    }
    run += inlineOf(element, names, /(?:^|\n)$/.test(output + run));
  }
  return output + emphasized(run, style);
}

const EMPHASES = ["bold", "italic", "strike"] as const;

const styleIn = ({ style }: SlackElement): SlackStyle => (isFields(style) ? style : {});

function inlineOf(element: SlackElement, names: MentionNames, isLineStart: boolean): string {
  const text = textIn(element.text);
  switch (element.type) {
    case "text":
      return styleIn(element).code ? codeIn(text) : escapeMarkdown(text, isLineStart);
    case "link":
      return inlineLinkOf(
        element.url ?? "",
        text === element.url ? "" : escapeMarkdown(text, false),
      );
    case "emoji":
      return emojiOf(element);
    case "user":
      return names.user(element.user_id ?? "");
    case "channel":
      return names.channel(element.channel_id ?? "");
    case "usergroup":
      return element.name ? `@${element.name}` : UNNAMED_GROUP;
    case "broadcast":
      return "@**all**";
    case "color":
      return element.value ?? "";
    case "date":
      return timeOf(Number(element.timestamp)) || (element.fallback ?? "");
    case "rich_text_section":
      return styledInlinesOf(element.elements ?? [], names);
    default:
      return text;
  }
}

/** Newer exports have the characters of a Unicode emoji, which keep its skin tone. */
function emojiOf({ name = "", unicode = "" }: SlackElement): string {
  const [base = "", tone] = name.split("::");
  const emojiName = unicodeEmojiName(base);
  const points = unicode.split("-").map((part) => Number.parseInt(part, 16));
  const hasLetters = points.every((point) => point > 0x7f && point <= 0x10ffff);
  const isPlain = emojiName !== undefined && tone === undefined;
  return hasLetters && !isPlain ? String.fromCodePoint(...points) : `:${emojiName ?? base}:`;
}

/** The fence of code is longer than any run of backticks in it. */
function codeOf(line: string): string {
  let longest = 0;
  for (const [run] of line.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

/** Code cannot contain line breaks, and spaces at its ends are moved outside. */
function codeIn(text: string): string {
  return text.replaceAll(/\S(?:[^\n]*\S)?/g, (line) => codeOf(line));
}

function tableOf(rows: readonly SlackBlock[][], names: MentionNames): string {
  const inTable = namesInTable(names);
  const lines = rows.map((row) => {
    const cells = row.map((cell) => {
      const { elements, text } = cell;
      return tableCell(
        elements ? richText(elements, inTable) : escapeMarkdown(textIn(text), false),
      );
    });
    return `| ${cells.join(" | ")} |`;
  });
  const [head = "", ...rest] = lines;
  const columns = rows[0]?.length ?? 0;
  return columns === 0 ? "" : [head, `|${" --- |".repeat(columns)}`, ...rest].join("\n");
}
