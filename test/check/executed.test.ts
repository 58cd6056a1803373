// The selection of browser tests by the files that they execute.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { affectedBy, browserTestsOf, sourcesOf } from "./changed.ts";
import { changedTexts } from "./client-tests.ts";
import { type Executed, EXECUTED, Recording, recordingOf } from "./executed.ts";

const imports = 'import "./browser-session.ts";';
/** A client with a view of drafts, one of polls, and a module that both use. */
const sources = new Map([
  ["test/web/browser-session.ts", ""],
  ...["drafts", "polls", "looks", "added"].map(
    (name) => [`test/web/${name}.test.ts`, imports] as const,
  ),
  ["test/web/ranking.test.ts", 'import "../../src/web/ranking.ts";'],
  ["test/features/drafts.test.ts", ""],
  ["src/web/drafts/list.tsx", 'import "../shared.ts";\nconst label = say("drafts-empty");'],
  ["src/web/drafts/row.tsx", ""],
  ["src/web/polls/poll.tsx", 'import "../shared.ts";'],
  ["src/web/shared.ts", 'import "./limits.ts";'],
  ["src/web/limits.ts", "export const MAX = 3;"],
  ["src/web/new.ts", ""],
  ["src/web/ranking.ts", ""],
]);
const names = ["drafts", "looks", "polls"].map((name) => `test/web/${name}.test.ts`);
const executed: Executed = {
  tests: Object.fromEntries(names.map((name) => [name, 1])),
  files: {
    "*": "1 0 2",
    "src/web/drafts/list.tsx": "0",
    "src/web/polls/poll.tsx": "2",
    "src/web/shared.ts": "2 0",
    "src/features/drafts/rules.ts": "0",
  },
};

function browserTestsFor(file: string, extra: readonly (readonly [string, string])[] = []) {
  const { files } = affectedBy([file], new Map([...sources, ...extra]), executed);
  return files.flatMap((path) => /^test\/web\/(\w+)\.test\.ts$/.exec(path)?.[1] ?? []);
}

/** Tests that run for each change of the client. */
const always = ["added", "ranking"];

test.each([
  ["the file", "src/web/drafts/list.tsx", ["drafts"]],
  ["the importers of a file that is not recorded", "src/web/drafts/row.tsx", ["drafts"]],
  ["the importers of a module that has only constants", "src/web/limits.ts", ["drafts", "polls"]],
  ["any of the client, for an unknown file", "src/web/new.ts", ["drafts", "looks", "polls"]],
  ["a component beside a style sheet", "src/web/polls/style.css", ["polls"]],
  ["any of the client, for other styles", "src/web/base.css", ["drafts", "looks", "polls"]],
  ["a file with a changed text", "src/web/words/en.json#drafts-empty#No drafts", ["drafts"]],
])("selects tests that execute %s, and tests that are not recorded", (_, file, expected) => {
  const importer = ["src/web/drafts/lists.ts", 'import "./row.tsx";'] as const;
  const list = ["src/web/drafts/list.tsx", 'import "./lists.ts"; say("drafts-empty");'] as const;
  const selected = browserTestsFor(file, [importer, list]);
  expect(selected.toSorted()).toEqual([...always, ...expected].toSorted());
});

test("selects tests that contain the text before the change", () => {
  const looks = ["test/web/looks.test.ts", `${imports} expect("No drafts");`] as const;
  const selected = browserTestsFor("src/web/words/en.json#drafts-empty#No drafts", [looks]);
  expect(selected).toEqual(["added", "drafts", "looks", "ranking"]);
});

test("selects tests of pages that execute a file of the server", () => {
  expect(browserTestsFor("src/features/drafts/rules.ts")).toEqual(["drafts"]);
});

test("samples the lists in turn until their CPU time reaches the limit", () => {
  const tests = { a: 5, b: 5, c: 5, d: 1 };
  const recording = new Recording({ tests, files: {} });
  const sample = (limit_s: number) => recording.sampleOf([["a", "b", "d"], ["c"]], limit_s);
  expect(sample(100)).toEqual({ files: ["a", "c", "b", "d"], of: 4 });
  expect(sample(12)).toEqual({ files: ["a", "c", "d"], of: 4 });
  expect(sample(1)).toEqual({ files: ["a", "c"], of: 4 });
});

test("records the tests of a file so that the first execute all of its functions", () => {
  const functions = (offsets: number[]) => new Map([["src/web/a.ts", new Set(offsets)]]);
  const record = recordingOf(
    new Map([
      ["all.test.ts", functions([1, 2, 3])],
      ["first.test.ts", functions([1])],
      ["none.test.ts", new Map()],
      ["other.test.ts", functions([4])],
    ]),
    { "all.test.ts": 1, "first.test.ts": 2, "none.test.ts": 0.25, "other.test.ts": 1.01 },
  );
  expect(record.tests).toMatchObject({ "none.test.ts": 0.3, "other.test.ts": 1 });
  expect(record.files).toEqual({ "*": "0 3 1", "src/web/a.ts": "0 3 1" });
});

test("finds the texts of a catalogue that differ, with the text before", () => {
  const before = JSON.stringify({ same: "Same", old: "Old", gone: "Gone" });
  const after = JSON.stringify({ same: "Same", old: "New", added: "Added" });
  expect(changedTexts("en.json", before, after)).toEqual([
    "en.json#old#Old",
    "en.json#gone#Gone",
    "en.json#added#",
  ]);
});

test("the committed recording knows most browser tests", () => {
  const tests = browserTestsOf(sourcesOf(join(import.meta.dir, "../..")));
  const recording = new Recording(EXECUTED);
  const recorded = tests.filter((name) => recording.has(name));
  expect(recorded.length).toBeGreaterThan(tests.length * 0.75);
});
