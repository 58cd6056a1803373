// Converts the text of blocks to inline elements by patterns in a fixed order.
import { inlineMath } from "../math.ts";
import { element, isElement } from "../tree.ts";
import type { Node } from "../tree.ts";
import { autolinks } from "./autolinks.ts";
import { channelLinks } from "./channel-links.ts";
import { codeSpans } from "./code-spans.ts";
import { customAndNamedEmoji, emoticons, withLiteralEmoji } from "./emoji-spans.ts";
import { linkifierLinks } from "./linkifier-links.ts";
import { links } from "./links.ts";
import { groupMentions, userMentions } from "./mentions.ts";
import { hasMark, markOf, type Passage, type Pattern, restored, type Scope } from "./patterns.ts";
import { times } from "./times.ts";

export function inlineBlocks(blocks: readonly Node[], scope: Scope, quoted = false) {
  for (const block of blocks) {
    if (!isElement(block) || block.tag === "pre") continue;
    const inQuote = quoted || block.tag === "blockquote";
    const { children } = block;
    if (children.length === 1 && typeof children[0] === "string") {
      block.children = parseInline(children[0], scope, inQuote);
    } else if (children.some((child) => typeof child === "string")) {
      block.children = children.flatMap((child) => {
        if (typeof child === "string") return parseTail(child, scope, inQuote);
        inlineBlocks([child], scope, inQuote);
        return [child];
      });
    } else {
      inlineBlocks(children, scope, inQuote);
    }
  }
}

/** Text after a block starts on a new line anyway. */
function parseTail(text: string, scope: Scope, quoted: boolean): Node[] {
  if (!text.startsWith("\n")) return parseInline(text, scope, quoted);
  return ["\n", ...parseInline(text.slice(1), scope, quoted)];
}

const PATTERNS: readonly Pattern[] = [
  codeSpans,
  strongEmphasis,
  userMentions,
  math,
  channelLinks,
  times,
  groupMentions,
  links,
  autolinks,
  linkifierLinks,
  strong,
  emphasis,
  parseStrike,
  customAndNamedEmoji,
  emoticons,
];

function parseInline(text: string, scope: Scope, quoted: boolean): Node[] {
  const placeholders: Node[] = [];
  let next = 0;
  const context: Passage = {
    ...scope,
    quoted,
    placeholderFor: (node) => markOf(placeholders.push(node) - 1),
    restore: (part) => restored(part, placeholders, (text) => [text]),
    nested(part) {
      const resumeAt = next;
      const nodes = read(part);
      next = resumeAt;
      return nodes;
    },
  };

  function read(part: string): Node[] {
    while (next < PATTERNS.length) part = PATTERNS[next++]!(part, context);
    return restored(part, placeholders, withBreaks);
  }

  return read(text);
}

function withBreaks(text: string): Node[] {
  if (!text.includes("\n")) return withLiteralEmoji(text);
  const nodes: Node[] = [];
  text.split("\n").forEach((line, i) => {
    if (i > 0) nodes.push(element("br"), "\n");
    if (line !== "") nodes.push(...withLiteralEmoji(line));
  });
  return nodes;
}

function strongEmphasis(text: string, context: Passage): string {
  if (!text.includes("***")) return text;
  return text.replace(/\*\*\*(?!\s)([^*\n]+)(?<!\s)\*\*\*/g, (_, inner: string) =>
    context.placeholderFor(element("strong", {}, [element("em", {}, context.nested(inner))])),
  );
}

function math(text: string, context: Passage): string {
  if (!text.includes("$$")) return text;
  return text.replace(
    /(?<![\p{L}\p{N}_$])\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?![\p{L}\p{N}_$])/gu,
    (match, source: string) =>
      hasMark(source) ? match : context.placeholderFor(inlineMath(source, context.math)),
  );
}

const STRONG = /\*\*([^\n]+?)\*\*/g;
const EMPHASIS = /\*(?!\s)([^*\n]+)(?<!\s)\*/g;
const STRIKETHROUGH = /(?<!~)~~([^~\n]+)~~(?!~)/g;

function strong(text: string, context: Passage): string {
  return nesting(text, context, "**", STRONG, "strong");
}

function emphasis(text: string, context: Passage): string {
  return nesting(text, context, "*", EMPHASIS, "em");
}

function parseStrike(text: string, context: Passage): string {
  return nesting(text, context, "~~", STRIKETHROUGH, "del");
}

function nesting(text: string, context: Passage, character: string, pattern: RegExp, tag: string) {
  if (!text.includes(character)) return text;
  return text.replace(pattern, (_, inner: string) =>
    context.placeholderFor(element(tag, {}, context.nested(inner))),
  );
}
