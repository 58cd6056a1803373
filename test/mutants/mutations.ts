// Makes wrong changes of one line, and a copy of the tree in which a test runs with one of them.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Mutation {
  /** The line without its indentation; it occurs once in the file. */
  readonly search: string;
  readonly replace: string;
}

const ROOT = join(import.meta.dir, "../..");
const COPIED_PATHS = [
  "src",
  "test",
  "docs",
  "package.json",
  "bun.lock",
  "bunfig.toml",
  "tsconfig.json",
];
/** A change may cause an endless loop, so a test that hangs has noticed it. */
const HANG_MS = 120_000;

/** Wrong changes that neither type checks nor the linter report. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/ === /, " !== "],
  [/ !== /, " === "],
  [/ && /, " || "],
  [/ \|\| /, " && "],
  [/ <= /, " < "],
  [/ >= /, " > "],
  [/ < /, " <= "],
  [/ > /, " >= "],
  [/ \+ 1\b/, ""],
  [/ - 1\b/, ""],
  [/\breturn true;/, "return false;"],
  [/\breturn false;/, "return true;"],
  [/\bif \(!/, "if ("],
];

const NO_CODE = /^(?:\/\/|\/?\*|import |export type|type )/;

/** Returns a wrong change for each line that one of the patterns matches. */
export function mutationsOf(text: string): Mutation[] {
  const lines = text.split("\n").map((line) => line.trim());
  const times = new Map<string, number>();
  for (const line of lines) times.set(line, (times.get(line) ?? 0) + 1);
  return lines.flatMap((search) => {
    const mutation = MISTAKES.find(([from]) => from.test(search));
    if (mutation === undefined || NO_CODE.test(search) || times.get(search) !== 1) return [];
    return [{ search, replace: search.replace(...mutation) }];
  });
}

type Outcome = "passed" | "failed" | "hung";

export class Copy {
  private readonly folder = mkdtempSync(join(tmpdir(), "skein-mutants-"));

  constructor() {
    for (const path of COPIED_PATHS) {
      cpSync(join(ROOT, path), join(this.folder, path), { recursive: true });
    }
    symlinkSync(join(ROOT, "node_modules"), join(this.folder, "node_modules"));
  }

  /** Runs a test file with the change. Returns undefined if the file does not contain the line. */
  async testMutation(
    file: string,
    { search, replace }: Mutation,
    test: string,
  ): Promise<Outcome | undefined> {
    const path = join(this.folder, file);
    const text = readFileSync(path, "utf8");
    const changed = text.split("\n").map((line) => (line.trim() === search ? replace : line));
    if (changed.join("\n") === text) return undefined;
    writeFileSync(path, changed.join("\n"));
    const outcome = await this.run(test);
    writeFileSync(path, text);
    return outcome;
  }

  async run(test: string): Promise<Outcome> {
    const flags = ["--bail", `--timeout=${HANG_MS}`];
    const child = Bun.spawn([process.execPath, "test", ...flags, `./${test}`], {
      cwd: this.folder,
      stdio: ["ignore", "ignore", "ignore"],
      timeout: HANG_MS,
    });
    const code = await child.exited;
    if (child.signalCode !== null) return "hung";
    return code === 0 ? "passed" : "failed";
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
