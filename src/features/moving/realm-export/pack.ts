// Packs a folder into a compressed tar file.
import { createReadStream, createWriteStream } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { filesIn } from "../archive/files-in.ts";
import { TAR_END, tarHeader, tarPadding } from "../archive/tar-writer.ts";

const PIECE_BYTES = 256 * 1024;

export async function packFolder(folder: string, to: string, root: string, seconds: number) {
  const pieces = Readable.from(tarPieces(folder, root, seconds), { objectMode: true });
  await pipeline(pieces, createGzip(), createWriteStream(to, { mode: 0o600, flags: "wx" }));
}

async function* tarPieces(
  folder: string,
  root: string,
  seconds: number,
): AsyncIterable<Uint8Array> {
  for await (const name of filesIn(folder)) {
    const path = join(folder, name);
    const { size } = await lstat(path);
    yield tarHeader(`${root}/${name}`, size, seconds);
    for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
      yield piece as Uint8Array;
    }
    yield tarPadding(size);
  }
  yield TAR_END;
}
