// Limits concurrent requests per host and in total, with a queue for the others.

export interface TooManyRequests {
  readonly perHost: number;
  readonly total: number;
  readonly waiting: number;
}

interface QueuedFetch {
  readonly host: string;
  go(): void;
}

export class FetchLimiter {
  private readonly working = new Map<string, number>();
  private readonly line: QueuedFetch[] = [];
  private count = 0;

  constructor(private readonly most: TooManyRequests) {}

  /** undefined if too many are waiting. */
  take<T>(host: string, work: () => Promise<T>): Promise<T> | undefined {
    if (this.line.length >= this.most.waiting) return undefined;
    return this.turn(host)
      .then(work)
      .finally(() => this.end(host));
  }

  private turn(host: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.line.push({ host, go: resolve });
    this.call();
    return promise;
  }

  private call(): void {
    for (let index = 0; index < this.line.length && this.count < this.most.total;) {
      const { host, go } = this.line[index]!;
      const working = this.working.get(host) ?? 0;
      if (working >= this.most.perHost) {
        index++;
        continue;
      }
      this.line.splice(index, 1);
      this.working.set(host, working + 1);
      this.count++;
      go();
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
