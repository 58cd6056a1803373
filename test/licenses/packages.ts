// The packages that go into the executable: dependencies of the product, direct and indirect.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface PackageInfo {
  name: string;
  version: string;
  /** License field of the package; "" if it has none. */
  license: string;
  author: string;
  /** License and notice texts that must be distributed with the package. */
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
 * Packages that are not dependencies of the product but end up in the executable: sources of our
 * generated data, and optional packages that a dependency loads if present. The test of the
 * release's list of parts finds them.
 */
const EXTRA_PACKAGES = ["emoji-datasource", "@sinclair/typebox", "supports-color"];
const TEXTS = /^(licen[cs]e|copying|copyright|notice|third_party_licenses)/i;
/** Folders in a package that contain libraries of other authors, compiled into it. */
const BUNDLED_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  lmdb: ["dependencies/lmdb/libraries/liblmdb", "dependencies/lz4/lib"],
};

/** Packages by name and version. Platform packages belong to the package that uses them. */
export function listPackages(root = ROOT, additional = EXTRA_PACKAGES): PackageInfo[] {
  const packages = new Map<string, PackageInfo>();
  const walk = (folder: string, names: readonly string[]) => {
    for (const name of names) {
      const path = placeOf(name, folder, root);
      if (path === undefined) continue;
      const manifest = manifestIn(path);
      const key = `${name} ${manifest.version}`;
      if (packages.has(key) || manifest.os || manifest.cpu) continue;
      packages.set(key, readPackage(path, manifest));
      walk(path, needs(manifest));
    }
  };
  walk(root, [...needs(manifestIn(root)), ...additional]);
  return [...packages.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, packaged]) => packaged);
}

const needs = ({ dependencies, optionalDependencies }: Manifest) =>
  Object.keys({ ...dependencies, ...optionalDependencies });

export const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Directory in which the runtime finds the package; undefined: it is for another platform. */
function placeOf(name: string, from: string, root: string): string | undefined {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const path = join(folder, "node_modules", name);
    if (existsSync(join(path, "package.json"))) return path;
  }
  return undefined;
}

export function readPackage(path: string, manifest: Manifest): PackageInfo {
  const { name, version, license, licenses = [], author = "" } = manifest;
  const licenseName = typeof license === "object" ? license.type : license;
  const texts = ["", ...(BUNDLED_PACKAGES[name] ?? [])].flatMap((file) =>
    textsIn(join(path, file)),
  );
  return {
    name,
    version,
    license: licenseName ?? licenses.map(({ type }) => type).join(" OR "),
    author: (typeof author === "object" ? author.name : author).replace(/ *[<(].*/, ""),
    text: texts.join("\n\n"),
  };
}

function textsIn(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => TEXTS.test(file));
  return files.sort().map((file) => withoutMarkup(readFileSync(join(folder, file), "utf8")));
}

function withoutMarkup(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .replace(/[ \t]+$/gm, "")
    .trim();
}
