// Separates image data from metadata in PNG files.
import { orientationIn, tiffWithOrientation } from "./orientation.ts";
import { type Part, PIECES_MAX, type Window } from "./parts.ts";

const SIGNATURE = "89504e470d0a1a0a";
const HEAD_BYTES = 8;
const CHECK_BYTES = 4;
const EXIF_BYTES_MAX = 65_536;
/** Ancillary chunks about color, size and animation. */
const STORED = new Set(
  "tRNS gAMA cHRM sRGB iCCP sBIT bKGD hIST pHYs sPLT acTL fcTL fdAT cICP mDCV cLLI".split(" "),
);

/** Returns undefined for other or damaged files. Drops data after the end of the image. */
export async function pngParts(file: Window): Promise<Part[] | undefined> {
  if ((await file.read(0, HEAD_BYTES)).toString("hex") !== SIGNATURE) return undefined;
  const parts: Part[] = [{ from: 0, to: HEAD_BYTES }];
  let pieces = 0;
  for (let index = HEAD_BYTES; index < file.size;) {
    if (++pieces > PIECES_MAX) return undefined;
    const head = await file.read(index, HEAD_BYTES);
    if (head.length < HEAD_BYTES) return undefined;
    const length = head.readUInt32BE(0);
    const kind = head.toString("latin1", 4, HEAD_BYTES);
    const end = index + HEAD_BYTES + length + CHECK_BYTES;
    if (end > file.size || !/^[A-Za-z]{4}$/.test(kind)) return undefined;
    if (/^[A-Z]/.test(kind) || STORED.has(kind)) parts.push({ from: index, to: end });
    else if (kind === "eXIf") {
      const tiff = await file.read(index + HEAD_BYTES, Math.min(length, EXIF_BYTES_MAX));
      const details = tiffWithOrientation(orientationIn(tiff));
      if (details) parts.push(chunkOf(kind, details));
    }
    if (kind === "IEND") break;
    index = end;
  }
  return parts;
}

function chunkOf(kind: string, data: Buffer): Uint8Array<ArrayBuffer> {
  const chunk = Buffer.alloc(HEAD_BYTES + data.length + CHECK_BYTES);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(kind, 4, "latin1");
  data.copy(chunk, HEAD_BYTES);
  const check = Bun.hash.crc32(chunk.subarray(4, HEAD_BYTES + data.length));
  chunk.writeUInt32BE(check, HEAD_BYTES + data.length);
  return new Uint8Array(chunk);
}
