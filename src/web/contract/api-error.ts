// The error that a rejected request throws.

/**
 * Skein's own code: the message was deleted or is inaccessible. The protocol has no code for this
 * error, and its text is translated.
 */
export const MESSAGE_MISSING = "MESSAGE_MISSING";

/** `code` is the protocol's error code or `MESSAGE_MISSING`, `text` the message for the user. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly text: string,
    readonly body: Readonly<Record<string, unknown>>,
  ) {
    super(`${status} ${code}: ${text}`);
  }
}
