// Ends quotes and lists at the first line without a mark, as most other products do.
import { OpenFences } from "./open-fences.ts";

const QUOTE = /^ {0,3}> ?/;
const QUOTES_NESTED_MAX = 20;
const LIST = /^ *(?:[*+-]|\d{1,9}\.) /;

interface Line {
  /** The number of quotes around it. */
  readonly depth: number;
  /** A list item, or a line that is indented below one. */
  readonly isItem: boolean;
  readonly isEmpty: boolean;
}

const NO_LINE: Line = { depth: 0, isItem: false, isEmpty: true };

function lineOf(text: string, previous: Line): Line {
  let rest = text;
  let depth = 0;
  while (depth < QUOTES_NESTED_MAX && QUOTE.test(rest)) {
    rest = rest.replace(QUOTE, "");
    depth += 1;
  }
  const isEmpty = rest.trim() === "";
  const isItem = LIST.test(rest) || (previous.isItem && !isEmpty && rest.startsWith(" "));
  return { depth, isItem, isEmpty };
}

/** Inserts empty lines, because the renderer otherwise continues a quote or a list item. */
export function withSeparateBlocks(markdown: string): string {
  const fences = new OpenFences();
  const output: string[] = [];
  let previous = NO_LINE;
  for (const text of markdown.split("\n")) {
    const isText = fences.read(text) === "text";
    const line = isText ? lineOf(text, previous) : NO_LINE;
    const endsQuote = line.depth < previous.depth;
    const endsList = previous.isItem && !line.isItem;
    const isNeeded = text !== "" && isText && (endsQuote || endsList);
    if (isNeeded && !line.isEmpty) output.push(">".repeat(Math.min(line.depth, previous.depth)));
    output.push(text);
    previous = line;
  }
  return output.join("\n");
}

/** Puts texts below each other, so that none continues the quote or list before it. */
export function joinTexts(texts: readonly string[]): string {
  const shown = texts.filter((text) => text.trim() !== "");
  return shown
    .map((text, index) => {
      if (index === shown.length - 1) return text;
      const { depth, isItem } = lineOf(text.slice(text.lastIndexOf("\n") + 1), NO_LINE);
      return depth > 0 || isItem || /\n +\S[^\n]*$/.test(text.slice(-1_000)) ? `${text}\n` : text;
    })
    .join("\n");
}
