// The documentation matches the repository: index, links, and list of dependencies.
import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { dependencies, devDependencies } from "../package.json";
import { STORAGE_PAGE, storagePage } from "./house/tables.ts";
import { exists, paths, refuse, source } from "./house/source.ts";

const pages = ["*.md", "docs/**/*.md", "src/**/*.md"].flatMap(paths);
const TARGET = /\]\(([^)\s]+)\)/g;

/** Returns the files that a page links to, by their path from the root. */
function targetsOf(page: string): string[] {
  return [...source(page).text.matchAll(TARGET)]
    .map(([, target = ""]) => target.replace(/#.*$/, ""))
    .filter((target) => target !== "" && !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(page), target));
}

test("every link of a page has a target", () => {
  expect(pages.length).toBeGreaterThan(15);
  const brokenLinks = pages.flatMap((page) =>
    targetsOf(page).flatMap((path) => (exists(path) ? [] : [`${page}  ${path}: is not there`])),
  );
  refuse(brokenLinks);
});

/** Marks that Git writes around a conflict; a formatter may have put them into quotes or tables. */
const CONFLICT = /^[| ]*(?:(?:< ?){7}|(?:> ?){7}|={7}(?=[ |]*$))/m;

test("no page has the marks of an unresolved merge", () => {
  refuse(pages.flatMap((page) => (CONFLICT.test(source(page).text) ? [page] : [])));
});

test("every page of docs is in its index", () => {
  const indexes = ["docs/README.md", "docs/help/README.md", "docs/help/de/README.md"];
  const missingPages = paths("docs/**/*.md").flatMap((page) => {
    const index = indexes.find((index) => page !== index && dirname(page) === dirname(index));
    const path = index ?? indexes[0]!;
    return page === path || targetsOf(path).includes(page)
      ? []
      : [`${path}  does not name ${page}`];
  });
  refuse(missingPages);
});

test("each dependency is listed with its license, and nothing else", () => {
  const [, embeddedSection = "", tools = ""] = source("docs/dependencies.md").text.split("\n## ");
  for (const [table, listedNames] of [
    [embeddedSection, dependencies],
    [tools, devDependencies],
  ] as const) {
    const lines = [...table.matchAll(/^\| `([^`]+)` +\| ([^|]+?) +\|(.*)\|$/gm)];
    const expected = Object.keys(listedNames).map((name) => [name, licenseOf(name)]);
    expect(lines.map(([, name, license]) => [name, license])).toEqual(expected);
    const empty = lines.filter(([, , , cells = ""]) =>
      cells.split("|").some((cell) => !/\w/.test(cell)),
    );
    expect(empty.map(([, name]) => name)).toEqual([]);
  }
});

test("package.json has the types of the runtime's version", () => {
  expect(devDependencies["bun-types"]).toBe(devDependencies.bun);
  expect(Object.keys(devDependencies)).not.toContain("@types/bun");
});

function licenseOf(name: string): string {
  const manifest = JSON.parse(source(`node_modules/${name}/package.json`).text) as {
    license: string;
  };
  return manifest.license;
}

test("each entry has a reason, and exists on its page", () => {
  const [, , , own = ""] = source("docs/dependencies.md").text.split("\n## ");
  const rows = [...own.matchAll(/^\| (?!what |-)([^|]+?) +\| ([^|]+?) +\| ([^|]*?) +\|$/gm)];
  expect(rows.length).toBeGreaterThan(20);
  const places = rows.flatMap(([, label, location = ""]) => {
    let folder = "";
    return [...location.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => {
      const fullPath = path.startsWith("src/") ? path : folder + path;
      folder = fullPath.slice(0, fullPath.lastIndexOf("/") + 1);
      return { what: label, glob: fullPath.replace("…", "*").replace(/\/$/, "/**") };
    });
  });
  const unusedGlobs = places.filter(({ glob }) => paths(glob).length === 0);
  expect(unusedGlobs).toEqual([]);
});

test("docs/storage.md has all tables: bun test/house/tables.ts writes them", async () => {
  expect((await storagePage()) === (await Bun.file(STORAGE_PAGE).text())).toBe(true);
});
