// Reads the files that an operator names, and says in a sentence why one cannot be read.
import { closeSync, openSync, readSync } from "node:fs";
import { ownValue } from "../../text/input/own-value.ts";
import { decodedText, undecodableLine } from "../../text/input/decoded.ts";
import { CommandError } from "../flags.ts";

/** No file that a command takes is larger; a device could be read without end. */
const TEXT_BYTES_MAX = 64 * 1_048_576;
const CHUNK_BYTES = 65_536;
const PATH_LENGTH_SHOWN = 200;

/** With the code of the system's error, if that is why. */
export class FileUnreadable extends CommandError {
  constructor(
    path: string,
    reason: string,
    readonly code?: unknown,
  ) {
    super(`Cannot read ${shownPath(path)}: ${reason}`);
  }
}

/** The file as text. Bytes that are not text are refused. */
export const readText = (path: string): string => textIn(readBytes(path), path);

/** The bytes as text. The error names the first line that is not UTF-8. */
export function textIn(bytes: Uint8Array, path: string): string {
  const text = decodedText(bytes);
  if (text !== undefined) return text;
  const place = `${shownPath(path)}, line ${undecodableLine(bytes)}`;
  throw new CommandError(`${place}: the text is not UTF-8. Save the file as UTF-8.`);
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
      if (size > TEXT_BYTES_MAX) throw new FileUnreadable(path, "it is too large");
    }
  } finally {
    closeSync(file);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this account may not open it",
  EBUSY: "it is in use",
  EEXIST: "something else has that name already",
  EINVAL: "the system does not allow it there",
  EIO: "the disk reports an error (EIO)",
  EISDIR: "it is a directory, and not a file",
  ELOOP: "its symbolic links lead in a circle",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "the path is too long",
  ENFILE: "too many files are open",
  ENODEV: "there is no such device",
  ENOENT: "there is no such file or directory",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is a file, and not a directory",
  ENOTEMPTY: "the directory is not empty",
  ENXIO: "there is no such device",
  EPERM: "this account may not do that",
  EROFS: "the file system is read-only",
  ESTALE: "the file system was mounted anew",
  ETXTBSY: "a program runs from it",
  EXDEV: "it would cross file systems",
};

const VERBS: Readonly<Record<string, string>> = {
  chmod: "change the rights of",
  copyfile: "copy",
  lstat: "look at",
  mkdir: "create the directory",
  open: "open",
  read: "read",
  readlink: "read the link",
  rename: "rename",
  rmdir: "delete the directory",
  scandir: "list the directory",
  stat: "look at",
  unlink: "delete",
  write: "write",
};

interface SystemError {
  readonly code?: unknown;
  readonly path?: unknown;
  readonly syscall?: unknown;
}

/** A sentence about a failed call of the system on a file; undefined for any other error. */
export function systemErrorWords(error: unknown): string | undefined {
  const { code, path, syscall } = (error ?? {}) as SystemError;
  if (typeof code !== "string" || !Object.hasOwn(REASONS, code)) return undefined;
  const verb = typeof syscall === "string" ? (ownValue(VERBS, syscall) ?? "use") : "use";
  const name = typeof path === "string" ? shownPath(path) : "a file that it needs";
  return `Cannot ${verb} ${name}: ${reasonOf(error)}`;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as Error & SystemError;
  return (typeof code === "string" ? ownValue(REASONS, code) : undefined) ?? message;
}

/** A path that is too long says enough by its beginning. */
function shownPath(path: string): string {
  return path.length > PATH_LENGTH_SHOWN ? `${path.slice(0, PATH_LENGTH_SHOWN)}…` : path;
}
