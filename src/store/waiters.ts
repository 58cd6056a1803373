// The callers that wait for a commit.

interface Waiter {
  resolve(): void;
  reject(error: Error): void;
}

/** Waits only for durability, as a sequence that was raised outside of a transaction. */
const NOBODY: Waiter = { resolve() {}, reject() {} };

export class Waiters {
  /** Callers of the layer that is being filled. */
  private next: Waiter[] = [];
  /** Callers of the running commit. */
  private committing: Waiter[] = [];

  get count(): number {
    return this.committing.length + this.next.length;
  }

  get hasNext(): boolean {
    return this.next.length > 0;
  }

  add(waiter: Waiter = NOBODY): void {
    this.next.push(waiter);
  }

  /** Starts a commit for all callers that have been added. Returns their number. */
  begin(): number {
    this.committing = this.next;
    this.next = [];
    return this.committing.length;
  }

  resolve(): void {
    const { committing } = this;
    this.committing = [];
    for (const waiter of committing) waiter.resolve();
  }

  /** Rejects the callers of the running commit and all later ones. */
  reject(error: Error): void {
    const all = [...this.committing, ...this.next];
    [this.committing, this.next] = [[], []];
    for (const waiter of all) waiter.reject(error);
  }
}
