// Separates image data from metadata in WebP files.
import { orientationIn, tiffWithOrientation } from "./orientation.ts";
import { lengthOf, type Part, PIECES_MAX, type Window } from "./parts.ts";

const HEAD_BYTES = 12;
const CHUNK_BYTES = 8;
const EXIF_BYTES_MAX = 65_536;
const STORED = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);
/** Bits of the first byte of VP8X. */
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;

/** Returns undefined for other or damaged files. Drops data after the end of the image. */
export async function webpParts(file: Window): Promise<Part[] | undefined> {
  const head = Buffer.from(await file.read(0, HEAD_BYTES));
  const isWebp = head.toString("latin1", 0, 4) === "RIFF" && head.toString("latin1", 8) === "WEBP";
  if (!isWebp) return undefined;
  const size = Math.min(head.readUInt32LE(4) + CHUNK_BYTES, file.size);
  const chunks: Part[] = [];
  let extended: number | undefined;
  let orientation: Buffer | undefined;
  let pieces = 0;
  for (let index = HEAD_BYTES; index + CHUNK_BYTES <= size;) {
    if (++pieces > PIECES_MAX) return undefined;
    const chunk = await file.read(index, CHUNK_BYTES);
    const kind = chunk.toString("latin1", 0, 4);
    const length = chunk.readUInt32LE(4);
    const end = Math.min(index + CHUNK_BYTES + length + (length & 1), file.size);
    if (index + CHUNK_BYTES + length > file.size) return undefined;
    if (kind === "VP8X") extended = chunks.length;
    if (STORED.has(kind)) chunks.push({ from: index, to: end });
    else if (kind === "EXIF") {
      const tiff = await file.read(index + CHUNK_BYTES, Math.min(length, EXIF_BYTES_MAX));
      const isNamed = tiff.toString("latin1", 0, 6) === "Exif\0\0";
      orientation ??= tiffWithOrientation(orientationIn(isNamed ? tiff.subarray(6) : tiff));
    }
    index = end;
  }
  if (size === file.size && lengthOf(chunks) === size - HEAD_BYTES) return [{ from: 0, to: size }];
  if (orientation) chunks.push(chunkOf("EXIF", orientation));
  if (extended !== undefined) await updateHeader(file, chunks, extended, orientation !== undefined);
  head.writeUInt32LE(lengthOf(chunks) + HEAD_BYTES - CHUNK_BYTES, 4);
  return [new Uint8Array(head), ...chunks];
}

/** Updates the header to state which chunks the file still has. */
async function updateHeader(
  file: Window,
  chunks: Part[],
  index: number,
  hasExif: boolean,
): Promise<void> {
  const { from, to } = chunks[index] as { from: number; to: number };
  const bytes = Buffer.from(await file.read(from, to - from));
  const flags = (bytes[CHUNK_BYTES] ?? 0) & ~(HAS_EXIF | HAS_XMP);
  bytes[CHUNK_BYTES] = hasExif ? flags | HAS_EXIF : flags;
  chunks[index] = new Uint8Array(bytes);
}

function chunkOf(kind: string, data: Buffer): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(CHUNK_BYTES);
  head.write(kind, "latin1");
  head.writeUInt32LE(data.length, 4);
  return new Uint8Array(Buffer.concat([head, data, Buffer.alloc(data.length & 1)]));
}
