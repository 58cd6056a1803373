// Bundles what the client loads after its first view in two scripts instead of one per part.
import type { BunPlugin } from "bun";
import { dirname, resolve } from "node:path";

type Outputs = Bun.BuildMetafile["outputs"];

/** Returns an output and everything that it imports statically. */
export function closureOf(outputs: Outputs, path: string, all = new Set<string>()): Set<string> {
  if (all.has(path)) return all;
  all.add(path);
  for (const { path: next, kind } of outputs[path]?.imports ?? []) {
    if (kind === "import-statement") closureOf(outputs, next, all);
  }
  return all;
}

/** Parts that share less code than this load only the scripts that they import. */
const LIGHT = 14_000;

/**
 * A bundler that splits by importers creates one file per set of parts that share code, most of
 * them smaller than the cost of a request. In such a bundle, code that `late` (which every page
 * loads soon) shares with other parts is combined into one script for small parts, which the first
 * view may include, and one for the rest; each part loads these first. `bootOf` returns what is
 * loaded before.
 */
export function sharedParts(
  outputs: Outputs,
  late: readonly string[],
  bootOf: (outputs: Outputs) => Set<string>,
): BunPlugin {
  const boot = bootOf(outputs);
  const entries = Object.keys(outputs).filter((path) => outputs[path]!.entryPoint !== undefined);
  const sourceOf = (path: string) => resolve(outputs[path]!.entryPoint!);
  const lateEntries = entries.filter((path) => late.includes(sourceOf(path)));
  const lateFilesOf = (path: string) => closureOf(outputs, path).difference(boot);
  const shared = unionOf(lateEntries.map(lateFilesOf)).difference(new Set(lateEntries));
  const sharedByEntry = entries.map(
    (path) => [sourceOf(path), lateFilesOf(path).intersection(shared)] as const,
  );
  const entriesWithShared = sharedByEntry.filter(([, sharedFiles]) => sharedFiles.size > 0);

  const bytesOf = (paths: Set<string>) =>
    [...paths].reduce((sum, path) => sum + outputs[path]!.bytes, 0);
  const smallEntries = entriesWithShared.filter(([, sharedFiles]) => bytesOf(sharedFiles) < LIGHT);
  const first = unionOf(smallEntries.map(([, sharedFiles]) => sharedFiles));
  const sources = (paths: Set<string>) =>
    [...paths].flatMap((path) => Object.keys(outputs[path]!.inputs));
  const scripts = [first, shared.difference(first)].map((paths) => importing(sources(paths)));
  const count = new Map(entriesWithShared.map(([source]) => [source, scripts.length]));
  for (const [source] of smallEntries) count.set(source, 1);
  return joiningPlugin(scripts, count);
}

const unionOf = (sets: readonly Set<string>[]) => new Set(sets.flatMap((set) => [...set]));

const importing = (paths: readonly string[]) =>
  paths.map((path) => `import ${JSON.stringify(resolve(path))};`).join("\n");

const SCRIPT = "skein-shared-";
const SHARER = "skein-sharer-";

/**
 * Adds a module per sharing part that imports this many scripts; otherwise the parts would import
 * each other.
 */
function joiningPlugin(scripts: readonly string[], count: ReadonlyMap<string, number>): BunPlugin {
  return {
    name: "together",
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ kind, path, importer }) => {
        if (kind !== "dynamic-import") return undefined;
        const source = resolve(dirname(importer), path);
        return count.has(source) ? { path: SHARER + source, namespace: SHARER } : undefined;
      });
      build.onLoad({ filter: /./, namespace: SHARER }, ({ path }) => {
        const source = path.slice(SHARER.length);
        const before = scripts
          .slice(0, count.get(source))
          .map((_, index) => `import "${SCRIPT}${index}";`);
        const contents = `${before.join("")}export * from ${JSON.stringify(source)};`;
        return { loader: "js", contents };
      });
      build.onResolve({ filter: /^skein-shared-\d$/ }, ({ path }) => ({ path, namespace: SCRIPT }));
      build.onLoad({ filter: /./, namespace: SCRIPT }, ({ path }) => {
        return { loader: "js", contents: scripts[Number(path.slice(SCRIPT.length))]! };
      });
    },
  };
}
