// Runs due jobs from a table ordered by time, with one timer, and periodic tasks.
import { withTimeout } from "../async/with-timeout.ts";
import type { Realm } from "../realm.ts";
import type { DueJob } from "../schema/records.ts";
import { Backlog, type JobKey } from "./backlog.ts";

/** Executes a job. It may run again after a crash, so it must be idempotent. */
export type DueWork = (realm: Realm, job: DueJob) => Promise<void>;

/** Jobs of a kind start in order of time, and do not wait for jobs of other kinds. */
interface DueKind {
  readonly run: DueWork;
  /** Maximum number of concurrent jobs of this kind. One if missing. */
  readonly at_once?: number;
  readonly retries?: Retries;
}

/** Number of attempts of a failing job. The pause doubles from the first value to the second. */
export interface Retries {
  readonly attempts_max: number;
  readonly first_ms: number;
  readonly last_ms: number;
}

export type DueKinds = Readonly<Record<string, DueKind>>;

/** Thrown by a job that must not be retried. */
export class JobFailed extends Error {}

/** A task that repeats while the server runs. */
export interface Round {
  readonly name: string;
  readonly every_ms: number;
  readonly run: (realm: Realm) => Promise<void>;
  /** The task saves state that is only in memory. At a stop it runs before the others. */
  readonly keeps?: true;
}

const SLEEP_MS_MAX = 60_000;
const RETRIES: Retries = { attempts_max: 20, first_ms: 1_000, last_ms: 3_600_000 };
/** Maximum number of jobs that are read without a pause. */
const JOBS_READ_AT_ONCE = 500;
/** Pause after an error of the store, such as a full disk. */
const STORE_RETRY_MS = 5_000;
/** Time that a stop allows for running jobs and the final tasks. */
const JOBS_MS = 2_000;
const ROUNDS_MS = 2_000;

export class Runner {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** The time of the earliest job whose result could not be stored. */
  private retryFrom = Infinity;
  private intervals: ReturnType<typeof setInterval>[] = [];
  /** The jobs and periodic tasks that run. */
  private active = new Set<Promise<void>>();
  private activeRounds = new Set<Round>();
  private stopped = false;
  /** After a stop, nothing is read or written. */
  private isOver = false;
  /** Ids of the running jobs, by kind. */
  private running = new Map<string, Set<number>>();
  private readonly backlog = new Backlog();
  /** All jobs before this key are running, in the backlog, or done. */
  private position: JobKey = [0, 0];
  /** Unreadable jobs that were already logged. */
  private damaged = new Set<string>();

  constructor(
    private readonly realm: Realm,
    private readonly kinds: DueKinds,
    private readonly rounds: readonly Round[],
    private readonly report: (label: string, error: unknown) => void,
  ) {}

  start(): void {
    for (const round of this.rounds) {
      this.intervals.push(setInterval(() => this.track(this.runRound(round)), round.every_ms));
    }
    this.wake();
  }

  /** Looks for due jobs now. `from`: the time of a new job, which may be earlier than others. */
  wake(from = Infinity): void {
    if (this.stopped) return;
    this.readAgainFrom(from);
    for (const job of this.takeDue()) this.track(this.attempt(job).then(() => this.wake()));
    clearTimeout(this.timer);
    const delay_ms = Math.max(0, this.nextTime() - this.realm.clock.now());
    this.timer = setTimeout(() => this.wake(), Math.min(delay_ms, SLEEP_MS_MAX));
  }

