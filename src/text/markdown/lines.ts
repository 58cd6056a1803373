// Splits a message into normalized lines.

/** Converts tabs to spaces, empties lines of white space, and removes control characters. */
export function linesOf(content: string): string[] {
  let text = content;
  if (text.includes("\r")) text = text.replace(/\r\n?/g, "\n");
  if (text.includes("\u0002") || text.includes("\u0003"))
    text = text.replace(/[\u0002\u0003]/g, "");
  if (!text.includes("\n") && !text.includes("\t")) return [text];
  return text.split("\n").map((line) => {
    if (line.includes("\t")) line = withSpaces(line);
    return line.charCodeAt(0) === 32 && line.trim() === "" ? "" : line;
  });
}

const TAB_COLUMNS = 4;

function withSpaces(line: string): string {
  let text = "";
  let column = 0;
  for (const character of line) {
    if (character !== "\t") {
      text += character;
      column++;
      continue;
    }
    const width = TAB_COLUMNS - (column % TAB_COLUMNS);
    text += " ".repeat(width);
    column += width;
  }
  return text;
}

const LIST_LINE = /^ *([*+-]|[0-9]\.) /;

/** Inserts an empty line between text and a list that directly follows it. */
export function withHangingLists(lines: readonly string[]): readonly string[] {
  if (lines.length < 2) return lines;
  const continuation: string[] = [];
  let before: string | undefined;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const marker = LIST_LINE.exec(line)?.[1];
    const differs = before === undefined || (before.length === 1) !== (marker?.length === 1);
    if (marker !== undefined && i > 0 && lines[i - 1] !== "" && differs) continuation.push("");
    continuation.push(line);
    before = marker;
  }
  return continuation;
}
