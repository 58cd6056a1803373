// An archive that cannot be imported, or an export that cannot be written: why, and where.

/** Exit codes of `skein import` and `skein export`, besides 2 for a wrong command line. */
export const EXIT = {
  all: 0,
  /** It broke off and can be resumed. */
  broken: 1,
  /** Done, and the report lists what is lost. */
  losses: 3,
  /** Refused before anything was written. */
  refused: 4,
} as const;

/** `place` names the file and the line, such as `messages.jsonl#14`. */
export class MovingRefused extends Error {
  constructor(
    message: string,
    readonly place?: string,
  ) {
    super(place === undefined ? message : `${place}: ${message}`);
  }
}
