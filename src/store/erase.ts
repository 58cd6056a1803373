// Deletes a database permanently, and leaves a mark that there was one.
import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { syncNow } from "./system/durable.ts";

/** The store's own files. Nothing else in the directory is touched. */
const FILES = ["data.mdb", "data.mdb-log", "data.mdb-lock", "data.mdb-clean", "secrets"];
/** Directory for damaged rows and files. */
export const QUARANTINE = "quarantine";
const MARK = "deleted";

/**
 * Runs while this process still locks the directory; the system keeps the files until they are
 * closed. Writes the mark first, so that after a crash the directory does not look unused.
 */
export function eraseStore(directory: string, when: Date): void {
  const mark = openSync(`${directory}/${MARK}`, "w", 0o600);
  writeSync(mark, `The data in this directory was deleted at ${when.toISOString()}.\n`);
  fsyncSync(mark);
  closeSync(mark);
  for (const file of FILES) rmSync(`${directory}/${file}`, { force: true });
  rmSync(`${directory}/${QUARANTINE}`, { recursive: true, force: true });
  syncNow(directory);
}

export function wasErased(directory: string): boolean {
  return existsSync(`${directory}/${MARK}`) && !existsSync(`${directory}/data.mdb`);
}

/** True even if a later start created an empty database. */
export function isMarkedErased(directory: string): boolean {
  return existsSync(`${directory}/${MARK}`);
}

/** Must be called when the directory has data again. */
export function unmarkErased(directory: string): void {
  rmSync(`${directory}/${MARK}`, { force: true });
}
