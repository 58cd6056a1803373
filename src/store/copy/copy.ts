// A copy of a database in use: consistent, durable, and under its name only when it is whole.
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import type { RootDatabase } from "lmdb";

const MODE = 0o600;
const FOLDER_MODE = 0o700;
/** The file grows meanwhile, as the copy holds its pages. */
const ROOM = 1.1;
const MIB = 1_048_576;

/** There is less room than a copy needs. */
export class NoRoom extends Error {
  override name = "NoRoom";

  constructor(folder: string, needed: number, free: number) {
    const [wanted, has] = [needed, free].map((bytes) => Math.ceil(bytes / MIB));
    super(`${folder} has ${has} MiB free, and ${wanted} MiB are needed; nothing was changed`);
  }
}

/** Refuses what would fill the disk. */
export function checkRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const needed = bytes * ROOM;
  if (bavail * bsize < needed) throw new NoRoom(folder, needed, bavail * bsize);
}

/**
 * Copies the newest commit while others go on. Never compact: that numbers pages anew. The library
 * leaves part of a copy behind when it fails, and lets everybody read what it makes.
 */
export async function copyDatabase(
  db: RootDatabase<Buffer, string>,
  from: string,
  to: string,
): Promise<void> {
  const folder = dirname(to);
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  chmodSync(folder, FOLDER_MODE);
  const part = `${to}.part`;
  rmSync(part, { force: true });
  checkRoom(folder, statSync(from).size);
  try {
    await (db as unknown as Copying).backup(part, false);
    chmodSync(part, MODE);
    syncFile(part);
    renameSync(part, to);
    syncFile(folder);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** What the published types leave out: without compaction. */
interface Copying {
  backup(path: string, isCompact: boolean): Promise<void>;
}

/** Also of a folder: its names. */
export function syncFile(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
