// Converts Slack's table block to a Markdown table.
import { type Fields, isFields, textIn } from "../untrusted-json.ts";
import { plainMarkdown } from "./plain.ts";
import { richText } from "./rich-text.ts";

/** Slack allows 100 rows of 20 cells. */
const ROWS_MAX = 200;
const CELLS_MAX = 40;

const RULES = new Map<unknown, string>([
  ["left", ":--"],
  ["center", ":-:"],
  ["right", "--:"],
]);

/** The first row becomes the header. */
export function tableOf(block: Fields): string {
  const rows = listIn(block, "rows").slice(0, ROWS_MAX).map(cellsOf);
  const width = Math.max(0, ...rows.map(({ length }) => length));
  if (width === 0) return "";
  const settings = listIn(block, "column_settings");
  const rules = Array.from({ length: width }, (_, index) => ruleOf(settings[index]));
  const [header, ...body] = rows.map((cells) =>
    Array.from({ length: width }, (_, index) => cells[index] ?? ""),
  );
  return [header!, rules, ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Slack has null for a column without settings. */
function ruleOf(setting: unknown): string {
  return (isFields(setting) && RULES.get(setting["align"])) || "---";
}

function listIn(fields: Fields, name: string): readonly unknown[] {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return Array.isArray(value) ? (value as unknown[]) : [];
}

const cellsOf = (row: unknown) =>
  Array.isArray(row) ? (row as unknown[]).slice(0, CELLS_MAX).map(cellOf) : [];

function cellOf(cell: unknown): string {
  if (!isFields(cell)) return "";
  const text = cell["type"] === "rich_text" ? richText(cell) : plainMarkdown(textIn(cell, "text"));
  const line = text.replaceAll(/\s+/g, " ").trim();
  // Entities are not decoded in code, so other escapes are used there.
  return line.replaceAll(/`[^`]*`|\|/g, (part) => (part === "|" ? "&#124;" : part));
}
