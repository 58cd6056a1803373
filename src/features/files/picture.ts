// Looks into pictures: whether a file is one, how large, whether it moves; and makes smaller ones.
import { badImage, imageTooLarge } from "../../errors.ts";
import { PICTURE_BYTES_MAX, PICTURE_PIXELS_MAX, THUMBNAIL } from "./rules.ts";

const FORMATS: ReadonlySet<string> = new Set(["gif", "jpeg", "png", "webp"]);
const WEBP_QUALITY = 80;
/** A second frame further back is not looked for. */
const FRAME_BYTES_MAX = 8 * 1_048_576;

export interface Picture {
  width: number;
  height: number;
  format: string;
  animated: boolean;
}

/** Known by its bytes, whatever it is called. What is none, or too large, is refused. */
export async function pictureIn(bytes: Blob): Promise<Picture> {
  if (bytes.size > PICTURE_BYTES_MAX) throw imageTooLarge();
  const { width, height, format } = await decoding(imageOf(bytes).metadata());
  if (!FORMATS.has(format)) throw badImage();
  return { width, height, format, animated: await isAnimated(bytes, format) };
}

/** Of the first frame, no larger than it is. */
export function thumbnailOf(bytes: Blob): Promise<Uint8Array> {
  const { width, height } = THUMBNAIL;
  const smaller = imageOf(bytes).resize(width, height, INSIDE);
  return decoding(smaller.webp({ quality: WEBP_QUALITY }).bytes());
}

export const INSIDE = { fit: "inside", withoutEnlargement: true } as const;

/** Its pixels are counted before memory is given to them. */
export function imageOf(bytes: Blob | Uint8Array): Bun.Image {
  return new Bun.Image(bytes as Blob, { maxPixels: PICTURE_PIXELS_MAX });
}

export async function decoding<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    if (code === "ERR_IMAGE_TOO_MANY_PIXELS") throw imageTooLarge();
    throw code.startsWith("ERR_IMAGE_") ? badImage() : error;
  }
}

async function isAnimated(blob: Blob, format: string): Promise<boolean> {
  if (format === "jpeg") return false;
  const bytes = Buffer.from(await blob.slice(0, FRAME_BYTES_MAX).arrayBuffer());
  switch (format) {
    case "gif":
      return framesOfGif(bytes) > 1;
    case "png":
      return hasAnimationChunk(bytes);
    default:
      return bytes.toString("latin1", 12, 16) === "VP8X" && (bytes[20]! & 2) !== 0;
  }
}

/** Up to two. */
function framesOfGif(bytes: Buffer): number {
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + tableBytes(bytes[10] ?? 0);
  let frames = 0;
  while (at < bytes.length && frames < 2) {
    const kind = bytes[at];
    if (kind === 0x21) at += 2;
    else if (kind === 0x2c) {
      frames++;
      at += 11 + tableBytes(bytes[at + 9] ?? 0);
    } else break;
    while (at < bytes.length && bytes[at] !== 0) at += bytes[at]! + 1;
    at++;
  }
  return frames;
}

/** It stands before the pixels, in a PNG that moves. */
function hasAnimationChunk(bytes: Buffer): boolean {
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (type === "acTL") return true;
    if (type === "IDAT") return false;
  }
  return false;
}
