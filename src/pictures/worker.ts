// Worker that decodes an image or scales an animation down.
import type { Order, Outcome } from "./decode.ts";
import { checkSize, isForeign, NotDecodable, TooManyPixels, type ForeignType } from "./formats.ts";
import { smallerAnimation } from "./animation.ts";
import { colorPng } from "./png.ts";
import { type Pixels, shrinkPixels } from "./shrink.ts";
import { NotATiff, pixelsOf, tiffOf } from "./tiff.ts";
import { animatedWebp } from "./webp.ts";

declare const self: Worker;

// A start compiles code later than usual: see build.ts.
Bun.unsafe.setJITPolicy(1);

self.onmessage = async ({ data }: MessageEvent<Order>) => {
  postMessage(await outcomeOf(data));
};

async function outcomeOf({ bytes, type, isFirstFrame, sizeMax }: Order): Promise<Outcome> {
  try {
    if (!isForeign(type) && !isFirstFrame) return await smallerAnimation(bytes, type, sizeMax);
    const pixels = isForeign(type) ? await decode(bytes, type) : await firstFrameOf(bytes);
    const { width, height, data } = shrinkPixels(pixels, sizeMax);
    const { width: own_width, height: own_height } = pixels;
    return { width: own_width, height: own_height, bytes: colorPng(width, height, data) };
  } catch (error) {
    if (error instanceof TooManyPixels) return { failed: "too large" };
    const isExpectedError = error instanceof NotDecodable || error instanceof NotATiff;
    return { failed: isExpectedError ? "no picture" : `its decoder: ${String(error)}` };
  }
}

async function firstFrameOf(bytes: Uint8Array): Promise<Pixels> {
  const { width, height, frames } = animatedWebp(bytes);
  for await (const { data } of frames()) return { width, height, data };
  throw new NotDecodable("it has no frames");
}

async function decode(bytes: Uint8Array, type: ForeignType): Promise<Pixels> {
  checkSize(bytes, type);
  if (type === "image/avif") {
    const { avifPixels } = await import("./avif.ts");
    return avifPixels(bytes);
  }
  const tiff = tiffOf(bytes);
  return { width: tiff.width, height: tiff.height, data: pixelsOf(tiff) };
}
