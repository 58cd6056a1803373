// Converts cards of integrations to Markdown, in products whose cards contain Markdown.
import { fenced } from "../../../text/markdown/make-fence.ts";
import { joinTexts } from "./separate-blocks.ts";
import { fieldOf, linkOf } from "./mrkdwn.ts";

const FIELDS_MAX = 50;
/** Longer than the fences of quotes and code blocks, which cards may contain. */
const FENCE_LENGTH_MIN = 4;

export interface Card {
  pretext?: string;
  author_name?: string;
  title?: string;
  title_link?: string;
  text?: string;
  fields?: { title?: string; value?: unknown }[];
  image_url?: string;
  footer?: string;
  /** Plain text, for clients that do not display cards. */
  fallback?: string;
}

/** `quotes`: Markdown between the title and the text. */
export function markdownOfCard(
  card: Card,
  markdown: (text: string) => string,
  quotes: readonly string[] = [],
): string {
  const { author_name, title, title_link, text, fields = [], image_url, footer, fallback } = card;
  const link = title_link && isAddress(title_link) ? title_link : undefined;
  const lines = [
    author_name ?? "",
    title ? `**${link ? linkOf(link, title) : title}**` : "",
    ...quotes,
    markdown(text ?? ""),
    ...fields.slice(0, FIELDS_MAX).map(({ title: name = "", value }) => {
      return fieldOf(name, markdown(textOfValue(value)));
    }),
    image_url && isAddress(image_url) ? linkOf(image_url, title || "image") : "",
    footer ?? "",
  ];
  const visibleText = joinTexts(lines);
  const pretext = markdown(card.pretext ?? "");
  const body = visibleText === "" && pretext === "" ? markdown(fallback ?? "") : visibleText;
  const quoted = body === "" ? "" : fenced("quote", body, FENCE_LENGTH_MIN);
  return joinTexts([pretext, quoted]);
}

const isAddress = (url: string) => /^https?:/.test(url);

/** Integrations also send numbers and booleans. */
function textOfValue(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
