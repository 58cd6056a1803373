// How much memory pictures take while they are worked on: one bound for all of the process.
import { totalmem } from "node:os";
import { TooManyPixels } from "./formats.ts";

const MIB = 1_048_576;
/** For all else that the server does. */
const SERVER_BYTES = 136 * MIB;
const BUDGET_BYTES_MIN = 48 * MIB;
const BUDGET_BYTES_MAX = 1_024 * MIB;

/** Of so much memory, in the machine or in what the process is confined to. */
export function budgetOf(memory_bytes: number): number {
  return Math.min(Math.max(memory_bytes - SERVER_BYTES, BUDGET_BYTES_MIN), BUDGET_BYTES_MAX);
}

interface Waiting {
  readonly bytes: number;
  go(): void;
}

export class Budget {
  private free: number;
  private readonly line: Waiting[] = [];

  constructor(readonly bytes: number) {
    this.free = bytes;
  }

  /** Waits for its turn; what is more than there ever is, is refused. */
  async spend<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (bytes > this.bytes) throw new TooManyPixels(`${bytes} bytes`);
    await this.turn(bytes);
    try {
      return await work();
    } finally {
      this.free += bytes;
      this.call();
    }
  }

  private turn(bytes: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.line.push({ bytes, go: resolve });
    this.call();
    return promise;
  }

  /** In the order in which they came, so that nobody waits for ever. */
  private call(): void {
    for (let next = this.line[0]; next && next.bytes <= this.free; next = this.line[0]) {
      this.line.shift();
      this.free -= next.bytes;
      next.go();
    }
  }
}

/** 0 and more than the machine has: the process is not confined. */
const confined = process.constrainedMemory() || Infinity;

export const pictureMemory = new Budget(budgetOf(Math.min(confined, totalmem())));

/** Four for a pixel, and what is read ahead and written. */
const PIXEL_BYTES = 4.3;
/** A JPEG is made smaller while it is read. */
const JPEG_PIXEL_BYTES = 0.6;
const WORK_BYTES = 12 * MIB;

/** What it takes to make a picture smaller that the runtime knows; `size`: of the file. */
export function bytesToShrink(pixels: number, format: string, size: number): number {
  return WORK_BYTES + size + pixels * (format === "jpeg" ? JPEG_PIXEL_BYTES : PIXEL_BYTES);
}

/** A worker has a runtime of its own. */
const WORKER_BYTES = 32 * MIB;
/** Planes of colours, their pixels, and a copy. */
const FOREIGN_PIXEL_BYTES = 10;
const MOVING_BYTES = 72 * MIB;

export function bytesToDecode(pixels: number, size: number): number {
  return WORKER_BYTES + 2 * size + pixels * FOREIGN_PIXEL_BYTES;
}

export function bytesToMove(size: number): number {
  return MOVING_BYTES + 2 * size;
}
