// Clock for client timeouts that ignores clock changes and time during which the machine sleeps.

/**
 * The queues are swept every second. A longer gap means that the process was suspended and clients
 * could not poll.
 */
const STEP_MS_MAX = 5_000;

export class MonotonicClock {
  #at = 0;
  #last: number;

  /** `steady` returns monotonic milliseconds, which may jump forward. */
  constructor(readonly steady: () => number = () => performance.now()) {
    this.#last = steady();
  }

  /** Returns milliseconds, starting at 0. */
  now(): number {
    const uptime = this.steady();
    this.#at += Math.min(Math.max(uptime - this.#last, 0), STEP_MS_MAX);
    this.#last = uptime;
    return this.#at;
  }
}
