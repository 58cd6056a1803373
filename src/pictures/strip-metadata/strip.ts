// Removes metadata from images: location, device, author and time.
import { gifParts } from "./gif.ts";
import { heifParts } from "./heif.ts";
import { jpegParts } from "./jpeg.ts";
import { lengthOf, type Part, Window, writeParts } from "./parts.ts";
import { pngParts } from "./png.ts";
import { webpParts } from "./webp.ts";

const FORMATS: Readonly<Record<string, (file: Window) => Promise<Part[] | undefined>>> = {
  "image/jpeg": jpegParts,
  "image/png": pngParts,
  "image/apng": pngParts,
  "image/webp": webpParts,
  "image/gif": gifParts,
  "image/avif": heifParts,
  "image/heic": heifParts,
  "image/heif": heifParts,
  "image/heic-sequence": heifParts,
  "image/heif-sequence": heifParts,
};

/**
 * Keeps pixels, colors, animation and orientation. Returns undefined if there is nothing to remove,
 * the file is damaged, or the format is not supported.
 */
export async function strippedPieces(
  file: Blob,
  type: string,
): Promise<AsyncIterable<Uint8Array<ArrayBuffer>> | undefined> {
  const parts = await FORMATS[type]?.(new Window(file));
  if (!parts) return undefined;
  const isChanged = parts.some((part) => "byte" in part || part instanceof Uint8Array);
  const isSame = !isChanged && lengthOf(parts) === file.size;
  return isSame ? undefined : writeParts(file, parts);
}

/** The same for a small file; returns it unchanged if there is nothing to remove. */
export async function withoutMetadata(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces = await strippedPieces(new Blob([bytes]), type);
  return pieces ? new Uint8Array(Buffer.concat(await Array.fromAsync(pieces))) : bytes;
}
