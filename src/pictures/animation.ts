// Scales animated images down frame by frame.
import { NotDecodable, type Size, TooManyPixels, type ProcessedImage } from "./formats.ts";
import type { AnimatedType } from "./frames.ts";
import { animatedGif } from "./gif.ts";
import { ANIMATION_PIXELS_MAX, animationPixels } from "./animation-cost.ts";
import { colorPng } from "./png.ts";
import { shrinkPixels } from "./shrink.ts";
import { animatedWebp, assembledWebp, type WebpFrame } from "./webp.ts";

const CANVAS_PIXELS_MAX = 4_000_000;
const FRAMES_MAX = 1_000;
const QUALITY = 75;

export async function smallerAnimation(
  bytes: Uint8Array,
  type: AnimatedType,
  sizeMax: Size,
): Promise<ProcessedImage> {
  const moving = type === "image/gif" ? animatedGif(bytes) : animatedWebp(bytes);
  const { width, height } = moving;
  if (width === 0 || height === 0) throw new NotDecodable("it has no pixels");
  if (width * height > CANVAS_PIXELS_MAX) throw new TooManyPixels();
  if (animationPixels(bytes, type) > ANIMATION_PIXELS_MAX) throw new TooManyPixels();
  const frames: WebpFrame[] = [];
  let size: Size = { width, height };
  for await (const { data, delay_ms } of moving.frames()) {
    const count = frames.length + 1;
    if (count > FRAMES_MAX || count * width * height > ANIMATION_PIXELS_MAX)
      throw new TooManyPixels();
    const shrunk = shrinkPixels({ width, height, data }, sizeMax);
    const png = colorPng(shrunk.width, shrunk.height, shrunk.data);
    size = { width: shrunk.width, height: shrunk.height };
    const stillImage = await new Bun.Image(png).webp({ quality: QUALITY }).bytes();
    frames.push({ still: stillImage, delay_ms });
  }
  if (frames.length === 0) throw new NotDecodable("it has no frames");
  return { ...size, bytes: assembledWebp(size, moving.loops, frames) };
}
