// An environment for client code in which time passes only when a test advances it.
import type { Runtime } from "../../src/web/api/runtime.ts";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

export class ManualClock implements Runtime {
  time = 0;
  private timers: Timer[] = [];

  now(): number {
    return this.time;
  }

  random(): number {
    return 0;
  }

  after(ms: number, action: () => void): () => void {
    const timer = { at: this.time + ms, callback: action };
    this.timers.push(timer);
    return () => void (this.timers = this.timers.filter((item) => item !== timer));
  }

  /** Advances the clock and runs due timers, including those they start. */
  async passTime(ms: number): Promise<void> {
    this.time += ms;
    const due = this.timers.filter(({ at }) => at <= this.time);
    this.timers = this.timers.filter(({ at }) => at > this.time);
    for (const { callback } of due) callback();
    await Bun.sleep(0);
  }
}
