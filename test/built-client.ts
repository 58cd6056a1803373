// Provides one small client for all tests, built once per state of its sources.
import { plugin } from "bun";
import { deserialize, serialize } from "bun:jsc";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BuiltFile } from "../src/assets/build.ts";
import type { Client } from "../src/assets/files.ts";
import { uncompressed } from "../src/assets/checkout.ts";

const ROOT = join(import.meta.dir, "..");
const DIST = join(ROOT, "dist");
/** A build: the digest of its sources, then its files. */
const STORED = join(DIST, "client");
/** A SHA-256 in hexadecimal. */
const MARK_BYTES = 64;
/** Includes more than is built in, so that nothing is missed. */
const SOURCES = ["src/**", "docs/help/**", "docs/pictures/help/**", "*.json", "bun.lock"];

/** Path of another build to test, such as that of an earlier version. */
const OTHER = process.env["TEST_CLIENT"];

let built: Promise<readonly BuiltFile[]> | undefined;

/** Built from the sources at the time of the first call. */
export function builtClient(): Promise<readonly BuiltFile[]> {
  return (built ??= cachedOrBuilt());
}

/** Replaces `from-source.ts`, since the executable has its own. */
export function openClient(): Client {
  let files: Promise<Map<string, BuiltFile>> | undefined;
  const filesByPath = async () => new Map((await builtClient()).map((file) => [file.path, file]));
  return {
    async fileAt(path) {
      const file = (await (files ??= filesByPath())).get(path);
      return file && uncompressed(file);
    },
  };
}

/** The cache key is a digest of the sources, since a checkout changes their times. */
async function cachedOrBuilt(): Promise<readonly BuiltFile[]> {
  if (OTHER !== undefined) {
    return deserialize(readFileSync(OTHER).subarray(MARK_BYTES)) as BuiltFile[];
  }
  for (;;) {
    const mark = markOfSources();
    const cachedBytes = existsSync(STORED) ? readFileSync(STORED) : Buffer.of();
    if (cachedBytes.toString("latin1", 0, mark.length) === mark) {
      return deserialize(cachedBytes.subarray(mark.length)) as BuiltFile[];
    }
    // In its own process, which loads the build code after it computes the digest.
    const build = Bun.spawn([process.execPath, import.meta.path], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    if ((await build.exited) !== 0) throw new Error("The client does not build.");
  }
}

/** Written atomically, so that two processes may build at the same time. */
async function build(): Promise<void> {
  const mark = markOfSources();
  const { buildClient } = await import("../src/assets/build.ts");
  const files = await buildClient({ minify: true });
  // Files edited during the build may be included only in part.
  if (markOfSources() !== mark) return;
  mkdirSync(DIST, { recursive: true });
  const draft = `${STORED}.${process.pid}`;
  writeFileSync(draft, packCachedClient(files, mark));
  renameSync(draft, STORED);
}

/** Returns a build in the format of `TEST_CLIENT`, which ignores the digest. */
export function packCachedClient(files: readonly BuiltFile[], digest: string): Buffer {
  const mark = digest.padEnd(MARK_BYTES);
  return Buffer.concat([Buffer.from(mark), new Uint8Array(serialize(files))]);
}

function markOfSources(): string {
  const hash = createHash("sha256").update(Bun.revision);
  const paths = SOURCES.flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: ROOT })]);
  for (const path of paths.toSorted()) {
    const bytes = readFileSync(join(ROOT, path));
    hash.update(`${path}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

if (import.meta.main) {
  await build();
} else {
  plugin({
    name: "client of tests",
    setup(building) {
      building.onLoad({ filter: /[\\/]src[\\/]assets[\\/]from-source\.ts$/ }, () => ({
        loader: "ts",
        contents: `export { openClient } from ${JSON.stringify(import.meta.path)};`,
      }));
    },
  });
}
