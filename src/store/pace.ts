// Long work goes a step at a time, one after the other, with rests in which others have their turn.

/** After a step. Where others write too: as long as it took, which is mostly the disk. */
const REST_MS_MIN = 3;
const REST_MS_MAX = 20;

export class Pace {
  private last: Promise<unknown> = Promise.resolve();
  private isShared = false;
  private isBeginning = false;

  /** To be called at each write. */
  share(): void {
    this.isShared ||= !this.isBeginning;
  }

  /** Runs the step when those asked for before are done, and were rested from. */
  step<T>(run: () => Promise<T>): Promise<T> {
    const step = this.last.then(() => {
      this.isBeginning = true;
      const done = Promise.try(run);
      this.isBeginning = false;
      return { at: performance.now(), done };
    });
    this.last = step.then(async ({ at, done }) => {
      await done.catch(() => {});
      const took = this.isShared ? performance.now() - at : 0;
      this.isShared = false;
      await Bun.sleep(Math.min(Math.max(took, REST_MS_MIN), REST_MS_MAX));
    });
    return step.then(({ done }) => done);
  }
}
