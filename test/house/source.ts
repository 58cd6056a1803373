/** Reads the source tree for the house test: files, their imports, and faults as one report. */
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

export type Source = { path: string; text: string; lines: string[] };
type Import = { line: number; path: string; isType: boolean };

const ROOT = join(import.meta.dir, "../..");

export function exists(path: string) {
  return existsSync(join(ROOT, path));
}

export function source(path: string): Source {
  const text = readFileSync(join(ROOT, path), "utf8");
  return { path, text, lines: text.split("\n") };
}

export function sources(...globs: string[]): Source[] {
  return globs.flatMap((glob) => paths(glob).map(source));
}

export function paths(glob: string) {
  const files = [...new Bun.Glob(glob).scanSync({ cwd: ROOT })];
  return files.filter((path) => !path.includes("node_modules/")).sort();
}

/** Imports of a file: own files by path from the root, packages by name. */
export function importsOf({ path, text }: Source): Import[] {
  const scanned = new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts" }).scanImports(
    text,
  );
  const values = new Set(scanned.map((source) => source.path));
  const statement =
    /^(?:import|export)\b[^;"]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...text.matchAll(statement)].map((match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? "";
    const isRelative = name.startsWith(".");
    return {
      line: lineAt(text, match.index),
      path: isRelative ? posix.join(posix.dirname(path), name) : name,
      isType: match[0].startsWith("import type") || !values.has(name),
    };
  });
}

/** Reports each match of a forbidden pattern. */
export function forbid({ path, text }: Source, pattern: RegExp, advice: string) {
  return [...text.matchAll(pattern)].map(
    (match) => `${path}:${lineAt(text, match.index)}  ${match[0].trim()}: ${advice}`,
  );
}

export function refuse(faults: string[]) {
  if (faults.length > 0) throw new Error(`${faults.length} to fix\n${faults.join("\n")}`);
}

function lineAt(text: string, index: number) {
  return text.slice(0, index).split("\n").length;
}
