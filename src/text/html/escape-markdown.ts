// Escapes text, so that the renderer displays its characters instead of markup.
import { emojiCode } from "../emoji.ts";

const ADDRESS = /(https?:\/\/[^\s<>]+)/;
/** Characters that are, or may be, the start or the end of inline markup. */
const INLINE = /&(?=#?\w{1,32};)|`|\*(?=\S)|(?<=\S)\*|~(?=~)|\$(?=\$)|<(?=time:)|(?<=\])\(/g;
/**
 * Characters that start a block: headings, quotes, tables, rules and commands. List markers are not
 * escaped, because a list looks the same as its lines.
 */
const BLOCK =
  /(?<=^ {0,3})(?:#(?=#{0,5}\s)|>|\||\+(?=\s)|[-_](?=[-_|: ]{2,}$)|\/(?=(?:me|poll|todo)\b))/gm;
/** The renderer displays indented lines as code. */
const INDENTED = /^(?: {4,}|\t)[ \t]*/gm;
const EMOJI = /:(?=([a-z0-9_+-]{1,40}):)/g;
const ESCAPE = /\\([!-/:-@[-`{-~])/g;
const NO_BREAK_SPACE = "\u00a0";

/** Addresses stay as they are, because the renderer finds no markup in them. */
export function escapeMarkdown(text: string, isLineStart = true): string {
  if (!/[&`*~$<#>|+_/:\t-]| {4}|\]\(/.test(text)) return text;
  return text
    .split(ADDRESS)
    .map((part, index) => {
      if (index % 2 === 1) return part;
      const inline = part.replaceAll(INLINE, entityOf);
      return index === 0 && !isLineStart ? afterFirstLine(inline) : blocksEscaped(inline);
    })
    .join("");
}

function afterFirstLine(text: string): string {
  const line = text.indexOf("\n");
  return line < 0 ? text : text.slice(0, line + 1) + blocksEscaped(text.slice(line + 1));
}

const blocksEscaped = (text: string) =>
  text
    .replaceAll(BLOCK, entityOf)
    .replaceAll(INDENTED, (space) =>
      space.replaceAll("\t", "    ").replaceAll(" ", NO_BREAK_SPACE),
    );

/** Escapes names of emoji, for products in which a name between colons is only text. */
export const escapeEmojiNames = (text: string) =>
  text.replaceAll(EMOJI, (colon, name: string) => (emojiCode(name) ? entityOf(colon) : colon));

/** Escapes brackets in the text of a link. */
export const escapeBrackets = (label: string) => label.replaceAll(/[[\]]/g, entityOf);

/** Replaces the backslash escapes of other Markdown dialects, which the renderer does not know. */
export function withEntities(text: string): string {
  if (!text.includes("\\")) return text;
  const parts = text.split(ADDRESS).map((part, index) => {
    return part.replaceAll(ESCAPE, (_escape, mark: string) => (index % 2 ? mark : entityOf(mark)));
  });
  return parts.join("");
}

const entityOf = (character: string) => `&#${character.charCodeAt(0)};`;

/** The text with entities instead of its characters, which must be ASCII. */
export const asEntities = (text: string) => text.replaceAll(/./g, entityOf);
