// Runs due jobs from a table ordered by time, with one timer, and periodic tasks.
import type { Realm } from "../realm.ts";
import type { DueJob } from "../schema/records.ts";

/** Executes a job. It may run again after a crash, so it must be idempotent. */
export type DueWork = (realm: Realm, job: DueJob) => Promise<void>;

/**
 * Jobs run one after the other. A job of this kind runs beside them, so that others do not wait for
 * it.
 */
interface BackgroundJob {
  readonly run: DueWork;
  /** Maximum number of concurrent jobs of this kind. */
  readonly at_once?: number;
  readonly retries?: Retries;
}

/** Number of attempts of a failing job. The pause doubles from the first value to the second. */
export interface Retries {
  readonly attempts_max: number;
  readonly first_ms: number;
  readonly last_ms: number;
}

export type DueKinds = Readonly<Record<string, DueWork | BackgroundJob>>;

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
const JOBS_AT_ONCE = 50;
const BACKGROUND_JOBS_AT_ONCE = 20;
/** Time that a stop allows for running jobs and the final tasks. */
const JOBS_MS = 2_000;
const ROUNDS_MS = 2_000;

export class Runner {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private intervals: ReturnType<typeof setInterval>[] = [];
  private running = new Set<Promise<void>>();
  private activeRounds = new Set<Round>();
  private stopped = false;
  /** After a stop, nothing is read or written. */
  private isOver = false;
  /** Ids of the running jobs. Jobs that run beside the others are in both collections. */
  private underWay = new Set<number>();
  private backgroundJobs = new Map<number, string>();
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

  /** Looks for due jobs now. Called when a new job may be due earlier than the timer. */
  wake(): void {
    if (this.stopped) return;
    clearTimeout(this.timer);
    this.track(this.runDue());
  }

  /**
   * Ends with a last run of the periodic tasks, so that a clean stop saves what a crash would lose.
   * Jobs that take longer than a stop allows, such as requests to other hosts, start again after
   * the next start.
   */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    for (const interval of this.intervals) clearInterval(interval);
    await within(JOBS_MS, Promise.allSettled(this.running));
    await within(ROUNDS_MS, this.runRounds());
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

  private async runDue(): Promise<void> {
    for (const job of this.takeDue()) {
      if (this.backgroundJobs.has(job.job_id))
        this.track(this.attempt(job).then(() => this.wake()));
      else await this.attempt(job);
      if (this.stopped) return;
    }
    const [next] = this.dueJobs();
    const delay_ms = next ? Math.max(0, next.at - this.realm.clock.now()) : SLEEP_MS_MAX;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), Math.min(delay_ms, SLEEP_MS_MAX));
  }

  private takeDue(): DueJob[] {
    const now = this.realm.clock.now();
    const due: DueJob[] = [];
    for (const job of this.dueJobs()) {
      if (job.at > now || due.length === JOBS_AT_ONCE) break;
      due.push(job);
      this.underWay.add(job.job_id);
      if (this.backgroundJobOf(job)) this.backgroundJobs.set(job.job_id, job.kind);
    }
    return due;
  }

  /** Yields the jobs that could start now, in order. */
  private *dueJobs(): Iterable<DueJob> {
    for (const job of this.realm.read.due.sound((error) => this.logOnce(error))) {
      if (this.underWay.has(job.job_id)) continue;
      if (this.hasRoom(job)) yield job;
    }
  }

  private logOnce(error: Error): void {
    if (this.damaged.has(error.message)) return;
    this.damaged.add(error.message);
    this.report("looking for due work", error);
  }

  private hasRoom(job: DueJob): boolean {
    const kind = this.backgroundJobOf(job);
    if (!kind) return true;
    if (this.backgroundJobs.size >= BACKGROUND_JOBS_AT_ONCE) return false;
    if (kind.at_once === undefined) return true;
    const jobsOfKind = [...this.backgroundJobs.values()].filter((other) => other === job.kind);
    return jobsOfKind.length < kind.at_once;
  }

  private backgroundJobOf({ kind }: DueJob): BackgroundJob | undefined {
    const work = this.kinds[kind];
    return typeof work === "object" ? work : undefined;
  }

  private async attempt(job: DueJob): Promise<void> {
    const work = this.kinds[job.kind];
    try {
      await (typeof work === "object" ? work.run : work)?.(this.realm, job);
      await this.realm.write((tx) => tx.due.delete(job.at, job.job_id));
    } catch (error) {
      // The job stays in the table for the next start.
      if (this.isOver) return;
      this.report(`job ${job.kind}`, error);
      await this.postpone(job, error instanceof JobFailed);
    } finally {
      this.underWay.delete(job.job_id);
      this.backgroundJobs.delete(job.job_id);
    }
  }

  private async postpone(job: DueJob, isPutOff: boolean): Promise<void> {
    const { attempts_max, first_ms, last_ms } = this.backgroundJobOf(job)?.retries ?? RETRIES;
    const attempts = job.attempts + 1;
    const pause = Math.min(first_ms * 2 ** job.attempts, last_ms);
    await this.realm.write((tx) => {
      tx.due.delete(job.at, job.job_id);
      if (isPutOff || attempts >= attempts_max) return;
      tx.due.put({ ...job, at: this.realm.clock.now() + pause, attempts });
    });
  }

  private track(work: Promise<void>): void {
    const tracked = work.finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }
}

async function within(most_ms: number, work: Promise<unknown>): Promise<void> {
  let timer: Timer | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, most_ms)));
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
