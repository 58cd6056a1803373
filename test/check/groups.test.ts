// The groups of test files that share a process.
import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { sourcesOf } from "./changed.ts";
import { groupsOf } from "./groups.ts";

const sources = sourcesOf(join(import.meta.dir, "../.."));
const files = [...sources.keys()].filter((file) => file.endsWith(".test.ts"));
const groups = groupsOf(files, sources);

test("each test file is in one group, with files of its folder only", () => {
  expect(groups.flat().toSorted()).toEqual(files.toSorted());
  for (const group of groups) expect(new Set(group.map(dirname)).size).toBe(1);
});

test.each(["test/features", "test/web", "test/server", "test/store"])(
  "most files of %s share a process, as its start is half of what a small file costs",
  (folder) => {
    const own = groups.filter(([file]) => dirname(file!) === folder);
    expect(own.length).toBeLessThan(own.flat().length / 1.5);
  },
);

test("a new file moves no other file to another group", () => {
  const fewer = groupsOf(files.slice(1), sources);
  const remaining = groups.map((group) => group.filter((file) => file !== files[0]));
  expect(fewer.toSorted()).toEqual(remaining.filter((group) => group.length > 0).toSorted());
});
