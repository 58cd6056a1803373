/** Gives other tests and the bench the built executable, rebuilt only when its sources changed. */
import { mkdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { buildExecutable } from "../build.ts";

const ROOT = join(import.meta.dir, "..");
const EXECUTABLE = join(ROOT, "dist", "skein");

let built: Promise<string> | undefined;

export function builtBinary(): Promise<string> {
  return (built ??= build());
}

async function build() {
  if (changedAt(EXECUTABLE) > newestSource()) return EXECUTABLE;
  const begun = new Date();
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  await buildExecutable(EXECUTABLE);
  // What is edited while the build runs must count as newer than the executable.
  utimesSync(EXECUTABLE, begun, begun);
  return EXECUTABLE;
}

/** Folders count too: their time changes when a file goes away. */
function newestSource() {
  const paths = ["build.ts", "package.json", "bun.lock", "NOTICE.txt", "src"];
  const inside = new Bun.Glob("src/**").scanSync({ cwd: ROOT, onlyFiles: false });
  return Math.max(...[...paths, ...inside].map((path) => changedAt(join(ROOT, path))));
}

function changedAt(path: string) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
