// The report of an import or an export: counts, losses and faults, each with examples of places.
import { CommitFailed } from "../../store/commits.ts";
import { EXIT, MovingRefused } from "./errors.ts";

const EXAMPLES_MAX = 5;
/** Some kinds contain a name from the archive, so there could be any number of them. */
const KINDS_MAX = 200;
const KIND_LENGTH_MAX = 300;
const MORE_LOSS_KINDS = "There are losses of more kinds.";
const FAULTS_MAX = 100;

interface Loss {
  /** The kind of loss, as a sentence. */
  readonly kind: string;
  count: number;
  readonly examples: string[];
}

export interface MovingReport {
  outcome: "planned" | "imported" | "exported" | "undone" | "refused" | "broken";
  /** A value of `EXIT`. */
  exit: number;
  product: string;
  path: string;
  import_id?: number;
  /** Number of records in the archive, by table. */
  found: Record<string, number>;
  /** Number of rows that this run wrote or deleted, by table. */
  written: Record<string, number>;
  /** Times of the oldest and newest message, in seconds. */
  oldest: number | null;
  newest: number | null;
  losses: Loss[];
  /** Why nothing was written, or why an undo kept rows; each with its position. */
  faults: string[];
  /** Number of further faults that are not listed. */
  more_faults: number;
  /** The commands that import the archive, if the browser cannot. */
  instead?: { readonly product: "zulip" | "skein-jsonl"; readonly commands: readonly string[] };
}

/** Collects the results of a run. */
export class Reporting {
  readonly report: MovingReport;
  private readonly losses = new Map<string, Loss>();
  /** The first damage of the archive. */
  damage: MovingRefused | undefined;

  constructor(product: string, path: string) {
    this.report = {
      ...{ outcome: "planned", exit: EXIT.all, product, path, found: {}, written: {} },
      ...{ oldest: null, newest: null, losses: [], faults: [], more_faults: 0 },
    };
  }

  get hasFaults(): boolean {
    return this.report.faults.length > 0;
  }

  countFound(table: string, count = 1): void {
    this.report.found[table] = (this.report.found[table] ?? 0) + count;
  }

  countWritten(table: string, count = 1): void {
    this.report.written[table] = (this.report.written[table] ?? 0) + count;
  }

  time(seconds: number): void {
    const { oldest, newest } = this.report;
    this.report.oldest = Math.min(oldest ?? seconds, seconds);
    this.report.newest = Math.max(newest ?? seconds, seconds);
  }

  lost(sentence: string, location: string, count = 1): void {
    const shortened = sentence.slice(0, KIND_LENGTH_MAX);
    const isListed = this.losses.has(shortened) || this.losses.size < KINDS_MAX;
    const kind = isListed ? shortened : MORE_LOSS_KINDS;
    let loss = this.losses.get(kind);
    if (!loss) {
      this.losses.set(kind, (loss = { kind, count: 0, examples: [] }));
      this.report.losses.push(loss);
    }
    loss.count += count;
    if (location !== "" && loss.examples.length < EXAMPLES_MAX) loss.examples.push(location);
  }

  /** Losses that were collected elsewhere. */
  add(losses: readonly Loss[]): void {
    for (const { kind, count, examples } of losses) {
      for (const location of examples) this.lost(kind, location);
      if (count > examples.length) this.lost(kind, "", count - examples.length);
    }
  }

  /** @throws if the archive is damaged, and not a single message of it can be read */
  checkIsReadable(damage = this.damage): void {
    if (damage && !this.report.found["messages"]) throw damage;
  }

  fault(message: string): void {
    if (this.report.faults.length < FAULTS_MAX) this.report.faults.push(message);
    else this.report.more_faults += 1;
  }

  /** Sets the exit code that matches the losses and faults. */
  end(outcome: MovingReport["outcome"]): MovingReport {
    const { report } = this;
    report.outcome = outcome;
    if (outcome === "refused") report.exit = EXIT.refused;
    else if (outcome === "broken") report.exit = EXIT.broken;
    else if (report.losses.length + report.faults.length > 0) report.exit = EXIT.losses;
    return report;
  }
}

/** Runs the writing part of an import. If it fails, the report says why and where. */
export async function unlessBroken(
  reporting: Reporting,
  write: () => Promise<void>,
): Promise<MovingReport> {
  try {
    await write();
    return reporting.end("imported");
  } catch (error) {
    const isKnown = error instanceof MovingRefused || error instanceof CommitFailed;
    // System errors, such as a full disk, name the file concerned.
    if (!isKnown && !(error instanceof Error && "syscall" in error)) throw error;
    reporting.fault((error as Error).message);
    return reporting.end("broken");
  }
}
