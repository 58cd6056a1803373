// Crops an image to its central square and scales it.
import { badImage } from "../../contract/errors/realm.ts";
import type { Size } from "../../pictures/formats.ts";
import { pngPixels } from "../../pictures/png-pixels.ts";
import { colorPng } from "../../pictures/png.ts";
import { imageOf, withPictureMemory } from "../files/images.ts";

const QUALITY = 85;
/** Larger ratios of width to height are reduced to this one by distorting the image. */
const RATIO_MAX = 4;
const PIXEL_BYTES = 4;

export function squareOf(bytes: Blob, side: number): Promise<Uint8Array> {
  return withPictureMemory(bytes, (image, size) => square(image, size, side));
}

async function square(image: Bun.Image, { width, height }: Size, side: number) {
  const scale = side / Math.min(width, height);
  const max = RATIO_MAX * side;
  const [w, h] = [width, height].map((length) => Math.min(Math.round(length * scale), max));
  const scaled = image.resize(w!, h!);
  if (w === h) return scaled.webp({ quality: QUALITY }).bytes();
  const pixels = pngPixels(await scaled.png({ compressionLevel: 1 }).bytes(), w!, h!);
  if (!pixels) throw badImage();
  const middle = colorPng(side, side, middleOf(pixels, w!, h!, side));
  return imageOf(middle).webp({ quality: QUALITY }).bytes();
}

function middleOf(pixels: Uint8Array, width: number, height: number, side: number): Uint8Array {
  const [x, top] = [(width - side) >> 1, (height - side) >> 1];
  const middle = new Uint8Array(side * side * PIXEL_BYTES);
  for (let row = 0; row < side; row++) {
    const from = ((top + row) * width + x) * PIXEL_BYTES;
    middle.set(pixels.subarray(from, from + side * PIXEL_BYTES), row * side * PIXEL_BYTES);
  }
  return middle;
}
