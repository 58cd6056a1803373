// Gives all tests one client, as small as that of the executable, built once for its sources.
import { plugin } from "bun";
import { deserialize, serialize } from "bun:jsc";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BuiltFile } from "../src/assets/build.ts";
import type { Client } from "../src/assets/files.ts";
import { plain } from "../src/assets/source.ts";

const ROOT = join(import.meta.dir, "..");
const DIST = join(ROOT, "dist");
/** A build: first the mark of what it was built from, then its files. */
const KEPT = join(DIST, "client");
/** More than goes in: nobody need think of what else does. */
const SOURCES = ["src/**", "docs/help/**", "docs/pictures/help/**", "*.json", "bun.lock"];

let built: Promise<readonly BuiltFile[]> | undefined;

/** As the sources were when this process first asked. */
export function builtClient(): Promise<readonly BuiltFile[]> {
  return (built ??= keptOrBuilt());
}

/** Stands for that of `origin.ts`, as the executable has one of its own. */
export function openClient(): Client {
  let files: Promise<Map<string, BuiltFile>> | undefined;
  const all = async () => new Map((await builtClient()).map((file) => [file.path, file]));
  return {
    async fileAt(path) {
      const file = (await (files ??= all())).get(path);
      return file && plain(file);
    },
  };
}

/** What the sources hold is its mark, not when they changed: a checkout changes that at will. */
async function keptOrBuilt(): Promise<readonly BuiltFile[]> {
  for (;;) {
    const mark = markOfSources();
    const kept = existsSync(KEPT) ? readFileSync(KEPT) : Buffer.of();
    if (kept.toString("latin1", 0, mark.length) === mark) {
      return deserialize(kept.subarray(mark.length)) as BuiltFile[];
    }
    // In a process of its own, which has loaded nothing of the builder before it takes the mark.
    const build = Bun.spawn([process.execPath, import.meta.path], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    if ((await build.exited) !== 0) throw new Error("The client does not build.");
  }
}

/** It is there whole or not at all, so that two processes may come with theirs at once. */
async function build(): Promise<void> {
  const mark = markOfSources();
  const { buildClient } = await import("../src/assets/build.ts");
  const files = await buildClient({ minify: true });
  // What was edited in the meantime may have gone in by half.
  if (markOfSources() !== mark) return;
  mkdirSync(DIST, { recursive: true });
  const draft = `${KEPT}.${process.pid}`;
  writeFileSync(draft, Buffer.concat([Buffer.from(mark), new Uint8Array(serialize(files))]));
  renameSync(draft, KEPT);
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
      building.onLoad({ filter: /[\\/]src[\\/]assets[\\/]origin\.ts$/ }, () => ({
        loader: "ts",
        contents: `export { openClient } from ${JSON.stringify(import.meta.path)};`,
      }));
    },
  });
}
