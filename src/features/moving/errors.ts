// The error for an archive that cannot be imported or an export that cannot be written.

/** Exit codes of `skein import` and `skein export`, besides 2 for a wrong command line. */
export const EXIT = {
  all: 0,
  /** Interrupted; it can be resumed. */
  broken: 1,
  /** Completed, but some data was lost; the report lists it. */
  losses: 3,
  /** Rejected before anything was written. */
  refused: 4,
} as const;

/** `location` names the file and the line, such as `messages.jsonl#14`. */
export class MovingRefused extends Error {
  constructor(
    message: string,
    readonly location?: string,
  ) {
    super(location === undefined ? message : `${location}: ${message}`);
  }
}

/** The archive is not the cause: the same task may succeed later. */
export class MovingPostponed extends MovingRefused {}
