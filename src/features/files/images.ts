// Inspects images: type, size and animation; and creates smaller versions.
import { badImage, imageTooLarge } from "../../contract/errors/realm.ts";
import { UPRIGHT } from "../../pictures/strip-metadata/orientation.ts";
import { decoded, firstFrame, smaller } from "../../pictures/decode.ts";
import {
  isAvifSequence,
  isForeign,
  NotDecodable,
  type Size,
  TooManyPixels,
  type ProcessedImage,
} from "../../pictures/formats.ts";
import { Budget, bytesToShrink, pictureMemory } from "../../pictures/memory.ts";
import { animationPixels as pixelsOfAnimation } from "../../pictures/animation-cost.ts";
import { isTiff } from "../../pictures/tiff.ts";
import { isOnItsSide, orientationOf, upright } from "../../pictures/orientation.ts";
import { isAnimatedWebp } from "../../pictures/webp.ts";
import { PICTURE_BYTES_MAX, PICTURE_PIXELS_MAX, THUMBNAIL, TRANSCODED } from "./rules.ts";

const FORMATS: ReadonlySet<string> = new Set(["gif", "jpeg", "png", "webp"]);
const HEAD_BYTES = 4_100;
const WEBP_QUALITY = 80;
/** A second frame beyond this offset is not searched for. */
const FRAME_BYTES_MAX = 8 * 1_048_576;

interface Picture {
  width: number;
  height: number;
  format: string;
  animated: boolean;
}

/** An image as uploaded, with bytes that the runtime can decode. */
interface DecodableImage extends Picture {
  bytes: Blob;
}

/** Detected by its bytes, whatever its name. Throws if it is not an image or too large. */
export async function inspectPicture(bytes: Blob): Promise<DecodableImage> {
  if (bytes.size > PICTURE_BYTES_MAX) throw imageTooLarge();
  if (bytes.size === 0) throw badImage();
  const type = await typeOf(bytes);
  if (isForeign(type)) {
    const animated = isAvifSequence(await bytes.slice(0, HEAD_BYTES).bytes());
    return decodeInWorker(type, animated, async () =>
      decoded(await bytes.bytes(), type, TRANSCODED),
    );
  }
  if (type === "image/webp" && isAnimatedWebp(await bytes.slice(0, HEAD_BYTES).bytes())) {
    // The runtime does not decode animated WebP.
    return decodeInWorker(type, true, async () => firstFrame(await bytes.bytes(), TRANSCODED));
  }
  return rotatedUpright(bytes, await pictureIn(bytes), await orientationOf(bytes, type));
}

async function decodeInWorker(
  type: string,
  animated: boolean,
  work: () => Promise<ProcessedImage>,
): Promise<DecodableImage> {
  const { width, height, bytes: png } = await foreignImageLock.run(1, work).catch(rejectAsBadImage);
  const format = type.slice("image/".length);
  return { width, height, format, animated, bytes: new Blob([png]) };
}

/** The image with its pixels rotated according to its Exif data. */
async function rotatedUpright(
  bytes: Blob,
  picture: Picture,
  orientation: number,
): Promise<DecodableImage> {
  if (orientation === UPRIGHT) return { ...picture, bytes };
  const { width, height } = TRANSCODED;
  const png = await withPictureMemory(bytes, (image) =>
    upright(image, orientation)
      .resize(width, height, FIT_INSIDE)
      .png({ compressionLevel: 1 })
      .bytes(),
  );
  const orientedSize = isOnItsSide(orientation)
    ? { width: picture.height, height: picture.width }
    : { width: picture.width, height: picture.height };
  return { ...picture, ...orientedSize, bytes: new Blob([png as Uint8Array<ArrayBuffer>]) };
}

/** The image type by the first bytes. Empty if unknown. */
export async function typeOf(bytes: Blob): Promise<string> {
  const head = await bytes.slice(0, HEAD_BYTES).bytes();
  const { fileTypeFromBuffer } = await import("file-type");
  const mime = (await fileTypeFromBuffer(head))?.mime;
  // The bytes that distinguish TIFF variants may come late in the file.
  return mime ?? (isTiff(head) ? "image/tiff" : "");
}

function rejectAsBadImage(error: unknown): never {
  if (error instanceof TooManyPixels) throw imageTooLarge();
  throw error instanceof NotDecodable ? badImage() : error;
}

