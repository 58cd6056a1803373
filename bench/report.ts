// Prints the results on the terminal, and writes them to the table in docs/performance.md.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { commitNow, CURRENT } from "../test/measured.ts";
import type { Line } from "./row.ts";

const PAGE = join(import.meta.dir, "../docs/performance.md");
const BEGIN = "<!-- results -->";
const END = "<!-- end of results -->";
const HEAD = [
  "what",
  "goal",
  "result",
  "spread",
  "Skein",
  "against",
  "",
  "measured",
  "commit",
  "state",
];
const COMPARISON_BEGIN = "<!-- against -->";
const COMPARISON_END = "<!-- end of against -->";
const GIGABYTE = 2 ** 30;

export function formatLines(lines: readonly Line[]): string {
  return lines
    .map(({ label, goal, result, spread, candidate, baseline, isMet }) => {
      const against = baseline === "" ? "" : ` (${candidate} against ${baseline})`;
      const verdict = isMet ? "met   " : "MISSED";
      return `${verdict} ${label}: ${result}, goal ${goal}, ${spread}${against}`;
    })
    .join("\n");
}

/** Updates these lines of the table; other lines stay unchanged. */
export function record(lines: readonly Line[]): void {
  const page = readFileSync(PAGE, "utf8");
  const from = page.indexOf(BEGIN) + BEGIN.length;
  const to = page.indexOf(END);
  if (to < from) throw new Error(`${PAGE} has no place for the results`);
  const references = new Map<string, string>();
  for (const line of page.slice(from, to).split("\n")) {
    const isRow = line.startsWith("| ") && !/^\| (what|-+) /.test(line);
    if (isRow) references.set(firstCell(line), line);
  }
  for (const line of lines) references.set(line.label, rowOf(line));
  const table = tableOf(HEAD, [...references.values()]);
  write(`${page.slice(0, from)}\n${machine()}\n\n${table}\n${page.slice(to)}`);
}

/** Replaces the table of the last comparison of two builds. */
export function recordAgainst(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const page = readFileSync(PAGE, "utf8");
  const from = page.indexOf(COMPARISON_BEGIN) + COMPARISON_BEGIN.length;
  const to = page.indexOf(COMPARISON_END);
  if (to < from) throw new Error(`${PAGE} has no place for a comparison`);
  const table = tableOf(
    head,
    rows.map((cells) => `| ${cells.join(" | ")} |`),
  );
  const date = new Date().toISOString().slice(0, 10);
  const text = `${title}, ${date}. ${machine()}\n\n${table}`;
  write(`${page.slice(0, from)}\n${text}\n${page.slice(to)}`);
}

function tableOf(head: readonly string[], rows: readonly string[]): string {
  return [`| ${head.join(" | ")} |`, `|${head.map(() => "---|").join("")}`, ...rows].join("\n");
}

/** The format check requires aligned tables. */
function write(text: string): void {
  writeFileSync(PAGE, text);
  Bun.spawnSync([process.execPath, "fmt", "--no-script", PAGE]);
}

function rowOf({ label, goal, result, spread, candidate, baseline, isMet }: Line): string {
  const date = new Date().toISOString().slice(0, 10);
  const verdict = isMet ? "met" : "**missed**";
  const measured = [verdict, date, commitNow(), CURRENT];
  return `| ${[label, goal, result, spread, candidate, baseline, ...measured].join(" | ")} |`;
}

function firstCell(line: string): string {
  return line.split("|")[1]!.trim();
}

/** Describes the machine's relevant properties without identifying it. */
function machine(): string {
  const memory = Math.round(totalmem() / GIGABYTE);
  const { platform, arch } = process;
  return (
    `Measured on ${platform} ${arch}, ${cpus().length} virtual processors, shared with ` +
    `other work, ${memory} GB of memory, Bun ${Bun.version}.`
  );
}
