// The packages that go into the executable: what the product depends on, and what that depends on.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Packaged {
  name: string;
  version: string;
  /** As the package says it; "" where it says nothing. */
  license: string;
  author: string;
  /** What it wants to go along with it, in one piece. */
  text: string;
}

interface Manifest {
  name: string;
  version: string;
  license?: string | { type: string };
  licenses?: { type: string }[];
  author?: string | { name: string };
  os?: unknown;
  cpu?: unknown;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const ROOT = join(import.meta.dir, "../..");
/**
 * Tools of development whose data stand in our sources, and what packages take where it is there,
 * without depending on it: the test of the list of parts finds these.
 */
const BESIDES = ["emoji-datasource", "@sinclair/typebox", "supports-color"];
const TEXTS = /^(licen[cs]e|copying|copyright|notice|third_party_licenses)/i;
/** Inside of a package: libraries of others that are compiled into it. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  lmdb: ["dependencies/lmdb/libraries/liblmdb", "dependencies/lz4/lib"],
};

/** By name, each version by itself. What is for one platform belongs to who takes it. */
export function packaged(root = ROOT, besides = BESIDES): Packaged[] {
  const found = new Map<string, Packaged>();
  const walk = (folder: string, names: readonly string[]) => {
    for (const name of names) {
      const place = placeOf(name, folder, root);
      if (place === undefined) continue;
      const manifest = manifestIn(place);
      const key = `${name} ${manifest.version}`;
      if (found.has(key) || manifest.os || manifest.cpu) continue;
      found.set(key, readPackage(place, manifest));
      walk(place, needs(manifest));
    }
  };
  walk(root, [...needs(manifestIn(root)), ...besides]);
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

const needs = ({ dependencies, optionalDependencies }: Manifest) =>
  Object.keys({ ...dependencies, ...optionalDependencies });

export const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Where the runtime finds it from there; undefined: it is for another platform. */
function placeOf(name: string, from: string, root: string): string | undefined {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const place = join(folder, "node_modules", name);
    if (existsSync(join(place, "package.json"))) return place;
  }
  return undefined;
}

export function readPackage(place: string, manifest: Manifest): Packaged {
  const { name, version, license, licenses = [], author = "" } = manifest;
  const named = typeof license === "object" ? license.type : license;
  const texts = ["", ...(INSIDE[name] ?? [])].flatMap((inside) => textsIn(join(place, inside)));
  return {
    name,
    version,
    license: named ?? licenses.map(({ type }) => type).join(" OR "),
    author: (typeof author === "object" ? author.name : author).replace(/ *[<(].*/, ""),
    text: texts.join("\n\n"),
  };
}

function textsIn(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => TEXTS.test(file));
  return files.sort().map((file) => plain(readFileSync(join(folder, file), "utf8")));
}

function plain(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .replace(/[ \t]+$/gm, "")
    .trim();
}
