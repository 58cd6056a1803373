// Renders fenced and indented code blocks.
import { colored } from "./highlight.ts";
import type { ColorBudget } from "./highlight.ts";
import { languageName } from "./languages.ts";
import { escapeQuotes } from "./serialize.ts";
import { element, literal } from "./tree.ts";
import type { Attributes, Element, Node } from "./tree.ts";

/** `language` is the tag in lower case; "" if there is none. */
export function codeBlock(
  lines: readonly string[],
  language: string,
  budget: ColorBudget,
): Element {
  const text = textOf(lines);
  if (language === "") {
    const code = colored(text, languageName(languageIn(text)), budget);
    return code ? blockOf(code) : plainCode(lines);
  }
  const name = languageName(language);
  return blockOf(colored(text, name, budget) ?? [literal(text)], { "data-code-language": name });
}

/** Returns the language of a "#!/usr/bin/python" line; "" if there is none. */
function languageIn(text: string): string {
  return /^(?:::+|#!)(?:(?:\/\w+)*[/ ])?([\w#.+-]*)/.exec(text)?.[1]!.toLowerCase() ?? "";
}

export function plainCode(lines: readonly string[]): Element {
  return blockOf([{ html: escapeQuotes(textOf(lines), "&#39;") }]);
}

function blockOf(code: Node[], language: Attributes = {}): Element {
  return element("div", { class: "codehilite", ...language }, [
    element("pre", {}, [element("span"), element("code", {}, code)]),
  ]);
}

function textOf(lines: readonly string[]): string {
  return `${withoutBlankEdges(lines).join("\n")}\n`;
}

function withoutBlankEdges(lines: readonly string[]): readonly string[] {
  let start = 0;
  let end = lines.length;
  while (start < end && lines[start]!.trim() === "") start++;
  while (end > start && lines[end - 1]!.trim() === "") end--;
  return lines.slice(start, end);
}
