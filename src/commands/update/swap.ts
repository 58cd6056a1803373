// Puts one executable in the place of another, which is there under its name at every moment.
import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { syncNow } from "../../store/system/durable.ts";

/** Where what is to come waits. */
export const stagedOf = (path: string) => `${path}.new`;
/** Where what was there is kept. */
export const formerOf = (path: string) => `${path}.previous`;

/** By what waits; what was there is kept in the place of what was kept before. */
export function replace(path: string): void {
  const kept = `${formerOf(path)}.new`;
  rmSync(kept, { force: true });
  linkSync(path, kept);
  renameSync(kept, formerOf(path));
  renameSync(stagedOf(path), path);
  syncNow(dirname(path));
}

/** What was kept is in its place again, and what was there is kept. */
export function exchange(path: string): void {
  const staged = stagedOf(path);
  if (existsSync(staged)) rmSync(staged);
  linkSync(formerOf(path), staged);
  replace(path);
}
