// An archive to import from: a zip file, a tar file, a folder, a database or a file of JSON.
import { lstat, open } from "node:fs/promises";
import { constants, gunzipSync } from "node:zlib";
import { systemErrorText } from "../../../store/system/system-errors.ts";
import { MovingPostponed, MovingRefused } from "../errors.ts";
import type { Archive } from "./entries.ts";
import { FolderArchive } from "./folder.ts";
import { GunzippedArchive } from "./gunzip-entries.ts";
import { looksLikeTar, TarArchive } from "./tar.ts";
import { ZipArchive } from "./zip.ts";

export const JSON_BYTES_MAX = 64 * 1_048_576;
const HEAD_BYTES = 512;
const DATABASES = [Buffer.from("SQLite format 3\0"), Buffer.from([0x6d, 0xe2, 0x99, 0x81])];

export async function openArchive(path: string): Promise<Archive> {
  const facts = await lstat(path).catch(() => undefined);
  if (!facts) throw new MovingRefused("does not exist", path);
  if (facts.isDirectory()) return permitted(path, () => FolderArchive.open(path));
  if (!facts.isFile()) throw new MovingRefused("neither a file nor a folder", path);
  const head = await headOf(path);
  if (isDatabase(head)) {
    await checkLog(`${path}-wal`);
    return FolderArchive.ofFile(path, facts.size);
  }
  if (isPackedDatabase(head)) return packedFile(path, facts.size);
  if (isJson(head)) return FolderArchive.ofFile(path, facts.size);
  return looksLikeTar(head) ? TarArchive.open(path) : ZipArchive.open(path);
}

/** Rejects a database with a write-ahead log beside it, because newer rows in it would be lost. */
async function checkLog(path: string): Promise<void> {
  const log = await lstat(path).catch(() => undefined);
  if (!log?.size) return;
  throw new MovingRefused("has newer rows than the database. Pass the folder instead", path);
}

/** Whether a file is a tar file, compressed with gzip or not. */
export async function isTar(path: string): Promise<boolean> {
  const head = await headOf(path);
  return looksLikeTar(head) && !isPackedDatabase(head);
}

/** Whether a file is a database, compressed with gzip or not. */
export async function isDatabaseFile(path: string): Promise<boolean> {
  const head = await headOf(path);
  return isDatabase(head) || isPackedDatabase(head);
}

const headOf = (path: string) => permitted(path, () => readHead(path));

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path, "r");
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A system error does not reject the archive, because the archive is not its cause. */
async function permitted<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof MovingRefused) throw error;
    const { path: at = path, code, syscall, message } = error as NodeJS.ErrnoException;
    const words = systemErrorText({ path: at, code, syscall, message });
    throw words === undefined ? error : new MovingPostponed(words);
  }
}

/** Whether a file is a SQLite database or a dump of MongoDB in one file. */
function isDatabase(head: Uint8Array): boolean {
  return DATABASES.some((magic) => magic.equals(head.subarray(0, magic.length)));
}

/** Whether a file begins like a JSON object, such as a file of lines of JSON. */
function isJson(head: Uint8Array): boolean {
  return /^(?:\u00ef\u00bb\u00bf)?\s*\{\s*"/.test(Buffer.from(head).toString("latin1"));
}

function isPackedDatabase(head: Uint8Array): boolean {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return false;
  try {
    // Does not fail at the end of the head, which is in the middle of the compressed data.
    return isDatabase(gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }));
  } catch {
    return false;
  }
}

async function packedFile(path: string, size: number): Promise<Archive> {
  const packed = FolderArchive.ofFile(path, size);
  return GunzippedArchive.open(packed, () => true);
}

/** Reads a whole entry into memory. */
export async function bytesOf(archive: Archive, name: string): Promise<Uint8Array> {
  const size = archive.sizes.get(name);
  if (size === undefined) throw new MovingRefused("missing", name);
  if (size > JSON_BYTES_MAX) {
    throw new MovingRefused(`larger than ${JSON_BYTES_MAX / 1_048_576} MiB`, name);
  }
  const pieces: Uint8Array[] = [];
  let read = 0;
  for await (const piece of archive.stream(name)) {
    read += piece.length;
    if (read > size) throw new MovingRefused("larger than the archive says", name);
    pieces.push(piece);
  }
  if (read !== size) throw new MovingRefused("shorter than the archive says: truncated?", name);
  return Buffer.concat(pieces);
}
