// `bun run test --changed` runs the tests that a change can affect, or all if that is unclear.
import { expect, test } from "bun:test";
import { join } from "node:path";
import mutants from "../mutants/mutants.json";
import { affectedBy, isSameCode, sourcesOf } from "./changed.ts";

const sources = sourcesOf(join(import.meta.dir, "../.."));
const filesFor = (...changes: string[]) => affectedBy(changes, sources).files;

test("selects a test that imports the changed file", () => {
  expect(filesFor("src/pictures/gif.ts")).toContain("test/pictures/animation.test.ts");
  expect(filesFor("test/pictures/gif-writer.ts")).toContain("test/pictures/animation.test.ts");
  expect(filesFor("src/pictures/gif.ts")).not.toContain("test/text/emoji.test.ts");
});

test("follows no imports of types", () => {
  const files = filesFor("test/check/report.ts");
  expect(files).toContain("test/check/report.test.ts");
  expect(files).not.toContain("test/features/reactions.test.ts");
});

test("selects tests that request a route of the changed feature", () => {
  const files = filesFor("src/features/reactions/actions.ts");
  expect(files).toContain("test/features/reactions.test.ts");
  expect(files).toContain("test/web/setting-effects.test.ts");
  expect(files).not.toContain("test/features/ldap.test.ts");
});

test("selects the changed test alone for itself", () => {
  const own = filesFor("test/features/drafts.test.ts");
  expect(own.filter((file) => file.startsWith("test/features/"))).toEqual([
    "test/features/drafts.test.ts",
  ]);
});

test.each([
  ["src/web/words/de.json", "test/web/words.test.ts"],
  ["src/web/feed/style.css", "test/web/scroll-anchoring.test.ts"],
  ["docs/help/polls.md", "test/web/help.test.ts"],
  ["docs/storage.md", "test/docs.test.ts"],
  ["NOTICE.txt", "test/licenses.test.ts"],
  ["test/mutants/mutants.json", "test/check/changed.test.ts"],
  ["test/web/device-data/d865b1fe.json", "test/web/device-data.test.ts"],
  ["src/features/moving/html/script.txt", "test/moving/html.test.ts"],
  [".oxlintrc.json", "test/house.test.ts"],
  ["packaging/package.ts", "test/packaging/debian.test.ts"],
  ["src/commands/doctor.ts", "test/commands/doctor.test.ts"],
  ["src/commands/moving/printed-report.ts", "test/moving/import-served.test.ts"],
  ["src/text/input/decode.ts", "test/commands/character-sets.test.ts"],
])("selects for %s, among others, %s", (changes, expected) => {
  const { files, everythingFor } = affectedBy([changes], sources);
  expect(files).toContain(expected);
  expect(everythingFor).toBeUndefined();
});

test.each([
  "src/store/journal/journal.ts",
  "src/server/app.ts",
  "src/contract/routes.ts",
  "package.json",
])("selects everything for %s, which is part of everything", (changed) => {
  const { files, everythingFor } = affectedBy(["docs/storage.md", changed], sources);
  expect(everythingFor).toBe(changed);
  expect(files).toEqual([...sources.keys()].filter((file) => file.endsWith(".test.ts")).toSorted());
});

test("a change of comments and types alone is no change of code", () => {
  const before = "// Old.\nexport const limit = (n: number) => n + 1;\n";
  const after = "/** New. */\nexport const limit = (n: bigint | number): number =>\n  n + 1;\n";
  expect(isSameCode("src/a.ts", before, after)).toBe(true);
  expect(isSameCode("src/a.ts", before, before.replace("+", "-"))).toBe(false);
  expect(
    isSameCode("src/a.tsx", "export const a = <b>old</b>;", "export const a = <b>new</b>;"),
  ).toBe(false);
  expect(isSameCode("src/web/style/feed.css", "/* a */", "/* b */")).toBe(false);
  expect(isSameCode("src/a.ts", "not code {", "not code {{")).toBe(false);
});

const recorded = new Set(mutants.map(({ file, test: noticing }) => `${file} ${noticing}`));

test.each([...recorded].map((pair) => pair.split(" ") as [string, string]))(
  "selects for %s the test that notices a recorded wrong change: %s",
  (file, noticing) => expect(filesFor(file)).toContain(noticing),
);
