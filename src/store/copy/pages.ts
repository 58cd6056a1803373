// Copies a database that is in use, consistently and durably.
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
import type { Transaction } from "lmdb";
import { yieldToEventLoop } from "../../async/yield.ts";
import { extentOf } from "../checksums/complete-file.ts";
import { checkFreeSpace } from "./copy.ts";
import { syncNow, writeOut } from "../system/durable.ts";

const MODE = 0o600;
const FOLDER_MODE = 0o700;
/** A concurrent commit waits at most for data that is already being written. */
const PIECE_BYTES = 1_048_576;
const REMOVED_BYTES = 8 * 1_048_576;

/** Copies to a path, which exists once everything is durable. */
export type Copying = (from: string, to: string) => Promise<void>;

/**
 * Copies a commit while other work continues, in a thread of `copying` if given. `pin` returns a
 * transaction that reads this commit. The library's own copy is not used: it passes everything to
 * the disk at once, so that commits wait behind it, and it reads uncached data page by page.
 */
export async function copyDatabase(
  pin: () => Transaction | Promise<Transaction>,
  from: string,
  to: string,
  copying: Copying = copyPages,
): Promise<void> {
  const folder = dirname(to);
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  chmodSync(folder, FOLDER_MODE);
  checkFreeSpace(folder, statSync(from).size);
  // Until it ends, no page of this or a later commit is reused.
  const transaction = await pin();
  try {
    await copying(from, to);
  } finally {
    transaction.done();
  }
}

/** Copies a database whose pages are pinned. Removes an incomplete copy. */
export async function copyPages(
  from: string,
  to: string,
  rest: () => Promise<unknown> = yieldToEventLoop,
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

/** Writes piece by piece and keeps the data in the page cache for the next reader of the copy. */
async function writePages(source: number, part: string, rest: () => Promise<unknown>) {
  const { head, bytes } = extentOf(source);
  const copy = openSync(part, "wx", MODE);
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (let offset = 0; offset < bytes;) {
      const length = readSync(source, piece, 0, Math.min(PIECE_BYTES, bytes - offset), offset);
      if (length === 0) throw new Error(`${part}: the file shrank while it was copied`);
      // The first pages may have changed since; the copy needs them as they were.
      if (offset === 0) piece.set(head);
      for (let done = 0; done < length;) {
        done += writeSync(copy, piece, done, length - done, offset + done);
      }
      writeOut(copy, offset, length);
      offset += length;
      await rest();
    }
  } finally {
    closeSync(copy);
  }
}

/**
 * Deletes a large file in steps. A file system that frees a gigabyte at once blocks commits, so
 * commits get as much time after each step. No process may have the file mapped.
 */
export async function removeInSteps(path: string): Promise<void> {
  let { size } = await stat(path);
  while ((size -= REMOVED_BYTES) > 0) {
    const startedAt = performance.now();
    await truncate(path, size);
    await Bun.sleep(performance.now() - startedAt);
  }
  await rm(path);
}