/** Such images are read completely into memory, so only one at a time. */
const foreignImageLock = new Budget(1);
const animationLock = new Budget(1);

function pictureIn(bytes: Blob): Promise<Picture> {
  const decodingTask = pictureMemory.run(bytes.size + FRAME_BYTES_MAX, async () => {
    const { width, height, format } = await decoding(imageOf(bytes).metadata());
    if (!FORMATS.has(format)) throw badImage();
    return { width, height, format, animated: await isAnimated(bytes, format) };
  });
  return decodingTask.catch(rejectAsBadImage);
}

/** The number of pixels of all frames together, decoded. */
export async function animationPixels(bytes: Blob): Promise<number> {
  const type = await typeOf(bytes);
  return pixelsOfAnimation(await bytes.bytes(), type);
}

/**
 * undefined: the original is small enough. "still": the image has so many pixels that only its
 * first frame is used.
 */
export async function animatedPreviewOf(bytes: Blob): Promise<Uint8Array | "still" | undefined> {
  const type = await typeOf(bytes);
  if (type !== "image/gif" && type !== "image/webp") return undefined;
  try {
    const work = async () => smaller(await bytes.bytes(), type, THUMBNAIL);
    const processed = await animationLock.run(1, work);
    return processed.bytes.length < bytes.size ? processed.bytes : undefined;
  } catch (error) {
    if (error instanceof TooManyPixels) return "still";
    if (error instanceof NotDecodable) return undefined;
    throw error;
  }
}

/** The complete image in a format that browsers display. */
export function transcodedOf(bytes: Blob): Promise<Uint8Array> {
  return withPictureMemory(bytes, (image) => image.webp({ quality: WEBP_QUALITY }).bytes());
}

/** A thumbnail of the first frame, never enlarged. */
export function thumbnailOf(bytes: Blob): Promise<Uint8Array> {
  const { width, height } = THUMBNAIL;
  return withPictureMemory(bytes, (image) =>
    image.resize(width, height, FIT_INSIDE).webp({ quality: WEBP_QUALITY }).bytes(),
  );
}

/** Waits until there is memory for the pixels. */
export async function withPictureMemory<T>(
  bytes: Blob,
  work: (image: Bun.Image, size: Size) => Promise<T>,
): Promise<T> {
  const decodingTask = pictureMemory.run(bytes.size, () => imageOf(bytes).metadata());
  const { width, height, format } = await decoding(decodingTask.catch(rejectAsBadImage));
  const memoryNeeded = bytesToShrink(width * height, format, bytes.size);
  const rendering = pictureMemory.run(memoryNeeded, () => work(imageOf(bytes), { width, height }));
  return decoding(rendering.catch(rejectAsBadImage));
}

export const FIT_INSIDE = { fit: "inside", withoutEnlargement: true } as const;

/** Checks the number of pixels before allocating memory for them. */
export function imageOf(bytes: Blob | Uint8Array): Bun.Image {
  return new Bun.Image(bytes as Blob, { maxPixels: PICTURE_PIXELS_MAX });
}

async function decoding<T>(work: Promise<T>): Promise<T> {
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
      return isAnimatedWebp(bytes);
  }
}

/** Counts up to two frames. */
function framesOfGif(bytes: Buffer): number {
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let offset = 13 + tableBytes(bytes[10] ?? 0);
  let frames = 0;
  while (offset < bytes.length && frames < 2) {
    const kind = bytes[offset];
    if (kind === 0x21) offset += 2;
    else if (kind === 0x2c) {
      frames++;
      offset += 11 + tableBytes(bytes[offset + 9] ?? 0);
    } else break;
    while (offset < bytes.length && bytes[offset] !== 0) offset += bytes[offset]! + 1;
    offset++;
  }
  return frames;
}

/** In an animated PNG, this chunk precedes the pixels. */
function hasAnimationChunk(bytes: Buffer): boolean {
  for (let offset = 8; offset + 12 <= bytes.length; offset += 12 + bytes.readUInt32BE(offset)) {
    const type = bytes.toString("latin1", offset + 4, offset + 8);
    if (type === "acTL") return true;
    if (type === "IDAT") return false;
  }
  return false;
}
