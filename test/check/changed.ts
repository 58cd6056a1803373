/** Which test files a change can affect: by imports, by routes, and by a table for other files. */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { changedTexts, type Client, listsFor } from "./client-tests.ts";
import { EXECUTED, type Executed, Recording, type Sample } from "./executed.ts";
import type { Sources, SourceTree } from "./tree.ts";

interface Selection {
  readonly files: readonly string[];
  /** The changed file that causes every test to run. */
  readonly everythingFor?: string;
  /** The browser tests among the files that execute changed code, and their number in all. */
  readonly browserTests?: Sample;
}

/** These tests always run: they are cheap and read the whole tree. */
const ALWAYS = ["test/docs.test.ts", "test/house.test.ts", "test/names.test.ts"];

/** Dependencies that imports do not show. The first pattern that matches a changed file decides. */
const TABLE: readonly (readonly [RegExp, RegExp])[] = [
  [/^docs\/(?:pictures\/)?help\//, /^test\/(?:web\/help|commands\/(?:served-)?pages)\.test/],
  [/^(?:docs|licenses)\/|\.md$|^NOTICE\.txt$/, /^test\/(?:licenses|commands\/.*pages)\.test/],
  [/^packaging\//, /^test\/(?:packaging\/|executable|commands\/systemd)/],
  [/oxlintrc\.json$/, /^test\/house/],
  [/^bench\//, /^test\/printed\.test/],
  [/^test\/(?:formats|text)\/[^.]*(?:\.(?!ts$).*)?$/, /^test\/(?:formats|text)\//],
];

/**
 * Modules that import the whole server. Beyond them, a test is related to a file by the routes it
 * uses.
 */
const HUBS = ["src/running.ts", "src/main.ts", "src/commands/", "src/contract/"];
const ROUTE_PAGES = /^src\/contract\/routes(?:\.ts|\/)/;
const FEATURE = /^src\/features\/([\w-]+)\//;
/** If more features than this depend on a file, a change of it runs every test. */
const FEATURES_MAX = 12;

/** Tests that import this open a browser. */
const BROWSER = "test/web/browser-session.ts";

/** Tests that import this run the executable. */
const EXECUTABLE = "test/commands/skein.ts";

const isOfClient = (file: string) => /^src\/(?:web|assets)\/.*(?<!\.md)$/.test(file);
const isTest = (file: string) => file.endsWith(".test.ts");
const isHub = (file: string) => HUBS.some((hub) => file.startsWith(hub));

export function affectedBy(
  changes: readonly string[],
  sources: Sources,
  executed: Executed = EXECUTED,
): Selection {
  const importers = importersOf(sources);
  const tests = [...sources.keys()].filter(isTest);
  const tree = { importers, sources, tests };
  const browserTests = new Set(browserTestsIn(importers));
  const client = { tree, browserTests, recording: new Recording(executed) };
  const selected = new Set(ALWAYS.filter((file) => sources.has(file)));
  const lists: (readonly string[])[] = [];
  for (const file of changes) {
    const affectedTests = affectedByOne(file, tree, client);
    if (affectedTests === undefined) return { files: tests.toSorted(), everythingFor: file };
    for (const test of affectedTests) selected.add(test);
    if (isOfClient(file) || client.recording.testsExecuting(file))
      lists.push(...listsFor(file, client));
  }
  const sample = client.recording.sampleOf(
    lists.map((list) => list.filter((test) => browserTests.has(test) && !selected.has(test))),
  );
  const files = [...selected, ...sample.files].toSorted();
  return sample.of === 0 ? { files } : { files, browserTests: sample };
}

/**
 * Returns the affected tests, or undefined if every test may be affected. Browser tests that
 * execute the file are added later, unless the recording does not know them.
 */
function affectedByOne(
  file: string,
  tree: SourceTree,
  client: Client,
): readonly string[] | undefined {
  const { sources, tests, importers } = tree;
  if (isOfClient(file)) return affectedByClient(file, client);
  const row = TABLE.find(([pattern]) => pattern.test(file));
  if (row) return tests.filter((test) => row[1].test(test));
  if (/^test\/.*\.(?!tsx?$)\w+$/.test(file)) return testsReading(file, tree);
  const isImported = file.startsWith("src/") && importers.has(file);
  if (!isImported && !/^(?:src|test)\/.*\.tsx?$/.test(file)) return undefined;
  if (isHub(file) && file.startsWith("src/") && !file.startsWith("src/commands/")) return undefined;
  const reachable = reachedFrom(file, importers);
  const direct = [...reachable].filter(isTest);
  if (file.startsWith("test/")) return direct;
  const commands = [
    ...(file.startsWith("src/commands/")
      ? tests.filter((test) => /^test\/commands\//.test(test))
      : []),
    ...testsOfCommands(reachable, tree),
  ];
  const features = new Set([...reachable].flatMap((item) => FEATURE.exec(item)?.[1] ?? []));
  const isOfServer = [...reachable].some(isHub);
  if (features.size > FEATURES_MAX) return undefined;
  if (features.size === 0)
    return isOfServer && commands.length === 0 ? undefined : [...direct, ...commands];
  const paths = pathsOf(features, sources);
  const uses = tests.filter((test) => paths.test(sources.get(test)!));
  return [...direct, ...commands, ...uses];
}

/** Returns tests that run the executable and name a command whose file is among these. */
function testsOfCommands(files: ReadonlySet<string>, { sources, importers }: SourceTree): string[] {
  const commands = [...files].filter((file) => file.startsWith("src/commands/"));
  const names = commands.map((file) => `"${basename(file, ".ts")}"`);
  const running = [...reachedFrom(EXECUTABLE, importers)].filter(isTest);
  return running.filter((test) => names.some((name) => sources.get(test)!.includes(name)));
}

/** Tests that import the file, the tests of the client without a browser, and unrecorded tests. */
function affectedByClient(file: string, { tree, recording, browserTests }: Client): string[] {
  const reachable = reachedFrom(file, tree.importers);
  return tree.tests.filter(
    (test) =>
      reachable.has(test) ||
      (browserTests.has(test) ? !recording.has(test) : test.startsWith("test/web/")),
  );
}

/** Returns the tests that open a browser. */
export function browserTestsOf(sources: Sources): string[] {
  return browserTestsIn(importersOf(sources));
}

const browserTestsIn = (importers: SourceTree["importers"]) =>
  [...reachedFrom(BROWSER, importers)].filter(isTest);

/** Returns tests that name a data file or its folder, directly or in a module that they import. */
function testsReading(
  file: string,
  { sources, importers }: SourceTree,
): readonly string[] | undefined {
  const names = [basename(file), `${basename(dirname(file))}"`, `${basename(dirname(file))}/`];
  const readers = [...sources.keys()].filter(
    (path) => path.startsWith("test/") && names.some((name) => sources.get(path)!.includes(name)),
  );
  const reachable = readers.flatMap((path) => [...reachedFrom(path, importers)]);
  const testFiles = reachable.filter(isTest);
  return testFiles.length === 0 ? undefined : testFiles;
}

/**
 * Returns all direct and indirect importers of a file, but not the importers of hubs among them.
 */
function reachedFrom(file: string, importers: SourceTree["importers"]): Set<string> {
  const reachable = new Set([file]);
  for (const item of reachable) {
    if (isHub(item) && item !== file) continue;
    for (const importer of importers.get(item) ?? []) reachable.add(importer);
  }
  return reachable;
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

/** They have no effect when a test runs; the type checks always run. */
const TYPE_IMPORTS = /^(?:import|export) type [^;]*;/gm;

function importersOf(sources: Sources): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const [file, text] of sources) {
    if (!/\.tsx?$/.test(file)) continue;
    for (const [, from] of text
      .replace(TYPE_IMPORTS, "")
      .matchAll(/\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)) {
      const to = join(dirname(file), from!);
      const importersOfFile = importers.get(to);
      if (importersOfFile) importersOfFile.push(file);
      else importers.set(to, [file]);
    }
  }
  return importers;
}

const CATALOGUE = /^src\/web\/words\/[\w-]+\.json$/;

/**
 * Files whose code differs between a commit and the working tree (including untracked files), or
 * another commit. A catalogue of texts counts as its changed texts.
 */
export function changedSince(commit: string, root: string, until?: string): string[] {
  const lines = (...args: string[]) =>
    git(root, ...args)
      .split("\n")
      .filter(Boolean);
  const range = until === undefined ? [commit] : [commit, until];
  const tracked = lines("diff", "--name-only", "--no-renames", ...range);
  const currentText = (path: string) =>
    until === undefined
      ? readFileSync(join(root, path), "utf8")
      : git(root, "show", `${until}:${path}`);
  const deleted = new Set(
    lines("diff", "--name-only", "--no-renames", "--diff-filter=AD", ...range),
  );
  const changedPaths = tracked.filter(
    (path) =>
      deleted.has(path) ||
      !isSameCode(path, git(root, "show", `${commit}:${path}`), currentText(path)),
  );
  const withTexts = changedPaths.flatMap((path) =>
    CATALOGUE.test(path) && !deleted.has(path)
      ? changedTexts(path, git(root, "show", `${commit}:${path}`), currentText(path))
      : path,
  );
  if (until !== undefined) return withTexts;
  return [...withTexts, ...lines("ls-files", "--others", "--exclude-standard")];
}

/** Whether only comments, types or spaces differ, which type checks and the house tests look at. */
export function isSameCode(path: string, before: string, after: string): boolean {
  const loader = /\.tsx?$/.exec(path)?.[0].slice(1) as "ts" | "tsx" | undefined;
  if (loader === undefined) return before === after;
  const transpiler = new Bun.Transpiler({
    loader,
    minifyWhitespace: true,
    deadCodeElimination: false,
  });
  try {
    return transpiler.transformSync(before) === transpiler.transformSync(after);
  } catch {
    return false;
  }
}

function git(root: string, ...args: string[]): string {
  const gitResult = Bun.spawnSync(["git", ...args], { cwd: root });
  if (!gitResult.success)
    throw new Error(`git ${args.join(" ")}: ${gitResult.stderr.toString().trim()}`);
  return gitResult.stdout.toString();
}

export function sourcesOf(root: string): Sources {
  const paths = [...new Bun.Glob("{src,test}/**/*.{ts,tsx}").scanSync({ cwd: root })];
  return new Map(
    paths
      .filter((path) => existsSync(join(root, path)))
      .map((path) => [path, readFileSync(join(root, path), "utf8")] as const),
  );
}
