// The pictures that the runtime does not decode: how large they say that they are.
import type { Tiff } from "./tiff-colors.ts";
import { tiffOf } from "./tiff.ts";

export type Foreign = "image/avif" | "image/tiff";

export interface Size {
  width: number;
  height: number;
}

/** More than this is decoded by nobody here: it takes four bytes each, and some more at work. */
export const FOREIGN_PIXELS_MAX = 40_000_000;

export class NotDecodable extends Error {}
export class TooManyPixels extends Error {}

export function isForeign(content_type: string): content_type is Foreign {
  return content_type === "image/avif" || content_type === "image/tiff";
}

/** Before memory is given to them. Gives the pixels of the largest. */
export function checkSize(bytes: Uint8Array, type: Foreign): number {
  let most = 0;
  for (const { width, height } of sizesIn(bytes, type)) {
    most = Math.max(most, width * height);
    if (width === 0 || height === 0) throw new NotDecodable("it has no pixels");
    if (width * height > FOREIGN_PIXELS_MAX) throw new TooManyPixels(`${width}x${height}`);
  }
  return most;
}

/** The sizes of all pictures in the file, or of the displayed one. */
function sizesIn(bytes: Uint8Array, type: Foreign): Size[] {
  const sizes = type === "image/avif" ? avifSizes(bytes) : tiffSizes(tiffOf(bytes));
  if (sizes.length === 0) throw new NotDecodable("it does not say how large it is");
  return sizes;
}

function tiffSizes({ width, height, tile }: Tiff): Size[] {
  return [{ width, height }, tile];
}

/** Does the file hold a sequence of pictures? Its brand says so. */
export function isAvifSequence(head: Uint8Array): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const end = Math.min(bytes.length < BOX_BYTES ? 0 : bytes.readUInt32BE(0), bytes.length);
  // The version of the main brand stands between it and the compatible ones.
  for (let at = BOX_BYTES; at + 4 <= end; at += 4) {
    if (at !== VERSION_AT && bytes.toString("latin1", at, at + 4) === "avis") return true;
  }
  return false;
}

const BOX_BYTES = 8;
const VERSION_AT = 12;
/** Boxes that hold others, and how many bytes stand before those. */
const HOLDERS: Readonly<Record<string, number>> = { meta: 4, iprp: 0, ipco: 0 };

/** The sizes in all spatial extents boxes. */
function avifSizes(bytes: Uint8Array): Size[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sizes: Size[] = [];
  const walk = (from: number, to: number) => {
    for (let at = from; at + BOX_BYTES <= to;) {
      const length = view.getUint32(at);
      const kind = Buffer.from(bytes.subarray(at + 4, at + BOX_BYTES)).toString("latin1");
      const end = length === 0 ? to : at + length;
      if (end > to || end < at + BOX_BYTES) return;
      const skipped = HOLDERS[kind];
      if (skipped !== undefined) walk(at + BOX_BYTES + skipped, end);
      if (kind === "ispe" && end - at >= BOX_BYTES + 12) {
        sizes.push({ width: view.getUint32(at + 12), height: view.getUint32(at + 16) });
      }
      at = end;
    }
  };
  walk(0, bytes.length);
  return sizes;
}

export interface Worked extends Size {
  bytes: Uint8Array<ArrayBuffer>;
}
