/** Finds names of types that the web client declares more than once. */
import type { Source } from "./source.ts";

const CLASS = /^ *(?:export )?(?:declare )?(?:interface|(?:abstract )?class|enum) (\w+)/gm;
const ALIAS = /^ *(?:export )?(?:declare )?type (\w+)(?:<[^=;]*>)? =/gm;

/** `Name: path, path` for each name with several declarations, exported or not. */
export function repeatedTypeNames(files: readonly Source[]): string[] {
  const paths = new Map<string, string[]>();
  for (const { path, text } of files) {
    for (const [, name = ""] of [...text.matchAll(CLASS), ...text.matchAll(ALIAS)]) {
      paths.set(name, [...(paths.get(name) ?? []), path]);
    }
  }
  const repeated = [...paths].filter(([, { length }]) => length > 1);
  return repeated.map(([name, declaring]) => `${name}: ${declaring.join(", ")}`);
}
