// Renders the source of a message into HTML.
import type { LinkedPage } from "../linked-page.ts";
import { parseDocument } from "./fences.ts";
import { Findings } from "./findings.ts";
import { COLOURED_CHARACTERS_MAX } from "./highlight.ts";
import { inlineBlocks } from "./inline.ts";
import { linesOf } from "./lines.ts";
import { MATH_CHARACTERS_MAX } from "./math.ts";
import { placePreviews } from "./previews.ts";
import { serialize } from "./serialize.ts";

/** What the renderer must know; all of it as the author may see it. */
export interface RenderContext {
  /** Without a slash at the end. */
  realm_url: string;
  /** "" for none. */
  default_code_block_language: string;
  translate_emoticons: boolean;
  inline_image_preview: boolean;
  linkifiers: readonly Linkifier[];
  /** Undefined: unknown, or hidden from the author. */
  userById(user_id: number): MentionedUser | undefined;
  /** Whatever the case of the name. */
  usersByName(name: string): readonly MentionedUser[];
  groupByName(name: string): MentionedGroup | undefined;
  /** By the exact name, and only when the author may read its messages. */
  channelByName(name: string): { stream_id: number; name: string } | undefined;
  /** The newest message that the author may read. */
  newestInTopic(stream_id: number, topic: string): number | undefined;
  /** Active ones. */
  customEmoji(name: string): { id: string; name: string; source_url: string } | undefined;
  upload(path_id: string): UploadInfo | undefined;
  /** What a page elsewhere shows of itself, if it is known; without it, none is previewed. */
  page?: (url: string) => LinkedPage | undefined;
}

export interface MentionedUser {
  user_id: number;
  full_name: string;
  is_active: boolean;
}

export interface MentionedGroup {
  id: number;
  name: string;
  display_name: string;
  deactivated: boolean;
}

export interface Linkifier {
  pattern: string;
  url_template: string;
}

export interface UploadInfo {
  content_type: string;
  /** Present for a valid image. */
  image?: UploadedImage;
}

export interface UploadedImage {
  width: number;
  height: number;
  animated: boolean;
  /** Thumbnails exist. */
  ready: boolean;
  /** Browsers cannot show the original. */
  transcoded: boolean;
}

export interface Rendered {
  html: string;
  /** Loud, active, outside quotes; each once. */
  mentioned_user_ids: number[];
  mentioned_group_ids: number[];
  stream_wildcard: boolean;
  topic_wildcard: boolean;
  has_link: boolean;
  has_image: boolean;
  /** Of links to this realm's own uploads, each once. */
  upload_path_ids: string[];
  /** Of pages elsewhere, outside quotes, that could have a preview and have none. */
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
  const colours = { characters: COLOURED_CHARACTERS_MAX };
  const blocks = parseDocument(source, { default_language, math, colours });
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
