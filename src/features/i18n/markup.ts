// Builds HTML from parts and escapes everything that is not HTML already.
import { ownValue } from "../../text/input/own-value.ts";

/** Text that is already HTML; every other value is escaped. */
export class Html {
  constructor(readonly text: string) {}
}

export type Part = string | number | Html | readonly Html[];

/**
 * A template tag: escapes the values in `${…}` unless they come from this template. Not called
 * `html`, because formatters would change the content of such templates.
 */
export function markup(fixed: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(fixed.reduce((text, piece, index) => text + textOf(parts[index - 1]!) + piece));
}

/** Concatenates the parts. */
export const joinMarkup = (parts: readonly Part[]): Html => new Html(parts.map(textOf).join(""));

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map((item) => item.text).join("");
  return String(part).replace(/[&<>"']/g, (character) => ownValue(ENTITIES, character)!);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
