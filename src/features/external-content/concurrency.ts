// Limits concurrent requests per host and in total, with a queue for the others.

export interface TooManyRequests {
  readonly perHost: number;
  readonly total: number;
  readonly waiting: number;
}

interface QueuedFetch {
  readonly host: string;
  start(): void;
}

export class FetchLimiter {
  private readonly working = new Map<string, number>();
  private readonly waiting: QueuedFetch[] = [];
  private count = 0;

  constructor(private readonly limitError: TooManyRequests) {}

  /** undefined if too many are waiting. */
  take<T>(host: string, work: () => Promise<T>): Promise<T> | undefined {
    if (this.waiting.length >= this.limitError.waiting) return undefined;
    return this.waitForSlot(host)
      .then(work)
      .finally(() => this.end(host));
  }

  private waitForSlot(host: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.push({ host, start: resolve });
    this.call();
    return promise;
  }

  private call(): void {
    for (let index = 0; index < this.waiting.length && this.count < this.limitError.total;) {
      const { host, start } = this.waiting[index]!;
      const working = this.working.get(host) ?? 0;
      if (working >= this.limitError.perHost) {
        index++;
        continue;
      }
      this.waiting.splice(index, 1);
      this.working.set(host, working + 1);
      this.count++;
      start();
    }
  }

  private end(host: string): void {
    const remaining = this.working.get(host)! - 1;
    if (remaining > 0) this.working.set(host, remaining);
    else this.working.delete(host);
    this.count--;
    this.call();
  }
}
