// Renders the source of a message into HTML.
import type { RenderContext } from "./context.ts";
import { parseDocument } from "./fences.ts";
import { Findings } from "./findings.ts";
import { COLORED_CHARACTERS_MAX } from "./highlight.ts";
import { inlineBlocks } from "./inline/inline.ts";
import { linesOf } from "./lines.ts";
import { MATH_CHARACTERS_MAX } from "./math.ts";
import { placePreviews } from "./previews.ts";
import { serialize } from "./serialize.ts";

export interface Rendered {
  html: string;
  /** Active users who are mentioned with notification outside of quotes, each once. */
  mentioned_user_ids: number[];
  mentioned_group_ids: number[];
  stream_wildcard: boolean;
  topic_wildcard: boolean;
  has_link: boolean;
  has_image: boolean;
  /** Links to uploads of this organization, each once. */
  upload_path_ids: string[];
  /** Links outside of quotes that could have a preview. */
  preview_urls: string[];
}

export class RenderTooLarge extends Error {}

const HTML_LENGTH_MAX = 1_000_000;
const SOURCE_LENGTH_MAX = 100_000;

export function render(content: string, context: RenderContext): Rendered {
  if (content.length > SOURCE_LENGTH_MAX) throw new RenderTooLarge();
  const findings = new Findings();
  const math = { characters: MATH_CHARACTERS_MAX };
  const default_language = context.default_code_block_language;
  const source = content.trim() === "" ? [] : linesOf(content);
  const colors = { characters: COLORED_CHARACTERS_MAX };
  const blocks = parseDocument(source, { default_language, math, colors });
  inlineBlocks(blocks, { context, findings, math });
  const preview_urls = placePreviews(blocks, findings, context);

  const html = serialize(blocks);
  if (html.length > HTML_LENGTH_MAX) throw new RenderTooLarge();
  return {
    html,
    mentioned_user_ids: [...findings.users],
    mentioned_group_ids: [...findings.groups],
    stream_wildcard: findings.stream_wildcard,
    topic_wildcard: findings.topic_wildcard,
    has_link: findings.has_link,
    has_image: findings.has_image,
    upload_path_ids: [...findings.uploads],
    preview_urls,
  };
}

export function isMeMessage(content: string): boolean {
  return content.startsWith("/me ");
}
