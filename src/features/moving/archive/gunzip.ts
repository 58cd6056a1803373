// Decompresses gzip, to a stream or a temporary file without a name, with a bound on the ratio.
import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { MovingRefused } from "../errors.ts";
import { checkTotal } from "./entries.ts";
import { temporaryFile, noSpaceError } from "./temporary.ts";

/** Lists of ids compress to a hundredth of their size, archive bombs to a thousandth. */
const RATIO_MAX = 500;
/** Files up to this size may have any compression ratio. */
const RATIO_BYTES_MIN = 64 * 1_048_576;

/** `compressed`: the size of the input in bytes. `name`: the file's name in errors. */
export async function unpacked(
  pieces: AsyncIterable<Uint8Array>,
  compressed: number,
  name: string,
): Promise<FileHandle> {
  const file = await temporaryFile();
  try {
    for await (const piece of decompressed(pieces, compressed, name)) await file.writeFile(piece);
    return file;
  } catch (error) {
    await file.close();
    throw noSpaceError(error, name);
  }
}

/** Yields the bytes of `unpacked` without writing them to a file. */
export async function* decompressed(
  pieces: AsyncIterable<Uint8Array>,
  compressed: number,
  name: string,
): AsyncIterable<Uint8Array> {
  let total = 0;
  const unzip = createGunzip();
  const source = Readable.from(pieces).on("error", (error) => unzip.destroy(error));
  try {
    for await (const piece of source.pipe(unzip) as AsyncIterable<Buffer>) {
      total += piece.length;
      checkTotal(total);
      if (total > RATIO_BYTES_MIN && total > compressed * RATIO_MAX) {
        const words = `grows to more than ${RATIO_MAX} times its size: an archive bomb`;
        throw new MovingRefused(words, name);
      }
      yield piece;
    }
  } catch (error) {
    throw asRefused(error, name);
  } finally {
    source.destroy();
  }
}

function asRefused(error: unknown, name: string): unknown {
  const diskFull = noSpaceError(error, name);
  const { code = "", message } = diskFull as NodeJS.ErrnoException;
  if (
    diskFull instanceof MovingRefused ||
    (code.startsWith("E") && "syscall" in (diskFull as Error))
  ) {
    return diskFull;
  }
  return new MovingRefused(`not a whole gzip file (${message})`, name);
}
