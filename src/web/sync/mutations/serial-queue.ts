// Sends pending requests in sequence, and retries them until the server responds.
import { backOff } from "../../api/request-queue.ts";
import type { Runtime } from "../../api/runtime.ts";
import { NoResponse } from "../../api/http.ts";
import { ApiError } from "../../contract/api-error.ts";

export type QueuedJob = () => Promise<void>;

/** Requests that need the user, such as after the session's end, are not retried by the timer. */
const GIVE_UP_MS = 20 * 3_600_000;

export class SerialQueue {
  private tries = 0;
  private draining: Promise<void> | undefined;
  private cancelRetry: (() => void) | undefined;

  /** `next` returns the first pending job; `failed` receives errors other than a lost network. */
  constructor(
    private readonly runtime: Runtime,
    private readonly next: () => QueuedJob | undefined,
    private readonly failed: (error: unknown) => void,
  ) {}

  /**
   * Tries now: a job was added, the network is back, or the user returned to the tab. A new network
   * may need a moment, so the pauses between attempts start small again.
   */
  flushNow(): void {
    this.tries = 0;
    this.go();
  }

  private go(): void {
    this.cancelRetry?.();
    this.cancelRetry = undefined;
    this.draining ??= this.drain().finally(() => {
      this.draining = undefined;
      if (this.next() !== undefined && this.cancelRetry === undefined) this.go();
    });
  }

  private async drain(): Promise<void> {
    for (let job = this.next(); job !== undefined; job = this.next()) {
      try {
        await job();
        this.tries = 0;
      } catch (error) {
        this.tries += 1;
        this.pause(this.delayAfter(error));
        return;
      }
    }
  }

  private delayAfter(error: unknown): number {
    const soon = backOff(this.tries, this.runtime.random());
    if (error instanceof NoResponse) return Math.max(error.wait_ms, soon);
    this.failed(error);
    if (error instanceof ApiError) return GIVE_UP_MS;
    // An error in the client itself. With the next state, it may not occur again.
    reportError(error);
    return soon;
  }

  private pause(ms: number): void {
    this.cancelRetry = this.runtime.after(ms, () => this.go());
  }
}

/** Positions of mutations that are independent of clocks: each follows all known ones. */
export class Sequence {
  private last = 0;

  next(): number {
    return (this.last += 1);
  }

  /** An earlier page or another tab has used this position. */
  record(order: number): void {
    this.last = Math.max(this.last, order);
  }
}

/** In order of creation. Rows of early versions have only a time. */
export function byOrder(
  first: { order?: number; made: number },
  other: { order?: number; made: number },
): number {
  return (first.order ?? 0) - (other.order ?? 0) || first.made - other.made;
}
