/** The software bill of materials of the executables (CycloneDX), from the bundler's inputs. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { devDependencies, version } from "../package.json";
import { manifestIn, readPackage } from "../test/licenses/packages.ts";
import { runtimeParts } from "../test/licenses/runtime.ts";
import { isAllowed } from "../test/licenses/spdx.ts";
import { ROOT } from "./contents.ts";

/** Compiled into packages, without a manifest. */
const INCLUDED_PACKAGES = [
  { of: "lmdb", name: "LMDB", license: "OLDAP-2.8" },
  { of: "lmdb", name: "LZ4", license: "BSD-2-Clause" },
  { of: "@jsquash/avif", name: "libavif", license: "BSD-2-Clause" },
  { of: "@jsquash/avif", name: "libaom", license: "BSD-2-Clause" },
];
/** Packages whose data is copied into the sources. */
const DATA = ["node_modules/emoji-datasource"];
/** Matches the folder of a package in the path of its file. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

interface Component {
  type: "library" | "framework" | "application";
  "bom-ref": string;
  name: string;
  version?: string;
  purl?: string;
  licenses?: ({ license: { id: string } | { name: string } } | { expression: string })[];
  externalReferences?: { type: "website"; url: string }[];
}

/** `sources`: as returned by the builds; `time` in Unix seconds. */
export function sbomOf(sources: readonly string[], time: number): string {
  const folders = new Set([...DATA, ...sources.flatMap((path) => PACKAGE.exec(path)?.[0] ?? [])]);
  const packages = [...folders].map((folder) => componentOf(join(ROOT, folder)));
  const byName = new Map(packages.map((component) => [component["bom-ref"], component]));
  const components = [...byName.values()].toSorted((a, b) =>
    a["bom-ref"] < b["bom-ref"] ? -1 : 1,
  );
  const names = new Set(components.map(({ name }) => name));
  const inside = INCLUDED_PACKAGES.filter(({ of: dependency }) => names.has(dependency)).map(
    ({ of: dependency, name, license }): Component => ({
      type: "library",
      "bom-ref": `${dependency}/${name}`,
      name,
      licenses: [{ license: { id: license } }],
    }),
  );
  const all = [...components, ...inside, ...runtime()];
  const root = { type: "application", "bom-ref": "skein", name: "skein", version } as const;
  const sbom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(all))}`,
    version: 1,
    metadata: {
      timestamp: new Date(time * 1_000).toISOString(),
      component: { ...root, licenses: [{ license: { id: "Apache-2.0" } }] },
    },
    components: all,
    dependencies: [{ ref: "skein", dependsOn: all.map((component) => component["bom-ref"]) }],
  };
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

function componentOf(folder: string): Component {
  const { name, version: number, license } = readPackage(folder, manifestIn(folder));
  const purl = `pkg:npm/${name.replace("@", "%40")}@${number}`;
  return { type: "library", "bom-ref": purl, name, version: number, purl, ...licensed(license) };
}

/** An SPDX identifier or expression, or the name of another license. */
function licensed(license: string): Pick<Component, "licenses"> {
  if (license === "") return {};
  if (/[ (]/.test(license) && isAllowed(license)) return { licenses: [{ expression: license }] };
  const isId = /^[\w.+-]+$/.test(license) && isAllowed(license);
  return { licenses: [{ license: isId ? { id: license } : { name: license } }] };
}

/** Bun and the libraries that are linked into it. */
function runtime(): Component[] {
  const { bun } = devDependencies;
  const purl = `pkg:npm/bun@${bun}`;
  const own: Component = { type: "framework", "bom-ref": purl, name: "bun", version: bun, purl };
  const parts = runtimeParts().map(({ name, license, url }): Component => {
    const website = { type: "website", url } as const;
    const ref = `bun/${name}`;
    const licenses = [{ license: { name: license } }];
    const type = "library";
    return { type, "bom-ref": ref, name, licenses, externalReferences: [website] };
  });
  const refs = new Map(parts.map((part) => [part["bom-ref"], part]));
  return [{ ...own, licenses: [{ license: { id: "MIT" } }] }, ...refs.values()];
}

/** Derived from the components, so that equal builds have equal serial numbers. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
}
