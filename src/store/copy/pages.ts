// A copy of a database in use: consistent, durable, and under its name only when it is whole.
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { rm, stat, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import type { RootDatabase } from "lmdb";
import { extentOf } from "../seal/whole.ts";
import { checkRoom } from "./copy.ts";
import { syncNow, writeOut } from "../system/durable.ts";

const MODE = 0o600;
const FOLDER_MODE = 0o700;
/** A commit waits for no more than what is on its way to the disk already. */
const PIECE_BYTES = 1_048_576;
const REMOVED_BYTES = 8 * 1_048_576;

/** To a path that is there when all of it is durable. */
export type Copying = (from: string, to: string) => Promise<void>;

/**
 * Copies the newest commit while others go on, by a thread of `copying` where it has one. Not by
 * the library: it hands all of it to the disk at once, and commits wait behind it, and it reads
 * what is not in memory page by page.
 */
export async function copyDatabase(
  db: RootDatabase<Buffer, string>,
  from: string,
  to: string,
  copying: Copying = copyPages,
): Promise<void> {
  const folder = dirname(to);
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  chmodSync(folder, FOLDER_MODE);
  checkRoom(folder, statSync(from).size);
  // No page that this commit or a later one has is used again until then.
  const held = db.useReadTransaction();
  try {
    await copying(from, to);
  } finally {
    held.done();
  }
}

/** Of a database whose pages are held; what is not whole is taken away again. */
export async function copyPages(
  from: string,
  to: string,
  rest: () => Promise<unknown> = turn,
): Promise<void> {
  const part = `${to}.part`;
  rmSync(part, { force: true });
  const source = openSync(from, "r");
  try {
    await writePages(source, part, rest);
    syncNow(part);
    renameSync(part, to);
    syncNow(dirname(to));
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  } finally {
    closeSync(source);
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Piece by piece to the disk, and kept in memory: whoever reads the copy next has it there. */
async function writePages(source: number, part: string, rest: () => Promise<unknown>) {
  const { head, bytes } = extentOf(source);
  const copy = openSync(part, "wx", MODE);
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (let at = 0; at < bytes;) {
      const length = readSync(source, piece, 0, Math.min(PIECE_BYTES, bytes - at), at);
      if (length === 0) throw new Error(`${part}: what is copied became shorter`);
      // Others may have gone on between: what counts is how these pages were.
      if (at === 0) piece.set(head);
      for (let done = 0; done < length;) {
        done += writeSync(copy, piece, done, length - done, at + done);
      }
      writeOut(copy, at, length);
      at += length;
      await rest();
    }
  } finally {
    closeSync(copy);
  }
}

/**
 * Takes a large file away. A file system that gives back a gigabyte at once lets no commit through
 * meanwhile: after each step, commits have as long to themselves. Nobody may have it mapped.
 */
export async function removeInSteps(path: string): Promise<void> {
  let { size } = await stat(path);
  while ((size -= REMOVED_BYTES) > 0) {
    const begun = performance.now();
    await truncate(path, size);
    await Bun.sleep(performance.now() - begun);
  }
  await rm(path);
}
