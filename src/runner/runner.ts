// Due work: a table ordered by time, one timer that sleeps until the first, and regular rounds.
import type { Realm } from "../realm.ts";
import type { DueJob } from "../records.ts";

/** What to do for a job. It may be called again after a crash: it must be harmless twice. */
export type DueWork = (realm: Realm, job: DueJob) => Promise<void>;

/** Jobs go one after the other, but no other waits for one that is done aside. */
export type DueKinds = Readonly<Record<string, DueWork | { readonly aside: DueWork }>>;

/** Work that is done again and again while the server runs. */
export interface Round {
  readonly name: string;
  readonly every_ms: number;
  readonly run: (realm: Realm) => Promise<void>;
}

const SLEEP_MS_MAX = 60_000;
const RETRY_FIRST_MS = 1_000;
const RETRY_LAST_MS = 3_600_000;
const ATTEMPTS_MAX = 20;
const JOBS_AT_ONCE = 50;
const ASIDE_AT_ONCE = 20;

export class Runner {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private intervals: ReturnType<typeof setInterval>[] = [];
  private running = new Set<Promise<void>>();
  private stopped = false;
  /** Their ids; those of the ones aside are in both. */
  private underWay = new Set<number>();
  private aside = new Set<number>();

  constructor(
    private readonly realm: Realm,
    private readonly kinds: DueKinds,
    private readonly rounds: readonly Round[],
    private readonly report: (what: string, error: unknown) => void,
  ) {}

  start(): void {
    for (const round of this.rounds) {
      this.intervals.push(setInterval(() => this.track(this.go(round)), round.every_ms));
    }
    this.wake();
  }

  /** Looks for due work now; called when work may have been left that is due sooner. */
  wake(): void {
    if (this.stopped) return;
    clearTimeout(this.timer);
    this.track(this.runDue());
  }

  /** Ends with a last turn of every round, so that a clean stop keeps what a crash would lose. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    for (const interval of this.intervals) clearInterval(interval);
    await Promise.allSettled(this.running);
    for (const round of this.rounds) await this.go(round);
  }

  private async go(round: Round): Promise<void> {
    try {
      await round.run(this.realm);
    } catch (error) {
      this.report(round.name, error);
    }
  }

  private async runDue(): Promise<void> {
    for (const job of this.takeDue()) {
      if (this.aside.has(job.job_id)) this.track(this.attempt(job).then(() => this.wake()));
      else await this.attempt(job);
      if (this.stopped) return;
    }
    const [next] = this.waiting();
    const wait = next ? Math.max(0, next.at - this.realm.clock.now()) : SLEEP_MS_MAX;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), Math.min(wait, SLEEP_MS_MAX));
  }

  private takeDue(): DueJob[] {
    const now = this.realm.clock.now();
    const due: DueJob[] = [];
    for (const job of this.waiting()) {
      if (job.at > now || due.length === JOBS_AT_ONCE) break;
      due.push(job);
      this.underWay.add(job.job_id);
      if (this.isAside(job)) this.aside.add(job.job_id);
    }
    return due;
  }

  /** In their order, those that could be begun now. */
  private *waiting(): Iterable<DueJob> {
    for (const job of this.realm.read.due.range()) {
      if (this.underWay.has(job.job_id)) continue;
      if (this.aside.size < ASIDE_AT_ONCE || !this.isAside(job)) yield job;
    }
  }

  private isAside({ kind }: DueJob): boolean {
    return typeof this.kinds[kind] === "object";
  }

  private async attempt(job: DueJob): Promise<void> {
    const work = this.kinds[job.kind];
    try {
      await (typeof work === "object" ? work.aside : work)?.(this.realm, job);
      await this.realm.write((tx) => tx.due.delete(job.at, job.job_id));
    } catch (error) {
      this.report(`job ${job.kind}`, error);
      await this.putOff(job);
    } finally {
      this.underWay.delete(job.job_id);
      this.aside.delete(job.job_id);
    }
  }

  private async putOff(job: DueJob): Promise<void> {
    const attempts = job.attempts + 1;
    const pause = Math.min(RETRY_FIRST_MS * 2 ** job.attempts, RETRY_LAST_MS);
    await this.realm.write((tx) => {
      tx.due.delete(job.at, job.job_id);
      if (attempts >= ATTEMPTS_MAX) return;
      tx.due.put({ ...job, at: this.realm.clock.now() + pause, attempts });
    });
  }

  private track(work: Promise<void>): void {
    const tracked = work.finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }
}
