/** Provides the built executable for tests and the bench, rebuilt only if its sources changed. */
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildExecutable } from "../build.ts";

const ROOT = join(import.meta.dir, "..");
const EXECUTABLE = join(ROOT, "dist", "skein");

/** File that lists the sources of the executable, one per line. */
const SOURCES = `${EXECUTABLE}.sources`;

/** Includes more than is built in, such as help; folder times change when a file is deleted. */
const PATHS = ["build.ts", "package.json", "bun.lock", "NOTICE.txt", "packaging/bytecode.order"];
const FOLDERS = ["src", "docs/help", "docs/pictures/help"];

let built: Promise<string> | undefined;

export function builtBinary(): Promise<string> {
  return (built ??= build());
}

/** Source files of the built executable. */
export async function builtSources(): Promise<string[]> {
  await builtBinary();
  return readFileSync(SOURCES, "utf8").split("\n");
}

async function build() {
  const newest = newestSource();
  if (changedAt(EXECUTABLE) > newest && changedAt(SOURCES) > newest) return EXECUTABLE;
  const started = new Date();
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  const sources = await buildExecutable(EXECUTABLE);
  writeFileSync(SOURCES, sources.join("\n"));
  // Files edited during the build must count as newer than the executable.
  utimesSync(EXECUTABLE, started, started);
  return EXECUTABLE;
}

if (import.meta.main) await builtBinary();

function newestSource() {
  const sourceFiles = FOLDERS.flatMap((folder) => [
    folder,
    ...new Bun.Glob(`${folder}/**`).scanSync({ cwd: ROOT, onlyFiles: false }),
  ]);
  return Math.max(...[...PATHS, ...sourceFiles].map((path) => changedAt(join(ROOT, path))));
}

function changedAt(path: string) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
