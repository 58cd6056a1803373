// The content of a Slack message as Markdown, in parts of which each fits into a message.
import { MESSAGE_LENGTH_MAX } from "../../messages/rules.ts";
import type { SlackCard, SlackFile, SlackMessage } from "./export-rules.ts";
import { markdownOfBlocks } from "./blocks.ts";
import { linkOf, markdownOf, type SlackNames, unescaped } from "./mrkdwn.ts";

const CARDS_MAX = 20;
const FIELDS_MAX = 50;

/** Rich text says more than mrkdwn, where both are there. */
export function textOf(message: SlackMessage, names: SlackNames): string {
  const { subtype, text = "", blocks } = message;
  if (subtype === "tombstone") return "*This message was deleted.*";
  const shown = blocks?.length ? markdownOfBlocks(blocks, names) : "";
  const content = shown || markdownOf(typeof text === "string" ? text : "", names);
  return subtype === "me_message" ? `/me ${content}` : content;
}

/** Cards below a message; a preview of a link that the message has is left out. */
export function cardsOf({ attachments, text = "" }: SlackMessage, names: SlackNames): string {
  const cards = (attachments ?? []).slice(0, CARDS_MAX).filter(({ from_url }) => {
    return !from_url || !String(text).includes(from_url);
  });
  return cards.map((card) => cardOf(card, names)).join("\n\n");
}

function cardOf(card: SlackCard, names: SlackNames): string {
  const { pretext, title, title_link, text, author_name, image_url, fallback } = card;
  const lines: string[] = [];
  if (author_name) lines.push(unescaped(author_name));
  if (title) lines.push(`**${title_link ? linkOf(title_link, title) : unescaped(title)}**`);
  if (text) lines.push(markdownOf(text, names));
  for (const field of (card.fields ?? []).slice(0, FIELDS_MAX)) {
    lines.push(`**${unescaped(field.title ?? "")}**: ${markdownOf(field.value ?? "", names)}`);
  }
  if (card.blocks?.length) lines.push(markdownOfBlocks(card.blocks, names));
  if (image_url) lines.push(linkOf(image_url, title || "image"));
  if (lines.length === 0 && fallback) lines.push(markdownOf(fallback, names));
  const body = lines.filter((line) => line.trim() !== "").join("\n");
  const quoted = body === "" ? "" : `\`\`\`\`quote\n${body}\n\`\`\`\``;
  return [pretext ? markdownOf(pretext, names) : "", quoted].filter(Boolean).join("\n");
}

/** The text in place of a file that is not in the archive. */
export function absentFile({ name, title, size }: SlackFile): string {
  const shown = (name || title || "file").replaceAll(/[`\n]/g, "").slice(0, 100);
  const kib = Number(size) > 0 ? `, ${Math.ceil(Number(size) / 1024)} KiB` : "";
  return `\`${shown}\` (file${kib}, not available)`;
}

/** Parts at ends of lines where there are some; nothing is cut off. */
export function inParts(content: string): string[] {
  const parts: string[] = [];
  let rest = [...content];
  while (rest.length > MESSAGE_LENGTH_MAX) {
    const line = rest.lastIndexOf("\n", MESSAGE_LENGTH_MAX - 1);
    const end = line > MESSAGE_LENGTH_MAX / 2 ? line : MESSAGE_LENGTH_MAX;
    parts.push(rest.slice(0, end).join(""));
    rest = rest.slice(end);
  }
  parts.push(rest.join(""));
  return parts.filter((part) => part.trim() !== "");
}
