// Reads files named by the operator, with an error message that explains failures.
import { closeSync, openSync, readSync } from "node:fs";
import { ownValue } from "../../text/input/own-value.ts";
import { decodedText, undecodableLine } from "../../text/input/decode.ts";
import { CommandError } from "../flags.ts";

/** Larger than any file that a command needs; a device could be endless. */
const TEXT_BYTES_MAX = 64 * 1_048_576;
const CHUNK_BYTES = 65_536;
const PATH_LENGTH_SHOWN = 200;

/** `code`: the system's error code, if there is one. */
export class FileUnreadable extends CommandError {
  constructor(
    path: string,
    reason: string,
    readonly code?: unknown,
  ) {
    super(`Cannot read ${shownPath(path)}: ${reason}`);
  }
}

/** The file as text. Rejects bytes that are not valid text. */
export const readText = (path: string): string => textIn(readBytes(path), path);

/** The bytes as text. The error names the first line that is not UTF-8. */
export function textIn(bytes: Uint8Array, path: string): string {
  const text = decodedText(bytes);
  if (text !== undefined) return text;
  const location = `${shownPath(path)}, line ${undecodableLine(bytes)}`;
  throw new CommandError(`${location}: not UTF-8 text. Save the file as UTF-8.`);
}

/** The file as bytes. */
export function readBytes(path: string): Buffer {
  try {
    return bytesOf(path);
  } catch (error) {
    if (error instanceof FileUnreadable) throw error;
    throw new FileUnreadable(path, reasonOf(error), (error as SystemError).code);
  }
}

function bytesOf(path: string): Buffer {
  const file = openSync(path, "r");
  const chunks: Buffer[] = [];
  try {
    for (let size = 0; ;) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const count = readSync(file, chunk, 0, CHUNK_BYTES, null);
      if (count === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, count));
      size += count;
      if (size > TEXT_BYTES_MAX) throw new FileUnreadable(path, "the file is too large");
    }
  } finally {
    closeSync(file);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EBUSY: "it is in use",
  EEXIST: "it already exists",
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

interface SystemError {
  readonly code?: unknown;
  readonly path?: unknown;
  readonly syscall?: unknown;
}

/** A message for a failed system call on a file; undefined for other errors. */
export function systemErrorWords(error: unknown): string | undefined {
  const { code, path, syscall } = (error ?? {}) as SystemError;
  if (typeof code !== "string" || !Object.hasOwn(REASONS, code)) return undefined;
  const verb = typeof syscall === "string" ? (ownValue(VERBS, syscall) ?? "use") : "use";
  const name = typeof path === "string" ? shownPath(path) : "a required file";
  return `Cannot ${verb} ${name}: ${reasonOf(error)}`;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as Error & SystemError;
  return (typeof code === "string" ? ownValue(REASONS, code) : undefined) ?? message;
}

/** Long paths are truncated. */
function shownPath(path: string): string {
  return path.length > PATH_LENGTH_SHOWN ? `${path.slice(0, PATH_LENGTH_SHOWN)}…` : path;
}
