// Runs long work in steps, one at a time, with pauses for other work.

/**
 * Pause after a step. If others write too, it is as long as the step took, which is mostly disk
 * time.
 */
const PAUSE_MS_MIN = 3;
const PAUSE_MS_MAX = 20;

export class Pace {
  private last: Promise<unknown> = Promise.resolve();
  private isShared = false;
  private isBeginning = false;

  /** Must be called for each write. */
  share(): void {
    this.isShared ||= !this.isBeginning;
  }

  /** Runs the step after all earlier steps and their pauses. */
  step<T>(run: () => Promise<T>): Promise<T> {
    const step = this.last.then(() => {
      this.isBeginning = true;
      const done = Promise.try(run);
      this.isBeginning = false;
      return { at: performance.now(), done };
    });
    this.last = step.then(async ({ at: startedAt, done }) => {
      await done.catch(() => {});
      const duration = this.isShared ? performance.now() - startedAt : 0;
      this.isShared = false;
      await Bun.sleep(Math.min(Math.max(duration, PAUSE_MS_MIN), PAUSE_MS_MAX));
    });
    return step.then(({ done }) => done);
  }
}
