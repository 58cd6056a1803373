// Files and folders that are on the disk when a call returns, and do not keep the disk from others.
import { FFIType } from "bun:ffi";
import { closeSync, fdatasyncSync, fsyncSync, openSync } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { libc } from "./libc.ts";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** A disk that has to take in a whole large file at its end lets no commit through meanwhile. */
const SYNC_BYTES = 16 * 1_048_576;

/** With its parents, each entered durably in its own. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  if (first === undefined) return;
  for (let at = path; at.length >= first.length; at = dirname(at)) await syncFolder(dirname(at));
}

/** Its names. The server's own thread does not wait for a disk that is busy. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** `flags` as `open` has them. The name is durable once its folder is, see `syncFolder`. */
export async function writeDurably(
  path: string,
  flags: "a" | "w",
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = await open(path, flags, FILE_MODE);
  try {
    await writePieces(file, pieces);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function writePieces(file: FileHandle, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  let unsynced = 0;
  for await (const piece of pieces) {
    await file.writeFile(piece);
    unsynced += piece.length;
    if (unsynced < SYNC_BYTES) continue;
    await file.datasync();
    unsynced = 0;
  }
}

/** Waits for the disk. Of a folder: its names. */
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
/** Found when it is first asked for, which no start of a server does. */
let system: ReturnType<typeof find>;
let isSought = false;
/** Waits for what is under way, writes, and waits for that. */
const ALL_OF_IT = 7;

/**
 * Waits until the disk has taken these bytes in, so that few are on their way to it at a time.
 * They are durable only by the sync at the end: what a file system writes down for that is not
 * asked for with each piece, where the system can do without.
 */
export function writeOut(file: number, at: number, length: number): void {
  if (!isSought) system = find();
  isSought = true;
  if (system?.sync_file_range(file, at, length, ALL_OF_IT) !== 0) fdatasyncSync(file);
}
