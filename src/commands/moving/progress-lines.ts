// The progress of an import: a bar in a terminal, and lines of JSON elsewhere.
import { executeCommand } from "../control.ts";
import { secondsLeft, watchProgress } from "../../features/moving/import-progress.ts";

const BAR_CELLS = 24;
const BAR_EVERY_MS = 200;
const LINE_EVERY_MS = 2_000;
const POLL_MS = 1_000;
const COLLECT_EVERY_ROWS = 4_000;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const CLEAR_LINE = "\r\u001B[K";

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows the progress on standard error until the returned function is called. */
export function showProgress(served: string | undefined, output: Output = process.stderr) {
  const progressLines = new ProgressLines(output, () => performance.now());
  if (served === undefined) {
    watchProgress((bytesWritten, rowsFound) => {
      // The runtime would let unused memory grow to several times what is in use.
      if (bytesWritten % COLLECT_EVERY_ROWS === 0) Bun.gc(true);
      progressLines.update(bytesWritten, rowsFound);
    });
    return () => {
      watchProgress(undefined);
      progressLines.end();
    };
  }
  const timer = setInterval(() => void pollServer(served, progressLines), POLL_MS);
  return () => {
    clearInterval(timer);
    progressLines.end();
  };
}

async function pollServer(directory: string, progressLines: ProgressLines): Promise<void> {
  const runs = await executeCommand(directory, "importStatus", {}).catch(() => []);
  const running = runs.find(({ progress }) => progress !== undefined);
  if (running?.progress) progressLines.update(running.progress.written, running.progress.found);
}

export class ProgressLines {
  private readonly startedAt: number;
  private last = -Infinity;
  private isOver = false;
  private hasBar = false;

  constructor(
    private readonly output: Output,
    private readonly clock: () => number,
  ) {
    this.startedAt = clock();
  }

  update(rowsWritten: number, rowsFound: number): void {
    const now = this.clock();
    const every = this.output.isTTY ? BAR_EVERY_MS : LINE_EVERY_MS;
    if (this.isOver || now - this.last < every) return;
    this.last = now;
    const seconds = secondsLeft(rowsWritten, rowsFound, now - this.startedAt);
    if (!this.output.isTTY) {
      const line = { written: rowsWritten, found: rowsFound, seconds_left: seconds ?? null };
      return void this.output.write(`${JSON.stringify(line)}\n`);
    }
    this.output.write(CLEAR_LINE + barOf(rowsWritten, rowsFound, seconds));
    this.hasBar = true;
  }

  /** Removes the bar. */
  end(): void {
    this.isOver = true;
    if (this.hasBar) this.output.write(CLEAR_LINE);
  }
}

export function barOf(rowsWritten: number, rowsFound: number, seconds: number | undefined): string {
  const part = rowsFound === 0 ? 0 : Math.min(rowsWritten / rowsFound, 1);
  const cells = Math.floor(part * BAR_CELLS);
  const bar = "█".repeat(cells) + "░".repeat(BAR_CELLS - cells);
  const percent = `${String(Math.floor(part * 100)).padStart(3)} %`;
  const remaining = seconds === undefined ? "" : `, ${durationOf(seconds)} left`;
  return `${bar} ${percent}  ${rowsWritten} of ${rowsFound} rows${remaining}`;
}

function durationOf(seconds: number): string {
  if (seconds < MINUTE_SECONDS) return `${seconds} s`;
  if (seconds < HOUR_SECONDS) return `${Math.ceil(seconds / MINUTE_SECONDS)} min`;
  const minutes = Math.ceil((seconds % HOUR_SECONDS) / MINUTE_SECONDS);
  return `${Math.floor(seconds / HOUR_SECONDS)} h ${minutes} min`;
}