  /**
   * Ends with a last run of the periodic tasks, so that a clean stop saves what a crash would lose.
   * Jobs that take longer than a stop allows, such as requests to other hosts, start again after
   * the next start.
   */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    clearTimeout(this.retryTimer);
    for (const interval of this.intervals) clearInterval(interval);
    await withTimeout(Promise.allSettled(this.active), JOBS_MS, () => {});
    await withTimeout(this.runRounds(), ROUNDS_MS, () => {});
    this.isOver = true;
  }

  private async runRounds(): Promise<void> {
    const order = this.rounds.toSorted((a, b) => Number(b.keeps ?? 0) - Number(a.keeps ?? 0));
    for (const round of order) {
      if (this.isOver) return;
      await this.runRound(round);
    }
  }

  /** A task that takes longer than its interval is not started again while it runs. */
  private async runRound(round: Round): Promise<void> {
    if (this.activeRounds.has(round)) return;
    this.activeRounds.add(round);
    try {
      await round.run(this.realm);
    } catch (error) {
      if (!this.isOver) this.report(round.name, error);
    } finally {
      this.activeRounds.delete(round);
    }
  }

  private takeDue(): DueJob[] {
    const due: DueJob[] = [];
    try {
      this.takeWaiting(due);
      this.takeUnread(due);
    } catch (error) {
      this.report("looking for due work", error);
    }
    return due;
  }

  private takeWaiting(due: DueJob[]): void {
    for (const kind of this.backlog.kinds) {
      while (this.canStart(kind)) {
        const key = this.backlog.take(kind);
        if (key === undefined) break;
        // Undefined if it was cancelled meanwhile.
        const job = this.realm.read.due.get(...key);
        if (job) this.begin(job, due);
      }
    }
  }

  private takeUnread(due: DueJob[]): void {
    const now = this.realm.clock.now();
    let readCount = 0;
    for (const job of this.unreadJobs()) {
      if (job.at > now || ++readCount > JOBS_READ_AT_ONCE) return;
      this.position = [job.at, job.job_id + 1];
      if (this.canStart(job.kind)) this.begin(job, due);
      else this.backlog.add(job);
    }
  }

  private begin(job: DueJob, due: DueJob[]): void {
    due.push(job);
    this.running.getOrInsertComputed(job.kind, () => new Set()).add(job.job_id);
  }

  /** Yields the jobs from the position on, in order of time. */
  private *unreadJobs(): Iterable<DueJob> {
    const range = { from: this.position };
    for (const job of this.realm.read.due.sound((error) => this.logOnce(error), range)) {
      const isRunning = this.running.get(job.kind)?.has(job.job_id);
      if (!isRunning && !this.backlog.has(job.job_id)) yield job;
    }
  }

  /** When the next job can start; Infinity if there is none. */
  private nextTime(): number {
    if (this.backlog.kinds.some((kind) => this.canStart(kind))) return 0;
    try {
      for (const { at } of this.unreadJobs()) return at;
    } catch (error) {
      this.report("looking for due work", error);
    }
    return Infinity;
  }

  private readAgainFrom(time: number): void {
    if (time < this.position[0]) this.position = [time, 0];
  }

  private logOnce(error: Error): void {
    if (this.damaged.has(error.message)) return;
    this.damaged.add(error.message);
    this.report("looking for due work", error);
  }

  private canStart(kind: string): boolean {
    return (this.running.get(kind)?.size ?? 0) < (this.kinds[kind]?.at_once ?? 1);
  }

  private async attempt(job: DueJob): Promise<void> {
    try {
      await this.kinds[job.kind]?.run(this.realm, job);
      await this.realm.write((tx) => tx.due.delete(job.at, job.job_id));
    } catch (error) {
      // The job stays in the table for the next start.
      if (this.isOver) return;
      this.report(`job ${job.kind}`, error);
      await this.postpone(job, error instanceof JobFailed).catch(() => this.retryLater(job));
    } finally {
      this.running.get(job.kind)?.delete(job.job_id);
    }
  }

  private async postpone(job: DueJob, isFinal: boolean): Promise<void> {
    const { attempts_max, first_ms, last_ms } = this.kinds[job.kind]?.retries ?? RETRIES;
    const attempts = job.attempts + 1;
    const at = this.realm.clock.now() + Math.min(first_ms * 2 ** job.attempts, last_ms);
    await this.realm.write((tx) => {
      tx.due.delete(job.at, job.job_id);
      if (!isFinal && attempts < attempts_max) tx.due.put({ ...job, at, attempts });
    });
    this.readAgainFrom(at);
  }

  /** The store could not be written to: the job is still in the table with its old time. */
  private retryLater({ at }: DueJob): void {
    this.retryFrom = Math.min(this.retryFrom, at);
    if (this.stopped) return;
    this.retryTimer ??= setTimeout(() => {
      const from = this.retryFrom;
      [this.retryTimer, this.retryFrom] = [undefined, Infinity];
      this.wake(from);
    }, STORE_RETRY_MS);
  }

  private track(work: Promise<void>): void {
    const tracked = work.finally(() => this.active.delete(tracked));
    this.active.add(tracked);
  }
}
