// Commits: passes writes to the database and waits until they are durable.
import type { RootDatabase } from "lmdb";
import type { Journal } from "./journal.ts";
import type { Layer } from "./layers.ts";
import { sealed } from "./checksums/checksum.ts";

/** The disk rejected a write; earlier data is intact. */
export class CommitFailed extends Error {
  override name = "CommitFailed";
}

/** No write is possible until the data is opened again. */
export class StoreLost extends CommitFailed {
  override name = "StoreLost";
}

/** After this time, a commit is still awaited, but other writes are rejected. */
const LATE_SECONDS = 10;
/** After this time, the commit is given up. */
const LOST_SECONDS = 60;
/** Timeout for an empty commit, which does not use the disk. */
const EMPTY_MS = 5_000;

export class Commits {
  private isWaiting = false;
  /** Duration of the current commit, counting only time in which the process ran. */
  private seconds = 0;

  constructor(
    private readonly db: RootDatabase<Buffer, string>,
    private readonly journal: Journal,
  ) {}

  /** Called after each commit with its duration, its number of writes and whether it succeeded. */
  onMade: (ms: number, writes: number, isCreated: boolean) => void = () => {};

  async write(layer: Layer, writes: number): Promise<void> {
    const startedAt = performance.now();
    let isCreated = false;
    try {
      await this.put(layer);
      isCreated = true;
    } finally {
      this.onMade(performance.now() - startedAt, writes, isCreated);
    }
  }

  private put(layer: Layer): Promise<void> {
    return this.make(() => {
      this.journal.write(layer);
      for (const [prefix, rows] of layer.rows) {
        if (this.journal.takes(prefix)) continue;
        for (const [key, value] of rows) {
          if (value === null) void this.db.remove(key);
          else void this.db.put(key, sealed(value));
        }
      }
    });
  }

  /**
   * The commit runs in another thread; only the puts run here. A synchronous transaction would
   * avoid thread switches, but stop every other request while the disk flushes.
   */
  async make(puts: () => void): Promise<void> {
    this.isWaiting = true;
    this.seconds = 0;
    try {
      const created = this.db.transaction(puts);
      // The library starts immediately if another operation follows, otherwise on the next turn of
      // the event loop.
      void this.db.batch(() => {});
      await created;
    } finally {
      this.isWaiting = false;
    }
  }

  /**
   * Must be called every second. Time in which the machine sleeps or the process is suspended does
   * not count.
   */
  tick(): void {
    if (this.isWaiting) this.seconds++;
  }

  get isLate(): boolean {
    return this.isWaiting && this.seconds >= LATE_SECONDS;
  }

  get isLost(): boolean {
    return this.isWaiting && this.seconds >= LOST_SECONDS;
  }

  /**
   * After a failed commit: whether another is possible. If the disk rejected the page with the
   * number of the latest commit, the library silently starts no further transaction.
   */
  async canContinue(): Promise<boolean> {
    let timer: Timer | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), EMPTY_MS);
    });
    const isCreated = this.make(() => {}).then(
      () => true,
      () => true,
    );
    return Promise.race([isCreated, late]).finally(() => clearTimeout(timer));
  }
}

/** Returns the system's error, which lmdb reports separately. */
export async function reasonOf(failure: Error): Promise<Error> {
  const { commitError } = failure as { commitError?: Promise<never> };
  return commitError ? commitError.catch((error: Error) => error) : failure;
}
