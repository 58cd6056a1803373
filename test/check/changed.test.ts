// `bun run test --changed` runs the tests that a change can affect, and all where it cannot tell.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { affectedBy, sourcesOf } from "./changed.ts";

const sources = sourcesOf(join(import.meta.dir, "../.."));
const filesFor = (...changed: string[]) => affectedBy(changed, sources).files;

test("selects a test that imports the changed file", () => {
  expect(filesFor("src/pictures/gif.ts")).toContain("test/pictures/moving.test.ts");
  expect(filesFor("test/pictures/gifs.ts")).toContain("test/pictures/moving.test.ts");
  expect(filesFor("src/pictures/gif.ts")).not.toContain("test/text/emoji.test.ts");
});

test("selects tests that request a route of the changed feature", () => {
  const files = filesFor("src/features/reactions/actions.ts");
  expect(files).toContain("test/features/reactions.test.ts");
  expect(files).toContain("test/web/heeded.test.ts");
  expect(files).not.toContain("test/features/ldap.test.ts");
});

test("selects all browser tests for the client, and the changed test alone for itself", () => {
  const files = filesFor("src/web/features/drafts/list.tsx");
  expect(files).toContain("test/web/draft-rows.test.ts");
  expect(files).toContain("test/web/looks.test.ts");
  expect(files).not.toContain("test/features/drafts.test.ts");
  const own = filesFor("test/features/drafts.test.ts");
  expect(own.filter((file) => file.startsWith("test/features/"))).toEqual([
    "test/features/drafts.test.ts",
  ]);
});

test.each([
  ["src/web/words/de.json", "test/web/words.test.ts"],
  ["src/web/style/feed.css", "test/web/looks.test.ts"],
  ["docs/help/polls.md", "test/web/help.test.ts"],
  ["docs/storage.md", "test/docs.test.ts"],
  ["NOTICE.txt", "test/licenses.test.ts"],
  ["packaging/package.ts", "test/packaging/debian.test.ts"],
  ["src/commands/doctor.ts", "test/commands/doctor.test.ts"],
])("selects for %s, among others, %s", (changed, expected) => {
  const { files, everythingFor } = affectedBy([changed], sources);
  expect(files).toContain(expected);
  expect(everythingFor).toBeUndefined();
});

test.each(["src/store/journal.ts", "src/server/app.ts", "src/contract/routes.ts", "package.json"])(
  "selects everything for %s, which is part of everything",
  (changed) => {
    const { files, everythingFor } = affectedBy(["docs/storage.md", changed], sources);
    expect(everythingFor).toBe(changed);
    expect(files).toEqual(
      [...sources.keys()].filter((file) => file.endsWith(".test.ts")).toSorted(),
    );
  },
);
