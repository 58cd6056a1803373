// The store: opens the data, runs transactions, and makes concurrent ones durable together.
import type { RootDatabase } from "lmdb";
import { yieldToEventLoop } from "../async/yield.ts";
import type { CachedRecords } from "./cached.ts";
import { type Change, Changes } from "./tables/changes.ts";
import { type IndexFaults, repairIndexes } from "./copy/repair.ts";
import type { CommitLog } from "./journal/commit-log.ts";
import { CommitFailed, Commits, reasonOf, StoreLost } from "./commits.ts";
import type { Readers, Schema, Writers } from "./declare.ts";
import { Folding } from "./journal/folding.ts";
import { Journal, type Step } from "./journal/journal.ts";
import { journaledIn } from "./journal/journaled.ts";
import { Layer, Layers } from "./layers.ts";
import { placesOf } from "./row-names.ts";
import { CommittedRows, LayeredRows, SnapshotRows, uniqueIn } from "./rows.ts";
import { Sequences, SEQUENCES_PREFIX } from "./sequences.ts";
import { Waiters } from "./waiters.ts";
import { makeTables } from "./tables/create.ts";

export class Store<S extends Schema> {
  /** The committed state that readers see. */
  readonly reading: Readers<S>;
  readonly writing: Writers<S>;
  private readonly cached: readonly CachedRecords<unknown>[];
  private readonly layers = new Layers();
  private readonly snapshot: SnapshotRows;
  private readonly journal: Journal;
  readonly commits: Commits;
  private readonly rows: LayeredRows;
  private readonly sequences: Sequences;
  private readonly waiters = new Waiters();
  private announcements: unknown[] = [];
  private draining: Promise<void> | undefined;
  readonly folding: Folding;
  /** Whether the next commit must make the database complete without the log. */
  private isCompleting = false;
  /** Called at each commit, in order, with what its transactions announced, if anything. */
  onCommit: (announcements: unknown[]) => void = () => {};
  /** Called once, before waiting callers receive the error. */
  onLost: (error: StoreLost) => void = () => {};
  /** Called at the end of a transaction, still within it, with the changed records. */
  onChanged: (changes: readonly Change[]) => void = () => {};
  /** Returns the committed records of a derived table. Must be set before one is read. */
  derive!: (table: string) => Iterable<unknown>;
  /** Called for damaged rows that are skipped. */
  onDamage: (error: Error) => void = (error) => process.emitWarning(error);
  /** Repairs index faults that a walk over a copy has found. */
  readonly mend = (faults: IndexFaults) =>
    this.write(() => repairIndexes(this.rows, this.schema, faults));
  private lost: StoreLost | undefined;
  private readonly changes: Changes;

  /** `watched`: the tables whose changes are reported. Without a log, commits are transactions. */
  constructor(
    private readonly db: RootDatabase<Buffer, string>,
    private readonly schema: S,
    watched: ReadonlySet<string> = new Set(),
    private readonly log?: CommitLog,
  ) {
    this.changes = new Changes(watched);
    this.snapshot = new SnapshotRows(db, uniqueIn(schema), placesOf(schema));
    this.journal = new Journal(db, journaledIn(schema, SEQUENCES_PREFIX), log?.commits);
    this.folding = new Folding(this.journal, (step) => this.foldStep(step));
    this.commits = new Commits(db, this.journal, log);
    const committed = new CommittedRows(this.snapshot, this.journal);
    this.rows = new LayeredRows(committed, this.layers);
    const { rows, layers, changes } = this;
    const created = makeTables(schema, { committed, rows, layers, changes, hooks: this });
    this.cached = created.cached;
    this.reading = created.reading;
    this.writing = created.writing;
    this.sequences = new Sequences(committed);
  }

  /**
   * Runs the body immediately, and resolves with its result when everything that it wrote or may
   * have read is durable. If the body throws, its writes are rolled back before it rejects.
   */
  write<T>(body: (tx: Writers<S>) => T): Promise<T> {
    if (this.layers.isOpen) return Promise.reject(new Error("a transaction inside a transaction"));
    if (this.refusal) return Promise.reject(this.refusal);
    const announced = this.announcements.length;
    this.layers.begin();
    this.changes.begin();
    let [response, hasWritten] = [() => {}, false];
    return new Promise((resolve, reject) => {
      try {
        const value = body(this.writing);
        if (value instanceof Promise) {
          value.catch(() => {});
          throw new Error("a transaction's body must be synchronous");
        }
        const changes = this.changes.all;
        if (changes.length > 0) this.onChanged(changes);
        hasWritten = this.layers.end();
        response = () => resolve(value);
      } catch (error) {
        this.layers.undo();
        this.announcements.length = announced;
        response = () => reject(error as Error);
      }
      if (!hasWritten && !this.pending && !this.draining) return response();
      this.waiters.add({ resolve: response, reject });
      this.schedule();
    });
  }

  /** Adds an item to the announcements of the next commit, in the order of the calls. */
  announce(item: unknown): void {
    this.announcements.push(item);
    if (!this.layers.isOpen) this.schedule();
  }

  /** Number of writes that wait for a commit. */
  get waiting(): number {
    return this.waiters.count;
  }

  /** Whether anything is not durable yet. */
  get busy(): boolean {
    return this.draining !== undefined || this.layers.filling.kept.size > 0;
  }

