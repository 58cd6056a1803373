// Commits: passes writes to the database and waits until they are durable.
import type { RootDatabase } from "lmdb";
import { withTimeout } from "../async/with-timeout.ts";
import type { CommitLog } from "./journal/commit-log.ts";
import type { JournalEntry } from "./journal/entries.ts";
import type { Journal } from "./journal/journal.ts";
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
    private readonly log: CommitLog | undefined,
  ) {}

  /** Called after each commit with its duration, its number of writes and whether it succeeded. */
  onMade: (ms: number, writes: number, isCreated: boolean) => void = () => {};

  /** Returns whether the database has changed: otherwise only the log has. */
  async write(layer: Layer, writes: number): Promise<boolean> {
    const startedAt = performance.now();
    let isCreated = false;
    try {
      const hasChanged = await this.put(layer);
      isCreated = true;
      return hasChanged;
    } finally {
      this.onMade(performance.now() - startedAt, writes, isCreated);
    }
  }

  private async put(layer: Layer): Promise<boolean> {
    const entry = this.journal.entryOf(layer);
    if (entry && !this.hasOtherRows(layer) && (await this.putInLog(entry))) return false;
    await this.make(() => {
      if (entry) this.journal.put(entry);
      for (const [prefix, rows] of layer.rows) {
        if (this.journal.takes(prefix)) continue;
        for (const [key, value] of rows) {
          if (value === null) void this.db.remove(key);
          else void this.db.put(key, sealed(value));
        }
      }
    });
    return true;
  }

  private hasOtherRows(layer: Layer): boolean {
    for (const [prefix, rows] of layer.rows)
      if (rows.size > 0 && !this.journal.takes(prefix)) return true;
    return false;
  }

  /** Returns whether the entry is durable in the log; otherwise the database has to store it. */
  private async putInLog(entry: JournalEntry): Promise<boolean> {
    const { log } = this;
    if (!log?.accepts(entry)) return false;
    try {
      await this.wait(log.append(entry));
      return true;
    } catch {
      return false;
    }
  }

  /** Runs a transaction of the database, which includes the commits of the log. */
  async make(puts: () => void): Promise<void> {
    const { log } = this;
    if (!log) return this.transact(puts);
    await this.transact(() => {
      log.putInto(this.db);
      puts();
    });
    log.restart();
  }

  /**
   * The commit runs in another thread; only the puts run here. A synchronous transaction would
   * avoid thread switches, but stop every other request while the disk flushes.
   */
  private transact(puts: () => void): Promise<void> {
    const created = this.db.transaction(puts);
    // The library starts immediately if another operation follows, otherwise on the next turn of
    // the event loop.
    void this.db.batch(() => {});
    return this.wait(created);
  }

  private async wait<T>(done: Promise<T>): Promise<T> {
    this.isWaiting = true;
    this.seconds = 0;
    try {
      return await done;
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
   * number of the latest commit, the library silently starts no further transaction. The log must
   * not contain the rejected commit either.
   */
  async canContinue(): Promise<boolean> {
    if (this.log && !(await this.wait(this.log.removeDoubtful()))) return false;
    const isCreated = this.transact(() => {}).then(
      () => true,
      () => true,
    );
    return withTimeout(isCreated, EMPTY_MS, () => false);
  }
}

/** Returns the system's error, which lmdb reports separately. */
export async function reasonOf(failure: Error): Promise<Error> {
  const { commitError } = failure as { commitError?: Promise<never> };
  return commitError ? commitError.catch((error: Error) => error) : failure;
}
