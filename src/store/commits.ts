// Commits: how what is to be durable is handed to the database.
import type { RootDatabase } from "lmdb";
import type { Journal } from "./journal.ts";
import type { Layer } from "./layers.ts";
import { sealed } from "./seal/seal.ts";

/** A write that the disk refused; what was there before is still there. */
export class CommitFailed extends Error {
  override name = "CommitFailed";
}

/** No write is possible any more, until the data is opened again. */
export class StoreLost extends CommitFailed {
  override name = "StoreLost";
}

/** A commit that takes so long is waited for, but nobody else's writes wait behind it. */
const LATE_SECONDS = 10;
/** And after these it is not waited for any more. */
const LOST_SECONDS = 60;
/** For a commit of nothing, which touches no disk. */
const EMPTY_MS = 5_000;

export class Commits {
  private isWaiting = false;
  /** For how long the commit under way has been, while this process ran. */
  private seconds = 0;

  constructor(
    private readonly db: RootDatabase<Buffer, string>,
    private readonly journal: Journal,
  ) {}

  /** Called after each: how long it took, for how many writes, and whether it was made. */
  onMade: (ms: number, writes: number, isMade: boolean) => void = () => {};

  async write(layer: Layer, writes: number): Promise<void> {
    const begun = performance.now();
    let isMade = false;
    try {
      await this.put(layer);
      isMade = true;
    } finally {
      this.onMade(performance.now() - begun, writes, isMade);
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
   * Another thread makes it, but for the puts. A synchronous transaction, or a batch, would spare
   * changes of threads; but when the disk is full the library then writes past its own memory, or
   * did, before `packaging/addon.ts`: it was not tried since.
   */
  async make(puts: () => void): Promise<void> {
    this.isWaiting = true;
    this.seconds = 0;
    try {
      const made = this.db.transaction(puts);
      // The library begins at once when something follows, and otherwise when the loop turns.
      void this.db.batch(() => {});
      await made;
    } finally {
      this.isWaiting = false;
    }
  }

  /** To be called every second: a machine that sleeps, or a process that is held, ages nothing. */
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
   * After a failed commit: is there ever another? When the disk refused the page that says which
   * commit is the last one, the library begins no transaction any more, and tells nobody.
   */
  async goOn(): Promise<boolean> {
    let timer: Timer | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), EMPTY_MS);
    });
    const isMade = this.make(() => {}).then(
      () => true,
      () => true,
    );
    return Promise.race([isMade, late]).finally(() => clearTimeout(timer));
  }
}

/** What the system said; lmdb tells of it apart from the failure. */
export async function reasonOf(failure: Error): Promise<Error> {
  const { commitError } = failure as { commitError?: Promise<never> };
  return commitError ? commitError.catch((error: Error) => error) : failure;
}
