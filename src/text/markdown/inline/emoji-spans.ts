// Emoji: by name, as emoticon, and as the characters themselves.
import { ownValue } from "../../input/own-value.ts";
import { EMOJI_SEQUENCE, emojiCode, emojiName, emojiOf } from "../../emoji.ts";
import { EXTRA_EMOJI_NAME, EXTRA_EMOJI_URL } from "../../extra-emoji.ts";
import { element } from "../tree.ts";
import type { Element, Node } from "../tree.ts";
import type { Passage } from "./patterns.ts";

export function customAndNamedEmoji(text: string, context: Passage): string {
  if (!text.includes(":")) return text;
  return text.replace(/:([\p{L}\p{N}_\-+]+):/gu, (match, name: string) => {
    const node = emojiNamed(name, context);
    return node === undefined ? match : context.placeholderFor(node);
  });
}

function emojiNamed(name: string, { context }: Passage): Element | undefined {
  const custom = context.customEmoji(name);
  if (custom !== undefined) return picture(custom.name, custom.source_url);
  if (name === EXTRA_EMOJI_NAME) return picture(name, EXTRA_EMOJI_URL);
  const code = emojiCode(name);
  return code === undefined ? undefined : span(name, code);
}

function picture(name: string, src: string): Element {
  const title = name.replaceAll("_", " ");
  return element("img", { alt: `:${name}:`, class: "emoji", src, title });
}

function span(name: string, code: string): Element {
  const title = name.replaceAll("_", " ");
  const attributes = { "aria-label": title, class: `emoji emoji-${code}`, role: "img", title };
  return element("span", attributes, [`:${name}:`]);
}

const EMOTICONS: Readonly<Record<string, string>> = {
  ":)": "slight_smile",
  "(:": "slight_smile",
  ":(": "frown",
  "<3": "heart",
  ":|": "neutral",
  ":/": "confused",
  ";)": "wink",
  ":D": "smile",
  ":o": "open_mouth",
  ":O": "open_mouth",
  ":p": "stuck_out_tongue",
  ":P": "stuck_out_tongue",
};
const EMOTICON = /(?<![^ \t\n,.;?!()[\]"'])(?::[()|/DoOpP]|\(:|<3|;\))(?![^ \t\n,.;?!()[\]"'])/g;

export function emoticons(text: string, context: Passage): string {
  if (!context.context.translate_emoticons || !/[:;<]/.test(text)) return text;
  return text.replace(EMOTICON, (character) => {
    const name = ownValue(EMOTICONS, character)!;
    return context.placeholderFor(span(name, emojiCode(name)!));
  });
}

/** U+203C to U+3299, and characters from U+1F000 on, which begin with one of four surrogates. */
const POSSIBLE_EMOJI = /[\u203c-\u3299\ud83c-\ud83f]/;

/** A sequence that is not in the table stays unchanged as a whole. */
export function withLiteralEmoji(text: string): Node[] {
  if (!POSSIBLE_EMOJI.test(text)) return [text];
  const nodes: Node[] = [];
  let start = 0;
  for (const { 0: sequence, index } of text.matchAll(EMOJI_SEQUENCE)) {
    const code = emojiOf(sequence);
    if (code === undefined) continue;
    if (index > start) nodes.push(text.slice(start, index));
    nodes.push(span(emojiName(code)!, code));
    start = index + sequence.length;
  }
  if (start < text.length) nodes.push(text.slice(start));
  return nodes;
}
