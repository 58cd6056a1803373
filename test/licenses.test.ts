// Licenses of everything in the executable are allowed and included.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { skein } from "./commands/skein.ts";
import { NOTICE, noticeText } from "./licenses/notice.ts";
import { listPackages } from "./licenses/packages.ts";
import { runtimeParts } from "./licenses/runtime.ts";
import { isAllowed } from "./licenses/spdx.ts";

const folder = mkdtempSync(join(tmpdir(), "skein-licenses-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("every package in the executable has an allowed license", () => {
  const unexpected = listPackages().filter(({ license }) => !isAllowed(license));
  expect(unexpected.map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
});

test("NOTICE.txt is up to date: run bun test/licenses/notice.ts", () => {
  expect(readFileSync(NOTICE, "utf8") === noticeText()).toBe(true);
});

test.each([
  ["MIT", true],
  ["(MPL-2.0 OR Apache-2.0)", true],
  ["MIT AND BSD-3-Clause", true],
  ["MIT AND GPL-3.0-only", false],
  ["GPL-3.0-only OR (MIT AND ISC)", true],
  ["(GPL-3.0-only OR MPL-2.0) AND MIT", false],
  ["MIT OR GPL-3.0-only AND MPL-2.0", true],
  ["Apache-2.0 WITH LLVM-exception", true],
  ["GPL-2.0-only WITH Classpath-exception-2.0", false],
  ["MPL-2.0", false],
  ["SEE LICENSE IN LICENSE.md", false],
  ["UNLICENSED", false],
  ["MIT)", false],
  ["(MIT", false],
  ["MIT OR", false],
  ["mit", false],
  ["", false],
])("includes a package under %p in the executable: %p", (expression, isIncluded) => {
  expect(isAllowed(expression)).toBe(isIncluded);
});

/** Creates packages in the folder, by path, each with its manifest. */
function writeManifests(manifests: Record<string, object>): void {
  for (const [path, manifest] of Object.entries(manifests)) {
    const location = join(folder, path);
    mkdirSync(location, { recursive: true });
    writeFileSync(join(location, "package.json"), JSON.stringify(manifest));
  }
}

test("finds dependencies of dependencies, but not development tools", () => {
  writeManifests({
    ".": { dependencies: { a: "1" }, devDependencies: { tool: "1" } },
    "node_modules/a": { name: "a", version: "1.0.0", license: "MIT", dependencies: { b: "2" } },
    "node_modules/b": { name: "b", version: "1.0.0", license: "MIT" },
    "node_modules/a/node_modules/b": {
      ...{ name: "b", version: "2.0.0", licenses: [{ type: "GPL-3.0-only" }] },
      ...{ author: { name: "Bea" }, optionalDependencies: { missing: "1", addon: "1" } },
    },
    "node_modules/addon": { name: "addon", version: "1.0.0", os: ["linux"] },
    "node_modules/tool": { name: "tool", version: "1.0.0", license: "GPL-3.0-only" },
  });
  writeFileSync(join(folder, "node_modules/a/LICENSE"), "Of A\r\n");
  expect(listPackages(folder, [])).toEqual([
    { name: "a", version: "1.0.0", license: "MIT", author: "", text: "Of A" },
    { name: "b", version: "2.0.0", license: "GPL-3.0-only", author: "Bea", text: "" },
  ]);
});

test("reads the runtime's own list completely", () => {
  const parts = runtimeParts();
  expect(parts.length).toBeGreaterThan(45);
  expect(parts.find(({ name }) => name === "tinycc")).toMatchObject({ license: "LGPL v2.1" });
  for (const { url } of parts) expect(url).toStartWith("https://");
});

test("skein licenses lists all, and how to replace JavaScriptCore", async () => {
  const { code, out, err } = await skein(["licenses"]);
  expect([code, err, out]).toEqual([0, "", readFileSync(NOTICE, "utf8")]);
  const names = listPackages().map(({ name, version }) => `- ${name} ${version}: `);
  const titles = ["Apache License", "GNU LIBRARY GENERAL PUBLIC LICENSE", "The OpenLDAP Public"];
  const received = [...names, ...titles, "GNU LESSER GENERAL PUBLIC LICENSE", "WEBKIT_VERSION"];
  expect(received.filter((text) => !out.includes(text))).toEqual([]);
});
