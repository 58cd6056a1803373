// The results: as lines on the terminal, and as the table in docs/performance.md.
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
const GIGABYTE = 2 ** 30;

export function printed(lines: readonly Line[]): string {
  return lines
    .map(({ what, goal, result, spread, ours, theirs, isMet }) => {
      const against = theirs === "" ? "" : ` (${ours} against ${theirs})`;
      return `${isMet ? "met   " : "MISSED"} ${what}: ${result}, goal ${goal}, ${spread}${against}`;
    })
    .join("\n");
}

/** Puts the lines in the table: those of other rows stay as they were. */
export function record(lines: readonly Line[]): void {
  const page = readFileSync(PAGE, "utf8");
  const from = page.indexOf(BEGIN) + BEGIN.length;
  const to = page.indexOf(END);
  if (to < from) throw new Error(`${PAGE} has no place for the results`);
  const kept = new Map<string, string>();
  for (const line of page.slice(from, to).split("\n")) {
    const isRow = line.startsWith("| ") && !/^\| (what|-+) /.test(line);
    if (isRow) kept.set(firstCell(line), line);
  }
  for (const line of lines) kept.set(line.what, rowOf(line));
  const rule = `|${HEAD.map(() => "---|").join("")}`;
  const table = [`| ${HEAD.join(" | ")} |`, rule, ...kept.values()].join("\n");
  const text = `${page.slice(0, from)}\n${machine()}\n\n${table}\n${page.slice(to)}`;
  writeFileSync(PAGE, text);
  // The check wants the columns of a table to be in line.
  Bun.spawnSync([process.execPath, "fmt", "--no-script", PAGE]);
}

function rowOf({ what, goal, result, spread, ours, theirs, isMet }: Line): string {
  const date = new Date().toISOString().slice(0, 10);
  const verdict = isMet ? "met" : "**missed**";
  const measured = [verdict, date, commitNow(), CURRENT];
  return `| ${[what, goal, result, spread, ours, theirs, ...measured].join(" | ")} |`;
}

function firstCell(line: string): string {
  return line.split("|")[1]!.trim();
}

/** In neutral words: what matters for the numbers, and nothing that names the machine. */
function machine(): string {
  const memory = Math.round(totalmem() / GIGABYTE);
  const { platform, arch } = process;
  return (
    `Measured on ${platform} ${arch}, ${cpus().length} virtual processors, shared with ` +
    `other work, ${memory} GB of memory, Bun ${Bun.version}.`
  );
}
