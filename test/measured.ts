/** `bun test/measured.ts`: marks the rows of measured results that are stale. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
export const PAGES = ["docs/reliability.md", "docs/performance.md"];
const BEGIN = "<!-- results -->";
const END = "<!-- end of results -->";
/** A row is also stale if the code that it measures has changed since. */
const STALE_DAYS = 14;
const DAY_MS = 86_400_000;
export const CURRENT = "current";
export const STALE = "stale";

/** The code that rows measure, by the beginning of their names. Other rows measure the server. */
const CODE: readonly [RegExp, readonly string[]][] = [
  [/^(client|browser sessions|organizations with|user scenarios)/, ["src/web", "src/assets"]],
  [/^(rendering|hard texts|random messages|the costliest)/, ["src/text"]],
  [/^builds /, ["build.ts", "packaging", "src/assets", "package.json", "bun.lock"]],
  [/^checks of the Debian package/, ["packaging"]],
  [/^SIGKILLs of a (process|migration)/, ["src/store"]],
  [/^(random runs|small commits|damaged database)/, ["src/store"]],
  [/^flipped bits per file/, ["src/features/backup", "src/store"]],
  [/^random histories of event queues/, ["src/queues"]],
  [/^(random organizations|SIGKILLs of an import|Slack exports)/, ["src/features/moving"]],
];
const SERVER = ["src", ":!src/web", ":!src/assets"];

interface Row {
  readonly cells: readonly string[];
  readonly label: string;
  readonly date: string;
  readonly commit: string;
  readonly state: string;
}

/** The commit of this checkout, for a row that is measured now. */
export function commitNow(): string {
  return git("rev-parse", "--short=8", "HEAD").trim();
}

/** Rows of the table of results; the last three cells are date, commit and state. */
export function rowsOf(page: string): Row[] {
  const text = page.slice(page.indexOf(BEGIN), page.indexOf(END));
  return text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (what|-+) /.test(line))
    .map((line) => {
      const cells = line.split("|").slice(1, -1);
      const [date = "", commit = "", state = ""] = cells.slice(-3).map((cell) => cell.trim());
      return { cells, label: cells[0]!.trim(), date, commit, state };
    });
}

/**
 * `now` is in milliseconds since 1970. A row is also stale if its commit does not exist any more.
 */
function stateOf({ label, date, commit }: Row, now: number): string {
  if (date === "") return "";
  if (now - Date.parse(date) > STALE_DAYS * DAY_MS) return STALE;
  const paths = CODE.find(([pattern]) => pattern.test(label))?.[1] ?? SERVER;
  try {
    const lastCommit = git("log", "--format=%h", "-1", `${commit}..HEAD`, "--", ...paths);
    return lastCommit.trim() === "" ? CURRENT : STALE;
  } catch {
    return STALE;
  }
}

function git(...args: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync(["git", ...args], { cwd: ROOT });
  if (!success) throw new Error(stderr.toString());
  return stdout.toString();
}

function mark(path: string, now: number): number {
  const page = readFileSync(path, "utf8");
  const states = new Map(rowsOf(page).map((row) => [row.cells.join("|"), stateOf(row, now)]));
  const lines = page.split("\n").map((line) => {
    const cells = line.split("|").slice(1, -1);
    const state = states.get(cells.join("|"));
    return state === undefined ? line : `|${cells.slice(0, -1).join("|")}| ${state} |`;
  });
  writeFileSync(path, lines.join("\n"));
  Bun.spawnSync([process.execPath, "fmt", "--no-script", path]);
  return [...states.values()].filter((state) => state === STALE).length;
}

if (import.meta.main) {
  for (const page of PAGES) {
    console.log(`${page}: ${mark(join(ROOT, page), Date.now())} rows are stale`);
  }
}
