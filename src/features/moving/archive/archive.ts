// An archive to import from: a zip file or a folder, read in place and never unpacked to disk.
import { lstat } from "node:fs/promises";
import { MovingRefused } from "../refused.ts";
import type { Archive } from "./entries.ts";
import { FolderArchive } from "./folder.ts";
import { ZipArchive } from "./zip.ts";

export const JSON_BYTES_MAX = 64 * 1_048_576;

export async function openArchive(path: string): Promise<Archive> {
  const facts = await lstat(path).catch(() => undefined);
  if (!facts) throw new MovingRefused("does not exist", path);
  if (facts.isDirectory()) return FolderArchive.open(path);
  if (facts.isFile()) return ZipArchive.open(path);
  throw new MovingRefused("neither a file nor a folder", path);
}

/** All of an entry, which is held in memory. */
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
