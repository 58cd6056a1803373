// Parses tables: a header row, a delimiter row and body rows.
import { element, flow } from "./tree.ts";
import type { Attributes, Element } from "./tree.ts";

export function isTable(lines: readonly string[]): boolean {
  const [header, dashes] = lines;
  if (header === undefined || dashes === undefined) return false;
  if (!dashes.includes("-") || !/^[|:\- ]+$/.test(dashes)) return false;
  const cells = cellsOf(header);
  if (cells.length === 1 && !lines.every(hasOuterPipe)) return false;
  return cellsOf(dashes).length === cells.length;
}

function hasOuterPipe(line: string): boolean {
  const row = line.trim();
  return row.startsWith("|") || row.endsWith("|");
}

/** `isTable` must have accepted the first two lines. */
export function readTable(lines: readonly string[]): Element {
  const alignments = cellsOf(lines[1]!).map(alignmentOf);
  const body = lines.length > 2 ? lines.slice(2) : [""];
  return flow("table", {}, [
    flow("thead", {}, [rowOf(lines[0]!, "th", alignments)]),
    flow(
      "tbody",
      {},
      body.map((line) => rowOf(line, "td", alignments)),
    ),
  ]);
}

function alignmentOf(dashes: string): Attributes {
  const isLeft = dashes.startsWith(":");
  const right = dashes.endsWith(":");
  if (!isLeft && !right) return {};
  const side = isLeft && right ? "center" : isLeft ? "left" : "right";
  return { style: `text-align: ${side};` };
}

/** Each row has as many cells as the header. */
function rowOf(line: string, tag: "th" | "td", alignments: readonly Attributes[]): Element {
  const cells = cellsOf(line);
  const created = alignments.map((alignment, i) => {
    const text = cells[i] ?? "";
    return element(tag, alignment, text === "" ? [] : [text]);
  });
  return flow("tr", {}, created);
}

/** Splits at pipes, except in code and after a backslash. */
function cellsOf(line: string): string[] {
  let row = line.trim();
  if (row.startsWith("|")) row = row.slice(1);
  if (row.endsWith("|") && !row.endsWith("\\|")) row = row.slice(0, -1);
  const cells: string[] = [];
  let start = 0;
  let code = "";
  for (const { 0: mark, index } of row.matchAll(/\\\||`+|\|/g)) {
    if (mark === "|" && code === "") {
      cells.push(row.slice(start, index).trim());
      start = index + 1;
    } else if (mark.startsWith("`")) {
      if (code === "") code = closes(row, mark, index) ? mark : "";
      else if (code === mark) code = "";
    }
  }
  cells.push(row.slice(start).trim());
  return cells;
}

function closes(row: string, ticks: string, index: number): boolean {
  return row.indexOf(ticks, index + ticks.length) !== -1;
}
