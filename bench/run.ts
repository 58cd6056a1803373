// `bun run bench [ROW…]`: compares Skein with the minimal server, and writes docs/performance.md.
// `bun run bench --against COMMIT [ROW…]`: compares it with another commit.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rows as pairedRows } from "./against/rows.ts";
import { runAgainst } from "./against/run.ts";
import { formatLines, record } from "./report.ts";
import type { Line } from "./row.ts";
import { rows } from "./rows.ts";
import { Datasets } from "./datasets.ts";

/** Keeps the prepared data for the next run, which then starts sooner. */
const STORED = process.env["BENCH_TOWNS"];

const input = process.argv.slice(2);
const against = input[0] === "--against" ? (input[1] ?? "") : undefined;
const chosen = against === undefined ? input : input.slice(2);
const allRows = against === undefined ? rows : pairedRows;
const unknown = chosen.find((name) => !Object.hasOwn(allRows, name));
if (unknown !== undefined) {
  console.error(`there is no row ${unknown}; there are ${Object.keys(allRows).join(", ")}`);
  process.exit(2);
}
if (against !== undefined) {
  await runAgainst(against, chosen);
  process.exit();
}

const folder = STORED ?? mkdtempSync(join(tmpdir(), "skein-bench-"));
const datasets = new Datasets(folder);
const lines: Line[] = [];
const failed: string[] = [];
for (const name of chosen.length > 0 ? chosen : Object.keys(rows)) {
  const startedAt = performance.now();
  try {
    const rowLines = await rows[name]!(datasets);
    lines.push(...rowLines);
    console.log(formatLines(rowLines));
  } catch (error) {
    failed.push(name);
    console.error(`${name} could not be measured:`, error);
  }
  console.error(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  datasets.clear();
}
if (STORED === undefined) rmSync(folder, { recursive: true });
record(lines);
process.exit(failed.length > 0 ? 1 : 0);
