// Whether a database file is as a clean stop left it: then a start need not check it.
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { PageFile } from "./file.ts";
import { newestMeta } from "./meta.ts";
import { PageFault } from "./page.ts";

/** Beside the database file; without it, or where it says something else, the file is checked. */
export const CLEAN = "data.mdb-clean";
const MODE = 0o600;

/** To be called when the file is closed. A mark that is lost costs a check, and nothing else. */
export function setMark(path: string, mark: string, is_clean: boolean): void {
  try {
    const found = is_clean ? stateOf(path) : undefined;
    if (found === undefined) rmSync(mark, { force: true });
    else writeFileSync(mark, found, { mode: MODE });
  } catch {}
}

export function isClean(path: string, mark: string): boolean {
  let marked: string;
  try {
    marked = readFileSync(mark, "utf8");
  } catch {
    return false;
  }
  return marked === stateOf(path);
}

/** A write to the file changes its time, a copy is another file, a commit has another number. */
function stateOf(path: string): string | undefined {
  const { size, mtimeNs, ino } = statSync(path, { bigint: true });
  try {
    using file = new PageFile(path);
    return `commit ${newestMeta(file).commit} size ${size} time ${mtimeNs} inode ${ino}\n`;
  } catch (error) {
    if (error instanceof PageFault) return undefined;
    throw error;
  }
}
