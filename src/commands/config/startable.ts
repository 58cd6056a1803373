// Checks that serve and config check make before anything is opened.
import { readFileSync } from "node:fs";
import type { Config } from "../../contract/config.ts";
import { pairIn } from "../../outbound/certificates/pair.ts";
import { CommandError } from "../flags.ts";

const LIMITS = "/proc/self/limits";
/** The database, its copies, listeners and some clients; each more client takes one more. */
export const OPEN_FILES_MIN = 128;

/** Throws what is wrong, in words. Files that the settings name are read. */
export function checkStartable({ tls }: Pick<Config, "tls">): void {
  checkOpenFiles();
  if (tls?.kind === "files") pairIn(tls);
}

function checkOpenFiles(): void {
  const limit = openFilesMax();
  if (limit === undefined || limit >= OPEN_FILES_MIN) return;
  throw new CommandError(
    `The process may have only ${limit} files open, and needs ${OPEN_FILES_MIN} or more: ` +
      "raise it with ulimit -n, or LimitNOFILE of the unit",
  );
}

/** undefined: the system does not say, or there is no limit. */
function openFilesMax(): number | undefined {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync(LIMITS, "utf8")) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
