// Converts the content of a message to Markdown, in parts of limited length.
import { fenced } from "../../../text/markdown/make-fence.ts";
import type { SlackCard, SourceFile, SourceMessage } from "./records-rules.ts";
import { markdownOfBlocks } from "./blocks.ts";
import { joinTexts } from "./separate-blocks.ts";
import { convertLines, namesInTable, withPlainPipes } from "./table-rows.ts";
import { markedNames, type MentionNames, withSeparateNames } from "./inserted-names.ts";
import { fieldOf, linkOf, markdownOf, plainOf } from "./mrkdwn.ts";

const CARDS_MAX = 20;
const FIELDS_MAX = 50;
/** Longer than the fences of code blocks, which cards may contain. */
const FENCE_LENGTH_MIN = 4;

/** If a message has both, its rich text is more complete than its mrkdwn. */
export function textOf(message: SourceMessage, names: MentionNames): string {
  return withSeparateNames(markedTextOf(message, markedNames(names)));
}

function markedTextOf(message: SourceMessage, names: MentionNames): string {
  const { subtype, text = "", blocks, markdown } = message;
  if (markdown !== undefined) return withNames(markdown, names);
  if (subtype === "tombstone") return "*This message was deleted.*";
  const textOfBlocks = blocks?.length ? markdownOfBlocks(blocks, names) : "";
  const content = textOfBlocks || markdownOf(typeof text === "string" ? text : "", names);
  return subtype === "me_message" ? `/me ${content}` : content;
}

/** Inserts the names of users and channels into the Markdown. */
function withNames(markdown: string, names: MentionNames): string {
  const plain = withPlainPipes(markdown);
  if (!/[\u0001\u0002]/.test(plain)) return plain;
  const inTable = namesInTable(names);
  return convertLines(plain, (line, place) => {
    return withNamesInLine(line, place === "row" ? inTable : names);
  });
}

function withNamesInLine(line: string, names: MentionNames): string {
  return line
    .replaceAll(/\u0001([^\u0001]{1,100})\u0001/g, (_mark, key: string) => names.user(key))
    .replaceAll(/\u0002([^\u0002]{1,200})\u0002/g, (_mark, key: string) => {
      return names.channel(key);
    });
}

/** Attachments as text below the message, without previews of links that the message contains. */
export function cardsOf(message: SourceMessage, names: MentionNames): string {
  return withSeparateNames(markedCardsOf(message, markedNames(names)));
}

function markedCardsOf({ attachments, text = "" }: SourceMessage, names: MentionNames): string {
  const cards = (attachments ?? []).slice(0, CARDS_MAX).filter(({ from_url }) => {
    return !from_url || !String(text).includes(from_url);
  });
  const cardTexts = cards.map((card) => cardOf(card, names));
  return cardTexts.filter((card) => card !== "").join("\n\n");
}

function cardOf(card: SlackCard, names: MentionNames): string {
  const { pretext, title, title_link, text, author_name, image_url, fallback } = card;
  const lines: string[] = [];
  if (author_name) lines.push(plainOf(author_name));
  if (title) lines.push(`**${title_link ? linkOf(title_link, title) : plainOf(title)}**`);
  if (text) lines.push(markdownOf(text, names));
  for (const field of (card.fields ?? []).slice(0, FIELDS_MAX)) {
    lines.push(fieldOf(plainOf(field.title ?? ""), markdownOf(field.value ?? "", names)));
  }
  if (card.blocks?.length) lines.push(markdownOfBlocks(card.blocks, names));
  if (image_url) lines.push(linkOf(image_url, title || "image"));
  if (lines.length === 0 && fallback) lines.push(markdownOf(fallback, names));
  const body = joinTexts(lines);
  const quoted = body === "" ? "" : fenced("quote", body, FENCE_LENGTH_MIN);
  return joinTexts([pretext ? markdownOf(pretext, names) : "", quoted]);
}

/** The address of a file that another service stores. */
export function externalAddress({ mode, is_external, url_private = "" }: SourceFile) {
  const isExternal = mode === "external" || is_external === true;
  return isExternal && /^https?:/.test(url_private) ? url_private : undefined;
}

/** Placeholder for a file that is not in the archive, or a link if another service has it. */
export function absentFile(file: SourceFile): string {
  const { name, title, size } = file;
  const address = externalAddress(file);
  if (address !== undefined) return linkOf(address, title || name || "");
  const textOfBlocks = (name || title || "file").replaceAll(/[`\n]/g, "").slice(0, 100);
  const kib = Number(size) > 0 ? `, ${Math.ceil(Number(size) / 1024)} KiB` : "";
  return `\`${textOfBlocks}\` (file${kib}, not available)`;
}

/** The text with the links of its files below. */
export const withFiles = (text: string, links: readonly string[]) => joinTexts([text, ...links]);
