// Limits concurrent requests per host and in total, with a queue for the others.

interface TooManyRequests {
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
  private readonly queue: QueuedFetch[] = [];
  private count = 0;

  constructor(private readonly limitError: TooManyRequests) {}

  /** undefined if too many are waiting. */
  run<T>(host: string, work: () => Promise<T>): Promise<T> | undefined {
    if (this.queue.length >= this.limitError.waiting) return undefined;
    return this.waitForSlot(host)
      .then(work)
      .finally(() => this.end(host));
  }

  private waitForSlot(host: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.queue.push({ host, start: resolve });
    this.call();
    return promise;
  }

  private call(): void {
    for (let index = 0; index < this.queue.length && this.count < this.limitError.total;) {
      const { host, start } = this.queue[index]!;
      const working = this.working.get(host) ?? 0;
      if (working >= this.limitError.perHost) {
        index++;
        continue;
      }
      this.queue.splice(index, 1);
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
