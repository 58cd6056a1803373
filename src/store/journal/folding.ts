// Folds the journal into the tables, in steps between commits.
import { FOLD_ROWS, type Fold, type Journal, type Step } from "./journal.ts";

export class Folding {
  /**
   * Returns the key of the first row of a table that is still needed: earlier ones in the journal
   * are dropped, and never stored in the table.
   */
  neededFrom: (() => string) | undefined;
  private fold: Fold | undefined;

  constructor(
    private readonly journal: Journal,
    /** Returns whether the step is durable. If not, the fold ends, and a later one starts over. */
    private readonly commit: (step: Step) => Promise<boolean>,
  ) {}

  /** Runs a step of a fold that is due or in progress, larger than what the last commit added. */
  async continue(added: number): Promise<void> {
    if (!this.fold && this.journal.isFull) {
      if (this.neededFrom) this.journal.dropBefore(this.neededFrom());
      this.fold = this.journal.fold();
    }
    const step = this.fold?.step(Math.max(FOLD_ROWS, 2 * added));
    if (!step || !(await this.commit(step))) this.fold = undefined;
  }

  /** Folds everything before the store is closed. */
  async finish(): Promise<void> {
    const fold = this.journal.fold(true);
    for (let step = fold.step(FOLD_ROWS); step; step = fold.step(FOLD_ROWS)) {
      if (!(await this.commit(step))) return;
    }
  }
}
