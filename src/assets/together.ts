// Has what the client fetches after its first view come in two scripts, instead of one a part.
import type { BunPlugin } from "bun";
import { dirname, resolve } from "node:path";

type Outputs = Bun.BuildMetafile["outputs"];

/** An output, and all that it imports at once. */
export function closureOf(outputs: Outputs, path: string, all = new Set<string>()): Set<string> {
  if (all.has(path)) return all;
  all.add(path);
  for (const { path: next, kind } of outputs[path]?.imports ?? []) {
    if (kind === "import-statement") closureOf(outputs, next, all);
  }
  return all;
}

/** Parts that need no more bytes than that of what is shared do not wait for all of it. */
const LIGHT = 14_000;

/**
 * Where a bundle is cut by who imports what, what a page always fetches comes in as many files as
 * there are sets of parts that share something, most of them smaller than the asking. For a bundle
 * that was cut so: what `late`, which a page has soon, shares with other parts is one script for
 * what light ones need, which may be the first view, and one for the rest; each part comes with
 * these. `bootOf` gives what is there before.
 */
export function together(
  outputs: Outputs,
  late: readonly string[],
  bootOf: (outputs: Outputs) => Set<string>,
): BunPlugin {
  const boot = bootOf(outputs);
  const entries = Object.keys(outputs).filter((path) => outputs[path]!.entryPoint !== undefined);
  const sourceOf = (path: string) => resolve(outputs[path]!.entryPoint!);
  const own = entries.filter((path) => late.includes(sourceOf(path)));
  const beyond = (path: string) => closureOf(outputs, path).difference(boot);
  const shared = unionOf(own.map(beyond)).difference(new Set(own));
  const needs = entries.map((path) => [sourceOf(path), beyond(path).intersection(shared)] as const);
  const sharers = needs.filter(([, needed]) => needed.size > 0);

  const bytesOf = (paths: Set<string>) =>
    [...paths].reduce((sum, path) => sum + outputs[path]!.bytes, 0);
  const light = sharers.filter(([, needed]) => bytesOf(needed) < LIGHT);
  const first = unionOf(light.map(([, needed]) => needed));
  const sources = (paths: Set<string>) =>
    [...paths].flatMap((path) => Object.keys(outputs[path]!.inputs));
  const scripts = [first, shared.difference(first)].map((paths) => importing(sources(paths)));
  const count = new Map(sharers.map(([source]) => [source, scripts.length]));
  for (const [source] of light) count.set(source, 1);
  return joining(scripts, count);
}

const unionOf = (sets: readonly Set<string>[]) => new Set(sets.flatMap((one) => [...one]));

const importing = (paths: readonly string[]) =>
  paths.map((path) => `import ${JSON.stringify(resolve(path))};`).join("\n");

const SCRIPT = "skein-shared-";
const SHARER = "skein-sharer-";

/** So many scripts come before each sharer, in a module of its own: else they need each other. */
function joining(scripts: readonly string[], count: ReadonlyMap<string, number>): BunPlugin {
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
          .map((_, at) => `import "${SCRIPT}${at}";`);
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
