/** Tested rules of the source tree: imports, sizes, names, comments, prefixes, coverage. */
import { test } from "bun:test";
import { eventShapes } from "../src/contract/shapes/events.ts";
import { areaOf, allowedImports, importsOutOfReach } from "./house/allowed-imports.ts";
import { silencedChecks, tooManyAssertions } from "./house/assertions.ts";
import { unusedExports } from "./house/exports.ts";
import {
  knotsInClient,
  upwardInClient,
  upwardInViews,
  withoutLayer,
} from "./house/client-layers.ts";
import { upwardFeatureImports, UPWARD_MAX, upward, withoutLevel } from "./house/layers.ts";
import { routesOf, testText, unnamedRoutes } from "./house/coverage.ts";
import { commentsIn, VAGUE_OPENING } from "./house/comments.ts";
import { exists, forbid, paths, refuse, type Source, source, sources } from "./house/source.ts";
import { repeatedTypeNames } from "./house/type-names.ts";
import { prefixConflicts, declaredSlots, recordedSlots, unrecordedTables } from "./house/tables.ts";

const FILE_LINES_MAX = 300;
const TEST_FILE_LINES_MAX = 330;
/** Limit for pages with one fact per line. */
const PAGE_LINES_MAX = 600;
const TEST_LINES_MAX = 60;
const LINE_COLUMNS_MAX = 100;
const OPENING_LINES_MAX = 3;
/** Limit of files in a folder, without its subfolders. */
const FOLDER_FILES_MAX = 21;
/** Limit of names in src, the folder that new developers see first. */
const TOP_NAMES_MAX = 19;

const PAGES = /^src\/(contract|schema)\//;
const VAGUE_NAMES = "util|helper|service|manager|controller|repository|common|lib|misc";

const product = sources("src/**/*.{ts,tsx}");
const others = sources("{test,bench,docs,packaging}/**/*.ts", "build.ts");
const client = product.filter(({ path }) => path.startsWith("src/web/"));
const everything = [...product, ...others];

test("imports follow the allowed directions", () => {
  refuse(product.flatMap(upwardImports));
});

test("every file is in an area with import rules", () => {
  const unassigned = product.filter(({ path }) => !(areaOf(path) in allowedImports));
  refuse(
    unassigned.map(
      ({ path }) => `${path}  is in no area of test/house/allowed-imports.ts; move it`,
    ),
  );
});

test("features import only lower layers", () => {
  const upwardImports = upwardFeatureImports(product);
  const unassigned = withoutLevel(product).map(
    (folder) => `src/features/${folder}  is in no layer`,
  );
  const rising = upwardImports.filter((pair) => !(pair in upward));
  const removedPairs = Object.keys(upward).filter((pair) => !upwardImports.includes(pair));
  refuse([
    ...unassigned.map((stray) => `${stray}; add it to test/house/layers.ts`),
    ...rising.map((pair) => `src/features/${pair.replace(" ", "  goes up to ")}`),
    ...removedPairs.map(
      (pair) => `test/house/layers.ts  remove ${pair}: this import no longer exists`,
    ),
    ...(upwardImports.length > UPWARD_MAX
      ? [`${upwardImports.length} imports go up; ${UPWARD_MAX} at most`]
      : []),
  ]);
});

test("the client imports its own and lower layers", () => {
  refuse([
    ...withoutLayer(product).map((path) => `${path}  has no layer in test/house/client-layers.ts`),
    ...upwardInClient(product),
    ...upwardInViews(product),
    ...knotsInClient(product).map((knot) => `src/web/features  import in a circle: ${knot}`),
  ]);
});

