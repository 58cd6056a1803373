// No regular expression in src takes more than linear time, as far as tests can tell.
import { expect, test } from "bun:test";
import { analyse } from "scslre";
import {
  type Pattern,
  patternsInSchemas,
  patternsConstructed,
  patternLiterals,
} from "./house/patterns.ts";
import { sources } from "./house/source.ts";

/** Harmless findings of the analysis, by path and source. */
const HARMLESS_PATTERNS: Readonly<Record<string, string>> = {
  "src/text/templates/glob.ts /\\*+|\\?|\\[(!?)(\\]?[^\\]]*)\\]|[^]/g":
    "the patterns of events that it cuts have 200 characters at most",
  ...ownText("src/web/features/editor/edit-rules.ts", [
    "/^(\\s*)([^]*?)(\\s*)$/",
    "/^\\s*(`{3,})/gm",
    "/^(\\s*)(?:([-*+])|(\\d{1,9})([.)]))(\\s+)(\\[[ xX]\\]\\s+)?(.*)$/",
    "/^((?:>\\s?)*)(.*)$/",
  ]),
  ...ownText("src/web/features/editor/markdown.ts", ["/^\\n+|\\n+$/g", "/^(\\s*)([^]*?)(\\s*)$/"]),
  ...ownText("src/web/features/editor/paste.ts", ["/\\n+$/"]),
  ...ownText("src/web/features/typeahead/trigger.ts", [
    "/(?<=^|\\n)\\s*(?:`{3,}|~{3,})([\\w+#.-]*)$/",
  ]),
  ...ownText("src/web/features/uploads/uploads-sync.ts", [
    "/\\[[^\\]\\n]*\\]\\(#uploading-([\\w.-]+)\\)/g",
  ]),
};
/** Exempts patterns that only read the user's own text in their own browser. */
function ownText(path: string, sources: readonly string[]): Record<string, string> {
  const why = "written by the user, in their own browser";
  return Object.fromEntries(sources.map((source) => [`${path} ${source}`, why]));
}

/** Files whose own `RegExp` is not called when they are loaded. */
const DYNAMIC_PATTERNS: Readonly<Record<string, string>> = {
  "src/assets/script-names.ts": "names of fixed length that the build chose",
  "src/web/features/typeahead/suggest-places.ts": "the typed text, escaped, after one character",
  "src/server/parameters/json.ts": "it makes those of the schemas, which are looked at there",
  "src/features/shell/actions.ts": "the literal of answers, for each encoding",
  "src/features/two-factor/recovery.ts": "so many signs at once",
  "src/features/channels/rules.ts": "one character of a literal, for all of a text",
};

const nameOf = ({ path, source, flags }: Pattern) => `${path} /${source}/${flags}`;

/**
 * Whether matching takes more than linear time, for text before a match and for rejected ends too.
 */
function isSuperLinear({ source, flags }: Pattern): boolean {
  const reportTypes = { Move: true, Self: true, Trade: true };
  return analyse({ source, flags }, { reportTypes }).reports.length > 0;
}

test.each([
  ["cubic", "^(`{3,}|~{3,}) *\\{?\\.?([A-Za-z0-9_+\\-./#]*) *([^~`]*)$"],
  ["quadratic", "^\\s*(\\S*)\\s*(.*?)\\s*$"],
  ["quadratic as it may begin anywhere", "[ \\t]+$"],
  ["exponential", "^(a+)+$"],
])("the analysis finds what is %s", (_, source) => {
  expect(isSuperLinear({ path: "", source, flags: "" })).toBe(true);
});

test("every regular expression of src reads a text once", async () => {
  const { literals, makers } = patternLiterals();
  const patterns = await patternsConstructed(makers);
  const all = [...literals, ...patterns, ...patternsInSchemas()];
  expect(literals.length).toBeGreaterThan(250);

  const slowPatterns = all.filter(isSuperLinear).map(nameOf);
  expect([...new Set(slowPatterns)].sort()).toEqual(Object.keys(HARMLESS_PATTERNS).sort());

  const visited = new Set(patterns.map(({ path }) => path));
  const unseen = [...makers].filter((path) => !visited.has(path));
  expect(unseen.sort()).toEqual(Object.keys(DYNAMIC_PATTERNS).sort());
});

test("normalizes text with the function that is linear in combining marks", () => {
  const makers = sources("src/**/*.ts").filter(({ text }) => /\.normalize\((?!\))/.test(text));
  expect(makers.map(({ path }) => path)).toEqual(["src/text/normalize.ts"]);
});