  /** Returns the next number of a sequence. It is used up even if the transaction fails. */
  next(sequence: string, step = 1): number {
    this.layers.touch();
    return this.sequences.move(sequence, this.last(sequence) + step);
  }

  /** Advances a sequence with the next commit, even if the current body throws. */
  raise(sequence: string, to: number): void {
    this.sequences.raise(sequence, to, this.layers.filling);
    this.waiters.add();
    this.schedule();
  }

  /** The latest number of a sequence, durable or not. */
  last(sequence: string): number {
    return this.sequences.last(sequence);
  }

  /** The latest number of a sequence that is visible to readers. */
  lastCommitted(sequence: string): number {
    return this.sequences.lastCommitted(sequence);
  }

  /** Why writes are currently rejected. */
  get refusal(): CommitFailed | undefined {
    if (this.lost) return this.lost;
    return this.commits.isLate ? new CommitFailed("the disk does not respond") : undefined;
  }

  /** Must be called every second. */
  tick(): void {
    this.commits.tick();
    if (this.log?.tick()) void this.complete(() => {}).catch(() => {});
    if (this.commits.isLost) this.lose(new StoreLost(`the disk does not respond. ${RESTART}`));
  }

  /** Rejects all waiting and future writes. */
  lose(error: StoreLost): void {
    if (this.lost) return;
    this.lost = error;
    this.onLost(error);
    this.announcements = [];
    this.waiters.reject(error);
  }

  /** Makes the database complete without the log, and calls `onComplete` before the next commit. */
  complete<T>(onComplete: () => T): Promise<T> {
    if (this.refusal) return Promise.reject(this.refusal);
    this.isCompleting = true;
    return new Promise((resolve, reject) => {
      const response = () => void Promise.try(onComplete).then(resolve, reject);
      this.waiters.add({ resolve: response, reject });
      this.schedule();
    });
  }

  /** Resolves when everything written so far is durable or was rejected. */
  async settled(): Promise<void> {
    while (this.draining) await this.draining;
  }

  async close(): Promise<boolean> {
    // Lost data cannot be saved or closed. The process ends.
    if (!this.lost) await this.settled();
    if (this.lost) return false;
    this.log?.end();
    await this.foldStep({ run() {}, done() {} });
    await this.folding.finish();
    if (this.lost) return false;
    return this.leave().then(() => true);
  }

  /** Closes the store without a final write; pending writes are rejected. */
  async leave(): Promise<void> {
    this.lost = new StoreLost("the store is closed");
    this.snapshot.close();
    await this.db.close();
    await this.log?.close();
  }

  private get pending(): boolean {
    return this.waiters.hasNext || this.announcements.length > 0;
  }

  private schedule(): void {
    if (this.lost) return;
    this.draining ??= yieldToEventLoop()
      .then(() => this.drain())
      .catch(alarm);
  }

  /** Commits repeatedly: each commit includes all writes made during the previous one. */
  private async drain(): Promise<void> {
    while (this.pending && !this.lost) {
      const { announcements } = this;
      const writes = this.waiters.begin();
      const layer = this.sequences.settle(this.layers.filling);
      this.announcements = [];
      this.layers.committing = layer;
      this.layers.filling = new Layer();
      const isNeeded = !layer.isEmpty || this.isCompleting;
      if (this.isCompleting) this.log?.finish();
      this.isCompleting = false;
      let isInDatabase = false;
      try {
        if (isNeeded) isInDatabase = await this.commits.write(layer, writes);
      } catch (error) {
        const cause = await reasonOf(error as Error);
        if (await this.canContinue(cause)) this.abandon(cause);
        continue;
      }
      this.layers.committing = undefined;
      for (const records of this.cached) {
        const changes = layer.records.get(records.name);
        if (changes) records.commit(changes);
      }
      this.journal.take(layer);
      if (isInDatabase) this.snapshot.renew(layer);
      this.waiters.resolve();
      this.notifyListener(announcements);
      await this.folding.continue(this.journal.sizeOf(layer));
      // A commit costs as much as several sends, so it waits for writes that are just arriving.
      if (this.pending) await yieldToEventLoop();
    }
    this.draining = undefined;
  }

  private async foldStep({ run, done }: Step): Promise<boolean> {
    try {
      await this.commits.make(run);
    } catch (error) {
      await this.canContinue(await reasonOf(error as Error));
      return false;
    }
    done();
    this.snapshot.renew();
    return true;
  }

  /** The next commit continues even if a listener throws. */
  private notifyListener(announcements: unknown[]): void {
    try {
      this.onCommit(announcements);
    } catch (error) {
      alarm(error);
    }
  }

  /** After an error of the library, only reopening shows whether the commit succeeded. */
  private async canContinue(cause: Error): Promise<boolean> {
    if (await this.commits.canContinue()) return true;
    const words = "the disk rejected a write that the database requires";
    this.lose(new StoreLost(`${words} (${cause.message}). ${RESTART}`, { cause }));
    return false;
  }

  /** Transactions since the failed commit have seen its writes, so they fail too. */
  private abandon(cause: Error): void {
    this.announcements = this.announcements.filter(isEphemeral);
    this.layers.abandon();
    this.waiters.reject(
      new CommitFailed(`the disk rejected the write: ${cause.message}`, { cause }),
    );
  }
}

/** Raises an internal error as an uncaught exception of the process. */
function alarm(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

const RESTART = "All acknowledged writes are stored. Check the disk, and start the server again.";
const isEphemeral = (item: unknown) => (item as { durable?: boolean }).durable === false;