test("folders have few files", () => {
  const tree = product.map(({ path }) => path.slice(0, path.lastIndexOf("/")));
  const counts = Object.entries(Object.groupBy(tree, (folder) => folder));
  const fullFolders = counts.filter(([, files]) => (files ?? []).length > FOLDER_FILES_MAX);
  const top = new Set(paths("src/**/*.*").map((path) => path.split("/")[1]));
  refuse([
    ...fullFolders.map(
      ([folder, files]) => `${folder}  has ${files?.length} files; cut it into nouns`,
    ),
    ...(top.size > TOP_NAMES_MAX ? [`src  has ${top.size} names; ${TOP_NAMES_MAX} at most`] : []),
  ]);
});

test("files and lines keep to their size", () => {
  refuse(everything.flatMap(oversizeFiles));
});

test("bodies of tests are short", () => {
  refuse(sources("test/**/*.test.ts").flatMap(longTests));
});

test("every file opens with one sentence", () => {
  refuse(everything.flatMap(missingOpening));
});

test("names of files and folders are unique", () => {
  const tree = paths("{src,test,bench,docs,packaging}/**/*.{ts,tsx}");
  const attic = new RegExp(`(^|[/-])(${VAGUE_NAMES})s?(?=[/.-])`);
  const spelling = /^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.tsx?$/;
  refuse([
    ...tree.filter((path) => attic.test(path)).map((path) => `${path}  name it for what it holds`),
    ...tree.filter((path) => !spelling.test(path)).map((path) => `${path}  use kebab-case`),
  ]);
});

test("exports are named, and in the file that owns them", () => {
  const advice = "export by name, from the owner";
  const pattern = /^export (default\b|\*|(type )?\{[^}]*\} from\b).*/gm;
  refuse(everything.flatMap((file) => forbid(file, pattern, advice)));
});

test("comments contain no plans", () => {
  const pattern = /^\s*(\/\/|\/?\*).*\b(TODO|FIXME|XXX)\b.*/gm;
  refuse(product.flatMap((file) => forbid(file, pattern, "do it, or leave it out")));
});

test("fewer than 2 % of comments in src begin with a pronoun or preposition", () => {
  const texts = product.flatMap(({ text }) => commentsIn(text));
  const unclearTitles = texts.filter((text) => VAGUE_OPENING.test(text));
  refuse(
    texts.length > 5_000 && unclearTitles.length < 0.02 * texts.length
      ? []
      : unclearTitles.map((text) => `name it: ${text}`),
  );
});

