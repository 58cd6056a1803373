// Compiles the client's texts to strings and functions, so that no message is parsed at run time.
import type { BunPlugin } from "bun";
import MessageFormat from "@messageformat/core";
import compileModule from "@messageformat/core/lib/compile-module.js";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

type Sentences = Record<string, string>;

/** The default catalogue, in two parts: texts of the first view, and all others. */
const FIRST = /[\\/]web[\\/]words[\\/]en\.json$/;
const REST_TEXTS_FILE = /[\\/]web[\\/]words[\\/]rest\.ts$/;

/** A catalogue is `words/<language>.json`: ICU messages by key. */
export const words: BunPlugin = {
  name: "words",
  setup(build) {
    const main = String(build.config.entrypoints[0]);
    build.onLoad({ filter: REST_TEXTS_FILE }, async ({ path }) => {
      const all = join(dirname(path), "en.json");
      const sentences = (await Bun.file(all).json()) as Sentences;
      const first = await firstWords(main, sentences);
      const { loader, contents } = script("en", sentences, (key) => !first.has(key));
      return { loader, contents: contents.replace("export default", "export const restTexts =") };
    });
    build.onLoad({ filter: /[\\/]web[\\/]words[\\/][\w-]+\.json$/ }, async ({ path }) => {
      const sentences = (await Bun.file(path).json()) as Sentences;
      const first = FIRST.test(path) ? await firstWords(main, sentences) : undefined;
      return script(basename(path, ".json"), sentences, (key) => first?.has(key) ?? true);
    });
  },
};

/** Matches texts without placeholders. */
const PLAIN = /^( {2}(?:"[^"]*"|\w+)): \(\) => (?=")/gm;

function script(language: string, sentences: Sentences, isIncluded: (key: string) => boolean) {
  const selectedTexts = Object.entries(sentences).filter(([key]) => isIncluded(key));
  const compiled = compileModule(new MessageFormat(language), Object.fromEntries(selectedTexts));
  return { loader: "js" as const, contents: compiled.replace(PLAIN, "$1: ") };
}

/** Excludes strings that are compared or name a field, element, class or type. */
const SERVER_ONLY_TEXTS = [
  /[=!]= ?|case |\w\[|\] = /,
  /\b(?:add|addEventListener|contains|createElement|element|iconButton|jsx\w*|subscribe)\(/,
  /\belement\("\w+", |\bmark\(\w+, /,
  /\b(?:class|className|icon|kind|name|op|role|status|type)(?:: | = )/,
];
const MESSAGES = new RegExp(
  `(?<!${SERVER_ONLY_TEXTS.map(({ source }) => source).join("|")})"([\\w-]+)"`,
  "g",
);

/**
 * Returns the keys that occur, completely or as a prefix, in files that the entry imports
 * statically.
 */
async function firstWords(main: string, sentences: Sentences): Promise<Set<string>> {
  const keys = Object.keys(sentences);
  const first = new Set<string>();
  for (const text of await textsAtOnce(main)) {
    for (const [, key] of text.matchAll(MESSAGES)) if (key! in sentences) first.add(key!);
    for (const [, start] of text.matchAll(/`([\w-]+-)\$\{/g)) {
      for (const key of keys) if (key.startsWith(start!)) first.add(key);
    }
  }
  return first;
}

async function textsAtOnce(main: string): Promise<string[]> {
  const texts = new Map<string, string>();
  const read = async (path: string): Promise<void> => {
    if (texts.has(path) || !existsSync(path) || !/\.tsx?$/.test(path)) return;
    const text = await Bun.file(path).text();
    const transpiler = new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts" });
    // Types and comments are removed, since they may contain keys that are not used.
    texts.set(path, transpiler.transformSync(text));
    const imports = transpiler.scanImports(text);
    const localImports = imports.filter(
      ({ kind, path: to }) => kind === "import-statement" && to[0] === ".",
    );
    await Promise.all(localImports.map(({ path: to }) => read(join(dirname(path), to))));
  };
  await read(main);
  return [...texts.values()];
}
