// Reads and creates files named by the operator, with an error message that explains failures.
import { closeSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import {
  reasonOf,
  shownPath,
  type SystemError,
  withPath,
} from "../../store/system/system-errors.ts";
import { decodedText, undecodableLine } from "../../text/input/decode.ts";
import { CommandError } from "../flags.ts";

/**
 * Larger than any file that a command needs. A limit is necessary because a device can be endless.
 */
const TEXT_BYTES_MAX = 64 * 1_048_576;
const CHUNK_BYTES = 65_536;

/** `code`: the system's error code, if there is one. */
class FileUnreadable extends CommandError {
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

/** Creates the file. If the disk is full, no incomplete file remains. @throws if it exists */
export function createFile(path: string, content: string | Uint8Array, mode: number): void {
  const file = openSync(path, "wx", mode);
  try {
    writeFileSync(file, content);
  } catch (error) {
    rmSync(path, { force: true });
    throw withPath(error, path);
  } finally {
    closeSync(file);
  }
}
