// Renders Markdown like the server; loaded on demand.
import { emojiData } from "../../text/emoji.ts";
import { languageTags } from "../../text/markdown/languages.ts";
import { isMeMessage, render } from "../../text/markdown/render.ts";
import type { RenderContext } from "../../text/markdown/context.ts";
import { glyphOf } from "../content/enrich.ts";

interface LocalRendering {
  html: string;
  is_me_message: boolean;
}

/** Unknown references stay as typed. */
export function renderLocally(text: string, context: RenderContext): LocalRendering {
  const { html } = render(text, context);
  return { html, is_me_message: isMeMessage(text) };
}

/** Names for suggestions, which the renderer contains and the state does not. */
export interface EmojiTables {
  readonly emoji: readonly { name: string; code: string }[];
  readonly languages: readonly string[];
  glyphOf(code: string): string;
}

/** Emoji and languages by the names that users type. */
export const tables: EmojiTables = {
  emoji: Object.entries(emojiData().code_to_names).flatMap(([code, names]) =>
    names.map((name) => ({ name, code })),
  ),
  languages: languageTags(),
  glyphOf,
};
