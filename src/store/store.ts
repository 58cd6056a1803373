// The store: opens the data, runs transactions, and makes concurrent ones durable together.
import type { RootDatabase } from "lmdb";
import { Bitmaps } from "./bitmaps.ts";
import { CachedRecords, CachedTable } from "./cached.ts";
import { codecOf } from "./codec.ts";
import { Commits, reasonOf } from "./commits.ts";
import type {
  BitmapReader,
  BitmapSpec,
  BitmapWriter,
  TableReader,
  TableSpec,
  TableWriter,
} from "./declare.ts";
import { FOLD_ROWS, type Fold, Journal, journaledIn, type Step } from "./journal.ts";
import { Layer, Layers } from "./layers.ts";
import { CommittedRows, LayeredRows, type RowReader, SnapshotRows } from "./rows.ts";
import { Sequences, SEQUENCES_PREFIX } from "./sequences.ts";
import { RowTable } from "./table.ts";

export interface Schema {
  // oxlint-disable-next-line no-explicit-any -- records of many types, each known by its own spec
  readonly tables: Readonly<Record<string, TableSpec<any, any>>>;
  readonly bitmaps: Readonly<Record<string, BitmapSpec>>;
}

export type Readers<S extends Schema> = {
  readonly [T in keyof S["tables"]]: S["tables"][T] extends TableSpec<infer R, infer I>
    ? TableReader<R, I>
    : never;
} & { readonly [B in keyof S["bitmaps"]]: BitmapReader };

export type Writers<S extends Schema> = {
  readonly [T in keyof S["tables"]]: S["tables"][T] extends TableSpec<infer R, infer I>
    ? TableWriter<R, I>
    : never;
} & { readonly [B in keyof S["bitmaps"]]: BitmapWriter };

/** A write that the disk refused; what was there before is still there. */
export class CommitFailed extends Error {
  override name = "CommitFailed";
}

interface Waiter {
  resolve(): void;
  reject(error: Error): void;
}

export class Store<S extends Schema> {
  /** The committed state, and what the body of `write` is handed. */
  readonly reading: Readers<S>;
  readonly writing: Writers<S>;
  private readonly cached: CachedRecords<unknown>[] = [];
  private readonly layers = new Layers();
  private readonly snapshot: SnapshotRows;
  private readonly journal: Journal;
  private readonly commits: Commits;
  private readonly committed: RowReader;
  private readonly rows: LayeredRows;
  private readonly sequences: Sequences;
  /** Who waits for the layer that fills, and what it will announce. */
  private waiters: Waiter[] = [];
  private announcements: unknown[] = [];
  private draining: Promise<void> | undefined;
  private folding: Fold | undefined;
  /** Called at each commit, in order, with what the transactions of it announced. */
  onCommit: (announcements: unknown[]) => void = () => {};

  constructor(
    private readonly db: RootDatabase<Buffer, string>,
    schema: S,
  ) {
    this.snapshot = new SnapshotRows(db, uniqueIn(schema));
    this.journal = new Journal(db, journaledIn(schema, SEQUENCES_PREFIX));
    this.commits = new Commits(db, this.journal);
    this.committed = new CommittedRows(this.snapshot, this.journal);
    this.rows = new LayeredRows(this.committed, this.layers);
    const reading: Record<string, unknown> = {};
    const writing: Record<string, unknown> = {};
    for (const [name, spec] of Object.entries(schema.tables)) {
      const codec = codecOf<unknown>(spec.fields);
      if (spec.cached) {
        const records = new CachedRecords<unknown>(name, spec, codec, this.committed);
        this.cached.push(records);
        reading[name] = new CachedTable(records);
        writing[name] = new CachedTable(records, this.layers, this.rows);
      } else {
        reading[name] = new RowTable(spec, codec, this.committed);
        writing[name] = new RowTable(spec, codec, this.rows);
      }
    }
    for (const [name, spec] of Object.entries(schema.bitmaps)) {
      reading[name] = new Bitmaps(spec, this.committed);
      writing[name] = new Bitmaps(spec, this.rows);
    }
    this.reading = reading as Readers<S>;
    this.writing = writing as Writers<S>;
    this.sequences = new Sequences(this.committed);
  }

  /**
   * Runs the body at once, and resolves with its value when all that it wrote, and all that it may
   * have read, is durable. A body that throws leaves nothing and rejects with what it threw.
   */
  write<T>(body: (tx: Writers<S>) => T): Promise<T> {
    if (this.layers.isOpen) return Promise.reject(new Error("a transaction inside a transaction"));
    const announced = this.announcements.length;
    this.layers.begin();
    let value: T;
    try {
      value = body(this.writing);
      if (value instanceof Promise) {
        value.catch(() => {});
        throw new Error("a transaction's body must be synchronous");
      }
    } catch (error) {
      this.layers.undo();
      this.announcements.length = announced;
      return Promise.reject(error as Error);
    }
    if (!this.layers.end() && !this.pending && !this.draining) return Promise.resolve(value);
    return new Promise((resolve, reject) => {
      this.waiters.push({ resolve: () => resolve(value), reject });
      this.schedule();
    });
  }

  /** Adds to what the next commit announces, in the order of the calls. */
  announce(item: unknown): void {
    this.announcements.push(item);
    if (!this.layers.isOpen) this.schedule();
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

  /** Resolves when everything written so far is durable or refused. */
  async settled(): Promise<void> {
    while (this.draining) await this.draining;
  }

  async close(): Promise<void> {
    await this.settled();
    const fold = this.journal.fold();
    for (let step = fold.step(FOLD_ROWS); step; step = fold.step(FOLD_ROWS)) {
      if (!(await this.foldStep(step))) break;
    }
    this.snapshot.close();
    await this.db.close();
  }

  private get pending(): boolean {
    return this.waiters.length > 0 || this.announcements.length > 0;
  }

  private schedule(): void {
    this.draining ??= turn()
      .then(() => this.drain())
      .catch(alarm);
  }

  /** One commit after the other, each with all that was written while the one before it ran. */
  private async drain(): Promise<void> {
    while (this.pending) {
      const { waiters, announcements } = this;
      const layer = this.sequences.settle(this.layers.filling);
      this.waiters = [];
      this.announcements = [];
      this.layers.committing = layer;
      this.layers.filling = new Layer();
      try {
        if (!layer.isEmpty) await this.commits.write(layer);
      } catch (error) {
        this.abandon(waiters, await reasonOf(error as Error));
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
      for (const waiter of waiters) waiter.resolve();
      if (announcements.length > 0) this.tell(announcements);
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
      await reasonOf(error as Error);
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

  /** What has run since the failed commit saw its writes, so it fails with it. */
  private abandon(waiters: Waiter[], cause: Error): void {
    const failed = [...waiters, ...this.waiters];
    this.waiters = [];
    this.announcements = this.announcements.filter(isEphemeral);
    this.layers.abandon();
    const error = new CommitFailed(`the disk refused the write: ${cause.message}`, { cause });
    for (const waiter of failed) waiter.reject(error);
  }
}

/** The prefixes of the indexes that lead to one record each. */
function uniqueIn({ tables }: Schema): number[] {
  const indexes = Object.values(tables).flatMap((spec) => Object.values(spec.indexes));
  return indexes.flatMap(({ unique, prefix }) => (unique && prefix !== undefined ? [prefix] : []));
}

/** What has arrived already has its turn. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Hands an error that is nobody's fault but ours to the process, as an uncaught exception. */
function alarm(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

const nobody: Waiter = { resolve() {}, reject() {} };
const isEphemeral = (item: unknown) => (item as { durable?: boolean }).durable === false;
