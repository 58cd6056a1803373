// Converts cards below Discord messages, and forwarded messages, to Markdown.
import { fenced } from "../../../text/markdown/make-fence.ts";
import { joinTexts } from "../source/separate-blocks.ts";
import { fieldOf, linkOf } from "../source/mrkdwn.ts";
import type { DiscordEmbed } from "./shapes.ts";

const EMBEDS_MAX = 20;
const FIELDS_MAX = 50;
/** Longer than the fences of quotes and code blocks, which quotes may contain. */
const FENCE_LENGTH_MIN = 5;

/** Omits the preview of a link that the message contains. */
export function embedsOf(
  embeds: readonly DiscordEmbed[] = [],
  content: string,
  markdown: (text: string) => string,
): string[] {
  return embeds
    .slice(0, EMBEDS_MAX)
    .filter(({ url }) => !url || !content.includes(url))
    .flatMap((embed) => {
      const lines = linesOf(embed, markdown).filter((line) => line.trim() !== "");
      return lines.length === 0 ? [] : quoteBlock(joinTexts(lines));
    });
}

export const quoteBlock = (text: string) => fenced("quote", text, FENCE_LENGTH_MIN);

function linesOf(embed: DiscordEmbed, markdown: (text: string) => string): string[] {
  const { title, url, description, author, footer, fields = [], images = [] } = embed;
  const pictures = [embed.image, ...images, embed.video].flatMap((media) => {
    return media?.canonicalUrl ?? media?.url ?? [];
  });
  const links = [...new Set(pictures)].filter((link) => /^https?:/.test(link));
  return [
    author?.name ?? "",
    title ? `**${url ? linkOf(url, title) : markdown(title)}**` : (url ?? ""),
    markdown(description ?? ""),
    ...fields.slice(0, FIELDS_MAX).map(({ name = "", value = "" }) => {
      return fieldOf(name, markdown(value));
    }),
    ...links.map((link) => linkOf(link, "image")),
    footer?.text ?? "",
  ];
}
