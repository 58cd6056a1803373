/** Finds exports that no other file imports. */
import { posix } from "node:path";
import type { Source } from "./source.ts";

const DECLARED =
  /^export (?:async )?(?:const|let|function\*?|abstract class|class|type|interface) (\w+)/gm;
const STATIC = /^(?:import|export) (?:type )?([^;"]*?) from "([^"]+)"/gm;
const DYNAMIC = /\bimport\(\s*"([^"]+)"\s*\)/g;

/** The build replaces files of src/text/ with these, whose exports they repeat. */
const SUBSTITUTE = /^src\/web\/render\/plain-/;

/** Imported by code that the builds generate. */
const GENERATED_IMPORTS =
  /(^src\/assets\/embed\.ts|^test\/built-client\.ts)  openClient$|  (fromExecutable|loadAddon)$/;

/** `path  name` for each export that no other file uses. */
export function unusedExports(files: readonly Source[]) {
  const used = new Map<string, Set<string>>();
  const loaded = new Set<string>();
  for (const file of files) {
    for (const [, names = "", from = ""] of file.text.matchAll(STATIC)) {
      const path = resolvePath(file, from);
      if (names.startsWith("*")) loaded.add(path);
      const set = used.get(path) ?? new Set();
      for (const [, name] of names.matchAll(/(\w+)(?: as \w+)?(?=\s*[,}])/g)) set.add(name ?? "");
      used.set(path, set);
    }
    for (const [, from = ""] of file.text.matchAll(DYNAMIC)) loaded.add(resolvePath(file, from));
  }
  const checked = files.filter(({ path }) => !SUBSTITUTE.test(path));
  return checked
    .flatMap(({ path, text }) => {
      const names = [...text.matchAll(DECLARED)].map(([, name]) => name ?? "");
      // The module object of a file that is loaded with `import()` can be passed on to any file.
      const isMentioned = (name: string) =>
        loaded.has(path) &&
        files.some((file) => file.path !== path && new RegExp(`\\b${name}\\b`).test(file.text));
      const unused = names.filter((name) => !used.get(path)?.has(name) && !isMentioned(name));
      return unused.map((name) => `${path}  ${name}`);
    })
    .filter((item) => !GENERATED_IMPORTS.test(item));
}

const resolvePath = ({ path }: Source, from: string): string =>
  from.startsWith(".") ? posix.join(posix.dirname(path), from) : from;
