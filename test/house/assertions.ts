/** Counts the type assertions of the web client in the syntax tree that oxlint parses. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forbid, type Source } from "./source.ts";

const ROOT = join(import.meta.dir, "../..");
const OXLINT = join(ROOT, "node_modules/oxlint/bin/oxlint");
const CONFIG = join(import.meta.dir, "assertions.oxlintrc.json");

/** Maximum in `src/web`. Lower it when you remove some; never raise it. */
const ASSERTIONS_MAX: Record<Kind, number> = { as: 57, "!": 61, "as unknown as": 1 };

type Kind = "as" | "!" | "as unknown as";
type Finding = { code: string; filename: string; labels: { span: Span }[] };
type Span = { offset: number; length: number; line: number };

export function tooManyAssertions(folder: string): string[] {
  return Object.entries(assertionsIn(folder)).flatMap(([kind, { length }]) => {
    const max = ASSERTIONS_MAX[kind as Kind];
    return length > max
      ? [`${folder}  has ${length} "${kind}", ${max} at most: change the types instead`]
      : [];
  });
}

/** Comments that disable type checks or this count. */
export function silencedChecks(file: Source): string[] {
  const silenced = /@ts-\w+|oxlint-disable\S* .*(assertion|explicit-any).*/g;
  return forbid(file, silenced, "change the types instead");
}

/** Uses of each kind as `path:line`; `as const` does not count. */
function assertionsIn(folder: string): Record<Kind, string[]> {
  const assertions: Record<Kind, string[]> = { as: [], "!": [], "as unknown as": [] };
  for (const { code, filename, labels } of findingsIn(folder)) {
    const { offset, length, line } = labels[0]!.span;
    const path = `${filename}:${line}`;
    if (code.includes("no-non-null-assertion")) assertions["!"].push(path);
    else {
      const bytes = readFileSync(join(ROOT, filename));
      const after = bytes.subarray(offset + length).toString();
      const asserted = bytes.subarray(offset, offset + length).toString();
      const isInner = /\bas unknown$/.test(asserted) && /^\s*\)*\s*as\b/.test(after);
      assertions[isInner ? "as unknown as" : "as"].push(path);
      if (isInner) assertions.as.push(path);
    }
  }
  return assertions;
}

/** oxlint ends before a pipe is drained, so its report goes through a file. */
function findingsIn(folder: string): Finding[] {
  const scratch = mkdtempSync(join(tmpdir(), "skein-assertions-"));
  const report = join(scratch, "report.json");
  try {
    const command = [process.execPath, OXLINT, "-c", CONFIG, "--format", "json", folder];
    Bun.spawnSync(command, { cwd: ROOT, stdout: Bun.file(report), stderr: "inherit" });
    return JSON.parse(readFileSync(report, "utf8")).diagnostics;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
