// Converts quotes and cards of Rocket.Chat messages to Markdown.
import { markdownOfCard } from "../source/cards.ts";
import type { RocketCard } from "./shapes.ts";

const CARDS_MAX = 20;

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
  return markdownOfCard(card, markdown, cardsOf(card.attachments ?? [], markdown, true));
}
