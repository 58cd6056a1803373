// Runs code that may fail on unexpected data, so that one bad item does not stop the rest.

/** Returns the result of `run`; if it throws, reports the error and returns that of `instead`. */
export function attempt<T>(run: () => T, fallback: () => T): T {
  try {
    return run();
  } catch (error) {
    reportError(error);
    return fallback();
  }
}
