// The progress of the import in this process, for commands and pages that show it.

type OnProgress = (written: number, found: number) => void;

export interface Progress {
  readonly written: number;
  readonly found: number;
}

let listener: OnProgress | undefined;
let latest: Progress | undefined;

/** Replaces the previous callback, because only one command runs in a process. */
export function watchProgress(onProgress: OnProgress | undefined): void {
  listener = onProgress;
}

export function reportProgress(written: number, found: number): void {
  latest = { written, found };
  listener?.(written, found);
}

/** undefined: no import is running. */
export const progressNow = (): Progress | undefined => latest;

export function endProgress(): void {
  latest = undefined;
}

/** The rate is too uncertain for an estimate before this time. */
const RATE_FROM_MS = 2_000;

/** undefined: it is too early for an estimate. */
export function secondsLeft(written: number, found: number, ms: number): number | undefined {
  if (written === 0 || ms < RATE_FROM_MS) return undefined;
  return Math.ceil(((Math.max(found - written, 0) / written) * ms) / 1000);
}
