// The store: opens the data, runs transactions, and makes concurrent ones durable together.
import type { RootDatabase } from "lmdb";
import type { CachedRecords } from "./cached.ts";
import { type Change, Changes } from "./tables/changes.ts";
import { type IndexFaults, repairIndexes } from "./copy/repair.ts";
import { CommitFailed, Commits, reasonOf, StoreLost } from "./commits.ts";
import type { Readers, Schema, Writers } from "./declare.ts";
import { FOLD_ROWS, type Fold, Journal, journaledIn, type Step } from "./journal.ts";
import { Layer, Layers } from "./layers.ts";
import { placesOf } from "./row-names.ts";
import { CommittedRows, LayeredRows, type RowReader, SnapshotRows, uniqueIn } from "./rows.ts";
import { Sequences, SEQUENCES_PREFIX } from "./sequences.ts";
import { makeTables } from "./tables/create.ts";

interface Waiter {
  resolve(): void;
  reject(error: Error): void;
}

export class Store<S extends Schema> {
  /** The committed state that readers see. */
  readonly reading: Readers<S>;
  readonly writing: Writers<S>;
  private readonly cached: readonly CachedRecords<unknown>[];
  private readonly layers = new Layers();
  private readonly snapshot: SnapshotRows;
  private readonly journal: Journal;
  readonly commits: Commits;
  private readonly committed: RowReader;
  private readonly rows: LayeredRows;
  private readonly sequences: Sequences;
  /** Callers waiting for the layer that is being filled, and its announcements. */
  private waiters: Waiter[] = [];
  /** Callers that wait for the running commit. */
  private committing: Waiter[] = [];
  private announcements: unknown[] = [];
  private draining: Promise<void> | undefined;
  private folding: Fold | undefined;
  /** Called at each commit, in order, with what its transactions announced, if anything. */
  onCommit: (announcements: unknown[]) => void = () => {};
  /** Called once, before waiting callers receive the error. */
  onLost: (error: StoreLost) => void = () => {};
  /** Called at the end of a transaction, still within it, with the changed records. */
  onChanged: (changes: readonly Change[]) => void = () => {};
  /** Called for damaged rows that are skipped. */
  onDamage: (error: Error) => void = (error) => process.emitWarning(error);
  /** Repairs index faults that a walk over a copy has found. */
  readonly mend = (faults: IndexFaults) =>
    this.write(() => repairIndexes(this.rows, this.schema, faults));
  private lost: StoreLost | undefined;
  private readonly changes: Changes;

  /** `watched`: the tables whose changes are reported. */
  constructor(
    private readonly db: RootDatabase<Buffer, string>,
    private readonly schema: S,
    watched: ReadonlySet<string> = new Set(),
  ) {
    this.changes = new Changes(watched);
    this.snapshot = new SnapshotRows(db, uniqueIn(schema), placesOf(schema));
    this.journal = new Journal(db, journaledIn(schema, SEQUENCES_PREFIX));
    this.commits = new Commits(db, this.journal);
    this.committed = new CommittedRows(this.snapshot, this.journal);
    this.rows = new LayeredRows(this.committed, this.layers);
    const { committed, rows, layers, changes } = this;
    const onDamage = (error: Error) => this.onDamage(error);
    const created = makeTables(schema, { committed, rows, layers, changes, onDamage });
    this.cached = created.cached;
    this.reading = created.reading;
    this.writing = created.writing;
    this.sequences = new Sequences(this.committed);
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
      this.waiters.push({ resolve: response, reject });
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
    return this.committing.length + this.waiters.length;
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
    this.waiters.push(noWaiter);
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
    if (this.commits.isLost) this.lose(new StoreLost(`the disk does not respond. ${RESTART}`));
  }

  /** Rejects all waiting and future writes. */
  lose(error: StoreLost): void {
    if (this.lost) return;
    this.lost = error;
    this.onLost(error);
    for (const waiter of [...this.committing, ...this.waiters]) waiter.reject(error);
    [this.committing, this.waiters, this.announcements] = [[], [], []];
  }

  /** Resolves when everything written so far is durable or was rejected. */
  async settled(): Promise<void> {
    while (this.draining) await this.draining;
  }

  async close(): Promise<boolean> {
    // Lost data cannot be saved or closed. The process ends.
    if (!this.lost) await this.settled();
    if (this.lost) return false;
    const fold = this.journal.fold();
    for (let step = fold.step(FOLD_ROWS); step; step = fold.step(FOLD_ROWS)) {
      if (!(await this.foldStep(step))) break;
    }
    if (this.lost) return false;
    await this.leave();
    return true;
  }

  /** Closes the store without a final write; pending writes are rejected. */
  async leave(): Promise<void> {
    this.lost = new StoreLost("the store is closed");
    this.snapshot.close();
    await this.db.close();
  }

  private get pending(): boolean {
    return this.waiters.length > 0 || this.announcements.length > 0;
  }

  private schedule(): void {
    if (this.lost) return;
    this.draining ??= nextTick()
      .then(() => this.drain())
      .catch(alarm);
  }

  /** Commits repeatedly: each commit includes all writes made during the previous one. */
  private async drain(): Promise<void> {
    while (this.pending && !this.lost) {
      const { announcements } = this;
      const waiters = (this.committing = this.waiters);
      const layer = this.sequences.settle(this.layers.filling);
      this.waiters = [];
      this.announcements = [];
      this.layers.committing = layer;
      this.layers.filling = new Layer();
      try {
        if (!layer.isEmpty) await this.commits.write(layer, waiters.length);
      } catch (error) {
        const cause = await reasonOf(error as Error);
        if (await this.canContinue(cause)) this.abandon(cause);
        continue;
      }
      this.layers.committing = undefined;
      for (const records of this.cached) {
        const changed = layer.records.get(records.name);
        if (changed) records.commit(changed);
      }
      if (!layer.isEmpty) {
        this.journal.take(layer);
        this.snapshot.renew(layer);
      }
      this.committing = [];
      for (const waiter of waiters) waiter.resolve();
      this.notifyListener(announcements);
      await this.scheduleFold(this.journal.sizeOf(layer));
      // A commit costs as much as several sends, so it waits for writes that are just arriving.
      if (this.pending) await nextTick();
    }
    this.draining = undefined;
  }

  /** Runs a step of a fold that is due or in progress, larger than what the last commit added. */
  private async scheduleFold(added: number): Promise<void> {
    if (!this.folding && this.journal.isFull) this.folding = this.journal.fold();
    const step = this.folding?.step(Math.max(FOLD_ROWS, 2 * added));
    if (!step || !(await this.foldStep(step))) this.folding = undefined;
  }

  /** If the disk rejects a step, the fold ends; a later fold starts over. */
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
    const failed = [...this.committing, ...this.waiters];
    this.committing = [];
    this.waiters = [];
    this.announcements = this.announcements.filter(isEphemeral);
    this.layers.abandon();
    const error = new CommitFailed(`the disk rejected the write: ${cause.message}`, { cause });
    for (const waiter of failed) waiter.reject(error);
  }
}

/** Lets events that have arrived be processed. */
const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Raises an internal error as an uncaught exception of the process. */
function alarm(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

const RESTART = "All acknowledged writes are stored. Check the disk, and start the server again.";
const noWaiter: Waiter = { resolve() {}, reject() {} };
const isEphemeral = (item: unknown) => (item as { durable?: boolean }).durable === false;
