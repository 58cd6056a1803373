// Clock for timeouts of clients that neither jumps nor counts time of suspension.

/**
 * The queues are swept every second. A longer gap means that the process was suspended and clients
 * could not poll.
 */
const STEP_MS_MAX = 5_000;

export class AwakeClock {
  #at = 0;
  #last: number;

  /** `steady` returns monotonic milliseconds, which may jump forward. */
  constructor(readonly steady: () => number = () => performance.now()) {
    this.#last = steady();
  }

  /** Returns milliseconds, starting at 0. */
  now(): number {
    const steady = this.steady();
    this.#at += Math.min(Math.max(steady - this.#last, 0), STEP_MS_MAX);
    this.#last = steady;
    return this.#at;
  }
}
