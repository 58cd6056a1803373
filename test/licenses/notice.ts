/** Writes NOTICE.txt: the components of the executable, their authors and licenses. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dependencies, devDependencies } from "../../package.json";
import { listPackages, type PackageInfo } from "./packages.ts";
import { runtimeParts } from "./runtime.ts";

const ROOT = join(import.meta.dir, "../..");
export const NOTICE = join(ROOT, "NOTICE.txt");
const RULE = `\n\n${"=".repeat(80)}\n\n`;
const AVIF = dependencies["@jsquash/avif"];
const BUN = devDependencies.bun;

const HEAD = `Skein
Copyright 2026 The Skein Authors

Skein is under the Apache License 2.0, whose text is at the end. The executable holds works of
others: the packages and the runtime that are named here, each with its license.`;

const COMPILED_IN = `Compiled into the packages:

- into lmdb: LMDB, under the OpenLDAP Public License 2.8; LZ4, under BSD-2-Clause
- into @jsquash/avif ${AVIF}: libavif and libaom, under BSD-2-Clause, the latter with the patent
  license of the Alliance for Open Media 1.0`;

const RUNTIME = `The runtime is Bun ${BUN} (https://bun.com), under the MIT License:

  Copyright (c) Oven, and the contributors to Bun

JavaScriptCore and the parts of WebKit in it are under the GNU Lesser General Public License 2,
tinycc is under version 2.1 of it; both texts are below. You may change these libraries and put
them in the place of those that are here:

1. The sources of the runtime are at https://github.com/oven-sh/bun, tag bun-v${BUN}; those of its
   JavaScriptCore at https://github.com/oven-sh/WebKit, at the commit that is the WEBKIT_VERSION
   in the runtime's scripts/build/deps/webkit.ts; those of tinycc at
   https://github.com/tinycc/tinycc, at the commit that the same folder names.
2. Clone the WebKit sources into vendor/WebKit, check that commit out (bun sync-webkit-source does
   it), change what you want, and run "bun run build:local": it compiles JavaScriptCore and all
   that uses it, and links a new bun.
3. With that bun, in the sources of Skein: "bun install --frozen-lockfile && bun run build". All
   that is Skein's own is there in source form, and the new executable has your runtime in it.

Nobody may forbid you to do so, or to find out by taking the executable apart how your changes work.

The parts of the runtime:
`;

/** Returns the complete text of NOTICE.txt. */
export function noticeText(): string {
  const parts = runtimeParts().map(({ name, license, url }) => `- ${name}: ${license} (${url})`);
  return `${[
    `${HEAD}\n\n${listOf(listPackages())}\n\n${COMPILED_IN}`,
    RUNTIME + parts.join("\n"),
    ...textsOf(listPackages()),
    ...["licenses/LGPL-2.0.txt", "licenses/LGPL-2.1.txt", "LICENSE"].map(textIn),
  ].join(RULE)}\n`;
}

function listOf(all: readonly PackageInfo[]): string {
  const rows = all.map(({ name, version, license, author, text }) => {
    // Names the author of a package that includes no license text.
    const byAuthor = text === "" && author !== "" ? `, by ${author}` : "";
    return `- ${name} ${version}: ${license}${byAuthor}`;
  });
  return `The packages:\n\n${rows.join("\n")}`;
}

/** Returns each license text once, below the names of all packages that use it. */
function textsOf(all: readonly PackageInfo[]): string[] {
  const names = new Map<string, string[]>();
  for (const { name, text } of all) {
    if (text !== "") names.set(text, [...new Set([...(names.get(text) ?? []), name])]);
  }
  return [...names].map(([text, packages]) => `${packages.join(", ")}\n\n${text}`);
}

function textIn(path: string): string {
  return readFileSync(join(ROOT, path), "utf8").trim();
}

if (import.meta.main) writeFileSync(NOTICE, noticeText());
