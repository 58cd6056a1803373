// Checks that `serve` and `config check` run before anything is opened.
import { readFileSync } from "node:fs";
import type { Config } from "../../contract/config.ts";
import { pairIn } from "../../outbound/certificates/pair.ts";
import { CommandError } from "../flags.ts";

const LIMITS = "/proc/self/limits";
/**
 * Enough for the database, its copies, the listeners and some clients. Each further client needs
 * one more.
 */
const OPEN_FILES_MIN = 128;

/** Throws if the settings cannot work. Reads the files that they name. */
export function checkStartable({ tls }: Pick<Config, "tls">): void {
  checkOpenFiles();
  if (tls?.kind === "files") pairIn(tls);
}

function checkOpenFiles(): void {
  const limit = openFilesMax();
  if (limit === undefined || limit >= OPEN_FILES_MIN) return;
  throw new CommandError(
    `The limit of open files is ${limit}, but Skein needs at least ${OPEN_FILES_MIN}: ` +
      "raise it with ulimit -n, or with LimitNOFILE in the systemd unit",
  );
}

/** undefined: the system does not report a limit, or there is none. */
function openFilesMax(): number | undefined {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync(LIMITS, "utf8")) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
