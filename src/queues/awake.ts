// A clock for what waits for others: it neither jumps nor counts the time of a pause.

/** The queues are swept every second: when there is more between two looks, nobody could come. */
const STEP_MS_MAX = 5_000;

export class AwakeClock {
  #at = 0;
  #last: number;

  /** `steady`: milliseconds that only grow, but may jump ahead. */
  constructor(readonly steady: () => number = () => performance.now()) {
    this.#last = steady();
  }

  /** Milliseconds, from 0 on. */
  now(): number {
    const steady = this.steady();
    this.#at += Math.min(Math.max(steady - this.#last, 0), STEP_MS_MAX);
    this.#last = steady;
    return this.#at;
  }
}
