// `bun run bench [ROW…]`: measures Skein against the least server, and writes docs/performance.md.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printed, record } from "./report.ts";
import type { Line } from "./row.ts";
import { rows } from "./rows.ts";
import { TestServers } from "./towns.ts";

/** Keeps what was prepared for the next run, which then starts sooner. */
const KEPT = process.env["BENCH_TOWNS"];

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !Object.hasOwn(rows, name));
if (unknown !== undefined) {
  console.error(`there is no row ${unknown}; there are ${Object.keys(rows).join(", ")}`);
  process.exit(2);
}

const folder = KEPT ?? mkdtempSync(join(tmpdir(), "skein-bench-"));
const testServers = new TestServers(folder);
const lines: Line[] = [];
const failed: string[] = [];
for (const name of chosen.length > 0 ? chosen : Object.keys(rows)) {
  const begun = performance.now();
  try {
    const some = await rows[name]!(testServers);
    lines.push(...some);
    console.log(printed(some));
  } catch (error) {
    failed.push(name);
    console.error(`${name} could not be measured:`, error);
  }
  console.error(`${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  testServers.clear();
}
if (KEPT === undefined) rmSync(folder, { recursive: true });
record(lines);
process.exit(failed.length > 0 ? 1 : 0);
