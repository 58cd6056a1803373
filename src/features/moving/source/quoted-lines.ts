// Converts the quoted lines of a text apart from the others: code in a quote has marks, too.
import { fenced } from "../../../text/markdown/make-fence.ts";
import { OpenFences } from "./open-fences.ts";
import { withSeparateBlocks } from "./separate-blocks.ts";

/** Quotes may contain code. */
const FENCE_LENGTH_MIN = 4;

interface QuoteMarks {
  /** Matches the mark at the start of a quoted line. */
  readonly line: RegExp;
  /** Matches the mark before a quote that extends to the end of the message. */
  readonly rest?: RegExp;
}

export function convertQuotes(
  text: string,
  { line: mark, rest }: QuoteMarks,
  convert: (part: string) => string,
): string {
  const lines = text.split("\n");
  const lastFence = lines.findLastIndex((line) => line.includes("```"));
  const output: string[] = [];
  let part: string[] = [];
  let isQuoted = false;
  let isCode = false;
  const endPart = () => {
    const converted = part.length === 0 ? [] : [convert(part.join("\n"))];
    output.push(...(isQuoted ? converted.map(quoteOf) : converted));
    part = [];
  };
  for (const [index, line] of lines.entries()) {
    if (!isCode && rest?.test(line)) {
      endPart();
      const quoted = [line.replace(rest, ""), ...lines.slice(index + 1)].join("\n");
      output.push(fenced("quote", convert(quoted), FENCE_LENGTH_MIN));
      return withSeparateBlocks(output.join("\n"));
    }
    const isMarked = !isCode && mark.test(line);
    if (isMarked !== isQuoted) endPart();
    isQuoted = isMarked;
    part.push(isMarked ? line.replace(mark, "") : line);
    const hasFence = !isMarked && line.split("```").length % 2 === 0;
    if (hasFence) isCode = !isCode && lastFence > index;
  }
  endPart();
  return withSeparateBlocks(output.join("\n"));
}

/** Code is found only at the start of a line, so a quote that contains it gets a fence. */
function quoteOf(markdown: string): string {
  const fences = new OpenFences();
  const lines = markdown.split("\n");
  if (lines.some((line) => fences.read(line) !== "text")) {
    return fenced("quote", markdown.trim(), FENCE_LENGTH_MIN);
  }
  return lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n");
}
