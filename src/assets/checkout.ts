// The client of a checkout: built on the first request and again when its source changes.
import { statSync } from "node:fs";
import { join } from "node:path";
import type { BuiltFile } from "./build.ts";
import type { Bytes, Client, ClientFile } from "./files.ts";

const ROOT = join(import.meta.dir, "..");
/** Source files of the client. */
const SOURCES = new Bun.Glob("{assets,web,text,features}/**/*.{ts,tsx,css,json,svg}");
const PAGES = new Bun.Glob("{help/**/*.md,pictures/help/*.webp}");
/** The builder's location of the sources; the builder itself is loaded only when needed. */
const HELP = join(ROOT, "../docs");
/** Minimum interval between checks for changes. */
const CHECK_MS = 200;

/** Files of earlier builds are kept for open tabs. */
export function fromSource(): Client {
  const files = new Map<string, ClientFile>();
  let builtOf = Number.NaN;
  let inspectedAt = Number.NEGATIVE_INFINITY;
  let building: Promise<void> | undefined;
  const build = async () => {
    if (performance.now() - inspectedAt < CHECK_MS) return;
    const changedAt = lastChange();
    inspectedAt = performance.now();
    if (changedAt === builtOf) return;
    const { buildClient } = await import("./build.ts");
    for (const file of await buildClient({ minify: false }))
      files.set(file.path, uncompressed(file));
    builtOf = changedAt;
  };
  return {
    async fileAt(path) {
      const isNamedByContents = path.startsWith("/assets/");
      if (!isNamedByContents || !files.has(path)) {
        await (building ??= build().finally(() => (building = undefined)));
      }
      return files.get(path);
    },
  };
}

export function uncompressed({ type, etag, bytes }: BuiltFile): ClientFile {
  return {
    type,
    etag,
    bytes: (encoding): Bytes | undefined => (encoding === "identity" ? bytes : undefined),
  };
}

function lastChange(): number {
  const help = [...PAGES.scanSync({ cwd: HELP })].map((path) => join(HELP, path));
  const sources = [...SOURCES.scanSync({ cwd: ROOT })].map((path) => join(ROOT, path));
  const times = [...sources, ...help].map((path) => statSync(path).mtimeMs);
  return Math.max(...times) + times.length;
}
