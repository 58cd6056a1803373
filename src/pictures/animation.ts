// Scales animated images down frame by frame.
import { NotDecodable, type Size, TooManyPixels, type ProcessedImage } from "./formats.ts";
import type { MovingType } from "./frames.ts";
import { movingGif } from "./gif.ts";
import { MOVING_PIXELS_MAX, movingPixels } from "./animation-cost.ts";
import { colorPng } from "./png.ts";
import { shrunk } from "./shrink.ts";
import { movingWebp, wovenWebp, type WebpFrame } from "./webp.ts";

const CANVAS_PIXELS_MAX = 4_000_000;
const FRAMES_MAX = 1_000;
const QUALITY = 75;

export async function smallerMoving(
  bytes: Uint8Array,
  type: MovingType,
  most: Size,
): Promise<ProcessedImage> {
  const moving = type === "image/gif" ? movingGif(bytes) : movingWebp(bytes);
  const { width, height } = moving;
  if (width === 0 || height === 0) throw new NotDecodable("it has no pixels");
  if (width * height > CANVAS_PIXELS_MAX) throw new TooManyPixels();
  if (movingPixels(bytes, type) > MOVING_PIXELS_MAX) throw new TooManyPixels();
  const frames: WebpFrame[] = [];
  let size: Size = { width, height };
  for await (const { data, delay_ms } of moving.frames()) {
    const count = frames.length + 1;
    if (count > FRAMES_MAX || count * width * height > MOVING_PIXELS_MAX) throw new TooManyPixels();
    const small = shrunk({ width, height, data }, most);
    const png = colorPng(small.width, small.height, small.data);
    size = { width: small.width, height: small.height };
    const still = await new Bun.Image(png).webp({ quality: QUALITY }).bytes();
    frames.push({ still, delay_ms });
  }
  if (frames.length === 0) throw new NotDecodable("it has no frames");
  return { ...size, bytes: wovenWebp(size, moving.loops, frames) };
}
