// Scales images down by averaging pixels.
import type { Size } from "./formats.ts";

export interface Pixels extends Size {
  /** Four bytes per pixel: red, green, blue, alpha. */
  data: Uint8Array;
}

/**
 * Returns an image that fits into `sizeMax`, with the same proportions. Smaller images stay
 * unchanged.
 */
export function shrinkPixels(pixels: Pixels, sizeMax: Size): Pixels {
  const scale = Math.max(pixels.width / sizeMax.width, pixels.height / sizeMax.height);
  if (scale <= 1) return pixels;
  const width = Math.max(1, Math.round(pixels.width / scale));
  const height = Math.max(1, Math.round(pixels.height / scale));
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const rows = spanOf(y, height, pixels.height);
    for (let x = 0; x < width; x++) {
      averageInto(pixels, spanOf(x, width, pixels.width), rows, data, (y * width + x) * 4);
    }
  }
  return { width, height, data };
}

type Span = [from: number, to: number];

function spanOf(index: number, position: number, length: number): Span {
  const from = Math.floor((index * length) / position);
  return [from, Math.max(from + 1, Math.floor(((index + 1) * length) / position))];
}

/** Weighted by opacity. */
function averageInto(
  { width, data }: Pixels,
  columns: Span,
  rows: Span,
  out: Uint8Array,
  to: number,
) {
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (let y = rows[0]; y < rows[1]; y++) {
    for (let x = columns[0]; x < columns[1]; x++) {
      const offset = (y * width + x) * 4;
      const weight = data[offset + 3]!;
      red += data[offset]! * weight;
      green += data[offset + 1]! * weight;
      blue += data[offset + 2]! * weight;
      alpha += weight;
    }
  }
  const count = (columns[1] - columns[0]) * (rows[1] - rows[0]);
  if (alpha === 0) return;
  out[to] = red / alpha;
  out[to + 1] = green / alpha;
  out[to + 2] = blue / alpha;
  out[to + 3] = alpha / count;
}
