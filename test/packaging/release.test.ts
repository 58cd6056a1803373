// Parts of a release besides packages: list of parts, checksums, and the archive for Linux.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { sbomOf } from "../../packaging/sbom.ts";
import { SUMS, writeSums } from "../../packaging/sums.ts";
import { tarballNameOf, tarballOf } from "../../packaging/tarball.ts";
import { builtSources } from "../built-executable.ts";
import { listPackages } from "../licenses/packages.ts";
import { ARCH, packageParts } from "./packages.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-release-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Component {
  "bom-ref": string;
  name: string;
  version?: string;
  purl?: string;
  licenses?: unknown[];
}

test("the list of parts matches the bundle, and each is in NOTICE.txt", async () => {
  const sources = await builtSources();
  const sbom = JSON.parse(sbomOf(sources, 1_700_000_000));
  expect(sbom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 });
  expect(sbom.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(sbom.metadata.component).toMatchObject({ name: "skein", version });
  const components: Component[] = sbom.components;
  const refs = components.map((component) => component["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  expect(sbom.dependencies).toEqual([{ ref: "skein", dependsOn: refs }]);
  expect(components.filter(({ licenses }) => !licenses).map(({ name }) => name)).toEqual([]);
  const npm = components.filter(({ purl }) => purl?.startsWith("pkg:npm/"));
  const noticedPackages = new Set(
    listPackages().map(({ name, version: path }) => `${name} ${path}`),
  );
  const others = npm
    .map((component) => `${component.name} ${component.version}`)
    .filter((item) => !noticedPackages.has(item));
  // The database's platform library and the runtime are components with parts of their own.
  expect(others.map((item) => item.replace(/ .*/, "")).toSorted()).toEqual([
    `@lmdb/lmdb-linux-${ARCH}`,
    "bun",
  ]);
  const names = components.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(["elysia", "lmdb", "LMDB", "preact", "emoji-datasource"]),
  );
  expect(names).not.toContain("oxlint");
});

test("tar unpacks the archive, and its content runs", async () => {
  const { executable, contents } = await packageParts();
  const name = tarballNameOf({ platform: "linux", arch: ARCH, libc: "glibc" });
  writeFileSync(join(folder, name), tarballOf(executable, contents, 1));
  writeSums(folder, [name]);
  const run = (...command: string[]) => {
    const result = Bun.spawnSync(command, { cwd: folder });
    expect([command[0], result.exitCode]).toEqual([command[0], 0]);
    return result.stdout.toString();
  };
  expect(run("sha256sum", "--check", "--strict", SUMS)).toBe(`${name}: OK\n`);
  run("tar", "-xzf", name);
  const inside = readdirSync(join(folder, `skein-${version}`)).toSorted();
  const texts = ["CHANGELOG.md", "LICENSE", "NOTICE.txt", "completions"];
  expect(inside).toEqual([...texts, "skein", "skein.1", "skein.service", "skein.toml"]);
  expect(run(join(folder, `skein-${version}/skein`), "version")).toStartWith(`Skein ${version}`);
});
