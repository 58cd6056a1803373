// Limits the memory of image processing for the whole process.
import { totalmem } from "node:os";
import { TooManyPixels } from "./formats.ts";

const MIB = 1_048_576;
/** Reserved for the rest of the server. */
const SERVER_BYTES = 136 * MIB;
const BUDGET_BYTES_MIN = 48 * MIB;
const BUDGET_BYTES_MAX = 1_024 * MIB;

/** Returns the budget for a machine or container with this much memory. */
function budgetOf(memory_bytes: number): number {
  return Math.min(Math.max(memory_bytes - SERVER_BYTES, BUDGET_BYTES_MIN), BUDGET_BYTES_MAX);
}

interface QueuedTask {
  readonly bytes: number;
  start(): void;
}

export class Budget {
  private freeBytes: number;
  private readonly line: QueuedTask[] = [];

  constructor(readonly bytes: number) {
    this.freeBytes = bytes;
  }

  /** Waits until the bytes are available. @throws if they exceed the whole budget */
  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (bytes > this.bytes) throw new TooManyPixels(`${bytes} bytes`);
    await this.waitForMemory(bytes);
    try {
      return await work();
    } finally {
      this.freeBytes += bytes;
      this.call();
    }
  }

  private waitForMemory(bytes: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.line.push({ bytes, start: resolve });
    this.call();
    return promise;
  }

  /** First come, first served, so that no request waits forever. */
  private call(): void {
    for (let next = this.line[0]; next && next.bytes <= this.freeBytes; next = this.line[0]) {
      this.line.shift();
      this.freeBytes -= next.bytes;
      next.start();
    }
  }
}

/** 0, or more than the machine has, means no limit. */
const cgroupBytes = process.constrainedMemory() || Infinity;

export const pictureMemory = new Budget(budgetOf(Math.min(cgroupBytes, totalmem())));

/** Four bytes per pixel, plus buffers for reading and writing. */
const PIXEL_BYTES = 4.3;
/** JPEG images are scaled down while they are decoded. */
const JPEG_PIXEL_BYTES = 0.6;
const WORK_BYTES = 12 * MIB;

/** Returns the memory needed to scale down an image that Bun can decode. `size`: of the file. */
export function bytesToShrink(pixels: number, format: string, size: number): number {
  return WORK_BYTES + size + pixels * (format === "jpeg" ? JPEG_PIXEL_BYTES : PIXEL_BYTES);
}

/** A worker has its own JavaScript runtime. */
const WORKER_BYTES = 32 * MIB;
/** Color planes, their pixels and a copy. */
const FOREIGN_PIXEL_BYTES = 10;
const MOVING_BYTES = 72 * MIB;

export function bytesToDecode(pixels: number, size: number): number {
  return WORKER_BYTES + 2 * size + pixels * FOREIGN_PIXEL_BYTES;
}

export function bytesToAnimate(size: number): number {
  return MOVING_BYTES + 2 * size;
}
