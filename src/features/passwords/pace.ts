// Slows down whoever tries again and again, instead of shutting them out.
import { tooManySignIns } from "../../contract/errors/people.ts";

/** Before each try, of which there is one at a time. */
export const PAUSE_MS = 5_000;
/** Maximum of waiting attempts for one account. */
export const TRIES_WAITING_MAX = 5;

export class Pacer {
  /** When the last of those who wait has had its turn, in milliseconds of the clock. */
  private readonly last = new Map<string, number>();

  constructor(private readonly clock: { now(): number }) {}

  /** Resolves when it is this one's turn. Who would wait long is told to come back in seconds. */
  async turn(what: string): Promise<void> {
    const now = this.clock.now();
    const before = Math.max(this.last.get(what) ?? 0, now);
    const wait_ms = before + PAUSE_MS - now;
    if (wait_ms > TRIES_WAITING_MAX * PAUSE_MS) throw tooManySignIns(PAUSE_MS / 1000);
    this.last.set(what, now + wait_ms);
    await Bun.sleep(wait_ms);
    if (this.last.get(what) === now + wait_ms) this.last.delete(what);
  }
}
