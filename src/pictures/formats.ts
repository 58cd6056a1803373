// Reads the declared dimensions of images that the runtime cannot decode.
import type { Tiff } from "./tiff-colors.ts";
import { tiffOf } from "./tiff.ts";

export type ForeignType = "image/avif" | "image/tiff";

export interface Size {
  width: number;
  height: number;
}

/** Larger images are not decoded, because decoding needs more than four bytes per pixel. */
export const FOREIGN_PIXELS_MAX = 40_000_000;

export class NotDecodable extends Error {}
export class TooManyPixels extends Error {}

export function isForeign(content_type: string): content_type is ForeignType {
  return content_type === "image/avif" || content_type === "image/tiff";
}

/** Checked before memory is allocated. Returns the number of pixels of the largest image. */
export function checkSize(bytes: Uint8Array, type: ForeignType): number {
  let max = 0;
  for (const { width, height } of sizesIn(bytes, type)) {
    max = Math.max(max, width * height);
    if (width === 0 || height === 0) throw new NotDecodable("it has no pixels");
    if (width * height > FOREIGN_PIXELS_MAX) throw new TooManyPixels(`${width}x${height}`);
  }
  return max;
}

/** The sizes of all pictures in the file, or of the displayed one. */
function sizesIn(bytes: Uint8Array, type: ForeignType): Size[] {
  const sizes = type === "image/avif" ? avifSizes(bytes) : tiffSizes(tiffOf(bytes));
  if (sizes.length === 0) throw new NotDecodable("it does not contain its size");
  return sizes;
}

function tiffSizes({ width, height, tile }: Tiff): Size[] {
  return [{ width, height }, tile];
}

/** Whether the file contains an image sequence, according to its brand. */
export function isAvifSequence(head: Uint8Array): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const end = Math.min(bytes.length < BOX_BYTES ? 0 : bytes.readUInt32BE(0), bytes.length);
  // The minor version is between the main brand and the compatible ones.
  for (let offset = BOX_BYTES; offset + 4 <= end; offset += 4) {
    if (offset !== VERSION_AT && bytes.toString("latin1", offset, offset + 4) === "avis")
      return true;
  }
  return false;
}

const BOX_BYTES = 8;
const VERSION_AT = 12;
/** Container boxes, and the number of bytes before their children. */
const CONTAINER_BOXES: Readonly<Record<string, number>> = { meta: 4, iprp: 0, ipco: 0 };

/** The sizes in all spatial extents boxes. */
function avifSizes(bytes: Uint8Array): Size[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sizes: Size[] = [];
  const walk = (from: number, to: number) => {
    for (let offset = from; offset + BOX_BYTES <= to;) {
      const length = view.getUint32(offset);
      const kind = Buffer.from(bytes.subarray(offset + 4, offset + BOX_BYTES)).toString("latin1");
      const end = length === 0 ? to : offset + length;
      if (end > to || end < offset + BOX_BYTES) return;
      const skipped = CONTAINER_BOXES[kind];
      if (skipped !== undefined) walk(offset + BOX_BYTES + skipped, end);
      if (kind === "ispe" && end - offset >= BOX_BYTES + 12) {
        sizes.push({ width: view.getUint32(offset + 12), height: view.getUint32(offset + 16) });
      }
      offset = end;
    }
  };
  walk(0, bytes.length);
  return sizes;
}

export interface ProcessedImage extends Size {
  bytes: Uint8Array<ArrayBuffer>;
}
