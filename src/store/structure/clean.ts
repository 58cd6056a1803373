// Records that a database file was closed cleanly, so that the next start need not check it.
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { PageFile } from "./file.ts";
import { newestMeta } from "./meta.ts";
import { PageFault } from "./page.ts";

/** A file next to the database. If it is missing or does not match, the database is checked. */
export const CLEAN = "data.mdb-clean";
const MODE = 0o600;

/** Must be called when the file is closed. A lost mark only costs a check. */
export function setMark(path: string, mark: string, is_clean: boolean): void {
  try {
    const state = is_clean ? stateOf(path) : undefined;
    if (state === undefined) rmSync(mark, { force: true });
    else writeFileSync(mark, state, { mode: MODE });
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

/** Identifies the file's state by its modification time, inode and commit number. */
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
