// Words for the operator about files: failed system calls, paths and sizes.
import { ownValue } from "../../text/input/own-value.ts";

const PATH_LENGTH_SHOWN = 200;

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EBUSY: "it is in use",
  EDQUOT: "the disk quota is used up",
  EEXIST: "a file of this name exists",
  EFBIG: "the limit of the file size is reached",
  EINVAL: "the system does not allow it there",
  EIO: "the disk reports an error (EIO)",
  EISDIR: "it is a directory",
  ELOOP: "too many levels of symbolic links",
  EMFILE: "too many open files",
  ENAMETOOLONG: "the path is too long",
  ENFILE: "too many open files in the system",
  ENODEV: "no such device",
  ENOENT: "no such file or directory",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is not a directory",
  ENOTEMPTY: "the directory is not empty",
  ENXIO: "no such device",
  EPERM: "operation not permitted",
  EROFS: "the file system is read-only",
  ESTALE: "stale file handle; mount the file system again",
  ETXTBSY: "a running program uses it",
  EXDEV: "it is on a different file system",
};

const VERBS: Readonly<Record<string, string>> = {
  access: "write to",
  chmod: "change the permissions of",
  copyfile: "copy",
  lstat: "access",
  mkdir: "create the directory",
  open: "open",
  read: "read",
  readlink: "read the link",
  rename: "rename",
  rmdir: "delete the directory",
  scandir: "list the directory",
  stat: "access",
  unlink: "delete",
  write: "write",
};

export interface SystemError {
  readonly code?: unknown;
  readonly path?: unknown;
  readonly syscall?: unknown;
}

/** A message for a failed system call on a file; undefined for other errors. */
export function systemErrorText(error: unknown): string | undefined {
  const { code, path, syscall } = (error ?? {}) as SystemError;
  if (typeof code !== "string" || !Object.hasOwn(REASONS, code)) return undefined;
  const verb = typeof syscall === "string" ? (ownValue(VERBS, syscall) ?? "use") : "use";
  const name = typeof path === "string" ? shownPath(path) : "a required file";
  return `Cannot ${verb} ${name}: ${reasonOf(error)}`;
}

/** Adds the path to a failed write, for which the system does not report it. */
export function withPath(error: unknown, path: string): unknown {
  const isWithout = error instanceof Error && "syscall" in error && !("path" in error);
  return isWithout ? Object.assign(error, { path }) : error;
}

export function reasonOf(error: unknown): string {
  const { code, message } = error as Error & SystemError;
  return (typeof code === "string" ? ownValue(REASONS, code) : undefined) ?? message;
}

/** Long paths are truncated. */
export function shownPath(path: string): string {
  return path.length > PATH_LENGTH_SHOWN ? `${path.slice(0, PATH_LENGTH_SHOWN)}…` : path;
}

/** The argument as a word of a shell command, in quotes if necessary. */
export function shellWord(text: string): string {
  return /^[\w./:@,=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

const KIB = 1_024;
const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];
const TENTHS = 10;

/** With one decimal place. `round`: up for space that is needed, down for space that is free. */
export function sizeText(bytes: number, round: (size: number) => number = Math.round): string {
  let size = bytes;
  let unit = 0;
  for (; size >= KIB && unit < UNITS.length - 1; unit++) size /= KIB;
  const text = unit === 0 ? round(size) : (round(size * TENTHS) / TENTHS).toFixed(1);
  return `${text} ${UNITS[unit]}`;
}
