// The store: opens the data, runs transactions, and makes concurrent ones durable together.
import type { RootDatabase } from "lmdb";
import type { CachedRecords } from "./cached.ts";
import { type Change, Changes } from "./tables/changes.ts";
import { type IndexFaults, mendIndexes } from "./copy/mend.ts";
import { CommitFailed, Commits, reasonOf, StoreLost } from "./commits.ts";
import type { Readers, Schema, Writers } from "./declare.ts";
import { FOLD_ROWS, type Fold, Journal, journaledIn, type Step } from "./journal.ts";
import { Layer, Layers } from "./layers.ts";
import { placesOf } from "./places.ts";
import { CommittedRows, LayeredRows, type RowReader, SnapshotRows, uniqueIn } from "./rows.ts";
import { Sequences, SEQUENCES_PREFIX } from "./sequences.ts";
import { makeTables } from "./tables/make.ts";

interface Waiter {
  resolve(): void;
  reject(error: Error): void;
}

export class Store<S extends Schema> {
  /** The committed state, and what the body of `write` is handed. */
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
  /** Callers that wait for the layer that is filling, and its announcements. */
  private waiters: Waiter[] = [];
  /** Callers that wait for the running commit. */
  private committing: Waiter[] = [];
  private announcements: unknown[] = [];
  private draining: Promise<void> | undefined;
  private folding: Fold | undefined;
  /** Called at each commit, in order, with what its transactions announced, if anything. */
  onCommit: (announcements: unknown[]) => void = () => {};
  /** Called once, before anybody who waits hears of it. */
  onLost: (error: StoreLost) => void = () => {};
  /** Called at the end of a body, and still in its transaction, with the records it has changed. */
  onChanged: (changes: readonly Change[]) => void = () => {};
  /** Called about what is damaged where it is passed over. */
  onDamage: (error: Error) => void = (error) => process.emitWarning(error);
  /** Puts right what a walk over a copy has found wrong about indexes alone. */
  readonly mend = (at: IndexFaults) => this.write(() => mendIndexes(this.rows, this.schema, at));
  private lost: StoreLost | undefined;
  private readonly changes: Changes;

  /** `watched`: the tables whose changes are told of. */
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
    const made = makeTables(schema, { committed, rows, layers, changes, onDamage });
    this.cached = made.cached;
    this.reading = made.reading;
    this.writing = made.writing;
    this.sequences = new Sequences(this.committed);
  }

  /**
   * Runs the body at once, and resolves with its value when all that it wrote, and all that it may
   * have read, is durable. A body that throws leaves nothing, and rejects with it as late as that.
   */
  write<T>(body: (tx: Writers<S>) => T): Promise<T> {
    if (this.layers.isOpen) return Promise.reject(new Error("a transaction inside a transaction"));
    if (this.refusal) return Promise.reject(this.refusal);
    const announced = this.announcements.length;
    this.layers.begin();
    this.changes.begin();
    let [answer, hasWritten] = [() => {}, false];
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
        answer = () => resolve(value);
      } catch (error) {
        this.layers.undo();
        this.announcements.length = announced;
        answer = () => reject(error as Error);
      }
      if (!hasWritten && !this.pending && !this.draining) return answer();
      this.waiters.push({ resolve: answer, reject });
      this.schedule();
    });
  }

  /** Adds to what the next commit announces, in the order of the calls. */
  announce(item: unknown): void {
    this.announcements.push(item);
    if (!this.layers.isOpen) this.schedule();
  }

  /** How many writes wait for a commit. */
  get waiting(): number {
    return this.committing.length + this.waiters.length;
  }

  /** Is anything not durable yet? */
  get busy(): boolean {
    return this.draining !== undefined || this.layers.filling.kept.size > 0;
  }

  /** The next number of a sequence, used up even when the transaction fails. Inside a body only. */
  next(sequence: string, step = 1): number {
    this.layers.touch();
    return this.sequences.move(sequence, this.last(sequence) + step);
  }

  /** Sets a sequence forward, with the next commit, whatever becomes of the body that runs now. */
  raise(sequence: string, to: number): void {
    this.sequences.raise(sequence, to, this.layers.filling);
    this.waiters.push(nobody);
    this.schedule();
  }

  /** The newest number that a sequence gave, durable or not. */
  last(sequence: string): number {
    return this.sequences.last(sequence);
  }

  /** The newest number of a sequence that a reader may know of. */
  lastCommitted(sequence: string): number {
    return this.sequences.lastCommitted(sequence);
  }

  /** Why nothing is written at the moment. */
  get refusal(): CommitFailed | undefined {
    if (this.lost) return this.lost;
    return this.commits.isLate ? new CommitFailed("the disk does not answer") : undefined;
  }

  /** To be called every second. */
  tick(): void {
    this.commits.tick();
    if (this.commits.isLost)
      this.lose(new StoreLost(`the disk does not answer any more. ${RESTART}`));
  }

  /** Refuses whatever waits, and whatever comes. */
  lose(error: StoreLost): void {
    if (this.lost) return;
    this.lost = error;
    this.onLost(error);
    for (const waiter of [...this.committing, ...this.waiters]) waiter.reject(error);
    [this.committing, this.waiters, this.announcements] = [[], [], []];
  }

  /** Resolves when everything written so far is durable or refused. */
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

  /** Closes it without a last write: what still works on learns that it came too late. */
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
    this.draining ??= turn()
      .then(() => this.drain())
      .catch(alarm);
  }

  /** One commit after the other, each with all that was written while the one before it ran. */
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
        if (await this.goesOn(cause)) this.abandon(cause);
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
      this.tell(announcements);
      await this.foldOn(this.journal.sizeOf(layer));
      // Each commit costs as much as several sends: those who have just written come along.
      if (this.pending) await turn();
    }
    this.draining = undefined;
  }

  /** One step of a fold that is due or under way, larger than what the commit before it added. */
  private async foldOn(added: number): Promise<void> {
    if (!this.folding && this.journal.isFull) this.folding = this.journal.fold();
    const step = this.folding?.step(Math.max(FOLD_ROWS, 2 * added));
    if (!step || !(await this.foldStep(step))) this.folding = undefined;
  }

  /** A step that the disk refuses ends the fold; a later one begins again. */
  private async foldStep({ run, done }: Step): Promise<boolean> {
    try {
      await this.commits.make(run);
    } catch (error) {
      await this.goesOn(await reasonOf(error as Error));
      return false;
    }
    done();
    this.snapshot.renew();
    return true;
  }

  /** The next commit goes on, whatever a listener throws. */
  private tell(announcements: unknown[]): void {
    try {
      this.onCommit(announcements);
    } catch (error) {
      alarm(error);
    }
  }

  /** After an error of the library, only the next opening tells whether the commit was made. */
  private async goesOn(cause: Error): Promise<boolean> {
    if (await this.commits.goOn()) return true;
    const words = "the disk refused a write that the database cannot do without";
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
    const error = new CommitFailed(`the disk refused the write: ${cause.message}`, { cause });
    for (const waiter of failed) waiter.reject(error);
  }
}

/** Lets events that have arrived be processed. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Hands an error that is nobody's fault but ours to the process, as an uncaught exception. */
function alarm(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

const RESTART = "What was acknowledged is safe: look after the disk, and start the server again.";
const nobody: Waiter = { resolve() {}, reject() {} };
const isEphemeral = (item: unknown) => (item as { durable?: boolean }).durable === false;
