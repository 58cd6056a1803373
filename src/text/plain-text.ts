// The visible text of rendered HTML.
import { ownValue } from "./input/own-value.ts";

/** Elements that do not separate words. */
export const INLINE_ELEMENTS: ReadonlySet<string> = new Set([
  "a",
  "b",
  "code",
  "del",
  "em",
  "i",
  "kbd",
  "mark",
  "s",
  "span",
  "strong",
  "u",
]);
const TAG = /<\/?([a-z0-9]*)(?:[^<>a-z0-9][^<>]*)?>/gi;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi;
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  nbsp: " ",
  quot: '"',
};

export function plainText(html: string): string {
  const text = html.replace(TAG, (_tag, name: string) => (INLINE_ELEMENTS.has(name) ? "" : " "));
  return text.includes("&") ? decoded(text) : text;
}

/** The text with entities decoded. */
export function decoded(text: string): string {
  return text.replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ownValue(NAMED_ENTITIES, name) ?? entity;
    const code = decimal === undefined ? parseInt(hex!, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}
