// Converts the lines of a Markdown text, which may be rows of a table or code.
import { withoutEscapedPipes } from "../../../text/html/table-cell.ts";
import { type LineKind, OpenFences } from "./open-fences.ts";
import type { MentionNames } from "./inserted-names.ts";

/** The place of a line: text, a row of a table, code or a fence. */
type Place = LineKind | "row";

/** Marks of quotes before the text of a line. */
const QUOTES = /^[ >]*/;

export function convertLines(
  markdown: string,
  convert: (line: string, place: Place) => string,
): string {
  const fences = new OpenFences();
  const lines = markdown.split("\n");
  let isTable = false;
  return lines
    .map((line, index) => {
      const kind = fences.read(line);
      const text = line.replace(QUOTES, "");
      if (kind !== "text" || text.trim() === "") isTable = false;
      else isTable ||= text.includes("|") && isDelimiter(lines[index + 1]);
      return convert(line, isTable ? "row" : kind);
    })
    .join("\n");
}

export function isDelimiter(line = ""): boolean {
  const text = line.replace(QUOTES, "");
  return /^[|:\- ]+$/.test(text) && text.includes("-");
}

/** The pipes that other dialects of Markdown escape in tables. */
export const withPlainPipes = (markdown: string) =>
  markdown.includes("\\|")
    ? convertLines(markdown, (line, place) => (place === "row" ? withoutEscapedPipes(line) : line))
    : markdown;

/** Names that fit into a cell, in which a pipe would end it. */
export const namesInTable = ({ user, channel }: MentionNames): MentionNames => ({
  user: (id, label) => withoutPipes(user(id, label, true)),
  channel: (id, name) => withoutPipes(channel(id, name)),
});

/** A mention or link with a pipe becomes text, because entities are not decoded in its name. */
const withoutPipes = (name: string) =>
  name.includes("|") ? name.replaceAll("**", "").replaceAll("|", "&#124;") : name;