test("features use the realm's time and randomness", () => {
  const pattern = /\b(Date\.now\(|new Date\(\)|Math\.random\(|setTimeout\(|setInterval\()/g;
  const features = product.filter(({ path }) => path.startsWith("src/features/"));
  refuse(features.flatMap((file) => forbid(file, pattern, "take it from the realm")));
});

test("the client does not use the server's runtime", () => {
  const pattern = /(?<![.\w"])(Bun|Buffer|process)\.\w+/g;
  refuse(client.flatMap((file) => forbid(file, pattern, "no browser has it")));
});

test("the client asserts types no more often than the recorded maxima", () => {
  refuse([...tooManyAssertions("src/web"), ...client.flatMap(silencedChecks)]);
});

test("every export is imported by another file", () => {
  const unused = unusedExports(everything);
  refuse(unused.map((item) => `${item}: remove it, or the word export`));
});

// Local types count too, so that a search for a name finds one declaration.
test("every type name of the client has one declaration", () => {
  refuse(
    repeatedTypeNames(client).map(
      (repeatedTypeName) => `${repeatedTypeName}: rename one, or import it`,
    ),
  );
});

test("browser tests keep their routes while they use a page", () => {
  const browserTests = others.filter(({ path }) => path.startsWith("test/web/"));
  const removed = /\.unroute\(|\btimes: \d/g;
  refuse(browserTests.flatMap((file) => forbid(file, removed, "use failing-network.ts")));
});

test("only outbound connects to other hosts", () => {
  const pureFiles = product.filter(({ path }) => /^src\/(features|store|queues|text)\//.test(path));
  refuse(pureFiles.flatMap((file) => forbid(file, /(?<![.\w])fetch\(/g, "leave it to outbound")));
});

test("addresses are compared by one function", () => {
  const others = product.filter(({ path }) => path !== "src/text/email-address.ts");
  const call = "(\\([^()]*\\))?";
  const other = new RegExp(
    `\\b\\w*(e_?mail|address|username|domain)\\w*${call}([?!]?\\.trim\\(\\))?[?!]?` +
      `\\.to(Locale)?(Lower|Upper)Case\\(`,
    "gi",
  );
  const unfolded = /\b(findBy|listBy|countBy)\("email", (?!foldedAddress\()/g;
  const advice = "ask foldedAddress or foldedDomain";
  refuse(
    others.flatMap((file) => [other, unfolded].flatMap((pattern) => forbid(file, pattern, advice))),
  );
});

test("output of other processes is read only by test/process-output.ts", () => {
  const raw = /for await \([^)]*\b(stdout|stderr)\b|\.getReader\(|\bdecode\([^)]*stream: true/g;
  const listening = sources("{test,bench}/**/*.ts").filter(({ path, text }) => {
    return path !== "test/process-output.ts" && /\bspawn\(/.test(text);
  });
  refuse(
    listening.flatMap((file) => forbid(file, raw, "it may come in any pieces: use ProcessOutput")),
  );
});

test("iterations of the store are not left after their first item", () => {
  const first = /\[Symbol\.iterator\]\(\)\s*\.next\(\)/g;
  const advice = "keeps a transaction of the store open: use a loop, which ends the iteration";
  refuse(sources("src/**/*.ts").flatMap((file) => forbid(file, first, advice)));
});

test("recorded mutants change lines that exist", () => {
  const mutants: { file: string; search: string }[] = JSON.parse(
    source("test/mutants/mutants.json").text,
  );
  const outdated = mutants.filter(
    ({ file, search }) => !exists(file) || !source(file).text.includes(search),
  );
  refuse(
    outdated.map(({ file, search }) => `test/mutants/mutants.json  ${file} has no: ${search}`),
  );
});

test("random tests have a seed", () => {
  const unseeded = /\bMath\.random\(|\bDate\.now\(\) %|chanceOf\(Date|\bgetRandomValues\(/g;
  const tests = sources("test/**/*.test.ts");
  refuse(tests.flatMap((file) => forbid(file, unseeded, "take it from test/random.ts")));
});

test("no test depends on elapsed time", () => {
  const own = /^ *(\}, )?(\d+ \* )?([A-Z_]+_MS|\d+_000)(\);|,\n\);)/gm;
  const deadline = /\bAbortSignal\.timeout\(|\bDate\.now\(\) [<>]|\btimeout: \d/g;
  const tests = sources("test/**/*.ts");
  refuse([
    ...tests.flatMap((file) => forbid(file, own, "test/patience.ts has the one limit")),
    ...tests.flatMap((file) => forbid(file, deadline, "wait for the condition")),
  ]);
});

test.skipIf(!exists("src/schema/schema.ts"))("what is on disk keeps its meaning", async () => {
  const declared = await declaredSlots();
  const recorded = await recordedSlots();
  refuse([...prefixConflicts(declared, recorded), ...unrecordedTables(declared, recorded)]);
});

test.skipIf(!exists("src/contract/routes.ts"))("every route is asked for in a test", () => {
  const requested = testText();
  const pages = sources("src/contract/routes.ts", "src/contract/routes/*.ts");
  for (const page of pages) {
    const routes = routesOf(page);
    if (routes.length === 0) throw new Error(`${page.path}  has no rows that this test can read`);
    const unnamed = unnamedRoutes(routes, requested);
    refuse(unnamed.map(({ line, method, path }) => `${page.path}:${line}  ask ${method} ${path}`));
  }
});

test.skipIf(!exists("src/contract/shapes/events.ts"))("every event is named in a test", () => {
  const quotedName = (name: string) => new RegExp(`["'\`]${name}["'\`]`);
  const types = new Set(Object.keys(eventShapes).map((kind) => kind.split("/")[0]!));
  const received = testText();
  refuse(
    [...types]
      .filter((type) => !quotedName(type).test(received))
      .map((type) => `${type}  is untold`),
  );
});

test.skipIf(!exists("src/contract/errors/general.ts"))("every refusal is named in a test", () => {
  const exported = /^export (?:function|const) (\w+)/gm;
  const code = /^ +\| "([A-Z_]+)"/gm;
  const wordPattern = (name: string) => new RegExp(`\\b${name}\\b`);
  const pages = product.filter(({ path }) => /^src\/contract\/errors\//.test(path));
  const refusals = pages.flatMap(({ path }) => untestedNames(path, exported, wordPattern));
  refuse([...refusals, ...untestedNames("src/contract/errors/general.ts", code, wordPattern)]);
});

function upwardImports(file: Source) {
  const area = areaOf(file.path);
  return importsOutOfReach(file, area).map(({ line, path, isType }) => {
    const isOurs = path.startsWith("src/");
    const kind = isOurs ? areaOf(path) : path;
    const explanation =
      isType || !allowedImports[area]?.types?.includes(kind) ? "know" : "import more than types of";
    return `${file.path}:${line}  imports ${path}: ${area} may not ${explanation} ${kind}`;
  });
}

function oversizeFiles({ path, lines }: Source) {
  const usual = path.startsWith("src/") ? FILE_LINES_MAX : TEST_FILE_LINES_MAX;
  const linesMax = PAGES.test(path) ? PAGE_LINES_MAX : usual;
  const wide = lines.flatMap((line, index) =>
    line.length > LINE_COLUMNS_MAX
      ? [`${path}:${index + 1}  has ${line.length} columns; ${LINE_COLUMNS_MAX} at most`]
      : [],
  );
  const count = lines.length - 1;
  return count > linesMax
    ? [...wide, `${path}  has ${count} lines; split it, ${linesMax} at most`]
    : wide;
}

/** The formatter ends a call at its own indentation; the linter measures all other functions. */
function longTests({ path, lines }: Source) {
  return lines.flatMap((line, start) => {
    const indent = line.match(/^( *)test\b.*[({]$/)?.[1];
    if (indent === undefined) return [];
    const end = lines.findIndex(
      (other, index) => index > start && other.search(/\S/) === indent.length,
    );
    const isLong = end - start >= TEST_LINES_MAX;
    return isLong ? [`${path}:${start + 1}  has ${end - start + 1} lines; split it`] : [];
  });
}

function missingOpening({ path, text }: Source) {
  const body = text.replace(/^#!.*\n/, "");
  const comment = body.match(/^(?:\/\/.*\n)+|^\/\*[\s\S]*?\*\//)?.[0] ?? "";
  const message = comment.replace(/^\s*(\/\/|\/\*+|\*(?!\/))|\*\//gm, "").trim();
  if (message === "") return [`${path}:1  begin with a comment: one sentence, what is it for`];
  const isSentence = /[.!?]$/.test(message) && !/[.!?]\s+[A-Z]/.test(message);
  const isShort = comment.trim().split("\n").length <= OPENING_LINES_MAX;
  return isSentence && isShort ? [] : [`${path}:1  make the opening comment one short sentence`];
}

function untestedNames(path: string, declared: RegExp, mention: (name: string) => RegExp) {
  const page = source(path).text;
  const tests = testText();
  const names = new Set([...page.matchAll(declared)].map((match) => match[1] ?? ""));
  if (names.size === 0) return [`${path}  declares nothing that this test can read`];
  const unnamed = [...names].filter((name) => !mention(name).test(tests));
  return unnamed.map(
    (name) => `${path}  ${name}: no test names it; write the one that makes it happen`,
  );
}
