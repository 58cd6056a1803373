// Creates files and folders that are durable when a call returns, without blocking the disk for
// others.
import { FFIType } from "bun:ffi";
import { closeSync, fdatasyncSync, fsyncSync, openSync } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { libc } from "./libc.ts";
import { withPath } from "./system-errors.ts";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** Syncing a large file in one piece would block commits meanwhile. */
const SYNC_BYTES = 16 * 1_048_576;

/** Creates a folder and its parents durably. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  if (first === undefined) return;
  for (let folder = path; folder.length >= first.length; folder = dirname(folder))
    await syncFolder(dirname(folder));
}

/**
 * Makes the names in a folder durable, in another thread so that the server does not wait for a
 * busy disk.
 */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** `flags` as for `open`. The file's name is durable only after `syncFolder`. */
export async function writeDurably(
  path: string,
  flags: "a" | "w",
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const file = await open(path, flags, FILE_MODE);
  try {
    await writePieces(file, pieces);
    await file.datasync();
  } catch (error) {
    throw withPath(error, path);
  } finally {
    await file.close();
  }
}

async function writePieces(
  file: FileHandle,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  let unsynced = 0;
  for await (const piece of pieces) {
    await file.writeFile(piece);
    unsynced += piece.length;
    if (unsynced < SYNC_BYTES) continue;
    await file.datasync();
    unsynced = 0;
  }
}

/** Waits for the disk. For a folder: for its names. */
export function syncNow(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const { i32, i64, u32 } = FFIType;
const find = () => libc({ sync_file_range: { args: [i32, i64, i64, u32], returns: i32 } });
/** Loaded on first use, which is never at the start of a server. */
let system: ReturnType<typeof find>;
let isSought = false;
/**
 * Waits for pending writes, writes, and waits again (SYNC_FILE_RANGE_WAIT_BEFORE | WRITE |
 * WAIT_AFTER).
 */
const WAIT_WRITE_WAIT = 7;

/**
 * Waits until the disk has accepted these bytes, so that few are pending at a time. They are
 * durable only after the final sync: where the system allows, file-system metadata is not written
 * for each piece.
 */
export function writeOut(file: number, offset: number, length: number): void {
  if (!isSought) system = find();
  isSought = true;
  if (system?.sync_file_range(file, offset, length, WAIT_WRITE_WAIT) !== 0) fdatasyncSync(file);
}
