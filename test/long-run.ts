// `bun run test:long [NAME…]`: runs the long tests at full length; writes docs/reliability.md.
// `--at-most=N` repeats each test only N times to check that it works, and writes nothing.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COUNTS, type CountName } from "./repetitions.ts";
import { commitNow, CURRENT } from "./measured.ts";

const ROOT = join(import.meta.dir, "..");
const PAGE = join(ROOT, "docs/reliability.md");
const BEGIN = "<!-- results -->";
const END = "<!-- end of results -->";
const HEAD = ["what", "how many", "result", "took", "seed", "run", "commit", "state"];
const SEEDS = 2 ** 31;
const MINUTE_MS = 60_000;
/** A time limit that tests set themselves applies only to the first file of a folder. */
const HANG_MS = 24 * 60 * MINUTE_MS;

const AT_MOST = "--at-most=";

const names = Object.keys(COUNTS) as CountName[];
const args = Bun.argv.slice(2);
const atMost = args.find((arg) => arg.startsWith(AT_MOST))?.slice(AT_MOST.length);
const chosen = args.filter((arg) => !arg.startsWith(AT_MOST));
const unknown = chosen.find((name) => !names.includes(name as CountName));
if (unknown !== undefined) {
  console.error(`there is no ${unknown}; there are ${AT_MOST}N, ${names.join(", ")}`);
  process.exit(2);
}

let failed = 0;
for (const name of chosen.length > 0 ? (chosen as CountName[]) : names) {
  if (!(await runRepeatedly(name))) failed += 1;
}
process.exit(failed > 0 ? 1 : 0);

/** Runs all tests of a file. */
async function runRepeatedly(name: CountName): Promise<boolean> {
  const seed = process.env["TEST_SEED"] ?? String(Math.floor(Math.random() * SEEDS));
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, "test", `--timeout=${HANG_MS}`, COUNTS[name].file], {
    cwd: ROOT,
    env: {
      ...process.env,
      TEST_LONG: "1",
      TEST_SEED: seed,
      ...(atMost !== undefined && { TEST_AT_MOST: atMost }),
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const isGood = (await child.exited) === 0;
  const minutes = (performance.now() - startedAt) / MINUTE_MS;
  if (atMost !== undefined) {
    console.log(`== ${name}: ${isGood ? "held" : "FAILED"} (${minutes.toFixed(1)} min)`);
    return isGood;
  }
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

/** Each test has one row, for its last run; the page names tests without a run. */
function record(name: CountName, result: readonly string[]): void {
  const page = readFileSync(PAGE, "utf8");
  const from = page.indexOf(BEGIN) + BEGIN.length;
  const to = page.indexOf(END);
  if (to < from) throw new Error(`${PAGE} has no place for the results`);
  const before = page.slice(from, to).split("\n");
  const rows = names.map((other) => {
    const { what: label, long } = COUNTS[other];
    const begin = `| ${label} | ${long.toLocaleString("en-US")} |`;
    if (other === name) return `${begin} ${result.join(" | ")} |`;
    const storedLine = before.find((line) => cellsOf(line)[1] === label);
    return storedLine ?? `${begin} not run yet | | | | | |`;
  });
  const table = [`| ${HEAD.join(" | ")} |`, `|${HEAD.map(() => "---|").join("")}`, ...rows];
  writeFileSync(PAGE, `${page.slice(0, from)}\n\n${table.join("\n")}\n\n${page.slice(to)}`);
  // The formatter aligns the columns of tables.
  Bun.spawnSync([process.execPath, "fmt", "--no-script", PAGE]);
}

function cellsOf(line: string): string[] {
  return line.split("|").map((cell) => cell.trim());
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
