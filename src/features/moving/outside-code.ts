// Applies a conversion to the parts of a Markdown text that are not code.

import { asEntities } from "../../text/html/escape-markdown.ts";

const CODE = /```[^]*?```|`[^`\n]+`/g;
/** Would open a fence here: tildes, which the products do not know, or backticks without an end. */
const FENCE = /^(?:`{3,}|~{3,})/gm;

/** Blocks of code are put on lines of their own. */
export function outsideCode(text: string, convertPart: (part: string) => string): string {
  const convert = (part: string) => convertPart(part.replaceAll(FENCE, asEntities));
  const parts: string[] = [];
  const add = (part: string) => void (part !== "" && parts.push(part));
  let from = 0;
  for (const { 0: code, index } of text.matchAll(CODE)) {
    add(convert(text.slice(from, index)));
    from = index + code.length;
    if (!code.startsWith("```")) add(code);
    else {
      // Checks the last part, because joining all parts would copy the text each time.
      if (parts.length > 0 && !parts.at(-1)!.endsWith("\n")) add("\n");
      add(blockOf(code));
      if (from < text.length && text[from] !== "\n") add("\n");
    }
  }
  add(convert(text.slice(from)));
  return parts.join("");
}

/** The first line is a language only if code follows it. */
function blockOf(code: string): string {
  const inner = code.slice(3, -3);
  const [, language = "", body = inner] = /^([\w+#.-]{0,30})\n([^]*)$/.exec(inner) ?? [];
  return `\`\`\`${language}\n${body.replace(/^\n/, "").replace(/\n$/, "")}\n\`\`\``;
}
