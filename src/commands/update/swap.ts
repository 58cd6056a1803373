// Replaces an executable atomically, so that its path always exists.
import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { syncNow } from "../../store/system/durable.ts";

export const stagedOf = (path: string) => `${path}.new`;
export const formerOf = (path: string) => `${path}.previous`;

/** Installs the new executable and keeps the current one as the previous. */
export function replace(path: string): void {
  const newPath = `${formerOf(path)}.new`;
  rmSync(newPath, { force: true });
  linkSync(path, newPath);
  renameSync(newPath, formerOf(path));
  renameSync(stagedOf(path), path);
  syncNow(dirname(path));
}

/** Exchanges the previous executable and the current one. */
export function exchange(path: string): void {
  const staged = stagedOf(path);
  if (existsSync(staged)) rmSync(staged);
  linkSync(formerOf(path), staged);
  replace(path);
}
