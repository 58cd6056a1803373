// Types of the frames of an animated image.
import type { Size } from "./formats.ts";

export type AnimatedType = "image/gif" | "image/webp";

export interface Frame {
  /** Four bytes per pixel of the whole image; valid until the next frame is requested. */
  data: Uint8Array;
  delay_ms: number;
}

export interface Animation extends Size {
  /** Number of repetitions; 0 for endless. */
  loops: number;
  frames(): Iterable<Frame> | AsyncIterable<Frame>;
}
