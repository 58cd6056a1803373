/** `bun run test:long [NAME…]`: as many of each as trust takes; writes docs/reliability.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COUNTS, type CountName } from "./long.ts";
import { commitNow, CURRENT } from "./measured.ts";

const ROOT = join(import.meta.dir, "..");
const PAGE = join(ROOT, "docs/reliability.md");
const BEGIN = "<!-- results -->";
const END = "<!-- end of results -->";
const HEAD = ["what", "how many", "result", "took", "seed", "run", "commit", "state"];
const SEEDS = 2 ** 31;
const MINUTE_MS = 60_000;
/** The limit that tests set themselves holds for the first file of a folder alone. */
const HANG_MS = 24 * 60 * MINUTE_MS;

const names = Object.keys(COUNTS) as CountName[];
const chosen = Bun.argv.slice(2);
const unknown = chosen.find((name) => !names.includes(name as CountName));
if (unknown !== undefined) {
  console.error(`there is no ${unknown}; there are ${names.join(", ")}`);
  process.exit(2);
}

let failed = 0;
for (const name of chosen.length > 0 ? (chosen as CountName[]) : names) {
  if (!(await holds(name))) failed += 1;
}
process.exit(failed > 0 ? 1 : 0);

/** Of a file all tests run. */
async function holds(name: CountName): Promise<boolean> {
  const seed = process.env["TEST_SEED"] ?? String(Math.floor(Math.random() * SEEDS));
  const begun = performance.now();
  const child = Bun.spawn([process.execPath, "test", `--timeout=${HANG_MS}`, COUNTS[name].file], {
    cwd: ROOT,
    env: { ...process.env, TEST_LONG: "1", TEST_SEED: seed },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const isGood = (await child.exited) === 0;
  const minutes = (performance.now() - begun) / MINUTE_MS;
  record(name, [
    isGood ? "held" : "**FAILED**",
    `${minutes.toFixed(1)} min`,
    seed,
    today(),
    commitNow(),
    CURRENT,
  ]);
  return isGood;
}

/** Each has one row, its last; of what has not run yet, the page says so. */
function record(name: CountName, result: readonly string[]): void {
  const page = readFileSync(PAGE, "utf8");
  const from = page.indexOf(BEGIN) + BEGIN.length;
  const to = page.indexOf(END);
  if (to < from) throw new Error(`${PAGE} has no place for the results`);
  const before = page.slice(from, to).split("\n");
  const rows = names.map((other) => {
    const { what, long } = COUNTS[other];
    const begin = `| ${what} | ${long.toLocaleString("en-US")} |`;
    if (other === name) return `${begin} ${result.join(" | ")} |`;
    const kept = before.find((line) => cellsOf(line)[1] === what);
    return kept ?? `${begin} not run yet | | | | | |`;
  });
  const table = [`| ${HEAD.join(" | ")} |`, `|${HEAD.map(() => "---|").join("")}`, ...rows];
  writeFileSync(PAGE, `${page.slice(0, from)}\n\n${table.join("\n")}\n\n${page.slice(to)}`);
  // The check wants the columns of a table to be in line.
  Bun.spawnSync([process.execPath, "fmt", "--no-script", PAGE]);
}

function cellsOf(line: string): string[] {
  return line.split("|").map((cell) => cell.trim());
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
