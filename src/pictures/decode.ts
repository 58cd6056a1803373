// Processes an image in a worker that is terminated if it takes too long.
import {
  checkSize,
  type ForeignType,
  FOREIGN_PIXELS_MAX,
  NotDecodable,
  type Size,
  TooManyPixels,
  type ProcessedImage,
} from "./formats.ts";
import type { AnimatedType } from "./frames.ts";
import { bytesToDecode, bytesToAnimate, pictureMemory } from "./memory.ts";
import { NotATiff } from "./tiff.ts";
import { animatedWebp } from "./webp.ts";

export interface Order {
  bytes: Uint8Array;
  /**
   * Formats that the runtime can decode are animated images to scale down; others are decoded here.
   */
  type: ForeignType | AnimatedType;
  /** For animated pictures, returns the first frame as PNG. */
  isFirstFrame?: boolean;
  /** Maximum size of the result. */
  sizeMax: Size;
}

export type Outcome = ProcessedImage | { failed: string };

const WORK_MS = 30_000;

declare const SKEIN_PICTURES: string;
/** The executable has other paths. */
const WORKER = typeof SKEIN_PICTURES === "string" ? SKEIN_PICTURES : "./worker.ts";

/** The image as PNG; `width` and `height` are the original ones. */
export async function decoded(
  bytes: Uint8Array,
  type: ForeignType,
  sizeMax: Size,
): Promise<ProcessedImage> {
  const pixels = pixelsIn(bytes, type);
  const order = { bytes, type, sizeMax };
  return pictureMemory.run(bytesToDecode(pixels, bytes.length), () => processOrder(order));
}

/** A smaller animated WebP. */
export function smaller(
  bytes: Uint8Array,
  type: AnimatedType,
  sizeMax: Size,
): Promise<ProcessedImage> {
  const order = { bytes, type, sizeMax };
  return pictureMemory.run(bytesToAnimate(bytes.length), () => processOrder(order));
}

/** The first frame as PNG; `width` and `height` are the original ones. */
export async function firstFrame(bytes: Uint8Array, sizeMax: Size): Promise<ProcessedImage> {
  const { width, height } = animatedWebp(bytes);
  if (width * height > FOREIGN_PIXELS_MAX) throw new TooManyPixels(`${width}x${height}`);
  const order: Order = { bytes, type: "image/webp", isFirstFrame: true, sizeMax };
  return pictureMemory.run(bytesToDecode(width * height, bytes.length), () => processOrder(order));
}

function pixelsIn(bytes: Uint8Array, type: ForeignType): number {
  try {
    return checkSize(bytes, type);
  } catch (error) {
    throw error instanceof NotATiff ? new NotDecodable(error.message) : error;
  }
}

async function processOrder(order: Order): Promise<ProcessedImage> {
  const outcome = await outcomeOf(order);
  if (!("failed" in outcome)) return outcome;
  throw outcome.failed === "too large" ? new TooManyPixels() : new NotDecodable(outcome.failed);
}

async function outcomeOf(order: Order): Promise<Outcome> {
  const worker = new Worker(new URL(WORKER, import.meta.url).href);
  let timer: Timer | undefined;
  try {
    return await new Promise((resolve) => {
      timer = setTimeout(() => resolve({ failed: "it took too long" }), WORK_MS);
      worker.onmessage = ({ data }: MessageEvent<Outcome>) => resolve(data);
      worker.onerror = ({ message }) => resolve({ failed: message });
      worker.postMessage(order);
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
