// Sends waiting requests one after the other, and retries them until they are answered.
import { backOff, type World } from "../api/ask.ts";
import { Refused, Unanswered } from "../api/http.ts";

/** Something that waits; the least `order` goes first. */
export interface Job {
  readonly order: number;
  run(): Promise<void>;
}

/** Requests that need the user, such as after the session's end, are not retried by the timer. */
const STOPPED_MS = 20 * 3_600_000;

export class Line {
  private readonly sources: (() => Job | undefined)[] = [];
  private tries = 0;
  private draining: Promise<void> | undefined;
  private cancelRetry: (() => void) | undefined;

  constructor(
    private readonly world: World,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** `next` gives what waits first of all that it knows. */
  add(next: () => Job | undefined): void {
    this.sources.push(next);
  }

  /**
   * Tries now: something was done, the network is back, or the tab is looked at. A network that is
   * back may need a moment yet, so that the next tries come as soon as the first ones did.
   */
  hurry(): void {
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
        await job.run();
        this.tries = 0;
      } catch (error) {
        this.tries += 1;
        this.pause(this.restAfter(error));
        return;
      }
    }
  }

  private restAfter(error: unknown): number {
    const soon = backOff(this.tries, this.world.random());
    if (error instanceof Unanswered) return Math.max(error.wait_ms, soon);
    this.failed(error);
    if (error instanceof Refused) return STOPPED_MS;
    // A fault of ours, which may be over with what is drawn next.
    reportError(error);
    return soon;
  }

  private next(): Job | undefined {
    const jobs = this.sources.flatMap((next) => next() ?? []);
    return jobs.reduce<Job | undefined>(
      (first, job) => (first === undefined || job.order < first.order ? job : first),
      undefined,
    );
  }

  private pause(ms: number): void {
    this.cancelRetry = this.world.after(ms, () => this.go());
  }
}

/** The places of what was done, whatever clocks say: each comes after all that is known. */
export class Order {
  private last = 0;

  next(): number {
    return (this.last += 1);
  }

  /** Some earlier page gave this one. */
  note(order: number): void {
    this.last = Math.max(this.last, order);
  }
}

/** In the order of their making; what an earlier version kept has only its time. */
export function byOrder(
  one: { order?: number; made: number },
  other: { order?: number; made: number },
): number {
  return (one.order ?? 0) - (other.order ?? 0) || one.made - other.made;
}
