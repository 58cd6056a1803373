// A picture that moves, frame by frame.
import type { Size } from "./formats.ts";

export type MovingType = "image/gif" | "image/webp";

export interface Frame {
  /** Four bytes of each pixel of the whole picture; good until the next frame is asked for. */
  data: Uint8Array;
  delay_ms: number;
}

export interface Moving extends Size {
  /** How often it is shown; 0: without end. */
  loops: number;
  frames(): Iterable<Frame> | AsyncIterable<Frame>;
}
