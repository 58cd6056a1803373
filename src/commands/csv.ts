// Parses CSV as spreadsheets write it, with commas or semicolons and quoted cells.

/** Returns rows of cells, without empty lines. @throws if a quote is not closed */
export function rowsIn(given: string): string[][] {
  const text = given.replace(/^\ufeff/, "");
  const separator = /^[^"\n]*;/.test(text) && !/^[^"\n]*,/.test(text) ? ";" : ",";
  const rows: string[][] = [];
  let row: string[] = [];
  let index = 0;
  while (index < text.length) {
    const cell =
      text[index] === '"' ? quotedCell(text, index) : unquotedCell(text, index, separator);
    row.push(cell.value);
    index = cell.end;
    const character = text[index];
    if (
      character !== undefined &&
      character !== separator &&
      character !== "\n" &&
      character !== "\r"
    ) {
      throw new Error(`row ${rows.length + 1}: text after a closing quote`);
    }
    if (character === separator) {
      index += 1;
      if (index < text.length) continue;
      row.push("");
    }
    index += text.startsWith("\r\n", index) ? 2 : 1;
    rows.push(row);
    row = [];
  }
  return rows.filter((cells) => cells.some((cell) => cell.trim() !== ""));
}

interface Cell {
  value: string;
  /** Index after the cell. */
  end: number;
}

function unquotedCell(text: string, start: number, separator: string): Cell {
  let end = start;
  while (end < text.length && !`${separator}\r\n`.includes(text[end]!)) end++;
  return { value: text.slice(start, end).trim(), end };
}

/** A quote inside a quoted cell is doubled. */
function quotedCell(text: string, start: number): Cell {
  let value = "";
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) throw new Error("a quote is not closed");
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    from = quote + 2;
  }
}
