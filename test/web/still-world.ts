// A world for parts of the client where time stands until a test lets it pass.
import type { World } from "../../src/web/api/ask.ts";

interface Timer {
  readonly at: number;
  readonly act: () => void;
}

export class StillWorld implements World {
  time = 0;
  private timers: Timer[] = [];

  now(): number {
    return this.time;
  }

  random(): number {
    return 0;
  }

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.time + ms, act };
    this.timers.push(timer);
    return () => void (this.timers = this.timers.filter((one) => one !== timer));
  }

  /** What falls due in it happens, and what that begins at once. */
  async pass(ms: number): Promise<void> {
    this.time += ms;
    const due = this.timers.filter(({ at }) => at <= this.time);
    this.timers = this.timers.filter(({ at }) => at > this.time);
    for (const { act } of due) act();
    await Bun.sleep(0);
  }
}
