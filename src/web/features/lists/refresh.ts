// Requests a list again while it is displayed, when events have made it outdated.
import { useEffect } from "preact/hooks";

const AGAIN_MS = 15_000;

/**
 * Calls `ask` at once and then periodically, with random delays, so that one user's deletion or
 * move does not make all clients send requests at the same time. `ask` does nothing if the list is
 * up to date.
 */
export function usePeriodically(ask: () => void, dependency?: unknown): void {
  useEffect(() => {
    ask();
    const timer = setInterval(ask, AGAIN_MS * (1 + Math.random()));
    return () => clearInterval(timer);
  }, [dependency]);
}
