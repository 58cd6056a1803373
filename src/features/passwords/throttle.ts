// Slows down repeated attempts instead of blocking them.
import { tooManySignIns } from "../../contract/errors/people.ts";

/** Delay before each attempt; attempts run one at a time. */
export const PAUSE_MS = 5_000;
/** Maximum of waiting attempts for one account. */
export const TRIES_WAITING_MAX = 5;

export class AttemptThrottle {
  /** When the last waiting attempt will run, in milliseconds of the clock. */
  private readonly last = new Map<string, number>();

  constructor(private readonly clock: { now(): number }) {}

  /**
   * Resolves when the attempt may run. If the wait would be long, throws an error with the seconds
   * to wait.
   */
  async waitForTurn(label: string): Promise<void> {
    const now = this.clock.now();
    const before = Math.max(this.last.get(label) ?? 0, now);
    const wait_ms = before + PAUSE_MS - now;
    if (wait_ms > TRIES_WAITING_MAX * PAUSE_MS) throw tooManySignIns(PAUSE_MS / 1000);
    this.last.set(label, now + wait_ms);
    await Bun.sleep(wait_ms);
    if (this.last.get(label) === now + wait_ms) this.last.delete(label);
  }
}
