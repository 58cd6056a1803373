/** The error that a rejected request throws. */

/** `code` is the protocol's error code, `words` the message for the user. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly words: string,
    readonly body: Readonly<Record<string, unknown>>,
  ) {
    super(`${status} ${code}: ${words}`);
  }
}
