// Converts Slack's rich text, a tree of sections, lists, quotes and code, to Markdown.
import { type Fields, isFields, itemsIn, textIn } from "../untrusted-json.ts";
import { codeBlock, linkTo } from "./mrkdwn.ts";
import { plainMarkdown } from "./plain.ts";

const ELEMENTS_MAX = 500;
const INDENT_MAX = 8;
/**
 * Slack's nesting is fixed: a block contains lists, lists contain sections, sections contain text.
 */
export function richText(block: Fields): string {
  return itemsIn(block, "elements", ELEMENTS_MAX).map(partOf).filter(Boolean).join("\n\n");
}

function partOf(part: Fields): string {
  const elements = itemsIn(part, "elements", ELEMENTS_MAX);
  switch (part["type"]) {
    case "rich_text_section":
      return inlineText(elements);
    case "rich_text_quote":
      return `> ${inlineText(elements).trim().replaceAll("\n", "\n> ")}`;
    case "rich_text_preformatted":
      return codeBlock(
        elements.map(plainText).join(""),
        /^\w*$/.exec(textIn(part, "language"))?.[0],
      );
    case "rich_text_list":
      return listOf(part, elements);
    default:
      return "";
  }
}

function listOf(part: Fields, items: readonly Fields[]): string {
  const isOrdered = part["style"] === "ordered";
  const indent = "  ".repeat(numberIn(part, "indent", INDENT_MAX));
  const first = numberIn(part, "offset", 1_000_000) + 1;
  return items
    .map((item, index) => {
      const bullet = isOrdered ? `${first + index}.` : "*";
      const text = inlineText(itemsIn(item, "elements", ELEMENTS_MAX)).trim();
      return `${indent}${bullet} ${text.replaceAll("\n", `\n${indent}  `)}`;
    })
    .join("\n");
}

function numberIn(fields: Fields, name: string, max: number): number {
  const value = fields[name];
  return Number.isSafeInteger(value) ? Math.min(Math.max(value as number, 0), max) : 0;
}

const inlineText = (elements: readonly Fields[]) => elements.map(inlineOf).join("");

function inlineOf(element: Fields): string {
  switch (element["type"]) {
    case "text":
      return styledText(textIn(element, "text"), element["style"]);
    case "link":
      return styled(linkTo(textIn(element, "url"), textIn(element, "text")), element["style"]);
    case "emoji":
      return `:${textIn(element, "name")}:`;
    case "broadcast":
      return "@**all**";
    case "user":
      return `@${plainMarkdown(textIn(element, "user_id"))}`;
    case "usergroup":
      return `@${plainMarkdown(textIn(element, "usergroup_id"))}`;
    case "channel":
      return `#${plainMarkdown(textIn(element, "channel_id"))}`;
    case "date":
      return `<time:${numberIn(element, "timestamp", 253_402_300_799)}>`;
    case "color":
      return plainMarkdown(textIn(element, "value"));
    default:
      return "";
  }
}

function styledText(text: string, style: unknown): string {
  const isCode = isFields(style) && style["code"] === true && !text.includes("`");
  return styled(isCode ? text : plainMarkdown(text), style);
}

const plainText = (element: Fields) => textIn(element, "text") || textIn(element, "url");

/** Spaces at the ends stay outside, because markers beside spaces are not formatting. */
function styled(text: string, style: unknown): string {
  if (!isFields(style) || text.trim() === "") return text;
  const message = text.trim();
  const before = text.slice(0, text.indexOf(message));
  const after = text.slice(before.length + message.length);
  let marked = message;
  if (style["code"] === true && !message.includes("`")) marked = `\`${message}\``;
  if (style["bold"] === true) marked = `**${marked}**`;
  if (style["italic"] === true) marked = `*${marked}*`;
  if (style["strike"] === true) marked = `~~${marked}~~`;
  return before + marked + after;
}
