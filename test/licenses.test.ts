// Licenses of everything in the executable permit it, and are included.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { skein } from "./commands/skein.ts";
import { NOTICE, noticeText } from "./licenses/notice.ts";
import { packaged } from "./licenses/packages.ts";
import { runtimeParts } from "./licenses/runtime.ts";
import { isAllowed } from "./licenses/spdx.ts";

const folder = mkdtempSync(join(tmpdir(), "skein-licenses-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("every package that goes into the executable has a licence on the list", () => {
  const strange = packaged().filter(({ license }) => !isAllowed(license));
  expect(strange.map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
});

test("NOTICE.txt is of what is here: bun test/licenses/notice.ts writes it", () => {
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
])("a package under %p goes into the executable: %p", (expression, may) => {
  expect(isAllowed(expression)).toBe(may);
});

/** A folder with packages in it, by path; each has a manifest. */
function lay(manifests: Record<string, object>): void {
  for (const [path, manifest] of Object.entries(manifests)) {
    const place = join(folder, path);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "package.json"), JSON.stringify(manifest));
  }
}

test("what others depend on is found, tools of development are not", () => {
  lay({
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
  expect(packaged(folder, [])).toEqual([
    { name: "a", version: "1.0.0", license: "MIT", author: "", text: "Of A" },
    { name: "b", version: "2.0.0", license: "GPL-3.0-only", author: "Bea", text: "" },
  ]);
});

test("the runtime's own list is read whole", () => {
  const parts = runtimeParts();
  expect(parts.length).toBeGreaterThan(45);
  expect(parts.find(({ name }) => name === "tinycc")).toMatchObject({ license: "LGPL v2.1" });
  for (const { url } of parts) expect(url).toStartWith("https://");
});

test("skein licenses tells them all, and how to put in another JavaScriptCore", async () => {
  const { code, out, err } = await skein(["licenses"]);
  expect([code, err, out]).toEqual([0, "", readFileSync(NOTICE, "utf8")]);
  const names = packaged().map(({ name, version }) => `- ${name} ${version}: `);
  const titles = ["Apache License", "GNU LIBRARY GENERAL PUBLIC LICENSE", "The OpenLDAP Public"];
  const told = [...names, ...titles, "GNU LESSER GENERAL PUBLIC LICENSE", "WEBKIT_VERSION"];
  expect(told.filter((words) => !out.includes(words))).toEqual([]);
});
