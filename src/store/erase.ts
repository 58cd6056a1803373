// Taking a database away for good, and knowing afterwards that there was one.
import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { syncNow } from "./system/durable.ts";

/** The store's own files. Nothing else in the directory is touched. */
const FILES = ["data.mdb", "data.mdb-lock", "data.mdb-clean", "secrets"];
/** Directory for damaged rows and files. */
export const QUARANTINE = "quarantine";
const MARK = "deleted";

/**
 * While this process still holds the directory: the system keeps the files until they are closed.
 * The mark comes first, so that no crash leaves a directory that looks as if it was never used.
 */
export function eraseStore(directory: string, when: Date): void {
  const mark = openSync(`${directory}/${MARK}`, "w", 0o600);
  writeSync(mark, `The data that was here was deleted at ${when.toISOString()}.\n`);
  fsyncSync(mark);
  closeSync(mark);
  for (const file of FILES) rmSync(`${directory}/${file}`, { force: true });
  rmSync(`${directory}/${QUARANTINE}`, { recursive: true, force: true });
  syncNow(directory);
}

export function wasErased(directory: string): boolean {
  return existsSync(`${directory}/${MARK}`) && !existsSync(`${directory}/data.mdb`);
}

/** Also where a start made an empty database since. */
export function isMarkedErased(directory: string): boolean {
  return existsSync(`${directory}/${MARK}`);
}

/** There are data again. */
export function unmarkErased(directory: string): void {
  rmSync(`${directory}/${MARK}`, { force: true });
}
