// Due jobs that wait because too many of their kind run.
import type { DueJob } from "../schema/records.ts";

/** The key of a job in its table. */
export type JobKey = [at: number, job_id: number];

export class Backlog {
  /** Keys by kind of job, the oldest job first. */
  private readonly keysByKind = new Map<string, JobKey[]>();
  private readonly ids = new Set<number>();

  get kinds(): string[] {
    return [...this.keysByKind.keys()];
  }

  has(job_id: number): boolean {
    return this.ids.has(job_id);
  }

  add({ kind, at, job_id }: DueJob): void {
    const keys = this.keysByKind.get(kind);
    if (keys) keys.push([at, job_id]);
    else this.keysByKind.set(kind, [[at, job_id]]);
    this.ids.add(job_id);
  }

  /** Removes the oldest job of the kind, and returns its key. */
  take(kind: string): JobKey | undefined {
    const keys = this.keysByKind.get(kind);
    const key = keys?.shift();
    if (key) this.ids.delete(key[1]);
    if (keys?.length === 0) this.keysByKind.delete(kind);
    return key;
  }
}
