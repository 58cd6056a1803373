// Temporary files without a name, which vanish with the process even if it is killed.
import { existsSync } from "node:fs";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MovingPostponed } from "../errors.ts";

/** Deletes the file at once; its bytes remain until it is closed. */
export async function temporaryFile(): Promise<FileHandle> {
  const name = join(temporaryDirectory(), `skein-import-${crypto.randomUUID()}`);
  const file = await open(name, "wx+", 0o600);
  await unlink(name);
  return file;
}

/** Returns an error with the remedy for a full disk, and any other error unchanged. */
export function noSpaceError(error: unknown, path: string): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code !== "ENOSPC" && code !== "EFBIG" && code !== "EDQUOT") return error;
  const words =
    `no space in ${temporaryDirectory()} for temporary files. ` +
    "Set TMPDIR to a larger disk, or unpack the archive and give the folder.";
  return new MovingPostponed(words, path);
}

/** Prefers /var/tmp, because /tmp is often in memory. */
export function temporaryDirectory(): string {
  const { TMPDIR } = process.env;
  if (TMPDIR) return TMPDIR;
  return existsSync("/var/tmp") ? "/var/tmp" : tmpdir();
}
