// HTML put together of parts, of which all that is no HTML already is escaped.
import { ownValue } from "../../text/input/own-value.ts";

/** Text that is HTML already; every other value is escaped. */
export class Html {
  constructor(readonly text: string) {}
}

export type Part = string | number | Html | readonly Html[];

/**
 * A template: what stands in `${…}` is escaped, unless it came from this template too.
 * It is not named after the language, for formatters would change what stands in it.
 */
export function markup(fixed: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(fixed.reduce((text, piece, at) => text + textOf(parts[at - 1]!) + piece));
}

/** Concatenates the parts. */
export const joined = (parts: readonly Part[]): Html => new Html(parts.map(textOf).join(""));

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
