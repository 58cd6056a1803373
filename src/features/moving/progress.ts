// How far an import is, for the command that runs it in its own process.

export type OnProgress = (written: number, found: number) => void;

let listener: OnProgress | undefined;

/** Only one command runs in a process. */
export function watchProgress(onProgress: OnProgress | undefined): void {
  listener = onProgress;
}

export function tellProgress(written: number, found: number): void {
  listener?.(written, found);
}
