// Converts quotes and cards of Rocket.Chat messages to Markdown.
import { fenced } from "../../../text/markdown/make-fence.ts";
import { fieldOf, linkOf } from "../source/mrkdwn.ts";
import type { RocketCard } from "./shapes.ts";

const CARDS_MAX = 20;
const FIELDS_MAX = 50;
/** Quotes may contain quotes and code. */
const FENCE_LENGTH_MIN = 4;

/**
 * If `areQuotes`, converts only quoted messages, which precede the text; otherwise all other cards.
 */
export function cardsOf(
  cards: readonly RocketCard[],
  markdown: (text: string) => string,
  areQuotes = false,
): string[] {
  return cards
    .slice(0, CARDS_MAX)
    .filter(({ message_link }) => (message_link !== undefined) === areQuotes)
    .map((card) => (card.type === "file" ? captionOf(card, markdown) : cardOf(card, markdown)));
}

/** The file itself is imported as an upload. */
const captionOf = ({ description = "" }: RocketCard, markdown: (text: string) => string) =>
  markdown(description);

function cardOf(card: RocketCard, markdown: (text: string) => string): string {
  const { author_name, title, title_link, text, fields = [], image_url, attachments = [] } = card;
  const link = title_link && /^https?:/.test(title_link) ? title_link : undefined;
  const lines = [
    author_name ?? "",
    title ? `**${link ? linkOf(link, title) : title}**` : "",
    ...cardsOf(attachments, markdown, true),
    markdown(text ?? ""),
    ...fields.slice(0, FIELDS_MAX).map(({ title: name = "", value = "" }) => {
      return fieldOf(name, markdown(value));
    }),
    image_url && /^https?:/.test(image_url) ? linkOf(image_url, title || "image") : "",
  ];
  const body = lines.filter((line) => line.trim() !== "").join("\n");
  const pretext = markdown(card.pretext ?? "");
  const quoted = body === "" ? "" : fenced("quote", body, FENCE_LENGTH_MIN);
  return [pretext, quoted].filter((part) => part !== "").join("\n");
}
