// Allows one server per data directory, by an exclusive lock that the kernel releases when the
// process dies.
import { FFIType } from "bun:ffi";
import { closeSync, openSync, readFileSync, writeSync, ftruncateSync } from "node:fs";
import { libc } from "./system/libc.ts";

const LOCK_EXCLUSIVE_NOW = 2 | 4;

export class DirectoryInUse extends Error {
  constructor(
    readonly directory: string,
    readonly pid: string,
  ) {
    super(`${directory} is in use by process ${pid}. Stop that process first`);
  }
}

export class LockImpossible extends Error {
  constructor() {
    super("no C library was found to lock the data directory: install glibc or musl");
  }
}

/** Locks the directory for this process and returns the function that unlocks it. */
export function lockDirectory(directory: string): () => void {
  const path = `${directory}/lock`;
  const file = openSync(path, "a+", 0o600);
  if (flock(file) !== 0) {
    closeSync(file);
    throw new DirectoryInUse(directory, readFileSync(path, "utf8").trim() || "unknown");
  }
  ftruncateSync(file);
  writeSync(file, `${process.pid}\n`);
  return () => closeSync(file);
}

function flock(file: number): number {
  const library = libc({ flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } });
  if (!library) throw new LockImpossible();
  return library.flock(file, LOCK_EXCLUSIVE_NOW);
}
