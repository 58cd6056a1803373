// Converts messages in the format of Slack's incoming webhooks to Markdown.
import { type Fields, isFields, itemsIn, textIn } from "../untrusted-json.ts";
import { linkTo, markdownOfMrkdwn } from "./mrkdwn.ts";
import { plainMarkdown } from "./plain.ts";
import { richText } from "./rich-text.ts";
import { tableOf } from "./table.ts";

/** Per kind. Slack accepts half as many. */
const BLOCKS_MAX = 100;
const ATTACHMENTS_MAX = 100;
const PARTS_MAX = 50;

/** "" if the message has no visible content. */
export function markdownOfSlackMessage(message: Fields): string {
  const input = itemsIn(message, "blocks", BLOCKS_MAX);
  const blocks = input.map(blockOf);
  const attachments = itemsIn(message, "attachments", ATTACHMENTS_MAX).map(attachmentOf);
  // The text is a fallback for blocks that cannot be displayed.
  const isShown = joinPieces(blocks) !== "" && input.every(isKnownBlock);
  const text = isShown ? "" : ownText(message);
  return joinPieces([text, ...blocks, ...attachments]);
}

function ownText(message: Fields): string {
  const value = textIn(message, "text");
  const text = message["mrkdwn"] === false ? plainMarkdown(value) : markdownOfMrkdwn(value);
  const icon = textIn(message, "icon_emoji").trim();
  return text.trim() !== "" && /^:[\w+-]+:$/.test(icon) ? `${icon} ${text}` : text;
}

function joinPieces(pieces: readonly string[]): string {
  const nonEmptyPieces = pieces.map((piece) => piece.trim()).filter((piece) => piece !== "");
  return nonEmptyPieces.join("\n\n");
}

const BLOCK_KINDS: ReadonlySet<unknown> = new Set([
  ...["header", "section", "context", "actions", "markdown", "divider", "image", "video"],
  ...["rich_text", "table"],
]);

const isKnownBlock = (block: Fields) => BLOCK_KINDS.has(block["type"]);

/** Blocks without readable content, such as inputs, are omitted. */
function blockOf(block: Fields): string {
  switch (block["type"]) {
    case "header":
      return withHeading(textOf(block["text"]));
    case "section":
      return joinPieces([
        textOf(block["text"]),
        bulletList(itemsIn(block, "fields", PARTS_MAX).map(textOf)),
        elementOf(block["accessory"]),
      ]);
    case "context":
    case "actions":
      return itemsIn(block, "elements", PARTS_MAX).map(elementOf).filter(Boolean).join(" ");
    case "markdown":
      return textIn(block, "text");
    case "divider":
      return "---";
    case "image":
    case "video":
      return elementOf(block);
    case "rich_text":
      return richText(block);
    case "table":
      return tableOf(block);
    default:
      return "";
  }
}

const withHeading = (text: string) => (text === "" ? "" : `## ${text.replaceAll(/\s+/g, " ")}`);
const bulletList = (texts: readonly string[]) =>
  texts
    .filter((text) => text.trim() !== "")
    .map((text) => `* ${text.trim().replaceAll("\n", "\n  ")}`)
    .join("\n");

/** A text object: `{type, text}`. */
function textOf(text: unknown): string {
  if (!isFields(text)) return "";
  const content = textIn(text, "text");
  return text["type"] === "mrkdwn" ? markdownOfMrkdwn(content) : plainMarkdown(content);
}

const writtenIn = (text: unknown) => (isFields(text) ? textIn(text, "text") : "");

function elementOf(element: unknown): string {
  if (!isFields(element)) return "";
  // `linkTo` escapes the text.
  const alt = textIn(element, "alt_text") || writtenIn(element["title"]);
  switch (element["type"]) {
    case "image":
      return linkTo(textIn(element, "image_url"), alt);
    case "video":
      return linkTo(textIn(element, "title_url") || textIn(element, "video_url"), alt);
    case "button":
      return linkTo(textIn(element, "url"), writtenIn(element["text"]));
    case "mrkdwn":
    case "plain_text":
      return textOf(element);
    default:
      return "";
  }
}

function attachmentOf(attachment: Fields): string {
  const blocks = itemsIn(attachment, "blocks", BLOCKS_MAX).map(blockOf);
  if (joinPieces(blocks) !== "") {
    return joinPieces([markdownOfMrkdwn(textIn(attachment, "pretext")), ...blocks]);
  }
  const read = (name: string) => markdownOfMrkdwn(textIn(attachment, name));
  const linkedField = (name: string, url: string) => {
    const text = textIn(attachment, name);
    return text === "" ? "" : linkTo(textIn(attachment, url), text);
  };
  const time = attachment["ts"];
  const attachmentText = joinPieces([
    read("pretext"),
    linkedField("author_name", "author_link"),
    withHeading(linkedField("title", "title_link")),
    read("text"),
    bulletList(itemsIn(attachment, "fields", PARTS_MAX).map(fieldOf)),
    linkTo(textIn(attachment, "image_url") || textIn(attachment, "thumb_url"), ""),
    itemsIn(attachment, "actions", PARTS_MAX).map(actionOf).filter(Boolean).join(" "),
    [read("footer"), timeOf(time)].filter(Boolean).join(" | "),
  ]);
  return attachmentText === "" ? plainMarkdown(textIn(attachment, "fallback")) : attachmentText;
}

function fieldOf(field: Fields): string {
  const title = plainMarkdown(shownIn(field, "title"));
  const value = markdownOfMrkdwn(shownIn(field, "value"));
  if (title === "") return value;
  return value.includes("```") ? `**${title}**:\n${value}` : `**${title}**: ${value}`;
}

/** Programs send field values of any type, such as `false`. */
function shownIn(field: Fields, name: string): string {
  const value = Object.hasOwn(field, name) ? field[name] : undefined;
  return typeof value === "boolean" ? String(value) : textIn(field, name);
}

/** Attachments have only buttons with a link; others are ignored. */
function actionOf(action: Fields): string {
  const url = textIn(action, "url");
  return url === "" ? "" : linkTo(url, textIn(action, "text"));
}

function timeOf(time: unknown): string {
  const seconds = Math.floor(Number(time));
  return time && Number.isSafeInteger(seconds) ? `<time:${seconds}>` : "";
}
