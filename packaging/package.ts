/** `bun run package`: packages for x64 and arm64 in dist/packages, with checksums. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildAll, type BuildResult } from "../build.ts";
import { baseOf, BaseUnavailable } from "./base/base.ts";
import { type Arch, contentsOf, ROOT } from "./contents.ts";
import { debNameOf, debOf } from "./deb.ts";
import { imageNameOf, imageOf } from "./image.ts";
import { writeSums } from "./sums.ts";
import { tarballNameOf, tarballOf } from "./tarball.ts";

const GZIP = 9;
/** Higher levels take minutes, and make packages a tenth smaller. */
const ZSTD = 12;

/** Packages each executable, and prints what it skips and why. Returns the names of the files. */
export async function makePackages(
  built: readonly BuildResult[],
  folder: string,
): Promise<string[]> {
  const contents = contentsOf();
  const names: string[] = [];
  const put = (name: string, bytes: Uint8Array) => {
    writeFileSync(join(folder, name), bytes);
    names.push(name);
    console.log(name);
  };
  for (const { path, target } of built) {
    const executable = readFileSync(path);
    put(tarballNameOf(target), tarballOf(executable, contents, GZIP));
    if (target.libc !== "glibc") continue;
    const arch = target.arch as Arch;
    put(debNameOf(arch), debOf({ arch, executable, contents, level: ZSTD }));
    try {
      const base = await baseOf(arch);
      put(imageNameOf(arch), imageOf({ arch, executable, contents, base, level: GZIP }));
    } catch (error) {
      if (!(error instanceof BaseUnavailable)) throw error;
      console.log(`skipped ${imageNameOf(arch)}: ${error.message}`);
    }
  }
  return names;
}

if (import.meta.main) {
  const folder = join(ROOT, "dist/packages");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeSums(folder, await makePackages(await buildAll(join(ROOT, "dist")), folder));
}
