// Parses CSV as spreadsheets write it, with commas or semicolons and quoted cells.

/** Returns rows of cells, without empty lines. @throws if a quote is not closed */
export function rowsIn(text: string): string[][] {
  const separator = /^[^"\n]*;/.test(text) && !/^[^"\n]*,/.test(text) ? ";" : ",";
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const cell = text[at] === '"' ? quoted(text, at) : bare(text, at, separator);
    row.push(cell.value);
    at = cell.end;
    const sign = text[at];
    if (sign !== undefined && sign !== separator && sign !== "\n" && sign !== "\r") {
      throw new Error(`row ${rows.length + 1}: text after a closing quote`);
    }
    if (sign === separator) {
      at += 1;
      if (at < text.length) continue;
      row.push("");
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    rows.push(row);
    row = [];
  }
  return rows.filter((cells) => cells.some((cell) => cell.trim() !== ""));
}

interface Cell {
  value: string;
  /** End of the cell. */
  end: number;
}

function bare(text: string, start: number, separator: string): Cell {
  let end = start;
  while (end < text.length && !`${separator}\r\n`.includes(text[end]!)) end++;
  return { value: text.slice(start, end).trim(), end };
}

/** A quote inside a quoted cell is doubled. */
function quoted(text: string, start: number): Cell {
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
