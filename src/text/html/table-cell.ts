// Writes text into a cell of a table, in which a pipe would end the cell.

const TOKEN = /`+|https?:\/\/[^\s<>`]+|\\?\|/g;

/**
 * Escapes the pipes of a text. Code keeps them, because a pipe in code does not end a cell, and
 * entities are not decoded in it.
 */
const escapePipes = (text: string) => withPipes(text, "|", "&#124;");

/** Replaces the escaped pipes of a row, which other dialects of Markdown know. */
export const withoutEscapedPipes = (row: string) => withPipes(row, "\\|", "&#124;");

/** The text of a cell in one line. */
export const tableCell = (text: string) =>
  escapePipes(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .join(" "),
  );

function withPipes(text: string, pipe: "|" | "\\|", entity: string): string {
  if (!text.includes(pipe)) return text;
  const lastRuns = new Map<number, number>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) lastRuns.set(run.length, index);
  let code = 0;
  return text.replaceAll(TOKEN, (token, at: number) => {
    if (token.startsWith("`")) {
      if (code === token.length) code = 0;
      else if (code === 0 && lastRuns.get(token.length)! > at) code = token.length;
      return token;
    }
    if (code > 0) return pipe === "|" ? token : token.replaceAll(pipe, "|");
    if (token.startsWith("http")) return token.replaceAll(pipe, "%7C");
    return pipe === "|" ? token.replace("|", entity) : token.replace("\\|", entity);
  });
}
