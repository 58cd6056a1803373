/** Which test files a change can affect: by imports, by routes, and by a table for other files. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Selection {
  readonly files: readonly string[];
  /** The changed file for which every test runs, as it is part of everything. */
  readonly everythingFor?: string;
}

/** The files of the repository by path, so that a selection can be computed for any tree. */
export type Sources = ReadonlyMap<string, string>;

/** Cheap, and they read the whole tree. */
const ALWAYS = ["test/docs.test.ts", "test/house.test.ts", "test/names.test.ts"];

/** What no import shows. The first pattern that matches a changed file decides. */
const TABLE: readonly (readonly [RegExp, RegExp])[] = [
  [/^docs\/(?:pictures\/)?help\//, /^test\/(?:web\/help|commands\/(?:served-)?pages)\.test/],
  [/^(?:docs|licenses)\/|\.md$|^NOTICE\.txt$/, /^test\/(?:licenses|commands\/.*pages)\.test/],
  [/^packaging\//, /^test\/(?:packaging\/|executable|commands\/systemd)/],
  [/^bench\//, /^test\/printed\.test/],
  [/^src\/web\/words\//, /^test\/(?:web\/|printed)/],
  [/^src\/(?:web|assets)\/.*\.(?!tsx?$)\w+$/, /^test\/web\//],
  [/^test\/(?:formats|text)\/[^.]*(?:\.(?!ts$).*)?$/, /^test\/(?:formats|text)\//],
];

/** They import all of the server: beyond them a test is related to a file by the routes it uses. */
const HUBS = ["src/running.ts", "src/main.ts", "src/commands/", "src/contract/"];
const ROUTE_PAGES = /^src\/contract\/routes(?:\.ts|\/)/;
const FEATURE = /^src\/features\/([\w-]+)\//;
/** A file that more features depend on is part of everything. */
const FEATURES_MAX = 12;

const isTest = (file: string) => file.endsWith(".test.ts");
const isHub = (file: string) => HUBS.some((hub) => file.startsWith(hub));

export function affectedBy(changed: readonly string[], sources: Sources): Selection {
  const importers = importersOf(sources);
  const tests = [...sources.keys()].filter(isTest);
  const selected = new Set(ALWAYS.filter((file) => sources.has(file)));
  for (const file of changed) {
    const found = affectedByOne(file, { importers, sources, tests });
    if (found === undefined) return { files: tests.toSorted(), everythingFor: file };
    for (const test of found) selected.add(test);
  }
  return { files: [...selected].toSorted() };
}

interface Tree {
  readonly importers: ReadonlyMap<string, readonly string[]>;
  readonly sources: Sources;
  readonly tests: readonly string[];
}

/** Undefined: all of them. */
function affectedByOne(file: string, tree: Tree): readonly string[] | undefined {
  const { sources, tests, importers } = tree;
  const row = TABLE.find(([pattern]) => pattern.test(file));
  if (row) return tests.filter((test) => row[1].test(test));
  if (!/^(?:src|test)\/.*\.tsx?$/.test(file)) return undefined;
  if (isHub(file) && file.startsWith("src/") && !file.startsWith("src/commands/")) return undefined;
  const reached = reachedFrom(file, importers);
  const direct = [...reached].filter(isTest);
  if (file.startsWith("test/")) return direct;
  const commands = file.startsWith("src/commands/")
    ? tests.filter((test) => test.startsWith("test/commands/"))
    : [];
  if (file.startsWith("src/web/") || file.startsWith("src/assets/")) {
    return [...direct, ...tests.filter((test) => test.startsWith("test/web/"))];
  }
  const features = new Set([...reached].flatMap((one) => FEATURE.exec(one)?.[1] ?? []));
  const isOfServer = [...reached].some(isHub);
  if (features.size > FEATURES_MAX) return undefined;
  if (features.size === 0)
    return isOfServer && commands.length === 0 ? undefined : [...direct, ...commands];
  const paths = pathsOf(features, sources);
  const uses = tests.filter((test) => paths.test(sources.get(test)!));
  return [...direct, ...commands, ...uses];
}

/** Everything that imports a file, directly or not; what a hub imports, it does not pass on. */
function reachedFrom(file: string, importers: Tree["importers"]): Set<string> {
  const reached = new Set([file]);
  for (const one of reached) {
    if (isHub(one) && one !== file) continue;
    for (const importer of importers.get(one) ?? []) reached.add(importer);
  }
  return reached;
}

/** Matches a text that requests a path of one of the features, whatever its parameters are. */
function pathsOf(features: ReadonlySet<string>, sources: Sources): RegExp {
  const paths = new Set<string>();
  for (const [page, text] of sources) {
    if (!ROUTE_PAGES.test(page)) continue;
    const featureOf = new Map<string, string>();
    for (const [, names, from] of text.matchAll(/import \{([^}]*)\} from "([^"]*)"/g)) {
      const feature = FEATURE.exec(join(dirname(page), from!))?.[1];
      for (const name of names!.match(/\w+/g) ?? []) if (feature) featureOf.set(name, feature);
    }
    for (const [, path, rest] of text.matchAll(/\b[A-Z]+\(\s*"([^"]+)",([^;]*?)\),\n/g)) {
      const own = rest!.match(/\w+/g)?.map((name) => featureOf.get(name)) ?? [];
      if (own.some((feature) => feature && features.has(feature))) paths.add(path!);
    }
  }
  const patterns = [...paths].map((path) => {
    const words = path.replace(/^root:/, "/").split(/\{[^}]*\}/);
    return `${words.map((word) => RegExp.escape(word)).join('[^"\\s]*?')}(?=["'\`?\\s])`;
  });
  const folders = [...features].map((feature) => `features/${RegExp.escape(feature)}/`);
  return new RegExp([...patterns, ...folders].join("|"));
}

function importersOf(sources: Sources): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const [file, text] of sources) {
    if (!/\.tsx?$/.test(file)) continue;
    for (const [, from] of text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)) {
      const to = join(dirname(file), from!);
      const known = importers.get(to);
      if (known) known.push(file);
      else importers.set(to, [file]);
    }
  }
  return importers;
}

/** What differs from a commit in the working tree, with files that Git does not know yet. */
export function changedSince(commit: string, root: string): string[] {
  const git = (...args: string[]) => {
    const done = Bun.spawnSync(["git", ...args], { cwd: root });
    if (!done.success) throw new Error(`git ${args.join(" ")}: ${done.stderr.toString().trim()}`);
    return done.stdout.toString().split("\n").filter(Boolean);
  };
  const tracked = git("diff", "--name-only", "--no-renames", commit);
  return [...tracked, ...git("ls-files", "--others", "--exclude-standard")];
}

export function sourcesOf(root: string): Sources {
  const paths = [...new Bun.Glob("{src,test}/**/*.{ts,tsx}").scanSync({ cwd: root })];
  return new Map(
    paths
      .filter((path) => existsSync(join(root, path)))
      .map((path) => [path, readFileSync(join(root, path), "utf8")] as const),
  );
}
